/** Terms of the figures, apart from the schemas so that a first screen does not load zod. */
export const periods = ['30d', '90d', '6m', '12m', 'all'] as const

/** What waits for the reader of a dashboard, in the order in which it is shown. A new kind needs its words (web/needWords.ts), and the statement that finds it. */
export const needKinds = [
  // A developer's.
  'PROOFS',
  'AT_RISK',
  'TO_LIST',
  'APPEALED',
  'PAUSED_BY_ADMIN',
  'SENT_BACK',
  'TO_SUBMIT',
  'UNPAID',
  'TO_START',
  // A tester's.
  'SEAT_OFFER',
  'CHANGES',
  'MAY_APPEAL',
  'PROOF',
  'NDA',
  'OPT_IN',
  'CHECK_IN',
  'RETEST',
  'APPEAL_DECIDED',
  // An admin's: what stops the platform or its money, what has a deadline, and the daily work.
  'WITHDRAWALS_STOPPED',
  'JOBS_PAUSED',
  'CHECKS',
  'MAIL_FAILS',
  'BACKUPS_REFUSED',
  'PAYOUT_FAILED',
  'PAYOUT_WAITS',
  'LOST_DISPUTES',
  'DISPUTES',
  'APPEALS',
  'OPT_INS',
  'ESCROW',
  'PAYOUTS',
  'CAMPAIGNS',
  'LINKS',
  'REJECTIONS',
  'REFUNDS_STUCK',
  'REFUNDS_PAID_TWICE',
  'LIMIT_CHANGE',
  'FRAUD',
  'FIGURES',
] as const
export type NeedKind = (typeof needKinds)[number]

/** Counts are exact up to 9; more are this many, shown as "9+". */
export const countsEnd = 10

/** What comes next for somebody whom nothing needs now. */
export const nextKinds = ['PROOFS', 'PROOF', 'CHECK_IN', 'CHECKS'] as const
