/** One set of facts for each kind of email: a new kind does not compile until it has one here. */
import type { EmailFacts } from '../notifications/server/emails.ts'

const id = '019e8a00-0000-7000-8000-000000000000'
const at = '2026-03-01T08:00:00.000Z'

/** Of the same length in every kind, and as hostile as a title may be. */
const hostileTitle = `<img src=x onerror=alert(1)> "Notes" & 'Co' ${'Donaudampfschifffahrt'.repeat(4)}`

const title = hostileTitle
const link = `https://fieldtest.test/verify-email#token=${'aB3-_x'.repeat(4)}`
const ofTest = { testId: id, title }
const ofCampaign = { campaignId: id, title }
const ofCase = { ...ofTest, alias: 'Tester 7', amountCents: 1000 }
const ofTester = { ...ofCampaign, testId: id, alias: 'Tester 7' }
const ofDispute = { ...ofCampaign, amountCents: 345_000, stage: 'RUNNING' } as const
const ofWithdrawal = { withdrawalId: id, amountCents: 123_456 }
const ofLink = { link, hours: 24 }
const ofAccount = { userId: id }
const ofBug = { bugId: id, campaign: title, number: 12, bug: 'It closes <script>by itself</script>' }
const reason = 'It shows another app.\n<b>Please</b> look again at https://example.test/?a=1&b=2'
const note = reason
const seat = { campaign: 'TAKES_TESTERS', surplus: 'REFUNDED' } as const
const late = { dropsAt: at, hours: 48 }

export const emailExamples: EmailFacts = {
  CAMPAIGN_APPROVED: ofCampaign,
  CAMPAIGN_REJECTED: { ...ofCampaign, reason },
  CAMPAIGN_COMPLETED: { ...ofCampaign, surplus: 'COVERS' },
  LINK_APPROVED: ofCampaign,
  LINK_REJECTED: { ...ofCampaign, link: 'https://example.test/"><script>', reason },
  LINK_CHANGED: { ...ofTest, groupChanged: true },
  CAMPAIGN_CANCELLED: { ...ofTest, maySubmit: true },
  CAMPAIGN_CANCELLED_OWNER: { ...ofCampaign, surplus: 'WAITS', paid: true, started: true, reason },
  RENEWAL_ASKED: { ...ofCampaign, amountCents: 345_000, reason },
  ESCROW_EXTENDED: { ...ofCampaign, until: at, reason },
  CHECK_IN_DUE: { ...ofTest, zone: 'Europe/Berlin' },
  TESTER_LISTED: { ...ofTest, inGroup: true },
  MAY_OPT_OUT: { ...ofTest, because: 'APPLIED' },
  SEAT_OFFERED: { ...ofTest, endsAt: at },
  SEAT_PASSED: ofTest,
  BENCH_ENDED: { title, ended: false },
  TESTER_AT_RISK: { ...ofTest, ...late },
  TESTER_AT_RISK_OWNER: { ...ofTester, ...late, cost: 'It moves from March 3 to March 9.' },
  PROOF_LATE: { ...ofTest, ...late, checkInUntil: null },
  PROOF_LATE_OWNER: { ...ofTester, ...late, cost: null },
  TESTER_DROPPED: { ...ofTest, hours: 72, reason: 'NO_PROOF' },
  TESTER_DROPPED_OWNER: { ...ofTester, ...seat, why: 'no proof within 72 hours' },
  PROOF_TO_REVIEW: { ...ofTester, verifiesAt: at },
  CHANGES_REQUESTED: { ...ofTest, note, hours: 72 },
  TEST_VERIFIED: { ...ofTest, amountCents: 1000, stayDays: 14 },
  TEST_REJECTED: { ...ofTest, reason, appealBy: at },
  WITHDRAWAL_REQUESTED: { ...ofWithdrawal, destination: '<i>pay</i>@example.test' },
  PAYOUT_TO_RELEASE: { ...ofWithdrawal, tester: '<b>Ann</b>' },
  PAYOUT_TO_CONFIRM: { ...ofWithdrawal, tester: '<b>Ann</b>', releasedBy: 'Bob' },
  REFUND_PAID_OUTSIDE: { refundId: id, title, amountCents: 3450, reference: '<b>SEPA 2026-11-23</b>' },
  REFUND_TO_CONFIRM: { partId: id, amountCents: 3450, developer: '<b>Dee</b>', recordedBy: 'Ann' },
  REFUND_PAID_TWICE: { partId: id, amountCents: 3450, developer: '<b>Dee</b>', title },
  LIMIT_TO_CONFIRM: { changeId: id, fromCents: 50_000, toCents: null, proposedBy: '<b>Ann</b>' },
  WITHDRAWAL_COMPLETED: { ...ofWithdrawal, destination: 'pay@example.test' },
  WITHDRAWAL_FAILED: { ...ofWithdrawal, reason },
  DISPUTE_OPENED: ofTest,
  DISPUTE_CLOSED: ofTest,
  DISPUTE_OPENED_OWNER: { ...ofDispute, stage: 'AHEAD' },
  DISPUTE_CLOSED_OWNER: { ...ofDispute, lost: true, others: 'NONE' },
  DISPUTE_OPENED_ADMIN: ofDispute,
  DISPUTE_CLOSED_ADMIN: { ...ofDispute, lost: false, others: 'NONE' },
  BREACH_FOUND: { breachId: id, check: 'provider-balance', rows: 2, offCents: 12_300 },
  ADMIN_MESSAGE: { subject: '<h1>Hello</h1>', text: reason },
  ACCOUNT_SUSPENDED: { reason, role: 'TESTER' },
  ACCOUNT_RESTORED: { reason },
  CONFIRM_EMAIL: ofLink,
  RESET_PASSWORD: { link, hours: 1, parts: true },
  CHANGE_EMAIL: ofLink,
  STOP_EMAIL_CHANGE: { ...ofLink, newEmail: 'new@example.test' },
  UNDO_EMAIL_CHANGE: { ...ofLink, newEmail: 'new@example.test' },
  PASSWORD_AFTER_UNDO: ofLink,
  PASSWORD_CHANGED: { ...ofAccount, byLink: true, pauseHours: 24 },
  EMAIL_CHANGED: { ...ofAccount, email: 'new@example.test', pauseHours: null },
  EMAIL_CHANGE_ASKED: { ...ofAccount, newEmail: 'new@example.test' },
  EMAIL_CHANGE_UNDONE: { ...ofAccount, email: 'old@example.test', moved: true, removedFactors: 2 },
  EMAIL_CHANGE_REVERTED: { email: 'old@example.test' },
  PAYMENT_METHOD_CHANGED: { ...ofAccount, paymentMethod: 'pay@example.test', pauseHours: 24 },
  PAYOUT_ACCOUNT_OPENED: { userId: id, country: 'Germany', pauseHours: 24 },
  PAYOUT_ACCOUNT_REMOVED: { userId: id, country: 'Germany' },
  NEW_DEVICE: { ...ofAccount, device: '<b>Firefox</b> on Linux', ip: '192.0.2.1', at },
  SIGNED_OUT_EVERYWHERE: ofAccount,
  SIGNED_OUT_ELSEWHERE: { ...ofAccount, sessions: 3 },
  SIGNED_OUT: { ...ofAccount, device: 'Firefox on Linux', by: 'REUSED_TOKEN' },
  BUG_REPORTED: { ...ofBug, alias: 'Tester 7', severity: 'HIGH' },
  BUG_COMMENTED: { ...ofBug, from: 'Tester 7', text: reason, files: 2 },
  BUG_CHANGED: { ...ofBug, what: 'is confirmed', note },
  RETEST_ASKED: { ...ofBug, version: '1.2', note },
  BUG_RETESTED: { ...ofBug, alias: 'Tester 7', works: false, version: '1.2', note },
  FEEDBACK_RETEST_ASKED: { ...ofTest, version: '1.2', change: note, quotes: [reason, note] },
  FEEDBACK_RETESTED: { ...ofCampaign, alias: 'Tester 7', works: false, version: '1.2', change: reason, note },
  NDA_ASKED: { ...ofTest, asked: 'BEFORE_ITS_DAYS', hours: 72 },
  NDA_LATE: { ...ofTest, ...late },
  NDA_LATE_OWNER: { ...ofTester, ...late },
  NDA_REFUSED_OWNER: { ...ofTester, ...seat },
  APPEAL_OWNER: { ...ofTester, reason, byAdmin: true },
  APPEAL_GRANTED: { ...ofTest, note, amountCents: 1000 },
  APPEAL_GRANTED_OWNER: { ...ofTester, note, amountCents: 1000, byAdmin: false },
  APPEAL_UPHELD: { ...ofTest, note },
  APPEAL_UPHELD_OWNER: { ...ofTester, ...seat, note, byAdmin: true },
  REJECTION_FINAL_OWNER: { ...ofTester, ...seat, byAdmin: false },
  CONSENT_ASKED: { ...ofTester, verifiesAt: at },
  CONSENT_GIVEN: { ...ofTester, note },
  CONSENT_REFUSED: { ...ofTester, note },
  APPEAL_WAITS: { ...ofCase, days: 3, paysAt: at },
  GOODWILL_HELD_ADMIN: { ...ofCase, holds: 'FRAUD' },
  GOODWILL_PAID: { ...ofTest, amountCents: 1000 },
  GOODWILL_PAID_OWNER: { ...ofTester, amountCents: 1000, surplus: 'REFUNDED', byAdmin: false },
  GOODWILL_HELD: { ...ofTest, amountCents: 1000, hold: 'LIMIT' },
  GOODWILL_HELD_OWNER: { ...ofTester, amountCents: 1000, surplus: 'REFUNDED', hold: 'CHECK' },
  TESTERS_WAIT_FOR_LIST: { ...ofCampaign, aliases: ['Tester 1', 'Tester 2'], inGroup: true, since: at, mayLeaveAt: at },
  WAITING_MAY_LEAVE: { ...ofTest, amountCents: 71, endsAt: at },
  WAITING_ENDED: { ...ofTest, amountCents: 71 },
  WAITING_ENDED_OWNER: { ...ofTester, amountCents: 71, surplus: 'COVERS' },
  OPT_IN_LATE: { ...ofTest, ...late, mayReport: true },
  OPT_IN_LATE_OWNER: { ...ofTester, ...late },
  TESTER_NOT_LET_IN_OWNER: {
    ...ofTester,
    says: 'the app is not available for their account',
    inGroup: false,
    check: 'Check in Play Console that their address is on the list.',
    mayLeaveAt: at,
  },
  TESTER_NOT_LET_IN_ADMIN: { ...ofTester, says: 'the app is not available for their account' },
  TESTER_OPTED_OUT_OWNER: { ...ofTester, dropsAt: at },
  OPT_IN_CONTESTED: { ...ofTest, reason, clearsAt: at },
  OPT_IN_CLEARED: { ...ofTest, note },
  OPT_IN_CLEARED_OWNER: { ...ofTester, note: null },
  OPT_IN_VOIDED: { ...ofTest, note, hours: 48, frozen: false },
  OPT_IN_VOIDED_OWNER: { ...ofTester, note, frozen: false },
  NUDGE: { ...ofTest, step: 'PROOF' },
  SECOND_FACTOR_ADDED: { factor: 'PASSKEY', name: '<u>Phone</u>' },
  SECOND_FACTOR_REMOVED: { factor: 'TOTP', name: null },
  SECOND_FACTOR_RESET: {},
  SECOND_FACTOR_GUESSED: { signingIn: true },
  PASSKEY_COPIED: { name: 'Phone' },
  RECOVERY_CODE_USED: { left: 1 },
  RECOVERY_CODES_RENEWED: {},
}
