/** SQL of contested opt-ins. */
import { attachedTo, type AttachmentRow } from '../../attachments/server/attachments.ts'
import { hoursAfter } from '../../kit/clock.ts'
import { type Due, nextPage, type Page } from '../../kit/server/batches.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { ContestedOptIn } from '../contract.ts'
import { contestHours } from '../terms.ts'
import { daysOf } from './rows.ts'

type Row = Omit<ContestedOptIn, 'alias' | 'campaign' | 'screenshot'> & {
  runId: number
  ordinal: number
  campaignId: string
  campaignTitle: string
  /** When the run before ended. */
  runBeforeEndedAt: string | null
  attached: AttachmentRow[]
}

const clearsAt = sql`after_downtimes(r.contested_at, ${contestHours})`

/** Contests of present runs, oldest first. */
export const openContests = (tx: Tx, limit: number, cursor: string | null): Promise<Row[]> =>
  tx.rows(sql`
    select r.id as "runId", p.id, p.ordinal, c.id as "campaignId", c.title as "campaignTitle", d.name as "developerName",
      r.started_at as "startedAt", r.confirmed_at as "confirmedAt", r.contested_at as "contestedAt",
      r.contest_reason as reason, ${clearsAt} as "clearsAt", p.check_in_count as "checkIns",
      (select max(k.at) from all_check_ins k where k.participation_id = p.id and ${daysOf(sql`k`)}) as "lastCheckInAt",
      (select max(ended_at) from opt_in_runs where participation_id = p.id) as "runBeforeEndedAt",
      ${attachedTo(sql`p.id`)} as attached
    from opt_in_runs r join participations p on p.id = r.participation_id join campaigns c on c.id = r.campaign_id
      join users d on d.id = c.developer_id
    where r.contested_at is not null and r.contest_ended_at is null and r.ended_at is null
      and (${cursor}::bigint is null or (r.contested_at, r.id) > (select contested_at, id from opt_in_runs where id = ${cursor}))
    order by r.contested_at, r.id limit ${rowLimit(limit)}`)

export type DueContest = Due & { participationId: string }

/** Of the contests whose hours have passed, those whose hours have passed with downtimes left out as well. */
export const contestsToClear = (tx: Tx, now: string, page: Page): Promise<DueContest[]> =>
  tx.rows(sql`select id::text, contested_at::text as at, participation_id as "participationId" from opt_in_runs r
    where contested_at is not null and contest_ended_at is null and contested_at <= ${hoursAfter(now, -contestHours)}
      and ${clearsAt} <= ${now} ${nextPage(sql`contested_at`, page, sql`r.id`)}`)

/**
 * For these tests, which the caller has locked. Resolves with those whose run goes on; for the others the question no longer
 * matters.
 */
export const clearByTime = async (
  tx: Tx,
  runIds: readonly string[],
  participationIds: readonly string[],
  now: string,
): Promise<string[]> => {
  const cleared = await tx.rows<{ id: string; present: boolean }>(sql`
    update opt_in_runs set contest_ended_at = ${now}, contest_outcome = 'CLEARED_BY_TIME'
    where id = any(${runIds}::bigint[]) and participation_id = any(${participationIds}) and contest_ended_at is null
    returning participation_id as id, ended_at is null as present`)
  return cleared.filter(({ present }) => present).map(({ id }) => id)
}
