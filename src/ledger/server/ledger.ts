/**
 * The functions with which other slices move the money of campaigns in their own transaction. Each one calls a single SQL function
 * (migrations/functions): all or nothing. Jobs are enqueued before that call or in its round trip, so that money rows are locked as
 * briefly as possible.
 */
import { randomUUIDv7 } from 'node:crypto'
import { userOf } from '../../accounts/server/accounts.ts'
import { clock, daysAfter } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { enqueue, enqueueMany } from '../../kit/server/jobs.ts'
import type { DeclinedPayment, WaitingPayment } from '../contract.ts'
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
export { bankMinimum } from './stripe/accounts.ts'
export { connectStripe } from './stripe/client.ts'
export { payoutsStopped } from './stops.ts'
export { closeSandboxFile, useSandboxFile } from './sandboxFile.ts'
export type { Outcome } from './queries.ts'

/** The sandbox and Stripe's test keys move no real money: the page says TEST MODE. */
export const paymentsAreTests = (): boolean => !paysForReal()

/** People pay on a page of the provider. */
export const paidAtProvider = (): boolean => stripeClient() !== undefined

export type Charge = { chargeId: string; campaignId: string; developerId: string; amountCents: number }

export type Payer = { paymentMethod: string; declined: string[]; onTheirWay: number; owedCents: number }

/** What a charge has to check. The caller has locked the developer's row alone, and the campaign's. */
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
 * Records that the developer's payment method is about to be charged for a campaign; `carryOutCharge` then charges it. The caller
 * has locked the developer's row alone and the campaign's, and has checked the rule. If the process dies in between, a job takes
 * over.
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
  // If the provider has a page to pay on, the new payment replaces the one that waits there. One that is being collected stays:
  // with another, the developer would pay twice for days.
  if (endsCharges) await tellProviderOfEnd(tx, await queries.endUnpaidCharges(tx, charge.campaignId, now))
  const [, outcome] = await Promise.all([
    enqueue(tx, askAgain, { subjectId: charge.chargeId }, { afterSeconds: takenUpSeconds }),
    queries.beginCharge(tx, { ...charge, provider, counterparty: paymentMethod, now }),
  ])
  if (outcome === 'WAITING') throw paymentWaits()
  // A dispute about another campaign was lost just now.
  if (outcome === 'OWES') assertOwesNothing(await queries.owedBy(tx, charge.developerId))
  if (outcome !== 'OK')
    throw new Error(`the funding of ${charge.campaignId} was refused with ${outcome} against its rule`)
}

/** After this time the request that began the charge has either carried it out or died. */
const takenUpSeconds = 15
const waitMs = 3_000

/** What a developer owes for payments that banks took back. They can pay nothing new until it is settled. */
export const owedBy = (tx: Tx, developerId: string): Promise<number> => queries.owedBy(tx, developerId)

type OwnPayment = { payment?: WaitingPayment; declinedPayment?: DeclinedPayment }

/** The payment that a campaign is waiting for, or the one that was declined last. */
export const paymentFor = async (tx: Tx, campaignId: string): Promise<OwnPayment> => {
  const charge = await queries.openOrLastCharge(tx, campaignId)
  if (charge?.status === 'PENDING')
    return { payment: { status: 'PENDING', amountCents: charge.amountCents, checkoutUrl: charge.checkoutUrl } }
  if (charge?.status !== 'FAILED') return {}
  const { amountCents, failureReason, createdAt } = charge
  return { declinedPayment: { amountCents, reason: failureReason ?? declinedSentence(''), at: createdAt } }
}

/**
 * Asks the provider, outside any transaction, and waits up to 3 s for the answer. A job takes over if the answer takes longer or is
 * lost. Returns a refusal as an error.
 */
export const carryOutCharge = async (chargeId: string): Promise<DomainError | undefined> => {
  await answeredOrLate(chargeId)
  const { status, failureReason, developerId } = await queries.chargeOf(autocommit, chargeId)
  if (status === 'FAILED') return new DomainError('PAYMENT_DECLINED', failureReason ?? declinedSentence(''))
  if (status !== 'CANCELLED' && status !== 'RETURNED') return undefined
  return paymentEnded(status, await queries.owedBy(autocommit, developerId))
}

/**
 * If asking fails, the job asks again. A developer who reads the answer here is not notified of it as well: once the answer is
 * being booked, we wait for the booking.
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
 * Ends whatever is being charged for the campaign: if it is paid all the same, the money goes back. The caller has locked the
 * campaign's row. Returns whether there was anything to end.
 */
export const endCharges = async (tx: Tx, campaignId: string): Promise<boolean> => {
  const ended = await queries.endCharges(tx, campaignId, clock.now())
  await tellProviderOfEnd(tx, ended)
  return ended.length > 0
}

const tellProviderOfEnd = (tx: Tx, chargeIds: readonly string[]) =>
  enqueueMany(
    tx,
    endCharge,
    chargeIds.map(subjectId => ({ subjectId })),
  )

/**
 * Ends renewals that the campaign can no longer accept: after a rejection, a dispute or a refund. Otherwise the developer would be
 * led to a payment that can only come back. While they owe, the screens do not lead them there (decision 054). The caller has
 * locked the campaign's row.
 */
export const endRefusedRenewals = async (tx: Tx, campaignId: string): Promise<void> =>
  tellProviderOfEnd(tx, await queries.endRefusedRenewals(tx, [campaignId], clock.now()))

/**
 * Runs a function that may make a refund. If it has, enqueues its job, and ends a renewal that no longer fits. We know only
 * afterwards whether it has, so the money rows stay locked for one more statement.
 */
export const withRefund = async (
  tx: Tx,
  move: (refundId: string) => Promise<queries.RefundOutcome>,
): Promise<queries.Outcome> => {
  const refundId = randomUUIDv7()
  const outcome = await move(refundId)
  if (outcome !== 'REFUNDED') return outcome
  await afterRefunds(tx, [refundId])
  return 'OK'
}

/** The same for many campaigns or tests at once, with a refund id for each. */
export const withRefunds = async <T>(tx: Tx, count: number, move: (refundIds: string[]) => Promise<T>): Promise<T> => {
  const refundIds = Array.from({ length: count }, () => randomUUIDv7())
  const result = await move(refundIds)
  await afterRefunds(tx, refundIds)
  return result
}

const afterRefunds = async (tx: Tx, refundIds: readonly string[]) => {
  const { made, ended } = await queries.afterRefunds(tx, refundIds, clock.now())
  const jobs = made.map(refundId => ({ refundId }))
  await enqueueMany(tx, payRefund, jobs, { afterSeconds: currentProvider().delaySeconds })
  await tellProviderOfEnd(tx, ended)
}

export const cancelCampaign = (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.cancelCampaign(tx, campaignId, refundId, clock.now()))

/** Returns the campaigns that were due. A payment that renews one of them can no longer be made. */
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

/** Pays the tester, or frees the seat, depending on the decision. */
export const decideAppeal = (tx: Tx, decision: queries.AppealDecision): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.decideAppeal(tx, decision, refundId, clock.now()))

/** The platform pays the tester of an undecided appeal from its revenue; the seat's pay and fee go back to the developer. */
export const payGoodwill = (tx: Tx, participationId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.payGoodwill(tx, participationId, refundId, clock.now()))

export const platformRevenue = (tx: Tx): Promise<number> => queries.platformRevenue(tx)

/** Ends the test of a tester who waited in vain to be listed: they get one day's pay, and the seat is closed. */
export const closeWaitingSeat = (tx: Tx, closing: queries.WaitingClosing): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.closeWaitingSeat(tx, closing, refundId, clock.now()))

/**
 * Ends the test of a tester who does not accept a changed NDA. They are paid for the days done, or for the wait if it has earned
 * one day.
 */
export const refuseNda = (tx: Tx, participationId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.refuseNda(tx, participationId, refundId, clock.now()))

/** Closes a seat that nobody has taken; what was paid for it goes back at once. */
export const closeFreeSeat = (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.closeFreeSeat(tx, campaignId, refundId, clock.now()))

/**
 * For a batch that pays testers of campaigns that the caller has locked. Returns the testers whose balances are free, and locks
 * these. Two batches with testers in common thus share them out, instead of each waiting for all that the other does.
 */
export const holdFreeBalances = async (tx: Tx, testerIds: readonly string[]): Promise<string[]> =>
  testerIds.length === 0 ? [] : queries.holdFreeBalances(tx, testerIds)

/** The rules found each of these due under the same locks, so a function that disagrees is wrong. */
const allOf = async (asked: readonly string[], move: () => Promise<string[]>): Promise<void> => {
  if (asked.length === 0) return
  const done = new Set(await move())
  const refused = asked.filter(id => !done.has(id))
  if (refused.length > 0) throw new Error(`refused although due: ${refused.join(', ')}`)
}

/** Pays the testers whose proofs nobody reviewed in time. */
export const verifyUnreviewed = (tx: Tx, ids: readonly string[]): Promise<void> =>
  allOf(ids, () => queries.verifyParticipations(tx, ids, clock.now()))

/** Returns those that it dropped; the others were closed or submitted in the meantime. */
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

/** Frees the seats of rejected proofs against which nobody appealed in time. */
export const closeRejections = (tx: Tx, ids: readonly string[]): Promise<void> =>
  allOf(ids, () => withRefunds(tx, ids.length, refundIds => queries.closeRejections(tx, ids, refundIds, clock.now())))

/** Closes the seats of testers who waited two weeks in vain. */
export const closeWaitingSeats = (tx: Tx, ids: readonly string[]): Promise<void> =>
  allOf(ids, () => withRefunds(tx, ids.length, refundIds => queries.closeWaitingSeats(tx, ids, refundIds, clock.now())))
