import { expect, test } from 'vitest'
import { hoursAfter } from '../../kit/clock.ts'
import { hasScreen } from '../../kit/screens.ts'
import type { Need } from '../contract.ts'
import { needKinds } from '../terms.ts'
import { isPressing, needWords, timeLeft } from './needWords.ts'

const id = '01900000-0000-7000-8000-000000000000'
const now = '2026-11-21T10:00:00.000Z'
const need = (facts: Partial<Need>): Need => ({
  kind: 'PROOFS',
  count: 1,
  campaign: { id, title: 'Notes' },
  testId: id,
  bugId: null,
  user: { id, name: 'Tia' },
  severity: 'HIGH',
  since: null,
  dueAt: null,
  ...facts,
})

test.each(needKinds)('%s says what to do, on a screen that there is', kind => {
  for (const facts of [{ kind }, { kind, count: 10, campaign: null, testId: null, user: null }]) {
    const { text, action, to } = needWords(need(facts))
    expect(text.length * action.length).toBeGreaterThan(0)
    expect([to, hasScreen(to.split('?')[0]!)]).toEqual([to, true])
  }
})

test('one, several and more than nine', () => {
  expect([1, 3, 10].map(count => needWords(need({ count })).text)).toEqual([
    '1 proof to review',
    '3 proofs to review',
    '9+ proofs to review',
  ])
  expect(needWords(need({ count: 2, campaign: null })).text).toBe('2 more campaigns with proofs to review')
})

test('what is left is never rounded down', () => {
  const left = (hours: number) => timeLeft(now, hoursAfter(now, hours))
  expect([72, 71.99, 72.01, 24, 1, 0.99, 0.001, -1].map(left)).toEqual([
    '72 h left',
    '72 h left',
    '4 days left',
    '24 h left',
    '1 h left',
    '1 h left',
    '1 min left',
    'any moment now',
  ])
})

test('the last day is pressing', () => {
  expect([25, 23].map(hours => isPressing(now, { dueAt: hoursAfter(now, hours) }))).toEqual([false, true])
  expect(isPressing(now, { dueAt: null })).toBe(false)
})
