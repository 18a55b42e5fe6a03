/** Which topic each kind of event belongs to, and how several of one matter are told in one line. Pure. */
import type { Topic } from '../topics.ts'
import type { EmailKind } from './emails.ts'

type Matter = {
  /** Null: always by email (issue 11: security, withdrawals, payment methods), so nobody can turn it off. */
  topic: Topic | null
  /** Of a campaign or a test: "3 proofs to review". Others stand alone. */
  many?: (count: string) => string
}

const always: Matter = { topic: null }

export const matters: Record<EmailKind, Matter> = {
  PROOF_TO_REVIEW: { topic: 'PROOFS', many: count => `${count} proofs to review` },
  APPEAL_OWNER: { topic: 'APPEALS', many: count => `${count} appeals against your rejections` },
  APPEAL_GRANTED_OWNER: { topic: 'APPEALS', many: count => `${count} appeals were granted` },
  GOODWILL_PAID_OWNER: { topic: 'APPEALS', many: count => `${count} testers were paid by the platform` },
  GOODWILL_HELD_OWNER: { topic: 'APPEALS', many: count => `${count} decisions on appeals take longer` },
  APPEAL_UPHELD_OWNER: { topic: 'APPEALS', many: count => `${count} rejections were upheld` },
  REJECTION_FINAL_OWNER: { topic: 'APPEALS', many: count => `${count} rejections are final` },
  TESTER_AT_RISK_OWNER: { topic: 'TESTERS_AT_RISK', many: count => `${count} testers have not checked in` },
  PROOF_LATE_OWNER: { topic: 'TESTERS_AT_RISK', many: count => `${count} proofs are late` },
  OPT_IN_LATE_OWNER: { topic: 'TESTERS_AT_RISK', many: count => `${count} testers have not opted in` },
  NDA_LATE_OWNER: { topic: 'TESTERS_AT_RISK', many: count => `${count} testers have not accepted the NDA` },
  TESTERS_WAIT_FOR_LIST: { topic: 'TESTER_LIST', many: count => `Testers wait for your list, ${count} reminders` },
  CAMPAIGN_APPROVED: { topic: 'CAMPAIGNS', many: count => `Approved, ${count} times` },
  CAMPAIGN_REJECTED: { topic: 'CAMPAIGNS', many: count => `Changes needed, ${count} times` },
  CAMPAIGN_COMPLETED: { topic: 'CAMPAIGNS', many: count => `Completed, ${count} times` },
  CAMPAIGN_CANCELLED_OWNER: { topic: 'CAMPAIGNS', many: count => `Cancelled, ${count} times` },
  LINK_APPROVED: { topic: 'CAMPAIGNS', many: count => `${count} new links approved` },
  LINK_REJECTED: { topic: 'CAMPAIGNS', many: count => `${count} new links not approved` },
  TESTER_DROPPED_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} seats are open again` },
  TESTER_OPTED_OUT_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} testers opted out` },
  WAITING_ENDED_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} seats are closed` },
  NDA_REFUSED_OWNER: { topic: 'SEATS_OF_CAMPAIGNS', many: count => `${count} testers refused the NDA and left` },
  OPT_IN_CLEARED_OWNER: { topic: 'OPT_IN_DECISIONS', many: count => `${count} contested opt-ins count` },
  OPT_IN_VOIDED_OWNER: { topic: 'OPT_IN_DECISIONS', many: count => `${count} opt-ins do not count` },
  BUG_REPORTED: { topic: 'BUG_REPORTS', many: count => `${count} bugs reported` },
  BUG_RETESTED: { topic: 'BUG_REPORTS', many: count => `${count} retests of bugs` },
  CHECK_IN_DUE: { topic: 'CHECK_INS', many: count => `${count} check-ins were missing` },
  TESTER_AT_RISK: { topic: 'CHECK_INS', many: count => `Check in today, ${count} warnings` },
  NUDGE: { topic: 'CHECK_INS', many: count => `${count} reminders from the developer` },
  PROOF_LATE: { topic: 'DEADLINES', many: count => `Submit your proof, ${count} warnings` },
  OPT_IN_LATE: { topic: 'DEADLINES', many: count => `Opt in on Google Play, ${count} warnings` },
  NDA_LATE: { topic: 'DEADLINES', many: count => `Accept the NDA, ${count} warnings` },
  CHANGES_REQUESTED: { topic: 'REVIEWS', many: count => `Changes requested, ${count} times` },
  TEST_VERIFIED: { topic: 'REVIEWS', many: count => `Verified, ${count} times` },
  TEST_REJECTED: { topic: 'REVIEWS', many: count => `Proof rejected, ${count} times` },
  APPEAL_GRANTED: { topic: 'APPEAL_OUTCOMES', many: count => `Appeal granted, ${count} times` },
  APPEAL_UPHELD: { topic: 'APPEAL_OUTCOMES', many: count => `Rejection upheld, ${count} times` },
  GOODWILL_PAID: { topic: 'APPEAL_OUTCOMES', many: count => `Verified by the platform, ${count} times` },
  GOODWILL_HELD: { topic: 'APPEAL_OUTCOMES', many: count => `Your appeal takes longer, told ${count} times` },
  SEAT_OFFERED: { topic: 'SEATS', many: count => `A seat was offered ${count} times` },
  SEAT_PASSED: { topic: 'SEATS', many: count => `The seat went to the next ${count} times` },
  BENCH_ENDED: { topic: 'SEATS' },
  LINK_CHANGED: { topic: 'TEST_CHANGES', many: count => `The app link changed ${count} times` },
  CAMPAIGN_CANCELLED: { topic: 'TEST_CHANGES', many: count => `Cancelled, ${count} times` },
  MAY_OPT_OUT: { topic: 'TEST_CHANGES', many: count => `You may opt out now, told ${count} times` },
  NDA_ASKED: { topic: 'TEST_CHANGES', many: count => `The NDA changed ${count} times` },
  TESTER_LISTED: { topic: 'TEST_CHANGES', many: count => `You can get in now, told ${count} times` },
  WAITING_MAY_LEAVE: { topic: 'TEST_CHANGES', many: count => `Still not on the tester list, told ${count} times` },
  WAITING_ENDED: { topic: 'TEST_CHANGES', many: count => `Ended, ${count} times` },
  TESTER_DROPPED: { topic: 'TEST_CHANGES', many: count => `You lost your seat ${count} times` },
  OPT_IN_CONTESTED: { topic: 'OPT_INS', many: count => `The developer doubts your opt-in, ${count} times` },
  OPT_IN_CLEARED: { topic: 'OPT_INS', many: count => `Your opt-in counts, ${count} decisions` },
  OPT_IN_VOIDED: { topic: 'OPT_INS', many: count => `Your opt-in does not count, ${count} decisions` },
  RETEST_ASKED: { topic: 'RETESTS', many: count => `${count} fixes to retest` },
  FEEDBACK_RETEST_ASKED: { topic: 'RETESTS', many: count => `${count} changes to look at again` },
  FEEDBACK_RETESTED: { topic: 'BUG_REPORTS', many: count => `${count} answers to your changes` },
  CONSENT_ASKED: { topic: 'APPEALS_TO_DECIDE', many: count => `${count} rejections need your consent` },
  CONSENT_GIVEN: { topic: 'APPEALS', many: count => `${count} rejections with consent` },
  CONSENT_REFUSED: { topic: 'APPEALS', many: count => `${count} rejections without consent` },
  APPEAL_WAITS: { topic: 'APPEALS_TO_DECIDE', many: count => `${count} reminders of appeals that wait` },
  GOODWILL_HELD_ADMIN: { topic: 'APPEALS_TO_DECIDE', many: count => `Goodwill pay waits, ${count} times` },
  BUG_COMMENTED: { topic: 'BUG_THREADS', many: count => `${count} comments on bugs` },
  BUG_CHANGED: { topic: 'BUG_THREADS', many: count => `${count} bugs have changed` },
  ADMIN_MESSAGE: { topic: 'MESSAGES' },
  WITHDRAWAL_REQUESTED: always,
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
  NEW_DEVICE: always,
  SIGNED_OUT_EVERYWHERE: always,
  SIGNED_OUT: always,
  SECOND_FACTOR_ADDED: always,
  SECOND_FACTOR_REMOVED: always,
  SECOND_FACTOR_RESET: always,
  SECOND_FACTOR_GUESSED: always,
  PASSKEY_COPIED: always,
  RECOVERY_CODE_USED: always,
  RECOVERY_CODES_RENEWED: always,
}

/** More are told as so many. */
const mostCounted = 99

/** One line for several notifications of one kind; null where each stands for itself, or is from before kinds were kept. */
export const lineOf = (kind: string | null, count: number): string | null => {
  const many = kind !== null && count > 1 ? (matters as Partial<Record<string, Matter>>)[kind]?.many : undefined
  return many ? many(count > mostCounted ? `${mostCounted}+` : String(count)) : null
}
