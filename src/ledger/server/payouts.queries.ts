/** SQL of the money on its way out: withdrawals and refunds. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/eachDue.ts'
import type { Withdrawal } from '../contract.ts'
import { type Outcome, outcomeOf } from './queries.ts'

export type WithdrawalRequest = { id: string; testerId: string; amountCents: number; pauseHours: number; now: string }

export const requestWithdrawal = (tx: Tx, r: WithdrawalRequest): Promise<Outcome> =>
  outcomeOf(
    tx,
    sql`request_withdrawal(${r.id}, ${r.testerId}, ${r.amountCents}, make_interval(hours => ${r.pauseHours}), ${r.now})`,
  )

export const settleWithdrawal = (tx: Tx, id: string, failure: string | null, now: string): Promise<Outcome> =>
  outcomeOf(tx, sql`settle_withdrawal(${id}, ${failure}, ${now})`)

export const settleRefundPart = (tx: Tx, id: string, now: string): Promise<Outcome> =>
  outcomeOf(tx, sql`settle_refund_part(${id}, ${now})`)

export type WithdrawalRow = Omit<Withdrawal, 'balanceCents'> & { testerId: string }

export type ClaimedWithdrawal = Pick<WithdrawalRow, 'testerId' | 'amountCents' | 'destination'>

export const withdrawalById = (tx: Tx, id: string): Promise<WithdrawalRow | undefined> =>
  tx.maybe(sql`select id, tester_id as "testerId", amount_cents as "amountCents", status, destination,
    created_at as "createdAt" from withdrawals where id = ${id}`)

/** Holds the tester's row, so that a suspension comes before or after. Undefined when it is settled, or frozen. */
export const claimWithdrawal = async (tx: Tx, id: string, now: string): Promise<ClaimedWithdrawal | undefined> => {
  await tx.maybe(sql`select from users where id = (select tester_id from withdrawals where id = ${id}) for share`)
  return tx.maybe(sql`update withdrawals w set claimed_at = coalesce(w.claimed_at, ${now}) from users u
    where w.id = ${id} and u.id = w.tester_id and w.status = 'PENDING'
      and (w.claimed_at is not null or u.suspended_at is null)
    returning w.tester_id as "testerId", w.amount_cents as "amountCents", w.destination`)
}

export const pendingWithdrawalIds = async (tx: Tx, testerId: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select id from withdrawals where tester_id = ${testerId} and status = 'PENDING'`)
  ).map(row => row.id)

export type RefundPartRow = { amountCents: number; status: string; chargedTo: string }

export const refundPartById = (tx: Tx, id: string): Promise<RefundPartRow | undefined> =>
  tx.maybe(
    sql`select amount_cents as "amountCents", status, counterparty as "chargedTo" from refund_parts where id = ${id}`,
  )

export const pendingRefundPartIds = async (tx: Tx, refundId: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select id from refund_parts where refund_id = ${refundId} and status = 'PENDING'`)
  ).map(row => row.id)

/**
 * Still in transit although asked for before `before`, about the oldest first. Not those that a suspension froze, which
 * wait for good reason and would hold up the others.
 */
export const overdueWithdrawals = (tx: Tx, before: string, { limit, except }: DuePage): Promise<{ id: string }[]> =>
  tx.rows(sql`select w.id from withdrawals w join users u on u.id = w.tester_id
    where w.status = 'PENDING' and w.created_at <= ${before} and w.id <> all(${except})
      and (u.suspended_at is null or w.claimed_at is not null) order by w.id limit ${limit}`)

export const overdueRefundParts = (tx: Tx, before: string, { limit, except }: DuePage): Promise<{ id: string }[]> =>
  tx.rows(sql`select p.id from refunds r join refund_parts p on p.refund_id = r.id and p.status = 'PENDING'
    where r.status = 'PENDING' and r.created_at <= ${before} and p.id <> all(${except})
    order by r.id, p.id limit ${limit}`)

/** Answers the reason of the decline, the first one when it was asked before. */
export const insertSandboxMovement = async (
  tx: Tx,
  m: {
    requestId: string
    kind: string
    amountCents: number
    counterparty: string
    declined: string | null
    at: string
  },
): Promise<string | null> => {
  const inserted = await tx.run(sql`
    insert into sandbox_movements (request_id, kind, amount_cents, counterparty, decline_reason, at)
    values (${m.requestId}, ${m.kind}, ${m.amountCents}, ${m.counterparty}, ${m.declined}, ${m.at})
    on conflict (request_id) do nothing`)
  if (inserted === 1) return m.declined
  return tx.value(sql`select decline_reason from sandbox_movements where request_id = ${m.requestId}`)
}
