/**
 * Use cases of the ledger, and the functions with which other slices move money in their own transaction. Each one calls
 * one SQL function (migrations/functions): all or nothing. Jobs are enqueued before it or in its round trip, so that money
 * rows are locked for the shortest time.
 */
import { randomUUIDv7 } from 'node:crypto'
import { payoutPauseHours } from '../../accounts/rules.ts'
import { assertActive, assertConfirmed, userOf } from '../../accounts/server/accounts.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { clock, daysAfter, hoursAfter } from '../../kit/clock.ts'
import type { NumberedPage, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { outcomeOf } from '../../kit/server/transaction.ts'
import { eachDue, enqueue, enqueueMany, type Job, scheduled } from '../../kit/server/jobs.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type {
  Balance,
  Payment,
  PaymentSummary,
  Refund,
  Transaction,
  TransactionQuery,
  Withdrawal,
} from '../contract.ts'
import {
  assertMayPay,
  belowMinimum,
  declinedPaymentsPerDay,
  declinedSentence,
  insufficientBalance,
  payoutsPaused,
} from '../rules.ts'
import { sandbox as provider } from './providers.ts'
import * as queries from './queries.ts'

export type { Outcome } from './queries.ts'

const recentTransactions = 10

export const balance = async (user: SignedIn): Promise<Balance> => {
  const [held, recent, { minimumWithdrawalCents }] = await Promise.all([
    queries.balanceOf(autocommit, user.id),
    queries.newestTransactions(autocommit, user.id, recentTransactions),
    currentSettings(autocommit),
  ])
  return { ...held, minimumWithdrawalCents, recentTransactions: recent }
}

export const transactions = (
  user: SignedIn,
  { page, limit, cursor, ...filters }: TransactionQuery,
): Promise<NumberedPage<Transaction>> =>
  numberedPageOf(autocommit, { page, limit, cursor }, queries.statementList(autocommit, user.id, filters))

export const paymentSummary = (developer: SignedIn): Promise<PaymentSummary> =>
  queries.paymentSummaryOf(autocommit, developer.id)

/** Another user's is not found. */
export const payment = (developer: SignedIn, id: string): Promise<Payment> =>
  queries.paymentOf(autocommit, developer.id, id)

/** Another user's is not found. */
export const refund = (developer: SignedIn, id: string): Promise<Refund> =>
  queries.refundOf(autocommit, developer.id, id)

/** Records the request and takes the money out of the balance; a job pays it out. */
export const withdraw = (user: SignedIn, amountCents: number, key: string | null): Promise<Withdrawal> => {
  const id = randomUUIDv7()
  return transactOnce({
    userId: user.id,
    key,
    call: 'withdraw',
    asked: { amountCents },
    subjectId: id,
    // Asked in one round trip, refused in the order of the rules.
    load: tx =>
      Promise.allSettled([
        assertActive(tx, user.id),
        currentSettings(tx),
        assertConfirmed(tx, user.id, 'WITHDRAW'),
        userOf(tx, user.id),
      ]),
    effect: async (tx, [active, settings, confirmed, owner]) => {
      outcomeOf(active)
      const { minimumWithdrawalCents } = outcomeOf(settings)
      if (amountCents < minimumWithdrawalCents) throw belowMinimum(minimumWithdrawalCents)
      outcomeOf(confirmed)
      const { paymentMethod: destination, payoutsPausedBecause } = outcomeOf(owner)
      const request = { id, testerId: user.id, amountCents, pauseHours: payoutPauseHours, now: clock.now() }
      const [, , outcome] = await Promise.all([
        notify(tx, user.id, 'WITHDRAWAL_REQUESTED', { withdrawalId: id, amountCents, destination }),
        enqueue(tx, payOut, { withdrawalId: id }, { afterSeconds: provider.delaySeconds }),
        queries.requestWithdrawal(tx, request),
      ])
      if (outcome === 'PAYOUT_METHOD_PAUSED') throw payoutsPaused(payoutsPausedBecause ?? 'PAYMENT_METHOD_CHANGED')
      if (outcome !== 'OK') throw insufficientBalance()
    },
    answer: async (withdrawalId, tx) => {
      const [row, { balanceCents }] = await Promise.all([
        queries.withdrawalById(tx, withdrawalId),
        queries.balanceOf(tx, user.id),
      ])
      if (!row) throw new Error(`withdrawal ${withdrawalId} is gone`)
      const { testerId: _, ...withdrawal } = row
      return { ...withdrawal, balanceCents }
    },
    answeredWithCommit: true,
  })
}

/**
 * Claims the withdrawal, has the provider pay, then records the outcome. A crash in between is harmless: it pays each
 * withdrawal once. A suspension before the claim freezes it; one after it comes too late, since the provider may have been
 * asked.
 */
export const payOut: Job<{ withdrawalId: string }> = {
  name: 'ledger.pay-out',
  expireMinutes: 5,
  atOnce: 10,
  run: async ({ withdrawalId }) => {
    const withdrawal = await transact(tx => queries.claimWithdrawal(tx, withdrawalId, clock.now()))
    // Settled, or frozen; restoring the user enqueues it again.
    if (!withdrawal) return
    const { amountCents, destination, testerId } = withdrawal
    const { declined } = await provider.payOut({ requestId: withdrawalId, amountCents, counterparty: destination })
    await transact(async tx => {
      if (declined === null)
        await notify(tx, testerId, 'WITHDRAWAL_COMPLETED', { withdrawalId, amountCents, destination })
      else await notify(tx, testerId, 'WITHDRAWAL_FAILED', { withdrawalId, amountCents, reason: declined })
      const outcome = await queries.settleWithdrawal(tx, withdrawalId, declined, clock.now())
      // Another worker recorded it first: roll the second notification back.
      if (outcome !== 'OK') throw new Error(`withdrawal ${withdrawalId} was settled meanwhile`)
    })
  },
}

/** For a restored user: enqueues the payouts that were frozen. */
export const resumePayouts = async (tx: Tx, testerId: string): Promise<void> => {
  const frozen = await queries.pendingWithdrawalIds(tx, testerId)
  const payouts = frozen.map(withdrawalId => ({ withdrawalId }))
  await enqueueMany(tx, payOut, payouts)
}

/** Enqueues a job for each part of a refund. */
export const payRefund: Job<{ refundId: string }> = {
  name: 'ledger.pay-refund',
  expireMinutes: 5,
  atOnce: 20,
  run: ({ refundId }) =>
    transact(async tx => {
      const parts = await queries.pendingRefundPartIds(tx, refundId)
      const jobs = parts.map(partId => ({ partId }))
      await enqueueMany(tx, payRefundPart, jobs)
    }),
}

/** Gives one payment's share of a refund back to the payment method that was charged. */
export const payRefundPart: Job<{ partId: string }> = {
  name: 'ledger.pay-refund-part',
  expireMinutes: 5,
  atOnce: 10,
  run: async ({ partId }) => {
    const due = await queries.refundPartById(autocommit, partId)
    if (due?.status !== 'PENDING') return
    await provider.refund({ requestId: partId, amountCents: due.amountCents, counterparty: due.chargedTo })
    await transact(tx => queries.settleRefundPart(tx, partId, clock.now()))
  },
}

/** By then the job of a withdrawal or refund has retried many times. */
const overdueHours = 24

/** Safety net: settles money in transit whose job was lost or gave up. */
export const settleOverdue = scheduled('ledger.settle-overdue', '41 * * * *', async () => {
  const before = hoursAfter(clock.now(), -overdueHours)
  await eachDue(
    page => queries.overdueWithdrawals(autocommit, before, page),
    ({ id }) => payOut.run({ withdrawalId: id }),
  )
  await eachDue(
    page => queries.overdueRefundParts(autocommit, before, page),
    ({ id }) => payRefundPart.run({ partId: id }),
  )
})

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

export const closeUnpaid = (tx: Tx, closing: queries.UnpaidClosing): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.closeUnpaid(tx, closing, refundId, clock.now()))

/** Ends the test of somebody who waited in vain to be listed: one day's pay, and the seat is closed. */
export const closeWaitingSeat = (tx: Tx, closing: queries.WaitingClosing): Promise<queries.Outcome> =>
  withRefund(tx, refundId => queries.closeWaitingSeat(tx, closing, refundId, clock.now()))

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

export const dropWhenDue = (tx: Tx, due: queries.DueDrops): Promise<void> => {
  const ids = due.drops.map(({ id }) => id)
  return allOf(ids, () =>
    withRefunds(tx, ids.length, refundIds => queries.dropWhenDue(tx, due, refundIds, clock.now())),
  )
}

/** Of testers who waited two weeks in vain. */
export const closeWaitingSeats = (tx: Tx, ids: readonly string[]): Promise<void> =>
  allOf(ids, () => withRefunds(tx, ids.length, refundIds => queries.closeWaitingSeats(tx, ids, refundIds, clock.now())))
