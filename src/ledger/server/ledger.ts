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
import { eachDue, enqueue, type Job } from '../../kit/server/jobs.ts'
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
  atOnce: 3,
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
  for (const withdrawalId of await queries.pendingWithdrawalIds(tx, testerId))
    await enqueue(tx, payOut, { withdrawalId })
}

/** Enqueues a job for each part of a refund; none when there was nothing to refund. */
export const payRefund: Job<{ refundId: string }> = {
  name: 'ledger.pay-refund',
  expireMinutes: 5,
  run: ({ refundId }) =>
    transact(async tx => {
      for (const partId of await queries.pendingRefundPartIds(tx, refundId))
        await enqueue(tx, payRefundPart, { partId })
    }),
}

/** Gives one payment's share of a refund back to the payment method that was charged. */
export const payRefundPart: Job<{ partId: string }> = {
  name: 'ledger.pay-refund-part',
  expireMinutes: 5,
  atOnce: 3,
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
export const settleOverdue: Job<object> = {
  name: 'ledger.settle-overdue',
  cron: '41 * * * *',
  expireMinutes: 120,
  retried: false,
  run: async () => {
    const before = hoursAfter(clock.now(), -overdueHours)
    await eachDue(
      page => queries.overdueWithdrawals(autocommit, before, page),
      ({ id }) => payOut.run({ withdrawalId: id }),
    )
    await eachDue(
      page => queries.overdueRefundParts(autocommit, before, page),
      ({ id }) => payRefundPart.run({ partId: id }),
    )
  },
}

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

/** Enqueues the job of a refund that may follow, and returns its id; without a refund the job has nothing to do. */
export const prepareRefund = async (tx: Tx): Promise<string> => {
  const refundId = randomUUIDv7()
  await enqueue(tx, payRefund, { refundId }, { afterSeconds: provider.delaySeconds })
  return refundId
}

export const cancelCampaign = async (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  queries.cancelCampaign(tx, campaignId, await prepareRefund(tx), clock.now())

export const completeCampaign = async (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  queries.completeCampaign(tx, campaignId, await prepareRefund(tx), clock.now())

/** Pays a tester whose proof is verified; without a reviewer when nobody reviewed it in time. */
export const verifyParticipation = (tx: Tx, id: string, reviewerId: string | null): Promise<queries.Outcome> =>
  queries.verifyParticipation(tx, id, reviewerId, clock.now())

export const closeUnpaid = async (tx: Tx, closing: queries.UnpaidClosing): Promise<queries.Outcome> =>
  queries.closeUnpaid(tx, closing, await prepareRefund(tx), clock.now())

/** Ends the test of somebody who waited in vain to be listed: one day's pay, and the seat is closed. */
export const closeWaitingSeat = async (tx: Tx, closing: queries.WaitingClosing): Promise<queries.Outcome> =>
  queries.closeWaitingSeat(tx, closing, await prepareRefund(tx), clock.now())

/** Closes a seat that nobody has; what was paid for it goes back at once. */
export const closeFreeSeat = async (tx: Tx, campaignId: string): Promise<queries.Outcome> =>
  queries.closeFreeSeat(tx, campaignId, await prepareRefund(tx), clock.now())
