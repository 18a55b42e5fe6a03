/** Enums of the ledger. There are no schemas here, so that an initial screen can import them without loading zod. */
export const transactionTypes = ['CREDIT', 'DEBIT', 'PAYOUT', 'FEE'] as const
export const transactionStatuses = ['COMPLETED', 'PENDING', 'FAILED', 'REFUNDED'] as const
export const withdrawalStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const

/**
 * Why money stays where it is. The first three and LOST_PAYOUT hold up new withdrawals; SUSPENDED, APPROVAL, JOBS_PAUSED and
 * COMPARING hold up requested ones; RESTORING and BOOKS hold up both.
 */
export const holdKinds = [
  'METHOD_PAUSE',
  'SECURITY_PAUSE',
  'EMAIL_NOT_CONFIRMED',
  'LOST_PAYOUT',
  'SUSPENDED',
  'RESTORING',
  'BOOKS',
  'APPROVAL',
  'JOBS_PAUSED',
  'COMPARING',
] as const
export type HoldKind = (typeof holdKinds)[number]

export const approvalOutcomes = ['CONFIRMED', 'REFUSED', 'LAPSED'] as const
export type ApprovalOutcome = (typeof approvalOutcomes)[number]
export const payoutActions = ['release', 'confirm', 'refuse'] as const
export type PayoutAction = (typeof payoutActions)[number]

/**
 * What a comparison with the provider finds. `ARRIVED`: in transit here, done by the provider. `LOST_…`: unknown here. `UNKNOWN`:
 * done here, unknown to the provider. `DIFFERS`: known to both, but different.
 */
export const findingKinds = ['ARRIVED', 'LOST_PAYOUT', 'LOST_REFUND', 'LOST_CHARGE', 'UNKNOWN', 'DIFFERS'] as const
export type FindingKind = (typeof findingKinds)[number]

/** How far a tester's account at the payment provider is; NONE if there is no account. */
export const payoutAccountStatuses = ['NONE', 'INCOMPLETE', 'IN_REVIEW', 'READY', 'REJECTED'] as const

/** How a dispute about a payment ends: `WON` leaves the payment with us, `LOST` takes it back. */
export const disputeOutcomes = ['WON', 'LOST'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]
export const disputeStatuses = ['OPEN', ...disputeOutcomes] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/** What an admin records about the debt for a lost dispute. */
export const settlementKinds = ['PAID', 'WAIVED', 'GIVEN_BACK'] as const
