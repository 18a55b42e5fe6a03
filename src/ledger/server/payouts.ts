/** Money on its way out: withdrawals, and refunds to the payment methods that were charged. */
import { randomUUIDv7 } from 'node:crypto'
import { payoutPauseHours } from '../../accounts/rules.ts'
import { assertActive, assertConfirmed, userOf } from '../../accounts/server/accounts.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { eachDue } from '../../kit/server/eachDue.ts'
import { outcomeOf } from '../../kit/server/transaction.ts'
import { enqueue, enqueueMany, type Job, scheduled } from '../../kit/server/jobs.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { Withdrawal } from '../contract.ts'
import { belowMinimum, insufficientBalance, payoutsPaused } from '../rules.ts'
import { sandbox as provider } from './providers.ts'
import * as queries from './payouts.queries.ts'
import { balanceOf } from './statements.queries.ts'

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
        balanceOf(tx, user.id),
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
