import { expect, test } from 'vitest'
import { daysAfter, hoursAfter } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import { filterLabel, isShown, isStuck, offered } from './matrixFilter.ts'

const now = '2026-11-22T12:00:00.000Z'
type Judged = Pick<CampaignTester, 'status' | 'atRisk' | 'funnel' | 'consentRequest'>
const tester = (more: Partial<Judged> = {}): Judged => ({
  status: 'ACTIVE',
  atRisk: false,
  funnel: null,
  consentRequest: null,
  ...more,
})
const waiting = (since: string, step: 'LISTED' | 'OPTED_IN' | 'IN_USE' = 'LISTED') => ({ step, since })

test('a tester is stuck after a day at one step of getting in, while the test is open', () => {
  expect(isStuck(tester({ funnel: waiting(hoursAfter(now, -23)) }), now)).toBe(false)
  expect(isStuck(tester({ funnel: waiting(hoursAfter(now, -24)) }), now)).toBe(true)
  expect(isStuck(tester({ funnel: waiting(daysAfter(now, -9), 'OPTED_IN') }), now)).toBe(true)
  expect(isStuck(tester({ funnel: waiting(daysAfter(now, -9), 'IN_USE') }), now)).toBe(false)
  expect(isStuck(tester({ status: 'CHANGES_REQUESTED', funnel: waiting(daysAfter(now, -9)) }), now)).toBe(true)
  expect(isStuck(tester({ status: 'DROPPED', funnel: waiting(daysAfter(now, -9)) }), now)).toBe(false)
  // With an open link there is no way in to be stuck on.
  expect(isStuck(tester(), now)).toBe(false)
})

test('a filter is offered only while it shows somebody or is chosen, and what needs the developer comes first', () => {
  const testers = [
    tester(),
    tester({ atRisk: true }),
    tester({ status: 'CHANGES_REQUESTED', atRisk: true }),
    tester({ status: 'SUBMITTED' }),
    tester({ status: 'VERIFIED' }),
    tester({ funnel: waiting(daysAfter(now, -2)) }),
  ]
  expect(offered(testers, 'REJECTED', now)).toEqual([
    { filter: 'AT_RISK', count: 2 },
    { filter: 'SUBMITTED', count: 1 },
    { filter: 'STUCK', count: 1 },
    { filter: 'ACTIVE', count: 2 },
    { filter: 'VERIFIED', count: 1 },
    { filter: 'REJECTED', count: 0 },
  ])
  expect(testers.filter(one => isShown(null, one, now))).toHaveLength(testers.length)
})

test('a proof whose rejection waits for an admin is not to review, and is offered apart', () => {
  const asked = { at: now, code: 'OTHER' as const, reason: 'Another app.', decidedAt: null, note: null }
  const testers = [
    tester({ status: 'SUBMITTED' }),
    tester({ status: 'SUBMITTED', consentRequest: { ...asked, outcome: null } }),
    tester({ status: 'SUBMITTED', consentRequest: { ...asked, outcome: 'REFUSED' } }),
  ]
  expect(offered(testers, null, now)).toEqual([
    { filter: 'SUBMITTED', count: 2 },
    { filter: 'CONSENT', count: 1 },
  ])
})

test.each([
  ['AT_RISK', 'At risk'],
  ['STUCK', 'Stuck for a day or more'],
  ['SUBMITTED', 'To review'],
  ['CONSENT', 'With an admin'],
  ['CHANGES_REQUESTED', 'Changes requested'],
  ['DROPPED', 'Dropped'],
] as const)('the filter %s is called “%s”', (filter, label) => {
  expect(filterLabel(filter)).toBe(label)
})
