/** Terms of the figures, in a file of their own so first screens do not load zod. */
export const periods = ['30d', '90d', '6m', '12m', 'all'] as const

/**
 * What can wait for the user of a dashboard, in the order in which it is shown. A new kind needs words (web/needWords.ts) and a
 * statement that finds it.
 */
export const needKinds = [
  // For developers.
  'PROOFS',
  'AT_RISK',
  'TO_LIST',
  'APPEALED',
  'PAUSED_BY_ADMIN',
  'SENT_BACK',
  'TO_SUBMIT',
  'UNPAID',
  'TO_START',
  // For testers.
  'SEAT_OFFER',
  'CHANGES',
  'MAY_APPEAL',
  'PROOF',
  'NDA',
  'OPT_IN',
  'CHECK_IN',
  'RETEST',
  'APPEAL_DECIDED',
  // For admins: first what stops the platform or its money, then what has a deadline, then the daily work.
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
  'DEBTS_TO_GIVE_BACK',
  'LIMIT_CHANGE',
  'FRAUD',
  'FIGURES',
] as const
export type NeedKind = (typeof needKinds)[number]

/** Counts are exact up to 9; this number means more, and is shown as "9+". */
export const countsEnd = 10

/** What comes next for a user who has nothing to do now. */
export const nextKinds = ['PROOFS', 'PROOF', 'CHECK_IN', 'CHECKS'] as const
