/** Disputes as Stripe tells of them, in our words. */
import type { Stripe } from 'stripe'
import { clock } from '../../../kit/clock.ts'
import type { DisputeOutcome } from '../../terms.ts'
import type { DisputeNews } from '../disputes.ts'
import type { DisputeFee } from '../disputes.queries.ts'
import { instantOf } from './times.ts'

/**
 * An inquiry (`warning_…`) takes no money, but may become a dispute: it freezes the campaign like one. One that ends as an inquiry,
 * or is prevented, is won. A won one is open again once its money has been taken again; one that was lost stays so.
 */
const statuses: Record<string, 'OPEN' | DisputeOutcome> = {
  warning_needs_response: 'OPEN',
  warning_under_review: 'OPEN',
  warning_closed: 'WON',
  needs_response: 'OPEN',
  under_review: 'OPEN',
  appeal_needs_response: 'OPEN',
  appeal_under_review: 'OPEN',
  prevented: 'WON',
  won: 'WON',
  lost: 'LOST',
}

/** Stripe does not say when it was closed: about now. Throws at a status or a currency that nobody here knows. */
export const newsOf = (
  { id, amount, currency, reason, status, created, evidence_details, balance_transactions }: Stripe.Dispute,
  paymentId: string,
): DisputeNews => {
  const known = statuses[status]
  if (known === undefined || currency !== 'usd') throw new Error(`dispute ${id} is ${status} in ${currency}`)
  const { due_by: dueBy } = evidence_details
  return {
    provider: 'stripe',
    reference: id,
    paymentId,
    amountCents: amount,
    reason: reason.replaceAll('_', ' '),
    status: known,
    movements: balance_transactions.length,
    evidenceDueAt: dueBy === null ? null : instantOf(dueBy),
    at: known === 'OPEN' ? instantOf(created) : clock.now(),
  }
}

/** What Stripe kept of each movement of the dispute’s money; kept also of one that is won, unless Stripe gives it back. */
export const feesOf = ({ balance_transactions: movements }: Stripe.Dispute): DisputeFee[] =>
  movements.map(({ id, fee }) => ({ movement: id, cents: fee }))
