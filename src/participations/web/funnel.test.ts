import { expect, test } from 'vitest'
import type { CampaignTester } from '../contract.ts'
import { nextSteps } from '../terms.ts'
import { participationStatuses } from '../../campaigns/participationStatus.ts'
import { funnelWords, isOnTheWayIn, stuckHead, stuckWords } from './funnel.ts'

const since = '2026-11-21T10:00:00.000Z'
const at = (step: NonNullable<CampaignTester['funnel']>['step']) => ({ funnel: { step, since } })
const list = { accessMode: 'EMAIL_LIST' }
const tester = (facts: Partial<CampaignTester> = {}) =>
  ({ status: 'ACTIVE', nextStep: null, funnel: null, runs: [], campaign: list, ...facts }) as unknown as CampaignTester
const inGroup = { campaign: { accessMode: 'GOOGLE_GROUP' } as CampaignTester['campaign'] }
const reported: Pick<CampaignTester, 'noAccess'> = {
  noAccess: { reports: 1, at: since, problem: 'NOT_A_TESTER', mayReportAt: null },
}
const optedOut = [{ startedAt: since, endedAt: since }]

test('a tester is on the way in until the opt-in, also one under review or verified who left the test', () => {
  const before = ['ACCEPT_NDA', 'WAIT_FOR_LIST', 'OPEN_LINK', 'OPT_IN']
  expect(nextSteps.filter(nextStep => isOnTheWayIn(tester({ nextStep })))).toEqual(before)
  expect(nextSteps.filter(nextStep => isOnTheWayIn(tester({ nextStep, status: 'VERIFIED' })))).toEqual(before)
})

test('a tester who opted in is on the way in until the first sign of use, and only while testing', () => {
  expect(participationStatuses.filter(status => isOnTheWayIn(tester({ status, ...at('OPTED_IN') })))).toEqual([
    'ACTIVE',
  ])
  expect(isOnTheWayIn(tester(at('IN_USE')))).toBe(false)
  expect(isOnTheWayIn(tester())).toBe(false)
})

test('whoever has opted out is not counted as not testing yet', () => {
  const joined = tester({ nextStep: 'OPEN_LINK', ...at('LISTED') })
  const left = tester({ status: 'VERIFIED', nextStep: 'OPT_IN', ...at('LINK_OPENED'), runs: optedOut })
  expect(stuckHead([joined, joined])).toEqual({ title: 'On their way in', description: '2 testers not testing yet' })
  expect(stuckHead([left])).toEqual({ title: 'No longer opted in', description: '1 tester no longer opted in' })
  expect(stuckHead([joined, left])).toEqual({
    title: 'On their way in, or no longer opted in',
    description: '1 tester not testing yet, 1 tester no longer opted in',
  })
})

test.each<[string, Partial<CampaignTester>]>([
  ['has not accepted the NDA', { nextStep: 'ACCEPT_NDA', ...at('JOINED') }],
  ['has not accepted the NDA', { nextStep: 'ACCEPT_NDA', ...at('OPTED_IN'), runs: optedOut }],
  ['is waiting for you: not on the tester list yet', { nextStep: 'WAIT_FOR_LIST', ...at('JOINED') }],
  ['is waiting for you: not in your Google Group yet', { nextStep: 'WAIT_FOR_LIST', ...at('JOINED'), ...inGroup }],
  ['is waiting for you: not let in by Google Play', { nextStep: 'WAIT_FOR_LIST', ...at('JOINED'), ...reported }],
  ['on the list, has not opened the link', { nextStep: 'OPEN_LINK', ...at('LISTED') }],
  ['in the group, has not opened the link', { nextStep: 'OPEN_LINK', ...at('LISTED'), ...inGroup }],
  ['opened the link, has not opted in', { nextStep: 'OPT_IN', ...at('LINK_OPENED') }],
  ['opted out', { nextStep: 'OPT_IN', ...at('LINK_OPENED'), runs: optedOut }],
  [
    'has to opt in again: the opt-in was voided',
    { nextStep: 'OPT_IN', ...at('LINK_OPENED'), runs: optedOut.map(run => ({ ...run, voided: true })) },
  ],
  ['opted in, has not used the app yet', { nextStep: 'CHECK_IN', ...at('OPTED_IN'), runs: optedOut }],
])('the developer reads that a tester %s', (words, facts) => {
  expect(stuckWords(tester(facts))).toBe(words)
})

test('of whoever reported that Google Play does not let them in it is said, and since when', () => {
  const of = tester({ nextStep: 'WAIT_FOR_LIST', ...at('JOINED'), ...reported })
  expect(funnelWords(of, of.funnel!)).toEqual({ words: 'Not let in by Google Play, reported', since })
})

test.each<[string, Partial<CampaignTester>]>([
  ['Not on the list yet, joined', { nextStep: 'WAIT_FOR_LIST', ...at('JOINED') }],
  ['Not on the list yet, joined', { nextStep: 'WAIT_FOR_LIST', ...at('LINK_OPENED') }],
  ['Not in the group yet, joined', { nextStep: 'WAIT_FOR_LIST', ...at('LINK_OPENED'), ...inGroup }],
  ['Link not opened yet, listed', { nextStep: 'OPEN_LINK', ...at('LISTED') }],
  ['Link not opened yet, added', { nextStep: 'OPEN_LINK', ...at('LISTED'), ...inGroup }],
  ['Not opted in yet, link opened', { nextStep: 'OPT_IN', ...at('LINK_OPENED') }],
])('beside a tester stands “%s”, and of whoever waits for the developer since joining', (words, facts) => {
  const joinedAt = '2026-11-20T10:00:00.000Z'
  const of = tester({ joinedAt, ...facts })
  expect(funnelWords(of, of.funnel!)).toEqual({ words, since: of.nextStep === 'WAIT_FOR_LIST' ? joinedAt : since })
})
