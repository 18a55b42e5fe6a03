/**
 * Disputes: a developer's bank takes a payment back, or asks to. While one is open, its campaign is frozen: nobody can join,
 * nothing is refunded, the developer cannot reject proofs, and completion waits. Testers inside continue and are paid (decision
 * 054).
 */
import { randomUUIDv7 } from 'node:crypto'
import { adminIds } from '../../accounts/server/accounts.ts'
import { clock, type Instant } from '../../kit/clock.ts'
import { inBatches } from '../../kit/server/batches.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { allDue } from '../../kit/server/eachDue.ts'
import { enqueueMany, everyMinute, scheduled } from '../../kit/server/jobs.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import type { DisputeOutcome } from '../terms.ts'
import { payRefundPart } from './calls.ts'
import * as queries from './disputes.queries.ts'
import { endCharges, endRefusedRenewals, withRefunds } from './ledger.ts'
import type { Change } from './disputes.queries.ts'

export type DisputeNews = {
  provider: string
  /** The provider's own id of the dispute. */
  reference: string
  paymentId: string
  amountCents: number
  reason: string
  status: 'OPEN' | DisputeOutcome
  evidenceDueAt?: Instant | null
  /** How often the provider has moved the dispute's money so far. It tells news of a dispute that was reopened from old news. */
  movements?: number
  /** When the dispute was opened or, for an outcome, closed. */
  at: Instant
  /** The admin who recorded the outcome, if no provider reports it. */
  adminId?: string
}

/**
 * Takes what a provider reports about a dispute, in any order, repeatedly and however late. Everyone concerned is told once of its
 * opening and once of its end. Throws while the payment is not known yet, so that the event is retried.
 */
export const disputeChanged = async (tx: Tx, { movements = 0, ...news }: DisputeNews): Promise<Change> => {
  if (await queries.isOldNews(tx, news, movements)) return 'SAME'
  const isOpenAgain = news.status !== 'WON' && (await queries.reopenDispute(tx, news, movements, clock.now()))
  const isWonAfterAll = news.status === 'WON' && (await queries.winLostDispute(tx, news, movements, clock.now()))
  const changed = await queries.changeDispute(tx, {
    evidenceDueAt: null,
    adminId: null,
    ...news,
    id: randomUUIDv7(),
    now: clock.now(),
  })
  if (changed === 'NOT_FOUND') throw new Error(`the disputed payment ${news.paymentId} is not known`)
  if (movements > 0) await queries.noteMovements(tx, news, movements)
  const sinceThen = isOpenAgain ? 'OPENED' : isWonAfterAll ? 'WON' : 'SAME'
  const change = changed === 'SAME' ? sinceThen : changed
  if (change === 'SAME') return change
  const concerned = await queries.concerned(tx, news.provider, news.reference)
  await endRefusedRenewals(tx, concerned.campaignId)
  await tell(tx, change, concerned)
  return change
}

const tell = async (
  tx: Tx,
  change: 'OPENED' | DisputeOutcome,
  { campaignId, title, developerId, amountCents, stage, others }: queries.Concerned,
): Promise<void> => {
  const [admins, inside] = await Promise.all([adminIds(tx), queries.insideOf(tx, campaignId)])
  const facts = { campaignId, title, amountCents, stage }
  if (change === 'OPENED') {
    return notifyMany(tx, [
      notice(developerId, 'DISPUTE_OPENED_OWNER', facts),
      ...inside.map(({ testId, testerId }) => notice(testerId, 'DISPUTE_OPENED', { testId, title })),
      ...admins.map(id => notice(id, 'DISPUTE_OPENED_ADMIN', facts)),
    ])
  }
  const lost = change === 'LOST'
  return notifyMany(tx, [
    notice(developerId, 'DISPUTE_CLOSED_OWNER', { ...facts, lost, others }),
    ...inside.map(({ testId, testerId }) => notice(testerId, 'DISPUTE_CLOSED', { testId, title })),
    ...admins.map(id => notice(id, 'DISPUTE_CLOSED_ADMIN', { ...facts, lost, others })),
  ])
}

/**
 * What follows the end of a dispute: refunds that waited or that the bank has paid instead, benches that reopen, and, after a lost
 * one, closing seats that are not given again.
 */
export const settleDisputes = scheduled('ledger.settle-disputes', everyMinute, async () => {
  await allDue([
    () => inBatches({ load: page => queries.afterDispute(autocommit, page), run: settle }),
    () => inBatches({ load: page => queries.toEmpty(autocommit, page), run: settle }),
    () => inBatches({ load: page => queries.toSetOff(autocommit, page), run: settle }),
  ])
})

const settle = async (tx: Tx, due: readonly { id: string }[]): Promise<string[]> => {
  const ids = due.map(({ id }) => id)
  await queries.lockCampaigns(tx, ids)
  const left = await withRefunds(tx, ids.length, refundIds => queries.settleDisputed(tx, ids, refundIds, clock.now()))
  const titles = new Map((await queries.titlesOf(tx, ids)).map(({ id, title }) => [id, title]))
  await notifyMany(
    tx,
    left.map(({ testerId, campaignId }) =>
      notice(testerId, 'BENCH_ENDED', { title: titles.get(campaignId)!, ended: false }),
    ),
  )
  await enqueueMany(tx, payRefundPart, await queries.heldRefundParts(tx, ids))
  for (const id of await queries.cancelledAmong(tx, ids)) await endCharges(tx, id)
  return ids
}
