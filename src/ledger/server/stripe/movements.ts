/** Everything that moved our balance at Stripe, each movement with the subject that our metadata names. */
import type { Stripe } from 'stripe'
import type { ProviderMovement } from '../provider.ts'
import type { StripeClient } from './client.ts'
import { isFee } from './fees.ts'
import { isOurs, otherInstallation } from './installation.ts'
import { instantOf } from './times.ts'

/** Without this, Stripe shows only the id of a reversal's transfer. */
const expand = ['data.source', 'data.source.transfer']

type Subject = Pick<ProviderMovement, 'kind' | 'id'>
type Source = Exclude<Stripe.BalanceTransactionSource, string>

/** A dispute does not carry our metadata, so we use its charge's. It is fetched individually, since disputes are few. */
const metadataOf = async ({ api }: StripeClient, source: Source): Promise<Stripe.Metadata> => {
  if (source.object === 'transfer_reversal') return typeof source.transfer === 'object' ? source.transfer.metadata : {}
  if (source.object === 'dispute') {
    const { charge } = source
    return typeof charge === 'string' ? (await api.charges.retrieve(charge)).metadata : charge.metadata
  }
  return ('metadata' in source && source.metadata) || {}
}

/** Finds our subject in the metadata, depending on what moved. */
const idOf = (source: Source, metadata: Stripe.Metadata): [ProviderMovement['kind'], string | undefined] => {
  if (source.object === 'charge') return ['CHARGE', metadata['charge']]
  if (source.object === 'refund') {
    const lost = metadata['lost']
    return lost === undefined ? ['REFUND', metadata['part']] : ['CHARGE', lost]
  }
  if (source.object === 'transfer' || source.object === 'transfer_reversal') return ['PAYOUT', metadata['withdrawal']]
  return ['DISPUTE', source.object === 'dispute' ? source.id : undefined]
}

/** If it is not ours, the movement itself: payouts to our bank, corrections, other products on the same account. */
const subjectOf = async (client: StripeClient, moved: Stripe.BalanceTransaction): Promise<Subject> => {
  const { id: movement, source } = moved
  if (isFee(moved)) return { kind: 'FEE', id: movement }
  if (typeof source !== 'object' || source === null) return { kind: 'OTHER', id: movement }
  const metadata = await metadataOf(client, source)
  const other = otherInstallation(client, metadata)
  if (other !== undefined) return { kind: 'ELSEWHERE', id: other }
  const [kind, id] = isOurs(client, metadata) ? idOf(source, metadata) : []
  return kind === undefined || id === undefined ? { kind: 'OTHER', id: movement } : { kind, id }
}

const referenceOf = ({ id, source }: Stripe.BalanceTransaction): string =>
  source === null ? id : typeof source === 'string' ? source : source.id

export async function* movements(client: StripeClient): AsyncGenerator<ProviderMovement> {
  for await (const moved of client.api.balanceTransactions.list({ currency: 'usd', limit: 100, expand })) {
    yield {
      ...(await subjectOf(client, moved)),
      reference: referenceOf(moved),
      cents: moved.net,
      movedAt: instantOf(moved.created),
    }
  }
}
