/** SQL for refunds that the payment provider permanently refuses. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { OutsideOutcome, StuckFacts } from '../stuckRefunds.ts'
import { type Outcome, outcomeOf } from './queries.ts'

export type StuckRow = StuckFacts & {
  id: string
  refundId: string
  campaignId: string
  campaignTitle: string
  developerId: string
  developerName: string
  paymentMethod: string
  /** What remains to be paid. */
  amountCents: number
  owedSince: string
  stuckSince: string | null
  attempts: number
  lastTriedAt: string | null
  reason: string | null
  limitCents: number | null
  outsideId: string | null
  needsTwo: boolean | null
  reference: string | null
  note: string | null
  recorderId: string | null
  recordedAt: string | null
  twiceId: string | null
}

const isActiveAdmin = sql`(a.role = 'ADMIN' and a.deleted_at is null and a.suspended_at is null)`

/** The original may have asked once more for anything older than a restore, or than a restore in progress. */
const restoredSince = sql`exists (select from job_pauses j where j.reason = 'RESTORED'
  and (j.resumed_at is null or j.resumed_at >= coalesce(last.settled_at, r.created_at)))`

const columns = sql`p.id, p.refund_id as "refundId", c.id as "campaignId", c.title as "campaignTitle", u.id as "developerId",
  u.name as "developerName", p.counterparty as "paymentMethod",
  p.amount_cents - coalesce(p.covered_cents, 0) as "amountCents", r.created_at as "owedSince", p.stuck_since as "stuckSince",
  tried.attempts, tried.at as "lastTriedAt", last.reason, (select payout_approval_cents from settings) as "limitCents",
  o.id as "outsideId", o.needs_two as "needsTwo", o.reference, o.note, o.recorded_by as "recorderId",
  a.name as "recorderName", o.recorded_at as "recordedAt", twice.id as "twiceId", twice.amount_cents as "twiceCents",
  p.status = 'COMPLETED' as "isPaid", p.stuck_since is not null as "isStuck",
  p.status = 'PENDING' and (p.retry_asked_at is not null or tried.open) as "isTried",
  is_kept_by_dispute(p.payment_id) as "isDisputed",
  exists (select from over_refunds o join refund_parts other on other.id = o.part_id where other.refund_id = p.refund_id
    and other.payment_id = p.payment_id and o.outcome is distinct from 'CAME_BACK') as "wasOverpaid",
  exists (select from disputes d where d.payment_id = p.payment_id and d.status = 'OPEN') as "isDisputeOpen",
  ${restoredSince} as "isRestoredSince",
  o.id is not null and o.outcome is null as "isRecorded", case when ${isActiveAdmin} then a.id end as "recordedBy"`

const tables = sql`refund_parts p join refunds r on r.id = p.refund_id join campaigns c on c.id = r.campaign_id
  join users u on u.id = r.developer_id
  cross join lateral (select count(*)::int as attempts, max(coalesce(sent_at, created_at)) as at,
    coalesce(bool_or(status = 'PENDING'), false) as open from provider_calls where subject_id = p.id) tried
  left join lateral (select reason, settled_at from provider_calls where subject_id = p.id and status = 'REFUSED'
    order by attempt desc limit 1) last on true
  left join outside_refunds o on o.part_id = p.id and (o.outcome is null or o.outcome = 'PAID')
  left join users a on a.id = o.recorded_by
  left join lateral (select id, amount_cents from over_refunds where part_id = p.id and outcome is null order by id limit 1) twice
    on true`

const since = sql`coalesce(p.stuck_since, r.created_at)`

/** Oldest first. The cursor is a position in the list, which stays valid after its refund is paid. */
export const list = (tx: Tx, limit: number, cursor: string | undefined): Promise<StuckRow[]> =>
  tx.rows(sql`select ${columns} from ${tables}
    where p.id = any(array(
      select id from refund_parts where stuck_since is not null and status = 'PENDING'
      union select part_id from over_refunds where outcome is null))
    ${
      cursor
        ? sql`and (${since}, p.id) > (select ${since}, p.id from refund_parts p join refunds r on r.id = p.refund_id
            where p.id = ${cursor})`
        : empty
    }
    order by ${since}, p.id limit ${rowLimit(limit)}`)

export const stuckRefund = (tx: Tx, id: string): Promise<StuckRow> =>
  tx.one(sql`select ${columns} from ${tables} where p.id = ${id}`, 'Refund')

/**
 * Locks the part of the refund, then the deciding admin and the one who recorded the payment. Concurrent decisions wait, and
 * neither admin can lose the role meanwhile. Returns false unless the caller is an active admin.
 */
export const lockStuck = async (tx: Tx, id: string, adminId: string): Promise<boolean> => {
  await tx.maybe(sql`select from lock_refund_part(${id})`)
  const admins = await tx.rows<{ id: string; isActive: boolean }>(sql`
    select a.id, ${isActiveAdmin} as "isActive" from users a where a.id = any(array(
      select ${adminId}::uuid union select recorded_by from outside_refunds where part_id = ${id} and outcome is null))
    order by a.id for share`)
  return admins.some(admin => admin.id === adminId && admin.isActive)
}

/** Asks for a retry by the job; begin_refunds makes the attempt. */
export const askRetry = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(
    sql`update refund_parts set retry_asked_at = ${now} where id = ${id} and status = 'PENDING' and stuck_since is not null`,
  )

type Recorded = {
  partId: string
  amountCents: number
  reference: string
  note: string | null
  needsTwo: boolean
  adminId: string
  now: string
}

export const record = (tx: Tx, id: string, r: Recorded): Promise<Outcome> =>
  outcomeOf(
    tx,
    sql`record_outside_refund(${id}, ${r.partId}, ${r.amountCents}, ${r.reference}, ${r.note}, ${r.needsTwo}, ${r.adminId}, ${r.now})`,
  )

type Settled = { outcome: OutsideOutcome; adminId: string; reason: string | null; now: string }

export const settle = (tx: Tx, id: string, s: Settled): Promise<Outcome> =>
  outcomeOf(tx, sql`settle_outside_refund(${id}, ${s.outcome}, ${s.adminId}, ${s.reason}, ${s.now})`)

type Late = { partId: string; key: string; reference: string; now: string }

export const bookLate = (tx: Tx, id: string, l: Late): Promise<'OK' | 'PAID_TWICE' | 'LATER' | 'SAME'> =>
  tx.value(sql`select book_late_refund(${id}, ${l.partId}, ${l.key}, ${l.reference}, ${l.now})`)

export const settleTwice = (
  tx: Tx,
  id: string,
  { adminId, note, now }: { adminId: string; note: string; now: string },
): Promise<Outcome> => outcomeOf(tx, sql`settle_over_refund(${id}, ${adminId}, ${note}, ${now})`)
