/** Shapes that several of the ledger's contracts share. */
import { z } from 'zod'
import { EmailAddress, Id, Instant } from '../kit/schemas.ts'
import { transactionStatuses, transactionTypes } from './terms.ts'

export const NamedCampaign = z.object({ id: Id, title: z.string() })
export const NamedPerson = z.object({ id: Id, name: z.string() })

/** An amount that an admin types again, so that it is not recorded by mistake. */
export const TypedCents = z
  .number({
    // NaN comes only from an empty field, since JSON has none.
    error: ({ input }) =>
      Number.isNaN(input) ? 'Enter an amount in dollars, such as 10.00' : 'The amount must be a number of cents',
  })
  .int({ error: 'The amount must be a whole number of cents' })
  .min(1, { error: 'The amount must be at least 1 cent' })

/** The person who paid or was paid, as named on a paper. */
export const PersonOnPaper = z.object({ name: z.string(), email: EmailAddress })

/** A line of a user's transactions, in a list and on a statement. */
export const TransactionLine = z.object({
  id: Id,
  type: z.enum(transactionTypes),
  status: z.enum(transactionStatuses),
  createdAt: Instant,
  /** What it was for, as shown on a statement. */
  description: z.string(),
  campaign: NamedCampaign.nullable(),
  /** The provider's reason for a declined charge or payout. */
  failureReason: z.string().nullable(),
  /** The payment that a developer's transaction belongs to; it has a receipt. */
  paymentId: Id.nullable(),
  /** The refund that a developer's transaction represents; it has a credit note. */
  refundId: Id.nullable(),
  /** The withdrawal that a tester's transaction belongs to; it has a payout advice. */
  withdrawalId: Id.nullable(),
})
