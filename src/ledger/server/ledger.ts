/**
 * The functions with which other slices move the money of campaigns in their own transaction. Each one calls one SQL
 * function (migrations/functions): all or nothing. Jobs are enqueued before it or in its round trip, so that money rows
 * are locked for the shortest time.
 */
import { randomUUIDv7 } from 'node:crypto'
import { userOf } from '../../accounts/server/accounts.ts'
import { clock, daysAfter } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { enqueue, enqueueMany } from '../../kit/server/jobs.ts'
import type { WaitingPayment } from '../contract.ts'
import {
  assertChargesKnown,
  assertMayPay,
  assertOwesNothing,
  belowLeastPayment,
  declinedPaymentsPerDay,
  declinedSentence,
  paymentEnded,
  paymentWaits,
} from '../rules.ts'
import { askAgain, carryOut, endCharge, payRefund } from './calls.ts'
import { currentProvider } from './providers.ts'
import { paysForReal, stripeClient } from './stripe/client.ts'
import * as queries from './queries.ts'

export { acceptBreaches } from './acceptance.ts'
export { checkBalance } from './books.ts'
export { lastComparison } from './books.queries.ts'
export { endBreach, holdBreaches, recordBreach } from './breaches.ts'
export { refusedHours } from './calls.ts'
export { resumePayouts, settleOverdue } from './payouts.ts'
export { connectStripe } from './stripe/client.ts'
export { payoutsStopped } from './stops.ts'
export { closeSandboxFile, useSandboxFile } from './sandboxFile.ts'
export type { Outcome } from './queries.ts'

/** The sandbox moves no real money, nor does a test key of Stripe: the page says TEST MODE. */
export const paymentsAreTests = (): boolean => !paysForReal()

/** People pay on a page of the provider's. */
export const paidAtProvider = (): boolean => stripeClient() !== undefined

export type Charge = { chargeId: string; campaignId: string; developerId: string; amountCents: number }

export type Payer = { paymentMethod: string; declined: string[]; onTheirWay: number; owedCents: number }

/** What a charge looks at, once the caller holds the developer's row alone, and the campaign's. */
export const payerOf = async (tx: Tx, developerId: string): Promise<Payer> => {
  const lately = { declinedSince: daysAfter(clock.now(), -1), most: declinedPaymentsPerDay }
  const [{ paymentMethod }, { declined, onTheirWay, owedCents, isRestored }] = await Promise.all([
    userOf(tx, developerId),
    queries.beforeCharge(tx, developerId, lately),
    currentProvider().assertReady(),
  ])
  assertChargesKnown(isRestored)
  return { paymentMethod, declined, onTheirWay, owedCents }
}

/**
 * Records that the developer's payment method is about to be charged for a campaign; `carryOutCharge` does so. The caller holds the
 * developer's row alone, and the campaign's, and has checked the rule. Should the process die before, a job takes it up.
 */
export const beginCharge = async (
  tx: Tx,
  charge: Charge,
  { paymentMethod, declined, onTheirWay, owedCents }: Payer,
): Promise<void> => {
  const now = clock.now()
  assertOwesNothing(owedCents)
  assertMayPay(declined, onTheirWay, now)
  const { name: provider, leastChargeCents: leastCents = 0, endCharge: endsCharges } = currentProvider()
  if (charge.amountCents < leastCents) throw belowLeastPayment(leastCents, charge.amountCents)
  // Where a page waits to be paid on, another payment takes its place.
  if (endsCharges) await endCharges(tx, charge.campaignId)
  const [, outcome] = await Promise.all([
    enqueue(tx, askAgain, { subjectId: charge.chargeId }, { afterSeconds: takenUpSeconds }),
    queries.beginCharge(tx, { ...charge, provider, counterparty: paymentMethod, now }),
  ])
  if (outcome === 'WAITING') throw paymentWaits()
  // A dispute about another campaign was lost in this moment.
  if (outcome === 'OWES') assertOwesNothing(await queries.owedBy(tx, charge.developerId))
  if (outcome !== 'OK')
    throw new Error(`the funding of ${charge.campaignId} was refused with ${outcome} against its rule`)
}

/** By then the request that has begun a charge has carried it out, or has died. */
const takenUpSeconds = 15
const waitMs = 3_000

/** What a developer owes for payments that banks took back: until it is settled, nothing new is paid. */
export const owedBy = (tx: Tx, developerId: string): Promise<number> => queries.owedBy(tx, developerId)

/** The payment that a campaign waits for. */
export const waitingPayment = async (tx: Tx, campaignId: string): Promise<WaitingPayment | undefined> => {
  const charge = await queries.waitingCharge(tx, campaignId)
  return charge && { status: 'PENDING', amountCents: charge.amountCents, checkoutUrl: charge.checkoutUrl }
}

/**
 * Asks the provider, outside any transaction, and waits up to 3 s for its answer; what takes longer, or whose answer is lost, is
 * taken up by a job. A refusal is returned.
 */
export const carryOutCharge = async (chargeId: string): Promise<DomainError | undefined> => {
  await answeredOrLate(chargeId)
  const { status, failureReason, developerId } = await queries.chargeOf(autocommit, chargeId)
  if (status === 'FAILED') return new DomainError('PAYMENT_DECLINED', failureReason ?? declinedSentence(''))
  if (status !== 'CANCELLED' && status !== 'RETURNED') return undefined
  return paymentEnded(status, await queries.owedBy(autocommit, developerId))
}

/**
 * What fails is asked again by the job. Whoever reads the answer here is not notified of it as well: once it is being booked, it is
 * waited for.
 */
const answeredOrLate = async (chargeId: string): Promise<void> => {
  let [waits, isBooked] = [true, false]
  const watched = () => {
    isBooked = waits
    return waits
  }
  const call = carryOut(chargeId, 0, watched).catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => (timer = setTimeout(resolve, waitMs)))
  await Promise.race([call, late])
  waits = false
  clearTimeout(timer)
  if (isBooked) await call
}

/**
 * What is being charged for the campaign is no longer wanted, and goes back if it is paid all the same. The caller holds its row, and
 * learns whether there was anything.
 */
export const endCharges = async (tx: Tx, campaignId: string): Promise<boolean> => {
  const ended = await queries.endCharges(tx, campaignId, clock.now())
  const jobs = ended.map(subjectId => ({ subjectId }))
  await enqueueMany(tx, endCharge, jobs)
  return ended.length > 0
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
  await enqueue(tx, payRefund, { refundId }, { afterSeconds: currentProvider().delaySeconds })
  return 'OK'
}

/** The same for many, each with a refund that it may make. */
export const withRefunds = async <T>(tx: Tx, count: number, move: (refundIds: string[]) => Promise<T>): Promise<T> => {
  const refundIds = Array.from({ length: count }, () => randomUUIDv7())
  const result = await move(refundIds)
  const made = (await queries.refundsAmong(tx, refundIds)).map(refundId => ({ refundId }))
  await enqueueMany(tx, payRefund, made, { afterSeconds: currentProvider().delaySeconds })
  return result
}

export const cancelCampaign = (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.cancelCampaign(tx, campaignId, refundId, clock.now()))

/** Gives those that were due. A payment that renews one can no longer be made. */
export const completeCampaigns = async (tx: Tx, ids: readonly string[]): Promise<string[]> => {
  const completed = await withRefunds(tx, ids.length, refundIds =>
    queries.completeCampaigns(tx, ids, refundIds, clock.now()),
  )
  for (const id of await queries.chargedAmong(tx, completed)) await endCharges(tx, id)
  return completed
}

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

/** Ends the test of somebody who does not accept a changed NDA, with the pay for the days done, or for the wait that has earned one. */
export const refuseNda = (tx: Tx, participationId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.refuseNda(tx, participationId, refundId, clock.now()))

/** Closes a seat that nobody has; what was paid for it goes back at once. */
export const closeFreeSeat = (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.closeFreeSeat(tx, campaignId, refundId, clock.now()))

/**
 * For a batch that pays testers, whose campaigns the caller holds: the testers whose balances are free. Batches that have testers
 * in common then leave them to each other, where each would wait for all that the other does.
 */
export const holdFreeBalances = async (tx: Tx, testerIds: readonly string[]): Promise<string[]> =>
  testerIds.length === 0 ? [] : queries.holdFreeBalances(tx, testerIds)

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
