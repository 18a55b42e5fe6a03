/** The topic of each kind of notification, and how several about one matter become one line. Pure. */
import type { Topic } from '../topics.ts'
import type { EmailKind } from './emails.ts'

type Matter = {
  /** Null: always by email (decision 042: security, withdrawals, payment methods), so nobody can turn it off. */
  topic: Topic | null
  /** The line for several of one campaign or test: "3 proofs submitted". Kinds without it are listed singly. */
  many?: (count: string) => string
  /** Never sent by email, whatever the user chose for the topic. */
  inApp?: true
  /** Asks for work in the product, or is part of it: no email for a suspended user, who finds it in the app when restored. */
  isWork?: true
}

const always: Matter = { topic: null }

export const matters: Record<EmailKind, Matter> = {
  PROOF_TO_REVIEW: { topic: 'PROOFS', many: count => `${count} proofs submitted`, isWork: true },
  PROOF_DECIDED_OWNER: { topic: 'PROOFS', many: count => `An admin decided on proofs, ${count} times` },
  APPEAL_OWNER: { topic: 'APPEALS', many: count => `${count} appeals of rejections` },
  APPEAL_GRANTED_OWNER: { topic: 'APPEALS', many: count => `${count} appeals were granted` },
  GOODWILL_PAID_OWNER: { topic: 'APPEALS', many: count => `${count} testers were paid by the platform` },
  GOODWILL_HELD_OWNER: { topic: 'APPEALS', many: count => `${count} decisions on appeals are taking longer` },
  APPEAL_UPHELD_OWNER: { topic: 'APPEALS', many: count => `${count} rejections were upheld` },
  REJECTION_FINAL_OWNER: { topic: 'APPEALS', many: count => `${count} rejections are final` },
  TESTER_AT_RISK_OWNER: { topic: 'TESTERS_AT_RISK', many: count => `Testers at risk, ${count} warnings`, isWork: true },
  PROOF_LATE_OWNER: { topic: 'TESTERS_AT_RISK', many: count => `${count} proofs are late`, isWork: true },
  OPT_IN_LATE_OWNER: { topic: 'TESTERS_AT_RISK', many: count => `${count} late opt-ins`, isWork: true },
  NDA_LATE_OWNER: {
    topic: 'TESTERS_AT_RISK',
    many: count => `${count} testers have not accepted the NDA`,
    isWork: true,
  },
  TESTERS_WAIT_FOR_LIST: {
    topic: 'TESTER_LIST',
    many: count => `Testers are waiting for your list: ${count} reminders`,
    isWork: true,
  },
  TESTER_NOT_LET_IN_OWNER: {
    topic: 'TESTER_LIST',
    many: count => `Testers cannot get in: ${count} reports`,
    isWork: true,
  },
  PAYMENT_ARRIVED: { topic: 'CAMPAIGNS', many: count => `${count} payments received` },
  CAMPAIGN_APPROVED: { topic: 'CAMPAIGNS', many: count => `Approved, ${count} times` },
  CAMPAIGN_REJECTED: { topic: 'CAMPAIGNS', many: count => `Changes needed, ${count} times` },
  CAMPAIGN_COMPLETED: { topic: 'CAMPAIGNS', many: count => `Completed, ${count} times` },
  CAMPAIGN_CANCELLED_OWNER: { topic: 'CAMPAIGNS', many: count => `Cancelled, ${count} times` },
  CAMPAIGN_PAUSED_OWNER: { topic: 'CAMPAIGNS', many: count => `Paused by an admin, ${count} times` },
  LINK_APPROVED: { topic: 'CAMPAIGNS', many: count => `${count} new links approved` },
  LINK_REJECTED: { topic: 'CAMPAIGNS', many: count => `${count} new links not approved` },
  TESTER_DROPPED_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} testers are no longer testing` },
  TESTER_OPTED_OUT_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} opt-outs` },
  TESTER_DELETED_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} testers deleted their accounts` },
  WAITING_ENDED_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} seats are closed` },
  NDA_REFUSED_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} testers refused the NDA and left` },
  OPT_IN_CLEARED_OWNER: { topic: 'OPT_IN_DECISIONS', many: count => `${count} contested opt-ins count` },
  OPT_IN_VOIDED_OWNER: { topic: 'OPT_IN_DECISIONS', many: count => `${count} opt-ins do not count` },
  BUG_REPORTED: { topic: 'BUG_REPORTS', many: count => `${count} bugs reported`, isWork: true },
  BUG_RETESTED: { topic: 'BUG_REPORTS', many: count => `${count} retests of bugs`, isWork: true },
  CHECK_IN_DUE: { topic: 'CHECK_INS', many: count => `Check in today, ${count} reminders`, isWork: true },
  TESTER_AT_RISK: { topic: 'CHECK_INS', many: count => `You may lose your seat, ${count} warnings`, isWork: true },
  NUDGE: { topic: 'CHECK_INS', many: count => `${count} reminders from the developer`, isWork: true },
  PROOF_LATE: { topic: 'DEADLINES', many: count => `Submit your proof, ${count} warnings`, isWork: true },
  OPT_IN_LATE: { topic: 'DEADLINES', many: count => `Opt in on Google Play, ${count} warnings`, isWork: true },
  NDA_LATE: { topic: 'DEADLINES', many: count => `Accept the NDA, ${count} warnings`, isWork: true },
  CHANGES_REQUESTED: { topic: 'REVIEWS', many: count => `Changes requested, ${count} times`, isWork: true },
  TEST_VERIFIED: { topic: 'REVIEWS', many: count => `Verified, ${count} times` },
  TEST_REJECTED: { topic: 'REVIEWS', many: count => `Proof rejected, ${count} times` },
  APPEAL_GRANTED: { topic: 'APPEAL_OUTCOMES', many: count => `Appeal granted, ${count} times` },
  APPEAL_UPHELD: { topic: 'APPEAL_OUTCOMES', many: count => `Rejection upheld, ${count} times` },
  GOODWILL_PAID: { topic: 'APPEAL_OUTCOMES', many: count => `Verified by the platform, ${count} times` },
  GOODWILL_HELD: { topic: 'APPEAL_OUTCOMES', many: count => `Your appeal is taking longer: ${count} notices` },
  SEAT_OFFERED: { topic: 'SEATS', many: count => `A seat was offered ${count} times`, isWork: true },
  SEAT_TAKEN_BACK: { topic: 'SEATS', many: count => `A seat was put on hold ${count} times`, isWork: true },
  SEAT_PASSED: { topic: 'SEATS', many: count => `${count} seat offers expired`, isWork: true },
  BENCH_ENDED: { topic: 'SEATS' },
  TEXTS_CHANGED: { topic: 'TEST_CHANGES', many: count => `Changed by the developer ${count} times`, inApp: true },
  LINK_CHANGED: { topic: 'TEST_CHANGES', many: count => `${count} changed links`, isWork: true },
  CAMPAIGN_CANCELLED: { topic: 'TEST_CHANGES', many: count => `Cancelled, ${count} times` },
  MAY_OPT_OUT: { topic: 'TEST_CHANGES', many: count => `You may opt out now: ${count} notices` },
  NDA_ASKED: { topic: 'TEST_CHANGES', many: count => `${count} requests to accept the NDA`, isWork: true },
  TESTER_LISTED: { topic: 'TEST_CHANGES', many: count => `You can get in now: ${count} notices`, isWork: true },
  WAITING_MAY_LEAVE: {
    topic: 'TEST_CHANGES',
    many: count => `Still waiting to get in: ${count} notices`,
    isWork: true,
  },
  WAITING_ENDED: { topic: 'TEST_CHANGES', many: count => `Ended, ${count} times` },
  TESTER_DROPPED: { topic: 'TEST_CHANGES', many: count => `You lost your seat ${count} times` },
  OPT_IN_CONTESTED: {
    topic: 'OPT_INS',
    many: count => `The developer doubts your opt-in, ${count} times`,
    isWork: true,
  },
  OPT_IN_CLEARED: { topic: 'OPT_INS', many: count => `${count} decisions: your opt-in counts` },
  OPT_IN_VOIDED: { topic: 'OPT_INS', many: count => `${count} decisions: your opt-in does not count` },
  RETEST_ASKED: { topic: 'RETESTS', many: count => `${count} fixes to retest`, isWork: true },
  FEEDBACK_RETEST_ASKED: { topic: 'RETESTS', many: count => `${count} changes to look at again`, isWork: true },
  FEEDBACK_RETESTED: { topic: 'BUG_REPORTS', many: count => `${count} answers to your changes`, isWork: true },
  CONSENT_ASKED: { topic: 'APPEALS_TO_DECIDE', many: count => `${count} rejections need your consent` },
  CONSENT_GIVEN: { topic: 'APPEALS', many: count => `Consent given to ${count} rejections` },
  CONSENT_REFUSED: { topic: 'APPEALS', many: count => `Consent refused to ${count} rejections` },
  CONSENT_LAPSED: { topic: 'APPEALS', many: count => `${count} rejections were not decided in time` },
  APPEAL_WAITS: { topic: 'APPEALS_TO_DECIDE', many: count => `${count} reminders of waiting appeals` },
  GOODWILL_HELD_ADMIN: { topic: 'APPEALS_TO_DECIDE', many: count => `Goodwill pay on hold, ${count} times` },
  BUG_COMMENTED: { topic: 'BUG_THREADS', many: count => `${count} comments on bugs`, isWork: true },
  BUG_CHANGED: { topic: 'BUG_THREADS', many: count => `${count} changes to bugs`, isWork: true },
  DISPUTE_OPENED: { topic: 'TEST_CHANGES', many: count => `A payment is disputed, ${count} times` },
  DISPUTE_CLOSED: { topic: 'TEST_CHANGES', many: count => `A dispute is over, ${count} times` },
  PAYMENT_FAILED: always,
  PAYMENT_RETURNED: always,
  ESCROW_EXTENDED: always,
  RENEWAL_ASKED: always,
  DISPUTE_OPENED_OWNER: always,
  DISPUTE_CLOSED_OWNER: always,
  DISPUTE_OPENED_ADMIN: always,
  DISPUTE_CLOSED_ADMIN: always,
  DEBT_SETTLED: always,
  DEBT_GIVEN_BACK: always,
  TESTER_NOT_LET_IN_ADMIN: always,
  BREACH_FOUND: always,
  ADMIN_MESSAGE: { topic: 'MESSAGES' },
  WITHDRAWAL_REQUESTED: always,
  PAYOUT_TO_RELEASE: always,
  PAYOUT_TO_CONFIRM: always,
  REFUND_PAID_OUTSIDE: always,
  REFUND_TO_CONFIRM: always,
  REFUND_PAID_TWICE: always,
  LIMIT_TO_CONFIRM: always,
  WITHDRAWAL_COMPLETED: always,
  WITHDRAWAL_FAILED: always,
  ACCOUNT_SUSPENDED: always,
  ACCOUNT_RESTORED: always,
  CONFIRM_EMAIL: always,
  RESET_PASSWORD: always,
  CHANGE_EMAIL: always,
  STOP_EMAIL_CHANGE: always,
  UNDO_EMAIL_CHANGE: always,
  PASSWORD_AFTER_UNDO: always,
  PASSWORD_CHANGED: always,
  EMAIL_CHANGED: always,
  EMAIL_CHANGE_ASKED: always,
  EMAIL_CHANGE_UNDONE: always,
  EMAIL_CHANGE_REVERTED: always,
  PAYMENT_METHOD_CHANGED: always,
  PAYOUT_ACCOUNT_OPENED: always,
  PAYOUT_ACCOUNT_REMOVED: always,
  NEW_DEVICE: always,
  SIGNED_OUT_EVERYWHERE: always,
  SIGNED_OUT_ELSEWHERE: always,
  SIGNED_OUT: always,
  ADMIN_CREATED: always,
  ADMIN_DELETED: always,
  SECOND_FACTOR_ADDED: always,
  SECOND_FACTOR_REMOVED: always,
  SECOND_FACTOR_RESET: always,
  SECOND_FACTOR_GUESSED: always,
  PASSKEY_COPIED: always,
  RECOVERY_CODE_USED: always,
  RECOVERY_CODES_RENEWED: always,
}

/** What is not emailed to a suspended user. */
export const workKinds = (Object.keys(matters) as EmailKind[]).filter(kind => matters[kind].isWork === true)

/** Larger numbers are shown as "99+". */
const mostCounted = 99

/**
 * One line for several notifications of one kind. Null if that kind is listed singly, or for rows from before kinds were stored.
 */
export const lineOf = (kind: string | null, count: number): string | null => {
  const many = kind !== null && count > 1 ? (matters as Partial<Record<string, Matter>>)[kind]?.many : undefined
  return many ? many(count > mostCounted ? `${mostCounted}+` : String(count)) : null
}
