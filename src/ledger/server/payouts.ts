/** Withdrawals: money on its way out to testers. */
import { randomUUIDv7 } from 'node:crypto'
import { payoutPauseHours } from '../../accounts/rules.ts'
import { adminIds, assertActive, assertConfirmed, userOf } from '../../accounts/server/accounts.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { allDue, eachDue } from '../../kit/server/eachDue.ts'
import { outcomeOf } from '../../kit/server/transaction.ts'
import { forItself } from '../../kit/server/jobRuns.ts'
import { enqueue, enqueueMany, type Job, scheduled } from '../../kit/server/jobs.ts'
import { notice, notify, notifyMany } from '../../notifications/server/notifications.ts'
import { countedSince } from '../approvals.ts'
import type { Withdrawal } from '../contract.ts'
import { assertAccountedFor, belowMinimum, insufficientBalance, payoutsAreStopped, payoutsPaused } from '../rules.ts'
import * as approvals from './approvals.queries.ts'
import { holdsOfWithdrawals } from './holds.ts'
import { afterRestore } from './lostMovements.queries.ts'
import { mayPayOut } from './books.ts'
import { overdueCharges } from './calls.queries.ts'
import { carryOut, payRefundPart, refusedHours } from './calls.ts'
import { currentProvider } from './providers.ts'
import * as queries from './payouts.queries.ts'
import { balanceOf } from './statements.queries.ts'
import { payoutsStopped } from './stops.ts'
import { assertCanReceive } from './stripe/accounts.ts'

/** Records the request and takes the money out of the balance; a job pays it out. */
export const withdraw = (user: SignedIn, amountCents: number, key: string | null): Promise<Withdrawal> => {
  const id = randomUUIDv7()
  return transactOnce({
    userId: user.id,
    key,
    call: 'withdraw',
    asked: { amountCents },
    subjectId: id,
    // Read in one round trip; refusals follow the order of the rules.
    load: tx =>
      Promise.allSettled([
        assertActive(tx, user.id),
        currentSettings(tx),
        assertConfirmed(tx, user.id, 'WITHDRAW'),
        userOf(tx, user.id),
        afterRestore(tx, user.id),
        payoutsStopped(tx),
        assertCanReceive(tx, user.id, amountCents),
      ]),
    effect: async (tx, [active, settings, confirmed, owner, restored, stopped, receives]) => {
      outcomeOf(active)
      assertAccountedFor(outcomeOf(restored))
      const stop = outcomeOf(stopped)
      if (stop) throw payoutsAreStopped(stop.sentence)
      const { minimumWithdrawalCents, payoutApprovalCents } = outcomeOf(settings)
      if (amountCents < minimumWithdrawalCents) throw belowMinimum(minimumWithdrawalCents)
      outcomeOf(confirmed)
      const account = outcomeOf(receives)
      const { paymentMethod, payoutsPausedBecause, payoutsPausedUntil: until, timeZone } = outcomeOf(owner)
      const destination = account ?? paymentMethod
      const now = clock.now()
      const request = { id, testerId: user.id, amountCents, pauseHours: payoutPauseHours, now }
      const tell = (checked: boolean) =>
        notify(tx, user.id, 'WITHDRAWAL_REQUESTED', { withdrawalId: id, amountCents, destination, checked })
      const [, outcome, uncheckedCents] = await Promise.all([
        enqueue(tx, payOut, { withdrawalId: id }, { afterSeconds: currentProvider().delaySeconds }),
        queries.requestWithdrawal(tx, request),
        // Counted behind the lock of the wallet, so that concurrent withdrawals count each other.
        payoutApprovalCents === null ? null : approvals.uncheckedCents(tx, user.id, countedSince(now)),
        payoutApprovalCents === null ? tell(false) : null,
      ])
      if (outcome === 'PAYOUT_METHOD_PAUSED')
        throw payoutsPaused(payoutsPausedBecause ?? 'PAYMENT_METHOD_CHANGED', { until, timeZone })
      if (outcome !== 'OK') throw insufficientBalance()
      if (account !== null) await queries.nameDestination(tx, id, account)
      if (payoutApprovalCents === null || uncheckedCents === null) return
      const checked = uncheckedCents > payoutApprovalCents
      await tell(checked)
      if (checked) await askForApproval(tx, user.id, { withdrawalId: id, amountCents })
    },
    answer: async (withdrawalId, tx) => {
      const [row, { balanceCents }, holds] = await Promise.all([
        queries.withdrawalById(tx, withdrawalId),
        balanceOf(tx, user.id),
        holdsOfWithdrawals(tx, user.id, [withdrawalId]),
      ])
      if (!row) throw new Error(`withdrawal ${withdrawalId} is gone`)
      const { testerId: _, ...withdrawal } = row
      const hold = (withdrawal.status === 'PENDING' && holds.get(withdrawalId)) || null
      return { ...withdrawal, balanceCents, hold }
    },
    answeredWithCommit: true,
  })
}

/**
 * Together with other recent withdrawals it is above the limit in the settings, so it waits for two admins. All admins are told.
 */
const askForApproval = async (
  tx: Tx,
  testerId: string,
  { withdrawalId, amountCents }: { withdrawalId: string; amountCents: number },
): Promise<void> => {
  const [{ name: tester }, admins] = await Promise.all([
    userOf(tx, testerId),
    adminIds(tx),
    approvals.insertApproval(tx, withdrawalId),
  ])
  const facts = { withdrawalId, amountCents, tester }
  await notifyMany(
    tx,
    admins.map(each => notice(each, 'PAYOUT_TO_RELEASE', facts)),
  )
}

/** `after`: see `attemptsOf`. */
type PayOut = { withdrawalId: string; after?: number | undefined }

/**
 * Compares our books with the provider's first: while they differ, or payouts are stopped, no payout begins. Then records the call
 * and has the provider pay. A crash in between is harmless, because the provider pays each withdrawal only once. A suspension
 * freezes the withdrawal if it comes before the call is recorded; afterwards it is too late, since the provider may have been
 * asked.
 */
export const payOut: Job<PayOut> = {
  name: 'ledger.pay-out',
  expireMinutes: 5,
  atOnce: 10,
  run: async ({ withdrawalId, after }, once = forItself) => {
    if (!(await queries.isToBePaid(autocommit, withdrawalId, after))) return
    if (await payoutsStopped(autocommit)) return
    if (!(await once(mayPayOut))) return waitForBooks({ withdrawalId, after })
    const { name: provider } = currentProvider()
    const claimed = await transact(async tx =>
      (await payoutsStopped(tx))
        ? false
        : queries.claimWithdrawal(tx, withdrawalId, { provider, after, now: clock.now() }),
    )
    // False if it is settled, frozen, stopped or waits for two admins. Whoever ends that state enqueues the job again.
    if (claimed) await carryOut(withdrawalId)
  },
}

/** After this time a difference has resolved itself, or may be a breach. */
const booksSeconds = 60

const waitForBooks = (payout: PayOut): Promise<void> =>
  transact(tx => enqueue(tx, payOut, payout, { afterSeconds: booksSeconds }))

const returnedReason = 'The payout was returned by your payment method.'

/** Handles a provider's event that a payout came back after it had arrived. */
export const payoutReturned = async (withdrawalId: string): Promise<(tx: Tx) => Promise<void>> => {
  const withdrawal = await queries.withdrawalById(autocommit, withdrawalId)
  if (!withdrawal) throw new Error(`withdrawal ${withdrawalId} is gone`)
  const { testerId, amountCents } = withdrawal
  return async tx => {
    await notify(tx, testerId, 'WITHDRAWAL_FAILED', { withdrawalId, amountCents, reason: returnedReason })
    const outcome = await queries.returnWithdrawal(tx, withdrawalId, returnedReason, clock.now())
    if (outcome !== 'OK') throw new Error(`the return of withdrawal ${withdrawalId} was refused with ${outcome}`)
  }
}

type Failed = { withdrawalId: string; testerId: string; amountCents: number }

/**
 * Fails it without asking the provider: the money returns to the balance, and the tester is told why. The caller makes sure that
 * nobody pays it.
 */
export const failWithdrawal = async (tx: Tx, failed: Failed, reason: string): Promise<void> => {
  const { withdrawalId, testerId, amountCents } = failed
  await notify(tx, testerId, 'WITHDRAWAL_FAILED', { withdrawalId, amountCents, reason })
  const outcome = await queries.settleWithdrawal(tx, withdrawalId, reason, clock.now())
  if (outcome !== 'OK') throw new Error(`withdrawal ${withdrawalId} was settled although nobody had begun it`)
}

/** For a user who is no longer suspended: enqueues the payouts that were frozen. */
export const resumePayouts = async (tx: Tx, testerId: string): Promise<void> => {
  const frozen = await queries.pendingWithdrawalIds(tx, testerId)
  const payouts = frozen.map(withdrawalId => ({ withdrawalId }))
  await enqueueMany(tx, payOut, payouts)
}

/** When payouts resume: enqueues everything that waits. */
export const resumeAllPayouts = async (tx: Tx): Promise<void> => {
  const waiting = await queries.allPendingWithdrawalIds(tx)
  const payouts = waiting.map(withdrawalId => ({ withdrawalId }))
  await enqueueMany(tx, payOut, payouts)
}

/** After this time the job of a withdrawal or refund has retried many times. */
const overdueHours = 24

/** Safety net: settles money in transit whose job was lost or gave up. */
export const settleOverdue = scheduled('ledger.settle-overdue', '41 * * * *', async () => {
  const before = hoursAfter(clock.now(), -overdueHours)
  const refusedSince = hoursAfter(clock.now(), -refusedHours)
  await allDue([
    () =>
      eachDue(
        page => queries.overdueWithdrawals(autocommit, before, page),
        ({ id }: { id: string }) => payOut.run({ withdrawalId: id }),
      ),
    () =>
      eachDue(
        page => queries.overdueRefundParts(autocommit, { before, refusedSince }, page),
        ({ id }: queries.OverduePart) => payRefundPart.run({ partId: id }),
      ),
    () =>
      eachDue(
        page => overdueCharges(autocommit, hoursAfter(clock.now(), -1), page),
        ({ id }: { id: string }) => carryOut(id),
      ),
  ])
})
