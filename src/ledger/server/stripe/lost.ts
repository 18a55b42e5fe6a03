/** Gives back charges from before a restore that nobody here knows of. */
import { clock } from '../../../kit/clock.ts'
import { autocommit } from '../../../kit/server/db.ts'
import {
  type LostReturn,
  payLostReturn,
  type Returnable,
  sendLost,
  sendReturn,
  setBooked,
} from '../lostMovements.queries.ts'
import { type StripeClient, stripeOrThrow } from './client.ts'
import { assertOurs, marked } from './installation.ts'
import { isReturned } from './payouts.ts'
import * as queries from './queries.ts'

/** What remains of the charge at Stripe now, whoever gave the rest back: the original, this copy, or a person in the Dashboard. */
const stateOf = async (
  client: StripeClient,
  { reference, disputedCents }: Returnable,
): Promise<number | 'WAITS' | 'BACK'> => {
  const intent = await client.api.paymentIntents.retrieve(reference, { expand: ['latest_charge'] })
  assertOurs(client, intent)
  const { latest_charge: charge } = intent
  if (charge === null || typeof charge === 'string') throw new Error(`Stripe shows no charge of ${reference}`)
  const leftCents = charge.amount - charge.amount_refunded - disputedCents
  if (leftCents > 0) return leftCents
  for await (const { status } of client.api.refunds.list({ payment_intent: reference, limit: 100 }))
    if (status === 'pending' || status === 'requires_action') return 'WAITS'
  return 'BACK'
}

/** Looks before each try, because Stripe may have forgotten the key. Stripe never refunds more than was paid. */
export const giveLostChargeBack = async (lost: Returnable): Promise<void> => {
  const { id, reference, key } = lost
  const client = stripeOrThrow()
  await sendLost(autocommit, id, clock.now())
  const leftCents = await stateOf(client, lost)
  if (typeof leftCents === 'number') {
    const metadata = marked(client, { lost: id, call: key })
    await client.api.refunds.create({ payment_intent: reference, amount: leftCents, metadata }, { idempotencyKey: key })
  }
  if ((await stateOf(client, lost)) === 'BACK') await setBooked(autocommit, id, clock.now())
}

/** The refund of a lost refund that has not come back; undefined if there is none. */
const standing = async (client: StripeClient, { id, payment_intent }: { id: string; payment_intent: string }) => {
  for await (const refund of client.api.refunds.list({ payment_intent, limit: 100 }))
    if ([refund.metadata?.['part'], refund.metadata?.['lost']].includes(id) && !isReturned(refund)) return refund
  return undefined
}

/** Uses the original id, so that a copy restored later recognizes it. */
export const refundAgain = async ({ id, paymentId, amountCents: amount, key }: LostReturn): Promise<void> => {
  const client = stripeOrThrow()
  const payment_intent = await queries.paidReferenceOf(autocommit, paymentId)
  if (payment_intent == null) throw new Error(`nobody knows by what payment ${paymentId} was paid`)
  await sendReturn(autocommit, id, clock.now())
  const metadata = marked(client, { part: id, call: key })
  const again = { payment_intent, amount, metadata }
  const known = await standing(client, { id, payment_intent })
  if (!known) await client.api.refunds.create(again, { idempotencyKey: key })
  const refund = known ?? (await standing(client, { id, payment_intent }))
  if (refund?.status === 'succeeded') await payLostReturn(autocommit, id, refund.id)
}
