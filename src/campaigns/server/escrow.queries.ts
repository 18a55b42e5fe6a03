/** SQL of money that has been in escrow for too long. */
import type { Instant } from '../../kit/clock.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import { instantText } from '../../kit/server/json.ts'
import type { EscrowCase } from '../escrowContract.ts'
import type { EscrowDecision } from '../terms.ts'
import { heldCents } from './queries.ts'

export type EscrowRow = Omit<EscrowCase, 'developer' | 'actions' | 'dueAt'> & {
  developerId: string
  developerName: string
  dueAt: Instant | null
  disputed: boolean
  developerSuspended: boolean
  /** `dueAt` in microseconds, as text. */
  place: string
}

/** The condition of the index campaigns_with_escrow: no other campaign can have money in escrow. */
const mayHold = sql`(c.status not in ('COMPLETED', 'CANCELLED') or c.has_open_tests or c.disputed_since is not null
  or c.after_dispute)`

const decisions = sql`(select coalesce(json_agg(json_build_object('decision', d.decision, 'by', d.name, 'reason', d.reason,
    'at', ${instantText(sql`d.decided_at`)}) order by d.id desc), '[]')
  from (select e.*, a.name from escrow_decisions e join users a on a.id = e.admin_id
    where e.campaign_id = c.id order by e.id desc limit 10) d)`

const columns = sql`c.id, c.title, c.status, u.id as "developerId", u.name as "developerName", held.cents as "heldCents",
  c.open_testers as "testersInside", c.escrow_since as "heldSince", c.escrow_due_at as "dueAt",
  c.renewal_asked_at as "renewalAskedAt", c.disputed_since is not null or c.dispute_lost_at is not null as disputed,
  u.suspended_at is not null as "developerSuspended",
  (extract(epoch from c.escrow_due_at) * 1000000)::bigint::text as place, ${decisions} as decisions`

type List = { dueUntil: Instant; limit: number; after: { place: string; id: string } | undefined }

/** Earliest due date first. A cursor stays valid after its case is decided. */
export const aging = (tx: Tx, { dueUntil, limit, after }: List): Promise<EscrowRow[]> =>
  tx.rows(sql`select ${columns} from campaigns c cross join lateral (select ${heldCents} as cents offset 0) held
      join users u on u.id = c.developer_id
    where ${mayHold} and c.escrow_due_at <= ${dueUntil} and held.cents > 0
    ${after ? sql`and (c.escrow_due_at, c.id) > (timestamptz 'epoch' + ${after.place}::bigint * interval '1 microsecond', ${after.id}::uuid)` : empty}
    order by c.escrow_due_at, c.id limit ${rowLimit(limit)}`)

export const caseOf = (tx: Tx, id: string): Promise<EscrowRow> =>
  tx.one(
    sql`select ${columns} from campaigns c cross join lateral (select ${heldCents} as cents offset 0) held
      join users u on u.id = c.developer_id where c.id = ${id} and c.escrow_since is not null`,
    'Campaign',
  )

/** Makes anybody wait who decides at the same time, or moves the campaign's money. */
export const lockCase = async (tx: Tx, id: string): Promise<EscrowRow> => {
  await tx.run(sql`select from campaigns where id = ${id} for update`)
  return caseOf(tx, id)
}

type Decision = { campaignId: string; decision: EscrowDecision; adminId: string; reason: string; now: Instant }

export const insertDecision = (tx: Tx, d: Decision): Promise<number> =>
  tx.run(sql`insert into escrow_decisions (campaign_id, decision, admin_id, reason, decided_at)
    values (${d.campaignId}, ${d.decision}, ${d.adminId}, ${d.reason}, ${d.now})`)

/** Withdraws the request for a new payment. */
export const setDue = (tx: Tx, id: string, dueAt: Instant): Promise<number> =>
  tx.run(sql`update campaigns set escrow_due_at = ${dueAt}, renewal_asked_at = null where id = ${id}`)

export const askRenewal = (tx: Tx, id: string, now: Instant): Promise<number> =>
  tx.run(sql`update campaigns set renewal_asked_at = ${now} where id = ${id}`)

export type Aging = { watched: number; due: number; oldestAt: Instant | null }

/** For Prometheus: how many campaigns are watched, and how many of them need an admin's decision now. */
export const countAging = (tx: Tx, now: Instant, dueUntil: Instant): Promise<Aging> =>
  tx.one(
    sql`select count(*) as watched, count(*) filter (where c.escrow_due_at <= ${now}) as due,
      min(c.escrow_since) as "oldestAt"
    from campaigns c cross join lateral (select ${heldCents} as cents offset 0) held
    where ${mayHold} and c.escrow_due_at <= ${dueUntil} and held.cents > 0`,
    'Count',
  )
