/**
 * The functions with which other slices move the money of campaigns in their own transaction. Each one calls one SQL
 * function (migrations/functions): all or nothing. Jobs are enqueued before it or in its round trip, so that money rows
 * are locked for the shortest time.
 */
import { randomUUIDv7 } from 'node:crypto'
import { userOf } from '../../accounts/server/accounts.ts'
import { clock, daysAfter } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Tx } from '../../kit/server/db.ts'
import { enqueue, enqueueMany } from '../../kit/server/jobs.ts'
import { assertMayPay, declinedPaymentsPerDay, declinedSentence } from '../rules.ts'
import { payRefund } from './payouts.ts'
import { sandbox as provider } from './providers.ts'
import * as queries from './queries.ts'

export { resumePayouts, settleOverdue } from './payouts.ts'
export type { Outcome } from './queries.ts'

/** The sandbox moves no real money: the page says TEST MODE. */
export const paymentsAreTests = provider.name === 'sandbox'

export type Charge = { campaignId: string; developerId: string; amountCents: number }

export type Payer = { paymentMethod: string; declined: string[] }

/** What a charge looks at, once the caller holds the developer's row alone. */
export const payerOf = async (tx: Tx, developerId: string): Promise<Payer> => {
  const [{ paymentMethod }, declined] = await Promise.all([
    userOf(tx, developerId),
    queries.declinedSince(tx, developerId, daysAfter(clock.now(), -1), declinedPaymentsPerDay),
  ])
  return { paymentMethod, declined }
}

/**
 * Charges the developer's payment method and records the funding of a campaign. The caller holds the developer's row
 * alone, and the campaign's, and has checked the rule. A declined charge is recorded as well, and PAYMENT_DECLINED is returned.
 */
export const charge = async (
  tx: Tx,
  { campaignId, developerId, amountCents }: Charge,
  { paymentMethod: counterparty, declined: declinedBefore }: Payer,
): Promise<DomainError | undefined> => {
  const paymentId = randomUUIDv7()
  const now = clock.now()
  assertMayPay(declinedBefore, now)
  const funding = { paymentId, campaignId, developerId, amountCents, provider: provider.name, counterparty, now }
  const { declined } = provider.judgeCharge({ requestId: paymentId, amountCents, counterparty })
  if (declined !== null) {
    const sentence = declinedSentence(declined)
    await queries.insertDeclinedPayment(tx, funding, sentence)
    return new DomainError('PAYMENT_DECLINED', sentence)
  }
  const outcome = await queries.fundCampaign(tx, funding)
  if (outcome !== 'OK') throw new Error(`the funding of ${campaignId} was refused with ${outcome} against its rule`)
  return undefined
}

/**
 * Runs a function that may make a refund, and enqueues its job if it has. Only then is it known; the rows of money are held
 * by one statement more.
 */
export const withRefund = async (
  tx: Tx,
  move: (refundId: string) => Promise<queries.RefundOutcome>,
): Promise<queries.Outcome> => {
  const refundId = randomUUIDv7()
  const outcome = await move(refundId)
  if (outcome !== 'REFUNDED') return outcome
  await enqueue(tx, payRefund, { refundId }, { afterSeconds: provider.delaySeconds })
  return 'OK'
}

/** The same for many, each with a refund that it may make. */
const withRefunds = async <T>(tx: Tx, count: number, move: (refundIds: string[]) => Promise<T>): Promise<T> => {
  const refundIds = Array.from({ length: count }, () => randomUUIDv7())
  const result = await move(refundIds)
  const made = (await queries.refundsAmong(tx, refundIds)).map(refundId => ({ refundId }))
  await enqueueMany(tx, payRefund, made, { afterSeconds: provider.delaySeconds })
  return result
}

export const cancelCampaign = (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.cancelCampaign(tx, campaignId, refundId, clock.now()))

/** Gives those that were due. */
export const completeCampaigns = (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  withRefunds(tx, ids.length, refundIds => queries.completeCampaigns(tx, ids, refundIds, clock.now()))

/** Pays a tester whose proof is verified. */
export const verifyParticipation = (tx: Tx, id: string, reviewerId: string): Promise<queries.Outcome> =>
  queries.verifyParticipation(tx, id, reviewerId, clock.now())

export const drop = (tx: Tx, dropped: queries.Drop): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.drop(tx, dropped, refundId, clock.now()))

/** The seat stays taken, with its pay and fee, until its time is over or an appeal against it is decided. */
export const rejectParticipation = (tx: Tx, rejection: queries.Rejection): Promise<queries.Outcome> =>
  queries.rejectParticipation(tx, rejection, clock.now())

/** Pays the tester, or frees the seat. */
export const decideAppeal = (tx: Tx, decision: queries.AppealDecision): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.decideAppeal(tx, decision, refundId, clock.now()))

/** The platform pays the tester of an undecided appeal from its revenue; the seat's pay and fee go back to the developer. */
export const payGoodwill = (tx: Tx, participationId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.payGoodwill(tx, participationId, refundId, clock.now()))

export const platformRevenue = (tx: Tx): Promise<number> => queries.platformRevenue(tx)

/** Ends the test of somebody who waited in vain to be listed: one day's pay, and the seat is closed. */
export const closeWaitingSeat = (tx: Tx, closing: queries.WaitingClosing): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.closeWaitingSeat(tx, closing, refundId, clock.now()))

/** Ends the test of somebody who does not accept a changed NDA, with the pay for the days done. */
export const refuseNda = (tx: Tx, participationId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.refuseNda(tx, participationId, refundId, clock.now()))

/** Closes a seat that nobody has; what was paid for it goes back at once. */
export const closeFreeSeat = (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.closeFreeSeat(tx, campaignId, refundId, clock.now()))

/** The rules have said for each that it is due, under the same locks: a function that sees it otherwise is wrong. */
const allOf = async (asked: readonly string[], move: () => Promise<string[]>): Promise<void> => {
  if (asked.length === 0) return
  const done = new Set(await move())
  const refused = asked.filter(id => !done.has(id))
  if (refused.length > 0) throw new Error(`refused although due: ${refused.join(', ')}`)
}

/** Pays the testers whose proofs nobody reviewed in time. */
export const verifyUnreviewed = (tx: Tx, ids: readonly string[]): Promise<void> =>
  allOf(ids, () => queries.verifyParticipations(tx, ids, clock.now()))

/** Gives those that it dropped: anything else has been closed or submitted meanwhile. */
export const dropAll = async (tx: Tx, drops: queries.Drops): Promise<string[]> => {
  const { length } = drops.drops
  if (length === 0) return []
  return withRefunds(tx, length, refundIds => queries.dropAll(tx, drops, refundIds, clock.now()))
}

export const dropWhenDue = (tx: Tx, due: Omit<queries.Drops, 'whenDue'>): Promise<void> =>
  allOf(
    due.drops.map(({ id }) => id),
    () => dropAll(tx, { ...due, whenDue: true }),
  )

/** Frees the seats of proofs whose rejection nobody appealed against in time. */
export const closeRejections = (tx: Tx, ids: readonly string[]): Promise<void> =>
  allOf(ids, () => withRefunds(tx, ids.length, refundIds => queries.closeRejections(tx, ids, refundIds, clock.now())))

/** Of testers who waited two weeks in vain. */
export const closeWaitingSeats = (tx: Tx, ids: readonly string[]): Promise<void> =>
  allOf(ids, () => withRefunds(tx, ids.length, refundIds => queries.closeWaitingSeats(tx, ids, refundIds, clock.now())))
