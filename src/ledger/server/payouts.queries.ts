/** SQL for money on its way out: withdrawals and refunds. */
import type { Instant } from '../../kit/clock.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/eachDue.ts'
import type { Withdrawal } from '../contract.ts'
import { type Outcome, outcomeOf } from './queries.ts'

export type WithdrawalRequest = { id: string; testerId: string; amountCents: number; pauseHours: number; now: string }

export const requestWithdrawal = (tx: Tx, r: WithdrawalRequest): Promise<Outcome> =>
  outcomeOf(
    tx,
    sql`request_withdrawal(${r.id}, ${r.testerId}, ${r.amountCents}, make_interval(hours => ${r.pauseHours}), ${r.now})`,
  )

/** For a withdrawal that does not go to the payment method. */
export const nameDestination = (tx: Tx, id: string, destination: string): Promise<number> =>
  tx.run(sql`with named as (update withdrawals set destination = ${destination} where id = ${id})
    update transactions set description = ${`Withdrawal to ${destination}`} where source_id = ${id} and type = 'PAYOUT'`)

export const settleWithdrawal = (tx: Tx, id: string, failure: string | null, now: string): Promise<Outcome> =>
  outcomeOf(tx, sql`settle_withdrawal(${id}, ${failure}, ${now})`)

export const settleRefundPart = (tx: Tx, id: string, now: string): Promise<Outcome> =>
  outcomeOf(tx, sql`settle_refund_part(${id}, ${now})`)

export type WithdrawalRow = Omit<Withdrawal, 'balanceCents' | 'hold'> & { testerId: string }

export const withdrawalById = (tx: Tx, id: string): Promise<WithdrawalRow | undefined> =>
  tx.maybe(sql`select id, tester_id as "testerId", amount_cents as "amountCents", status, destination,
    created_at as "createdAt" from withdrawals where id = ${id}`)

export const returnWithdrawal = (tx: Tx, id: string, reason: string, now: string): Promise<Outcome> =>
  outcomeOf(tx, sql`return_withdrawal(${id}, ${reason}, ${now})`)

/** Above the limit in the settings, so it waits for two admins. */
const waitsForApproval = sql`exists(select from payout_approvals a where a.withdrawal_id = w.id and a.outcome is null)`

/**
 * Not settled yet. A retry carries in `after` how many attempts preceded it; it is dropped if there was another one meanwhile,
 * unless that one is still open.
 */
const toBePaid = (after: number | undefined) =>
  sql`w.status = 'PENDING' ${
    after === undefined
      ? empty
      : sql`and (${after} = (select count(*) from provider_calls c where c.subject_id = w.id)
        or exists (select from provider_calls c where c.subject_id = w.id and c.status = 'PENDING'))`
  }`

export const isToBePaid = async (tx: Tx, id: string, after: number | undefined): Promise<boolean> =>
  (await tx.maybe(sql`select from withdrawals w where w.id = ${id} and ${toBePaid(after)}`)) !== undefined

/**
 * Records the call that the provider is about to get. Locks the tester's row, so that a suspension comes either before or after.
 * Returns false if the withdrawal is settled, frozen or waits for two admins, or if another attempt has overtaken this retry.
 */
export const claimWithdrawal = async (
  tx: Tx,
  id: string,
  { provider, after, now }: { provider: string; after?: number | undefined; now: Instant },
): Promise<boolean> => {
  await tx.maybe(sql`select from users where id = (select tester_id from withdrawals where id = ${id}) for share`)
  const claimed = await tx.maybe(sql`with claimed as (
      update withdrawals w set claimed_at = coalesce(w.claimed_at, ${now}) from users u
      where w.id = ${id} and u.id = w.tester_id and ${toBePaid(after)}
        and (w.claimed_at is not null or u.suspended_at is null) and not ${waitsForApproval} returning w.id
    ), called as (
      insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, created_at)
        select gen_random_uuid(), ${provider}, 'PAYOUT', id, attempt,
          id || case attempt when 1 then '' else ':' || attempt end, 'PENDING', ${now}
        from claimed, lateral (select 1 + count(*) as attempt from provider_calls where subject_id = claimed.id) past
        where not exists (select from provider_calls where subject_id = claimed.id and status <> 'REFUSED')
        on conflict do nothing
    )
    select from claimed`)
  return claimed !== undefined
}

/** The provider refused. Until we ask again, the withdrawal is not at the provider, so a suspension freezes it. */
export const takeBackClaim = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`update withdrawals set claimed_at = null where id = ${id} and status = 'PENDING'`)

export const pendingWithdrawalIds = async (tx: Tx, testerId: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select id from withdrawals where tester_id = ${testerId} and status = 'PENDING'`)
  ).map(row => row.id)

export type Waiting = {
  id: string
  amountCents: number
  /** The provider may have been asked already, possibly by the original of a restored copy. */
  mayBeMade: boolean
}

/** Locked until the end of the transaction, so that none of them is begun or settled; the approvals are locked before. */
export const lockPendingWithdrawals = (tx: Tx, testerId: string): Promise<Waiting[]> =>
  tx.rows(sql`select w.id, w.amount_cents as "amountCents", w.claimed_at is not null or exists (select from job_pauses p
      where p.reason = 'RESTORED' and (p.resumed_at is null or p.resumed_at >= w.created_at)) as "mayBeMade"
    from withdrawals w where w.tester_id = ${testerId} and w.status = 'PENDING' order by w.id for update`)

export const allPendingWithdrawalIds = async (tx: Tx): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select w.id from withdrawals w join users u on u.id = w.tester_id
      where w.status = 'PENDING' and u.suspended_at is null order by w.id`)
  ).map(row => row.id)

export type RefundPartRow = { refundId: string; paymentId: string; status: string; isStuck: boolean }

/** No longer retried, unless an admin has asked for it. */
const isStuck = sql`(p.stuck_since is not null and p.retry_asked_at is null)`

export const refundPartById = (tx: Tx, id: string): Promise<RefundPartRow | undefined> =>
  tx.maybe(sql`select refund_id as "refundId", payment_id as "paymentId", status,
    ${isStuck} as "isStuck" from refund_parts p where id = ${id}`)

/** Records the calls that the provider is about to get; parts that already have a call keep it. */
export const beginRefunds = (tx: Tx, refundIds: readonly string[], now: string): Promise<unknown> =>
  tx.rows(sql`select begin_refunds(${refundIds}, ${now})`)

/**
 * Decides, once, how much of a part was paid before the data was restored: whatever remains of the payment's lost refunds. Locks
 * the payment, because its parts share them, and the campaign before it, like lock_refund_part.
 */
export const coverRefundPart = async (tx: Tx, id: string, paymentId: string): Promise<number> => {
  await tx.maybe(
    sql`select from campaigns where id = (select campaign_id from payments where id = ${paymentId}) for key share`,
  )
  await tx.maybe(sql`select from payments where id = ${paymentId} for update`)
  return tx.value<number>(sql`update refund_parts part set covered_cents = coalesce(part.covered_cents, greatest(0, least(
        part.amount_cents,
        (select coalesce(sum(amount_cents), 0) from lost_movements where of_id = ${paymentId} and kind = 'REFUND')
          - (select coalesce(sum(covered_cents), 0) from refund_parts where payment_id = ${paymentId}))))
    where id = ${id} returning covered_cents`)
}

export const pendingRefundPartIds = async (tx: Tx, refundId: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select id from refund_parts where refund_id = ${refundId} and status = 'PENDING'`)
  ).map(row => row.id)

/**
 * Withdrawals requested before `before` that are still in transit, roughly oldest first. Excludes those that a suspension froze or
 * that wait for two admins: they wait for a good reason, and would hold up the others.
 */
export const overdueWithdrawals = (
  tx: Tx,
  before: string,
  { limit, after }: DuePage<{ id: string }>,
): Promise<{ id: string }[]> =>
  tx.rows(sql`select w.id from withdrawals w join users u on u.id = w.tester_id
    where w.status = 'PENDING' and w.created_at <= ${before} ${after ? sql`and w.id > ${after.id}` : empty}
      and (u.suspended_at is null or w.claimed_at is not null) and not ${waitsForApproval} order by w.id limit ${limit}`)

export type OverduePart = { id: string; refundId: string }

/** Excludes parts that are no longer retried, and those refused after `refusedSince`, whose next attempt is still to come. */
export const overdueRefundParts = (
  tx: Tx,
  { before, refusedSince }: { before: string; refusedSince: string },
  { limit, after }: DuePage<OverduePart>,
): Promise<OverduePart[]> =>
  tx.rows(sql`select p.id, r.id as "refundId" from refunds r join refund_parts p on p.refund_id = r.id and p.status = 'PENDING'
    where r.status = 'PENDING' and r.created_at <= ${before}
      ${after ? sql`and r.id >= ${after.refundId} and (r.id, p.id) > (${after.refundId}, ${after.id})` : empty}
      and not ${isStuck} and not exists (select from provider_calls c where c.subject_id = p.id and c.settled_at > ${refusedSince}
        and p.retry_asked_at is null)
    order by r.id, p.id limit ${limit}`)
