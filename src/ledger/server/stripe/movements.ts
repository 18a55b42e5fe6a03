/** All that has moved our balance at Stripe, each movement with the subject that our metadata names. */
import type { Stripe } from 'stripe'
import type { ProviderMovement } from '../provider.ts'
import type { StripeClient } from './client.ts'

/** Of a reversal Stripe shows the transfer by its id only. */
const expand = ['data.source', 'data.source.transfer']

type Subject = Pick<ProviderMovement, 'kind' | 'id'>

/** What our metadata names, by what moved. A dispute has none of ours. */
const idOf = (
  source: Exclude<Stripe.BalanceTransactionSource, string>,
): [ProviderMovement['kind'], string | undefined] => {
  if (source.object === 'charge') return ['CHARGE', source.metadata['charge']]
  if (source.object === 'refund') {
    const lost = source.metadata?.['lost']
    return lost === undefined ? ['REFUND', source.metadata?.['part']] : ['CHARGE', lost]
  }
  if (source.object === 'transfer') return ['PAYOUT', source.metadata['withdrawal']]
  if (source.object === 'transfer_reversal')
    return ['PAYOUT', typeof source.transfer === 'object' ? source.transfer.metadata['withdrawal'] : undefined]
  return ['DISPUTE', source.object === 'dispute' ? source.id : undefined]
}

/** Of what is none of ours the movement itself: payouts to our bank, corrections, other products on the same account. */
const subjectOf = ({ id: movement, source }: Stripe.BalanceTransaction): Subject => {
  const [kind, id] = typeof source === 'object' && source !== null ? idOf(source) : []
  return kind === undefined || id === undefined ? { kind: 'OTHER', id: movement } : { kind, id }
}

const referenceOf = ({ id, source }: Stripe.BalanceTransaction): string =>
  source === null ? id : typeof source === 'string' ? source : source.id

export async function* movements({ api }: StripeClient): AsyncGenerator<ProviderMovement> {
  for await (const moved of api.balanceTransactions.list({ currency: 'usd', limit: 100, expand })) {
    yield { ...subjectOf(moved), reference: referenceOf(moved), cents: moved.net }
  }
}
