/**
 * Stripe's events. Each handler takes only an id from the event and asks Stripe for the present state, so events may come in any
 * order, twice, and days late.
 */
import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { clock } from '../../../kit/clock.ts'
import { autocommit } from '../../../kit/server/db.ts'
import { carryOut, refundReturned, returnLateCharge } from '../calls.ts'
import { givenUpCharge } from '../calls.queries.ts'
import { payoutReturned } from '../payouts.ts'
import { withdrawalById } from '../payouts.queries.ts'
import type { EventHandler } from '../eventHandler.ts'
import {
  bookLostCharge,
  bookLostDispute,
  forgetLostPayout,
  lastRestored,
  reopenLost,
  returnLostRefund,
} from '../lostMovements.queries.ts'
import { chargesAmong } from '../sandbox.queries.ts'
import { bookDisputeFees } from '../disputes.queries.ts'
import { disputeChanged } from '../disputes.ts'
import { refundPaid } from '../stuckRefunds.ts'
import { refreshAccount } from './accounts.ts'
import { stripeOrThrow } from './client.ts'
import { lostBehind, paidBehind } from './charges.ts'
import { feesOf, newsOf } from './disputes.ts'
import { isOurs } from './installation.ts'
import { isReturned, returnedSentence } from './payouts.ts'
import * as queries from './queries.ts'

const Told = z.object({
  data: z.object({ object: z.object({ id: z.string(), metadata: z.record(z.string(), z.string()).nullish() }) }),
})

/** Our subjects are UUIDs. */
const Ours = z.uuid()

const nothing = async () => undefined

/** The subject that our metadata names; undefined if this installation did not make it. */
const subjectOf = (payload: unknown, name: string): string | undefined => {
  const { metadata } = Told.parse(payload).data.object
  return isOurs(stripeOrThrow(), metadata) ? Ours.safeParse(metadata?.[name]).data : undefined
}

/** Ignores what the event says, and books the present state. */
const lookAtCharge: EventHandler = async payload => {
  const chargeId = subjectOf(payload, 'charge')
  if (chargeId === undefined) return nothing
  await carryOut(chargeId)
  const givenUp = await givenUpCharge(autocommit, chargeId)
  if (!givenUp) return lookAtLostCharge(chargeId, Told.parse(payload).data.object.id)
  const paid = await paidBehind(stripeOrThrow(), Told.parse(payload).data.object.id, givenUp)
  return paid ? tx => returnLateCharge(tx, givenUp, paid) : nothing
}

/** A charge that was paid after a restore, on a page that the copy does not know: it goes back. */
const lookAtLostCharge = async (chargeId: string, id: string): ReturnType<EventHandler> => {
  const before = await lastRestored(autocommit)
  if (before === null || (await chargesAmong(autocommit, [chargeId])).has(chargeId)) return nothing
  const lost = await lostBehind(stripeOrThrow(), id, { chargeId, before })
  return lost ? async tx => void (await bookLostCharge(tx, lost, clock.now())) : nothing
}

/**
 * A bank may return a refund days after accepting it: we book that, and retry later. It is also possible that an attempt counted as
 * refused, but was paid after all.
 */
const lookAtRefund: EventHandler = async payload => {
  const { id } = Told.parse(payload).data.object
  const lostId = subjectOf(payload, 'lost')
  if (lostId !== undefined) return lookAtLostRefund(lostId, id)
  const partId = subjectOf(payload, 'part')
  if (partId === undefined) return nothing
  // We may not have recorded its payment yet.
  await carryOut(partId)
  const refund = await stripeOrThrow().api.refunds.retrieve(id)
  if (isReturned(refund)) {
    return async tx => {
      await refundReturned(tx, partId, id, returnedSentence(refund))
      await returnLostRefund(tx, partId, id, clock.now())
    }
  }
  const key = refund.metadata?.['call']
  const isPaid = refund.status === 'succeeded' && key !== undefined
  return isPaid ? tx => refundPaid(tx, { partId, key, reference: id }) : nothing
}

/** A refund that gave a lost charge back. */
const lookAtLostRefund = async (lostId: string, id: string): ReturnType<EventHandler> => {
  const refund = await stripeOrThrow().api.refunds.retrieve(id)
  const key = refund.metadata?.['call']
  if (!isReturned(refund) || key === undefined) return nothing
  return async tx => {
    await reopenLost(tx, lostId, key, id, clock.now())
    // Only another copy did not know its charge.
    await returnLostRefund(tx, lostId, id, clock.now())
  }
}

/** Books a transfer that was completely reversed. */
const lookAtTransfer: EventHandler = async payload => {
  const { id } = Told.parse(payload).data.object
  const withdrawalId = subjectOf(payload, 'withdrawal')
  if (withdrawalId === undefined) return nothing
  const { reversed } = await stripeOrThrow().api.transfers.retrieve(id)
  if (!reversed) return nothing
  // We may not have recorded its arrival yet.
  await carryOut(withdrawalId)
  const withdrawal = await withdrawalById(autocommit, withdrawalId)
  if (!withdrawal) return async tx => void (await forgetLostPayout(tx, withdrawalId))
  return withdrawal.status === 'COMPLETED' ? payoutReturned(withdrawalId) : nothing
}

/**
 * Books the present state of a dispute about a payment that our metadata names. The event is retried until that payment is booked,
 * possibly as a lost one.
 */
const lookAtDispute: EventHandler = async payload => {
  const { id } = Told.parse(payload).data.object
  const client = stripeOrThrow()
  const dispute = await client.api.disputes.retrieve(id, { expand: ['charge'] })
  const { charge } = dispute
  if (typeof charge !== 'object') throw new Error(`Stripe does not show what dispute ${id} is about`)
  const paymentId = isOurs(client, charge.metadata) ? Ours.safeParse(charge.metadata['charge']).data : undefined
  if (paymentId === undefined) return nothing
  const news = newsOf(dispute, paymentId)
  // We may not have recorded the payment yet.
  await carryOut(paymentId)
  const keepCharge = await lookAtLostCharge(paymentId, charge.id)
  const fees = feesOf(dispute)
  const lost = { ...news, id: randomUUIDv7(), chargeId: paymentId, refundedCents: charge.amount_refunded, fees }
  return async tx => {
    await keepCharge(tx)
    if ((await bookLostDispute(tx, lost, clock.now())) !== 'NOT_FOUND') return
    await disputeChanged(tx, news)
    await bookDisputeFees(tx, news, fees, clock.now())
  }
}

const lookAtAccount: EventHandler = async payload => {
  const { id } = Told.parse(payload).data.object
  if (await queries.payoutAccountById(autocommit, id)) await refreshAccount(stripeOrThrow(), id)
  return nothing
}

/** The handlers by type. The webhook has to be subscribed to all of these types (docs/operations.md). */
export const stripeEventHandlers: Record<string, EventHandler> = {
  'checkout.session.completed': lookAtCharge,
  'checkout.session.async_payment_succeeded': lookAtCharge,
  'checkout.session.async_payment_failed': lookAtCharge,
  'checkout.session.expired': lookAtCharge,
  'charge.updated': lookAtCharge,
  'refund.updated': lookAtRefund,
  'refund.failed': lookAtRefund,
  'transfer.reversed': lookAtTransfer,
  'charge.dispute.created': lookAtDispute,
  'charge.dispute.updated': lookAtDispute,
  'charge.dispute.closed': lookAtDispute,
  'charge.dispute.funds_withdrawn': lookAtDispute,
  'charge.dispute.funds_reinstated': lookAtDispute,
  'account.updated': lookAtAccount,
}
