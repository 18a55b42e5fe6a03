import { expect, test } from 'vitest'
import { hoursAfter } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { hasScreen } from '../../kit/screens.ts'
import type { Need } from '../contract.ts'
import { needKinds } from '../terms.ts'
import { daysWaited, isPressing, needWords, timeLeft, timeLeftWords } from './needWords.ts'

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

test.each(needKinds)('%s says what to do, and links to a screen that exists', kind => {
  for (const facts of [{ kind }, { kind, count: 10, campaign: null, testId: null, user: null }]) {
    const { text, action, to } = needWords(need(facts))
    expect(text.length * action.length).toBeGreaterThan(0)
    expect([to, hasScreen(to.split('?')[0]!)]).toEqual([to, true])
  }
})

test('counts read as one, several, or more than nine', () => {
  expect([1, 3, 10].map(count => needWords(need({ count })).text)).toEqual([
    '1 proof to review',
    '3 proofs to review',
    '9+ proofs to review',
  ])
  expect(needWords(need({ count: 2, campaign: null })).text).toBe('2 more campaigns with proofs to review')
})

test.each<[string, Partial<Need>, string, string]>([
  ['a test of one’s own', { kind: 'PROOF' }, 'Your proof is due', paths.myTest(id)],
  ['tests, where none is named', { kind: 'PROOF', testId: null }, 'Your proof is due', paths.myTests],
  [
    'the bug that is fixed',
    { kind: 'RETEST', bugId: 'b1' },
    'A bug you reported is fixed: please retest',
    paths.bug('b1'),
  ],
  ['the test', { kind: 'RETEST' }, 'A new version addresses your feedback: take another look', paths.myTest(id)],
  ['the campaign', { kind: 'UNPAID' }, 'An unpaid draft', paths.campaign(id)],
  ['the drafts', { kind: 'UNPAID', campaign: null }, '1 more campaign not paid yet', `${paths.campaigns}?status=DRAFT`],
  ['the campaigns', { kind: 'PROOFS', campaign: null }, '1 more campaign with proofs to review', paths.campaigns],
  // Some may have got in before the list was confirmed, and some may be on it but locked out.
  ['the list', { kind: 'TO_LIST' }, '1 tester to confirm on the tester list', paths.campaignTab(id, 'list')],
  ['the outcome', { kind: 'APPEAL_DECIDED' }, 'Your appeal has been decided', paths.myTest(id)],
  ['a campaign’s check-in', { kind: 'CHECK_IN', user: null }, 'Check in for today', paths.myTest(id)],
  ['the other tests', { kind: 'CHECK_IN', campaign: null, user: null }, '1 more test waiting for you', paths.myTests],
  [
    'the user whose payout failed',
    { kind: 'PAYOUT_FAILED', campaign: null },
    'A payout failed; the money is back in the balance',
    paths.user(id),
  ],
  ['the users', { kind: 'PAYOUT_WAITS', campaign: null, user: null }, '1 more waiting payout', paths.users],
  ['reports of a severity', { kind: 'FRAUD', count: 2 }, '2 high-severity fraud reports', paths.fraudOpen('HIGH')],
  [
    'the least ones, where none is named',
    { kind: 'FRAUD', severity: null },
    '1 low-severity fraud report',
    paths.fraudOpen('LOW'),
  ],
])('an entry links to %s', (_, facts, text, to) => {
  expect(needWords(need(facts))).toMatchObject({ text, to })
})

test.each<[Need['kind'], string]>([
  ['AT_RISK', '2 testers'],
  ['TO_LIST', '2 testers'],
  ['APPEALED', '2 appeals'],
  ['CAMPAIGNS', '2 campaigns'],
  ['LINKS', '2 changed links'],
  ['APPEALS', '2 appeals'],
  ['REJECTIONS', '2 rejections'],
  ['PAYOUTS', '2 payouts'],
  ['DISPUTES', '2 disputed payments'],
  ['REFUNDS_STUCK', '2 stuck refunds'],
  ['REFUNDS_PAID_TWICE', '2 refunds'],
  ['DEBTS_TO_GIVE_BACK', '2 paid debts'],
  ['ESCROW', '2 campaigns'],
  ['OPT_INS', '2 contested opt-ins'],
])('%s counts %s', (kind, counted) => {
  expect(needWords(need({ kind, count: 2 })).text.startsWith(`${counted} `)).toBe(true)
})

test.each([
  [1, '1 data check fails', 'The nightly check corrected figures this week'],
  [2, '2 data checks fail', 'The nightly check corrected figures 2 times this week'],
  [9, '9 data checks fail', 'The nightly check corrected figures 9 times this week'],
  [10, '9+ data checks fail', 'The nightly check corrected figures 9+ times this week'],
])('an admin reads how many, for %i', (count, checks, figures) => {
  expect([needWords(need({ kind: 'CHECKS', count })).text, needWords(need({ kind: 'FIGURES', count })).text]).toEqual([
    checks,
    figures,
  ])
})

test('the time left is never rounded down', () => {
  const left = (hours: number) => timeLeft(now, hoursAfter(now, hours))
  expect([72, 71.99, 72.01, 96, 24, 1.01, 1, 0.99, 0.98, 0.001, 0, -1].map(left)).toEqual([
    '72 h left',
    '72 h left',
    '4 days left',
    '4 days left',
    '24 h left',
    '2 h left',
    '1 h left',
    '1 h left',
    '59 min left',
    '1 min left',
    'any moment now',
    'any moment now',
  ])
})

test('a check-in says what its deadline is for', () => {
  const words = (kind: Need['kind'], hours: number) => timeLeftWords(now, { kind, dueAt: hoursAfter(now, hours) })
  expect(words('CHECK_IN', 40)).toBe('40 h left to keep your seat')
  expect(words('CHECK_IN', -1)).toBe('any moment now')
  expect(words('PROOF', 40)).toBe('40 h left')
})

test('one appeal is against one rejection', () => {
  const words = (count: number) => needWords(need({ kind: 'APPEALED', count })).text
  expect([1, 2].map(words)).toEqual([
    '1 appeal against a rejection; our team decides',
    '2 appeals against rejections; our team decides',
  ])
})

test('an entry is pressing on its last day', () => {
  const pressing = (hours: number) => isPressing(now, { dueAt: hoursAfter(now, hours) })
  expect([24.01, 24, -1].map(pressing)).toEqual([false, true, true])
  expect(isPressing(now, { dueAt: null })).toBe(false)
})

test('only appeals count the whole days that they have waited', () => {
  const since = (hours: number) => hoursAfter(now, -hours)
  const waited = (hours: number) => daysWaited(now, { kind: 'APPEALS', since: since(hours) })
  expect([0, 23.99, 24, 47.99, 48, 24 * 7].map(waited)).toEqual([0, 0, 1, 1, 2, 7])
  expect(daysWaited(now, { kind: 'APPEALS', since: null })).toBe(0)
  expect(daysWaited(now, { kind: 'REJECTIONS', since: since(48) })).toBe(0)
})
