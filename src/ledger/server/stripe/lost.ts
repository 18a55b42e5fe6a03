/** Gives back what was charged before a restore and is known to nobody here. */
import { clock } from '../../../kit/clock.ts'
import { autocommit } from '../../../kit/server/db.ts'
import { type Returnable, sendLost, setBooked } from '../lostMovements.queries.ts'
import { type StripeClient, stripeOrThrow } from './client.ts'

/** As Stripe has it now, whoever gave it back: the original, this copy, or somebody in the Dashboard. */
const stateOf = async ({ api }: StripeClient, reference: string): Promise<'LEFT' | 'WAITS' | 'BACK'> => {
  const { latest_charge: charge } = await api.paymentIntents.retrieve(reference, { expand: ['latest_charge'] })
  if (charge === null || typeof charge === 'string') throw new Error(`Stripe shows no charge of ${reference}`)
  if (charge.amount > charge.amount_refunded) return 'LEFT'
  for await (const { status } of api.refunds.list({ payment_intent: reference, limit: 100 }))
    if (status === 'pending' || status === 'requires_action') return 'WAITS'
  return 'BACK'
}

/** Looked at before each try: Stripe may have forgotten the key, and gives no more back than was paid. */
export const giveLostChargeBack = async ({ id, reference, key }: Returnable): Promise<void> => {
  const client = stripeOrThrow()
  await sendLost(autocommit, id, clock.now())
  if ((await stateOf(client, reference)) === 'LEFT') {
    const metadata = { lost: id, call: key }
    await client.api.refunds.create({ payment_intent: reference, metadata }, { idempotencyKey: key })
  }
  if ((await stateOf(client, reference)) === 'BACK') await setBooked(autocommit, id, clock.now())
}
