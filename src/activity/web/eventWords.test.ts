import { expect, test } from 'vitest'
import { type CampaignEvent, type CampaignEventKind, campaignEventKinds, ownersEventKinds } from '../contract.ts'
import { campaignEvent } from '../../testing/campaignEvent.ts'
import { eventTitle, eventTone, isOwnMoney } from './eventWords.ts'

const ofTester = (kind: CampaignEventKind, facts: Partial<CampaignEvent> = {}) =>
  campaignEvent(kind, { alias: 'Tester 4', ...facts })
const fromNewer = <T extends string>(key: string) => key as T
const toBoth = (read: CampaignEvent) => [eventTitle(read, 'OWNER'), eventTitle(read, 'TESTER')]

const firstOfTests = campaignEventKinds.indexOf('TESTER_JOINED')
const firstOfOwners = campaignEventKinds.indexOf(ownersEventKinds[0])

test.each(campaignEventKinds.slice(0, firstOfTests))(
  '%s of a campaign reads the same to its owner and a tester',
  kind => {
    const [owner, tester] = toBoth(campaignEvent(kind))
    expect(tester).toBe(owner)
  },
)

test.each(campaignEventKinds.slice(firstOfTests, firstOfOwners))(
  '%s names the tester to the owner, and never to the tester',
  kind => {
    const [owner, tester] = toBoth(ofTester(kind))
    expect(owner).toContain('Tester 4')
    expect(tester).not.toMatch(/Tester 4|null|undefined/)
  },
)

test('a verified proof says whether it was reviewed or the time passed, and by whom where it was an admin', () => {
  expect(toBoth(ofTester('TESTER_VERIFIED'))).toEqual(['Tester 4’s proof verified', 'Your proof was verified'])
  expect(toBoth(ofTester('TESTER_VERIFIED', { by: 'ADMIN' }))).toEqual([
    'Tester 4’s proof verified by an admin',
    'Your proof was verified by an admin',
  ])
  expect(toBoth(ofTester('TESTER_VERIFIED', { bySilence: true }))).toEqual([
    'Tester 4’s proof auto-verified: no decision in time',
    'Auto-verified: no decision in time',
  ])
})

test('a pause or a cancellation that is not the owner’s says whose it is', () => {
  const paused = (by: CampaignEvent['by']) => eventTitle(campaignEvent('PAUSED', { by }), 'OWNER')
  expect([paused(null), paused('ADMIN'), paused('SUSPENSION')]).toEqual([
    'Paused',
    'Paused by an admin',
    'Paused: account suspended',
  ])
  expect([null, 'ADMIN' as const].map(by => eventTitle(campaignEvent('CANCELLED', { by }), 'OWNER'))).toEqual([
    'Cancelled',
    'Cancelled by an admin',
  ])
})

test('a dropped tester is told why, where a reason is known', () => {
  expect(toBoth(ofTester('TESTER_DROPPED', { dropReason: 'NO_CHECK_IN' }))).toEqual([
    'Tester 4 dropped: missed check-ins',
    'You were dropped: missed check-ins',
  ])
  expect(toBoth(ofTester('TESTER_DROPPED'))).toEqual(['Tester 4 dropped', 'You were dropped'])
})

test.each([
  [['payPerTesterCents'], 'Changed the pay'],
  [['title', 'groupLink'], 'Changed the title and the Google Group'],
  [['title', 'filters', 'distributionLink'], 'Changed the title, the tester requirements, and the app link'],
] as const)('an edit of %s lists what was changed', (fields, title) => {
  expect(eventTitle(campaignEvent('EDITED', { fields: [...fields] }), 'OWNER')).toBe(title)
})

test('a new link of the Google Group is not called an app link', () => {
  expect(eventTitle(campaignEvent('LINK_APPROVED', { ofGroup: true }), 'OWNER')).toBe('New Google Group approved')
  expect(eventTitle(campaignEvent('LINK_APPROVED'), 'OWNER')).toBe('New app link approved')
})

test('a Google Group that was updated is not called a list in Play Console', () => {
  const confirmed = campaignEvent('LIST_CONFIRMED')
  expect(eventTitle(confirmed, 'OWNER', 'GOOGLE_GROUP')).toBe('Members of the Google Group updated')
  expect(eventTitle(confirmed, 'OWNER', 'EMAIL_LIST')).toBe('Tester list updated in Play Console')
  const removed = ['Tester 1', 'Tester 4']
  expect(eventTitle({ ...confirmed, removed }, 'OWNER', 'EMAIL_LIST')).toBe(
    'Tester list updated in Play Console: Tester 1 and Tester 4 removed',
  )
  const six = { ...confirmed, removed: Array.from({ length: 6 }, (_, n) => `Tester ${n}`) }
  expect(eventTitle(six, 'OWNER', 'EMAIL_LIST')).toBe('Tester list updated in Play Console: 6 testers removed')
  const listed = ofTester('TESTER_LISTED')
  expect(eventTitle(listed, 'OWNER', 'GOOGLE_GROUP')).toBe('Tester 4 added to the Google Group')
  expect(eventTitle(listed, 'OWNER', 'EMAIL_LIST')).toBe('Tester 4 added to the tester list')
  expect(eventTitle(listed, 'TESTER')).toBe('The developer let you in')
})

test.each([
  [12, 'Feedback form saved: 12 questions'],
  [1, 'Feedback form saved: 1 question'],
  [0, 'Feedback form removed'],
  [null, 'Feedback form removed'],
])('a feedback form of %s questions', (questions, title) => {
  expect(eventTitle(campaignEvent('FORM_SAVED', { questions }), 'OWNER')).toBe(title)
})

test('an owner’s money is that of the campaign, a tester’s that of the test', () => {
  expect((['OWNER', 'TESTER'] as const).map(reader => isOwnMoney(campaignEvent('REFUNDED'), reader))).toEqual([
    true,
    false,
  ])
  expect((['OWNER', 'TESTER'] as const).map(reader => isOwnMoney(ofTester('TESTER_VERIFIED'), reader))).toEqual([
    false,
    true,
  ])
})

test('only what went wrong for somebody is red', () => {
  expect(campaignEventKinds.filter(kind => eventTone(campaignEvent(kind)) === 'red')).toEqual([
    'PAYMENT_DECLINED',
    'REJECTED',
    'LINK_REJECTED',
    'CANCELLED',
    'TESTER_OPTED_OUT',
    'OPT_IN_VOIDED',
    'TESTER_REJECTED',
    'REJECTION_UPHELD',
  ])
})

test('what only a newer server knows is told by its key', () => {
  const unknown = campaignEvent(fromNewer('SOMETHING_NEW'))
  expect([...toBoth(unknown), eventTone(unknown)]).toEqual(['Something new', 'Something new', 'neutral'])
  expect(toBoth(campaignEvent('EDITED', { fields: ['title', fromNewer('somethingNew')] }))[0]).toBe(
    'Changed the title and somethingNew',
  )
  expect(toBoth(ofTester('TESTER_DROPPED', { dropReason: fromNewer('SOMETHING_NEW') }))[1]).toBe('You were dropped')
})
