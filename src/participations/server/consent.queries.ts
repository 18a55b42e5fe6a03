/** SQL of rejections that wait for an admin's consent. */
import type { Sql } from 'sql-template-tag'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit, rowLimit } from '../../kit/server/rowLimits.ts'
import { instantText } from '../../kit/server/json.ts'
import type { RejectionCode } from '../contract.ts'
import type { Overturned } from '../consent.ts'
import type { ConsentOutcome } from '../terms.ts'

export type RequestRow = {
  at: string
  code: RejectionCode
  reason: string
  outcome: ConsentOutcome | null
  decidedAt: string | null
  note: string | null
}

/** A test's last request; null without one. */
export const requestOf = (participationId: Sql): Sql => sql`(select json_build_object(
    'at', ${instantText(sql`r.requested_at`)}, 'code', r.code, 'reason', r.reason, 'outcome', r.outcome,
    'decidedAt', ${instantText(sql`r.decided_at`)}, 'note', r.note)
  from rejection_requests r where r.participation_id = ${participationId} order by r.seq desc limit 1)`

/** Counts the developer's own latest rejections whose outcome is known. */
export const overturnedOf = (tx: Tx, developerId: string, last: number): Promise<Overturned> =>
  tx.one(
    sql`select count(*) filter (where overturned)::int as overturned, count(*)::int as of from (
      select coalesce(a.outcome = 'VERIFIED', false) as overturned
      from participations p left join appeals a on a.participation_id = p.id
      where p.developer_id = ${developerId} and p.closed_at is not null and p.rejection_code is not null
        and coalesce(a.rejected_by, p.reviewed_by) = ${developerId} and a.outcome is distinct from 'PLATFORM'
      order by p.closed_at desc limit ${fixedRowLimit(last)}) settled`,
    'Rejections',
  )

export type NewRequest = { participationId: string; code: RejectionCode; reason: string }

/** False if the proof is decided already, or a request is waiting. */
export const insertRequest = async (
  tx: Tx,
  { participationId, code, reason }: NewRequest,
  now: string,
): Promise<boolean> => {
  const proof = await tx.maybe<{ changesRequested: number }>(
    sql`select changes_requested as "changesRequested" from participations
      where id = ${participationId} and status = 'SUBMITTED' for update`,
  )
  if (!proof) return false
  const made =
    await tx.run(sql`insert into rejection_requests (participation_id, changes_requested, requested_at, code, reason)
    values (${participationId}, ${proof.changesRequested}, ${now}, ${code}, ${reason}) on conflict (participation_id) where outcome is null do nothing`)
  return made === 1
}

type Settled = { participationId: string; outcome: ConsentOutcome; note: string; adminId: string; now: string }

/** For a test that the caller has locked. Resolves with the request. */
export const settleRequest = (
  tx: Tx,
  { participationId, outcome, note, adminId, now }: Settled,
): Promise<{ code: RejectionCode; reason: string }> =>
  tx.one(
    sql`update rejection_requests set outcome = ${outcome}, note = ${note}, decided_by = ${adminId}, decided_at = ${now}
      where participation_id = ${participationId} and outcome is null returning code, reason`,
    'Rejection',
  )

export type WaitingRow = {
  id: string
  seq: number
  ordinal: number
  campaignId: string
  campaignTitle: string
  developerId: string
  developerName: string
  requestedAt: string
  code: RejectionCode
  reason: string
  verifiesAt: string
}

/** Undecided requests, oldest first. */
export const waitingRequests = (tx: Tx, limit: number, cursor: string | undefined): Promise<WaitingRow[]> =>
  tx.rows(sql`
    select p.id, r.seq, p.ordinal, c.id as "campaignId", c.title as "campaignTitle", d.id as "developerId",
      d.name as "developerName", r.requested_at as "requestedAt", r.code, r.reason, p.wake_at as "verifiesAt"
    from rejection_requests r join participations p on p.id = r.participation_id join campaigns c on c.id = p.campaign_id
      join users d on d.id = c.developer_id
    where r.outcome is null ${cursor ? sql`and r.seq > ${cursor}` : empty}
    order by r.seq limit ${rowLimit(limit)}`)
