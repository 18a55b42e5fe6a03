/** All charges, transfers and refunds that this installation made at Stripe, for comparison with a restored copy (decision 044). */
import type { Stripe } from 'stripe'
import { z } from 'zod'
import { autocommit } from '../../../kit/server/db.ts'
import { type Done, type History, nobody } from '../history.ts'
import type { StripeClient } from './client.ts'
import { isOurs } from './installation.ts'
import { isReturned } from './payouts.ts'
import * as queries from './queries.ts'
import { instantOf } from './times.ts'

const Ours = z.uuid()
const ours = (metadata: Stripe.Metadata | null, name: string) => Ours.safeParse(metadata?.[name]).data
const idOf = (named: string | { id: string } | null): string | undefined =>
  named === null ? undefined : typeof named === 'string' ? named : named.id

/** Adds up several movements of the same subject; their sum then differs from what we know. */
const add = (all: Map<string, Done>, done: Omit<Done, 'key' | 'declined'>) => {
  const key = `${done.kind}:${done.id}`
  const known = all.get(key)
  const isFirst = known === undefined || (known.isReturned === true && done.isReturned !== true)
  if (isFirst) all.set(key, { ...done, key, declined: null })
  else if (done.isReturned !== true) all.set(key, { ...known, amountCents: known.amountCents + done.amountCents })
}

const addCharges = async (client: StripeClient, all: Map<string, Done>): Promise<Map<string, string>> => {
  const byReference = new Map<string, string>()
  for await (const charge of client.api.charges.list({ limit: 100, expand: ['data.balance_transaction'] })) {
    const id = ours(charge.metadata, 'charge')
    if (id === undefined || !isOurs(client, charge.metadata)) continue
    if (!charge.paid || charge.status !== 'succeeded') continue
    byReference.set(charge.id, id)
    const { balance_transaction: booked, payment_intent } = charge
    add(all, {
      kind: 'CHARGE',
      id,
      of: ours(charge.metadata, 'campaign') ?? nobody,
      amountCents: charge.amount,
      at: instantOf(charge.created),
      reference: idOf(payment_intent),
      feeCents: booked !== null && typeof booked === 'object' ? booked.fee : undefined,
    })
  }
  return byReference
}

const addTransfers = async (client: StripeClient, all: Map<string, Done>): Promise<void> => {
  const testers = new Map((await queries.payoutAccounts(autocommit)).map(each => [each.accountId, each.userId]))
  for await (const { metadata, amount, created, destination, reversed } of client.api.transfers.list({ limit: 100 })) {
    const id = ours(metadata, 'withdrawal')
    if (id === undefined || !isOurs(client, metadata)) continue
    const account = idOf(destination)
    const of = (account !== undefined && testers.get(account)) || nobody
    add(all, {
      kind: 'PAYOUT',
      id,
      of,
      amountCents: amount,
      at: instantOf(created),
      account,
      ...(reversed && { isReturned: true }),
    })
  }
}

const addRefunds = async (
  client: StripeClient,
  all: Map<string, Done>,
  charges: ReadonlyMap<string, string>,
): Promise<void> => {
  for await (const refund of client.api.refunds.list({ limit: 100 })) {
    const { metadata, amount, created } = refund
    if (!isOurs(client, metadata)) continue
    const [part, lost] = [ours(metadata, 'part'), ours(metadata, 'lost')]
    const id = part ?? lost
    if (id === undefined) continue
    const earlierCents = Number(metadata?.['earlier'] ?? 0)
    add(all, {
      // Not one of our refunds: it gives back a charge that nobody here knew.
      kind: part === undefined ? 'VOID' : 'REFUND',
      id,
      of: charges.get(idOf(refund.charge) ?? '') ?? nobody,
      amountCents: amount + earlierCents,
      at: instantOf(created),
      ...(earlierCents > 0 && { earlierCents }),
      ...(isReturned(refund) && { isReturned: true }),
    })
  }
}

const read = async (client: StripeClient): Promise<ReadonlyMap<string, Done>> => {
  const all = new Map<string, Done>()
  await addTransfers(client, all)
  // Read before the refunds, so that every refund finds its charge.
  const charges = await addCharges(client, all)
  await addRefunds(client, all, charges)
  return all
}

/** For each charge, what went back and did not come back. */
const givenBackOf = (all: ReadonlyMap<string, Done>): ReadonlyMap<string, number> => {
  const cents = new Map<string, number>()
  for (const { kind, of, amountCents, earlierCents = 0, isReturned: cameBack } of all.values())
    if ((kind === 'REFUND' || kind === 'VOID') && cameBack !== true)
      cents.set(of, (cents.get(of) ?? 0) + amountCents - earlierCents)
  return cents
}

/** Reads everything once; slow. */
export const stripeHistory = (client: StripeClient): History => {
  let reading: Promise<{ all: ReadonlyMap<string, Done>; givenBack: ReadonlyMap<string, number> }> | undefined
  const once = () => (reading ??= read(client).then(all => ({ all, givenBack: givenBackOf(all) })))
  return {
    provider: 'stripe',
    path: 'Stripe',
    all: async () => (await once()).all,
    givenBack: async chargeId => (await once()).givenBack.get(chargeId) ?? 0,
    ownerOf: async accountId => {
      const { metadata } = await client.api.v2.core.accounts.retrieve(accountId)
      return ours(metadata ?? null, 'user')
    },
  }
}
