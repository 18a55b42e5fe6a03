/** SQL for payouts that wait for two admins. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { ApprovalOutcome } from '../terms.ts'

/** Inserts nothing if the withdrawal was refused. */
export const insertApproval = (tx: Tx, withdrawalId: string): Promise<number> =>
  tx.run(sql`insert into payout_approvals (withdrawal_id, requested_at)
    select id, created_at from withdrawals where id = ${withdrawalId}`)

/**
 * What a tester has withdrawn since then without two admins. Failed withdrawals do not count: their money is back in the balance.
 */
export const uncheckedCents = (tx: Tx, testerId: string, since: string): Promise<number> =>
  tx.value(sql`select coalesce(sum(amount_cents), 0)::bigint from withdrawals w
    where tester_id = ${testerId} and created_at > ${since} and status <> 'FAILED'
      and not exists (select from payout_approvals a where a.withdrawal_id = w.id)`)

export type ApprovalRow = {
  seq: number
  id: string
  amountCents: number
  destination: string
  requestedAt: string
  testerId: string
  testerName: string
  testerSuspended: boolean
  /** Null when the admin who released it is no longer active. */
  releasedBy: string | null
  releaserName: string | null
  /** The admin who released it, whether or not the release still counts. */
  formerReleaser: string | null
  releasedAt: string | null
  outcome: ApprovalOutcome | null
  decidedBy: string | null
  deciderName: string | null
  decidedAt: string | null
  reason: string | null
}

const isActiveAdmin = sql`(r.role = 'ADMIN' and r.deleted_at is null and r.suspended_at is null)`

/** A confirmed release stands even if the admin who gave it is no longer active. */
const counts = sql`(a.outcome is not null or ${isActiveAdmin})`

const columns = sql`a.seq, w.id, w.amount_cents as "amountCents", w.destination, a.requested_at as "requestedAt",
  w.tester_id as "testerId", t.name as "testerName", t.suspended_at is not null as "testerSuspended",
  case when ${counts} then a.released_by end as "releasedBy", case when ${counts} then r.name end as "releaserName",
  r.name as "formerReleaser", case when ${counts} then a.released_at end as "releasedAt", a.outcome,
  a.decided_by as "decidedBy", d.name as "deciderName", a.decided_at as "decidedAt", a.reason`

const tables = sql`payout_approvals a join withdrawals w on w.id = a.withdrawal_id join users t on t.id = w.tester_id
  left join users r on r.id = a.released_by left join users d on d.id = a.decided_by`

/** Oldest first. */
export const waitingApprovals = (tx: Tx, limit: number, cursor: string | undefined): Promise<ApprovalRow[]> =>
  tx.rows(sql`select ${columns} from ${tables} where a.outcome is null ${cursor ? sql`and a.seq > ${cursor}` : empty}
    order by a.seq limit ${rowLimit(limit)}`)

export const approvalOf = (tx: Tx, withdrawalId: string): Promise<ApprovalRow> =>
  tx.one(sql`select ${columns} from ${tables} where a.withdrawal_id = ${withdrawalId}`, 'Payout')

/**
 * Locks the approval, then the deciding admin and the admin who released it. Concurrent decisions wait, and neither admin can lose
 * the role meanwhile. Returns false unless the caller is an active admin.
 */
export const lockApproval = async (tx: Tx, withdrawalId: string, adminId: string): Promise<boolean> => {
  const { releasedBy } = await tx.one<{ releasedBy: string | null }>(
    sql`select released_by as "releasedBy" from payout_approvals where withdrawal_id = ${withdrawalId} for update`,
    'Payout',
  )
  const admins = await tx.rows<{ id: string; isActive: boolean }>(sql`
    select r.id, ${isActiveAdmin} as "isActive" from users r where r.id = any(${[adminId, releasedBy ?? adminId]})
    order by r.id for share`)
  return admins.some(({ id, isActive }) => id === adminId && isActive)
}

/** Locks everything that a tester has waiting, so that nobody decides on it meanwhile. */
export const lockPendingApprovals = (tx: Tx, testerId: string): Promise<object[]> =>
  tx.rows(sql`select from payout_approvals
    where withdrawal_id in (select id from withdrawals where tester_id = ${testerId} and status = 'PENDING')
    order by seq for update`)

/** Marks that nobody has to decide any more. */
export const setLapsed = (tx: Tx, withdrawalIds: readonly string[], now: string): Promise<number> =>
  tx.run(sql`update payout_approvals set outcome = 'LAPSED', decided_at = ${now}
    where withdrawal_id = any(${withdrawalIds}) and outcome is null`)

export const setReleased = (tx: Tx, withdrawalId: string, adminId: string, now: string): Promise<number> =>
  tx.run(sql`update payout_approvals set released_by = ${adminId}, released_at = ${now}
    where withdrawal_id = ${withdrawalId} and outcome is null`)

type Decision = { withdrawalId: string; outcome: ApprovalOutcome; adminId: string; reason: string | null; now: string }

export const setDecided = (tx: Tx, d: Decision): Promise<number> =>
  tx.run(sql`update payout_approvals set outcome = ${d.outcome}, decided_by = ${d.adminId}, decided_at = ${d.now},
    reason = ${d.reason} where withdrawal_id = ${d.withdrawalId} and outcome is null`)

/** Counts no further than two. */
export const activeAdmins = (tx: Tx): Promise<number> =>
  tx.value(sql`select count(*)::int from (
    select from users r where ${isActiveAdmin} limit 2) admins`)
