/**
 * What Stripe takes for its own services, such as each active payout account (decision 057). Such a movement names nothing of ours,
 * and no event tells of it.
 */
import type { Stripe } from 'stripe'
import { clock, daysAfter } from '../../../kit/clock.ts'
import { autocommit } from '../../../kit/server/db.ts'
import { firstCallAt } from '../calls.queries.ts'
import { stripeClient } from './client.ts'
import * as queries from './queries.ts'
import { instantOf, secondsOf } from './times.ts'

/** Whatever is of another type has to have a source that is ours, or is a difference in the books. */
const feeTypes = ['stripe_fee', 'stripe_fx_fee', 'tax_fee'] as const satisfies Stripe.BalanceTransaction['type'][]

export const isFee = ({ type }: Pick<Stripe.BalanceTransaction, 'type'>): boolean =>
  feeTypes.some(each => each === type)

/** A movement may be listed later than its date says; a month of them is a page or two. */
const overlapDays = 35

/**
 * Books those since the newest that is booked, with a month before it, and none of before our first call: those were paid from
 * money that is not of our books. All at once, so that none is left out for good.
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
