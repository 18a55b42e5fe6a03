import { expect, test } from 'vitest'
import type { CampaignTester } from '../contract.ts'
import { byUrgency, timeLeft } from './urgency.ts'

const now = '2026-11-22T12:00:00.000Z'
type Tested = { id: string } & Pick<CampaignTester, 'actions' | 'atRisk' | 'deadlineAt'>
const tested = (id: string, more: Partial<Tested> = {}): Tested => ({
  id,
  actions: [],
  atRisk: false,
  deadlineAt: null,
  ...more,
})

test('a proof that is due comes before a seat at risk, that before a check-in, and the nearest deadline first', () => {
  const tests = [
    tested('over'),
    tested('waiting', { deadlineAt: '2026-11-24' }),
    tested('check-in, later', { actions: ['checkIn'], deadlineAt: '2026-11-25' }),
    tested('at risk', { actions: ['checkIn'], atRisk: true, deadlineAt: '2026-11-23' }),
    tested('check-in, sooner', { actions: ['checkIn'], deadlineAt: '2026-11-24' }),
    tested('proof, later', { actions: ['submitProof'], deadlineAt: '2026-11-26' }),
    tested('proof, sooner', { actions: ['checkIn', 'submitProof'], deadlineAt: '2026-11-25' }),
  ]
  expect(byUrgency(tests).map(({ id }) => id)).toEqual([
    'proof, sooner',
    'proof, later',
    'at risk',
    'check-in, sooner',
    'check-in, later',
    'waiting',
    'over',
  ])
})

test.each([
  ['2026-11-25T12:00:00.000Z', '3 days'],
  ['2026-11-25T11:59:30.000Z', '3 days'],
  ['2026-11-24T15:59:00.000Z', '2 days 4 h'],
  ['2026-11-23T12:00:00.000Z', '1 day'],
  ['2026-11-23T11:58:59.000Z', '23 h 59 min'],
  ['2026-11-22T13:00:00.000Z', '1 h'],
  ['2026-11-22T12:58:30.000Z', '59 min'],
  ['2026-11-22T12:01:01.000Z', '2 min'],
  ['2026-11-22T12:01:00.000Z', '1 min'],
  ['2026-11-22T12:00:59.000Z', 'less than a minute'],
  ['2026-11-22T11:00:00.000Z', 'less than a minute'],
])('what is left until %s is %s, never rounded down', (until, words) => {
  expect(timeLeft(now, until)).toBe(words)
})
