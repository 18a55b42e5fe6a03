/** Translates Stripe's disputes into ours. */
import type { Stripe } from 'stripe'
import { clock } from '../../../kit/clock.ts'
import type { DisputeOutcome } from '../../terms.ts'
import type { DisputeNews } from '../disputes.ts'
import type { DisputeFee } from '../disputes.queries.ts'
import { instantOf } from './times.ts'

/**
 * An inquiry (`warning_…`) takes no money, but may become a dispute, so it freezes the campaign like one. A dispute that ends as an
 * inquiry, or is prevented, counts as won. A won dispute reopens if its money is taken again; a lost one does not reopen.
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

/**
 * Stripe does not say when a dispute was closed, so we take the present time. Throws on a status or currency that we do not know.
 */
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

/**
 * The fee that Stripe kept of each movement of the dispute's money. Stripe keeps it even if the dispute is won, unless it gives the
 * fee back.
 */
export const feesOf = ({ balance_transactions: movements }: Stripe.Dispute): DisputeFee[] =>
  movements.map(({ id, fee }) => ({ movement: id, cents: fee }))
