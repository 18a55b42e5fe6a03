/** SQL of reputations: of each person a bounded number of rows, in the order of an index. */
import type { Sql } from 'sql-template-tag'
import { sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit } from '../../kit/server/rowLimits.ts'
import type { EndedTest, ReviewedProof } from '../rules.ts'
import { most, steps } from '../terms.ts'

/** Where an appeal was settled without anybody's decision, the test says nothing about either side. */
const settledByPeople = sql`(p.rejection_code is null or not exists (
  select from appeals a where a.participation_id = p.id and (a.outcome is null or a.decided_by is null)))`

/** Also where the developer confirmed the list later, or never. */
const wasIn = sql`exists (select from opt_in_runs r where r.participation_id = p.id and r.end_reason is distinct from 'VOIDED')`

/**
 * Dropping counts unless an admin took the tester out, the campaign was cancelled before, or the list gave a reason to go, as
 * where Google Play did not let the tester in; whoever refused a changed NDA is CANCELLED.
 */
const counts = sql`(p.status in ('VERIFIED', 'REJECTED') or p.status = 'DROPPED' and p.drop_reason <> 'SUSPENDED'
  and p.payout_amount_cents = 0 and (c.access_mode = 'OPEN_LINK' or p.listed_at <= p.closed_at and p.no_access_reports = 0 or ${wasIn})
  and not (c.status = 'CANCELLED' and p.closed_at >= c.closed_at))`

const start = sql`p.proof_allowed_at - interval '24 hours' * c.duration_days`
const settled = sql`coalesce(p.proof_submitted_at, p.closed_at)`

const verifiedOf = (of: Sql) => sql`(select count(*) from (
  select from participations p where ${of} and p.status = 'VERIFIED' and p.closed_at is not null and ${settledByPeople}
  limit ${fixedRowLimit(steps[0])}) verified)`

/** Without those of an opt-in that an admin decided never was. */
const daysDone = sql`least(case when p.opted_out_at is null then p.check_in_count
  else p.check_in_count - count_voided_days(p.id) end, c.duration_days)`

/** Newest first. */
const endedOf = (testerId: Sql) => sql`(select coalesce(json_agg(e), '[]') from (
  select p.status, p.status = 'VERIFIED' and p.reviewed_by is null as "bySilence",
    p.changes_requested as "changesRequested",
    case when c.daily_check_in then ${daysDone} else 0 end as "daysDone",
    case when c.daily_check_in then greatest(${daysDone},
      case when p.proof_allowed_at is null then 0
        else least(c.duration_days, floor(extract(epoch from ${settled} - (${start})) / 86400)) end) else 0 end as "daysDue"
  from participations p join campaigns c on c.id = p.campaign_id
  where p.tester_id = ${testerId} and p.closed_at is not null and ${counts} and ${settledByPeople}
  order by p.closed_at desc limit ${fixedRowLimit(most)}) e)`

type TesterFacts = { verified: number; tests: EndedTest[] }

/** Of the testers whose tests of the campaign are open. */
export const testersOf = (tx: Tx, campaignId: string): Promise<(TesterFacts & { id: string })[]> =>
  tx.rows(sql`select t.id, ${verifiedOf(sql`p.tester_id = t.tester_id`)} as verified, ${endedOf(sql`t.tester_id`)} as tests
    from participations t where t.campaign_id = ${campaignId} and t.closed_at is null order by t.ordinal`)

export const testerFacts = (tx: Tx, id: string): Promise<TesterFacts> =>
  tx.one(sql`select ${verifiedOf(sql`p.tester_id = ${id}`)} as verified, ${endedOf(sql`${id}`)} as tests`, 'Reputation')

/**
 * Whoever wants to reject a proof has answered it then, however long an admin takes to consent. Of older requests only the time
 * is known.
 */
const answeredAt = sql`least(p.reviewed_at, (select min(r.requested_at) from rejection_requests r
  where r.participation_id = p.id and coalesce(r.changes_requested = p.changes_requested, r.requested_at >= p.proof_submitted_at)))`

/** Of proofs that admins reviewed nothing is said about the developer. */
const reviewedOf = (developerId: Sql) => sql`(select coalesce(json_agg(e), '[]') from (
  select p.rejection_code is not null as rejected,
    case when p.status = 'REJECTED' or p.rejection_code is null
      then extract(epoch from ${answeredAt} - p.proof_submitted_at) / 3600 end as hours
  from participations p
  where p.developer_id = ${developerId} and p.closed_at is not null and p.status in ('VERIFIED', 'REJECTED')
    and (p.rejection_code is not null or p.reviewed_by is null or p.reviewed_by = p.developer_id) and ${settledByPeople}
  order by p.closed_at desc limit ${fixedRowLimit(most)}) e)`

const appealsOf = (developerId: Sql) => sql`(select coalesce(json_agg(e.overturned), '[]') from (
  select a.outcome = 'VERIFIED' as overturned
  from participations p join appeals a on a.participation_id = p.id
  where p.developer_id = ${developerId} and p.closed_at is not null and p.rejection_code is not null
    and a.outcome is not null and a.decided_by is not null
  order by p.closed_at desc limit ${fixedRowLimit(most)}) e)`

export type DeveloperFacts = { id: string; verified: number; proofs: ReviewedProof[]; appeals: boolean[] }

/** Only of developers. */
export const developersOf = (tx: Tx, ids: readonly string[]): Promise<DeveloperFacts[]> =>
  tx.rows(sql`select d.id, ${verifiedOf(sql`p.developer_id = d.id and p.status in ('VERIFIED', 'REJECTED')`)} as verified,
      ${reviewedOf(sql`d.id`)} as proofs, ${appealsOf(sql`d.id`)} as appeals
    from users d where d.id = any(${ids}::uuid[]) and d.role = 'DEVELOPER' order by d.id`)
