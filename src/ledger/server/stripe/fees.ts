/**
 * Stripe's fees for its own services, for example for each active payout account (decision 057). Such a movement does not name any
 * of our subjects, and no event reports it.
 */
import type { Stripe } from 'stripe'
import { clock, daysAfter } from '../../../kit/clock.ts'
import { autocommit } from '../../../kit/server/db.ts'
import { firstCallAt } from '../calls.queries.ts'
import { stripeClient } from './client.ts'
import * as queries from './queries.ts'
import { instantOf, secondsOf } from './times.ts'

/** A movement of any other type must have a source of ours; otherwise it is a difference in the books. */
const feeTypes = ['stripe_fee', 'stripe_fx_fee', 'tax_fee'] as const satisfies Stripe.BalanceTransaction['type'][]

export const isFee = ({ type }: Pick<Stripe.BalanceTransaction, 'type'>): boolean =>
  feeTypes.some(each => each === type)

/** Stripe may list a movement later than its date. Reading a month of them again takes a page or two. */
const overlapDays = 35

/**
 * Books fees from a month before the newest booked one on, but none from before our first call, since those were paid from money
 * outside our books. It books all of them at once, so that none is left out for good.
 */
export const bookStripeFees = async (): Promise<void> => {
  const client = stripeClient()
  if (!client) return
  const first = await firstCallAt(autocommit, 'stripe')
  if (first === null) return
  const last = await queries.lastFeeAt(autocommit)
  const overlap = last === null ? first : daysAfter(last, -overlapDays)
  const created = { gte: secondsOf(overlap > first ? overlap : first) }
  const fees: queries.Fee[] = []
  for (const type of feeTypes)
    for await (const moved of client.api.balanceTransactions.list({ type, currency: 'usd', created, limit: 100 }))
      fees.push({ reference: moved.id, cents: -moved.net, movedAt: instantOf(moved.created) })
  if (fees.length > 0) await queries.bookFees(autocommit, fees, clock.now())
}
