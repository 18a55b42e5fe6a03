import { empty, planEachTime, sql, type Tx } from '../../kit/server/db.ts'
import { keysetOf, type NumberedList } from '../../kit/server/numberedLists.ts'
import { searchFor } from '../../kit/server/searching.ts'
import type { Role } from '../../kit/roles.ts'
import type { FraudReportFile, FraudReportQuery, ReportStatus, Severity } from '../contract.ts'
import type { Found } from '../rules.ts'
import type { Sample, SamplePerson } from '../samples.ts'
import type { ReportKind } from '../terms.ts'
import { kindsSaying } from '../words.ts'

/** A report as stored, with the user that it is about. */
export type ReportRow = Found & {
  id: string
  createdAt: string
  status: ReportStatus
  isSample: boolean
  severity: Severity
  userId: string
  userName: string
  userEmail: string
  userCreatedAt: string
  userRole: Role
  userSuspended: boolean
  userDeleted: boolean
  resolution: string | null
  adminId: string | null
  decidedAt: string | null
}

const columns = sql`r.id, r.created_at as "createdAt", r.status, r.is_sample as "isSample", r.severity, r.kind, r.facts,
  r.user_id as "userId", u.name as "userName", u.email as "userEmail", u.created_at as "userCreatedAt",
  u.role as "userRole", u.suspended_at is not null as "userSuspended", u.deleted_at is not null as "userDeleted", r.resolution, r.decided_by as "adminId",
  r.decided_at as "decidedAt"`

type Filters = Pick<FraudReportQuery, 'severity' | 'status' | 'sample' | 'search'>

/** The user's name and email, which a trigger copies to the report, and the facts. */
const searched = {
  from: sql`fraud_reports r`,
  text: sql`(r.user_words || chr(31) || r.fact_words)`,
}

/**
 * Searches the user, the facts, and the sentences of the report's kind. The newest come first, and only rows of the page are read
 * in full.
 */
export const reportsList = async (tx: Tx, filters: Filters): Promise<NumberedList<ReportRow>> => {
  const { severity, status, sample, search } = filters
  const { found, counted } = await searchFor(tx, searched, search)
  const kinds = search ? kindsSaying(search) : []
  // First, because it is cheaper.
  const ofKind = kinds.length > 0 ? sql`r.kind = any(${kinds}) or` : empty
  const among = sql`r.archived_at is null ${severity ? sql`and r.severity = ${severity}` : empty}
    ${status ? sql`and r.status = ${status}` : empty} ${sample ? sql`and r.is_sample = ${sample === 'true'}` : empty}`
  return {
    of: ['fraud-reports', filters],
    keyOf: ({ id }) => [id],
    matching: sql`select from fraud_reports r where ${among} and (${ofKind} ${counted})`,
    rows: slice => {
      const { beyond, order, window } = keysetOf(slice, sql`r.id`)
      return tx.rows(
        planEachTime(sql`
          with page as materialized (select r.id from fraud_reports r
            where ${among} and (${ofKind} ${found}) ${beyond} order by ${order} ${window})
          select ${columns} from page join fraud_reports r on r.id = page.id join users u on u.id = r.user_id
          order by r.id desc`),
      )
    },
  }
}

export const reportById = (tx: Tx, id: string): Promise<ReportRow> =>
  tx.one(
    sql`select ${columns} from fraud_reports r join users u on u.id = r.user_id where r.id = ${id} and r.archived_at is null`,
    'Fraud report',
  )

export const lockReport = (tx: Tx, id: string): Promise<{ status: ReportStatus }> =>
  tx.one(sql`select status from fraud_reports where id = ${id} and archived_at is null for update`, 'Fraud report')

type Decision = { status: 'RESOLVED' | 'DISMISSED'; resolution: string; adminId: string; now: string }

export const setDecided = (tx: Tx, id: string, decision: Decision): Promise<number> =>
  tx.run(sql`update fraud_reports set status = ${decision.status}, resolution = ${decision.resolution},
    decided_by = ${decision.adminId}, decided_at = ${decision.now} where id = ${id}`)

type Named = { id: string; name: string; email: string; isDeleted: boolean }

export const namesOf = async (tx: Tx, userIds: readonly string[]): Promise<Map<string, Named>> => {
  const rows = await tx.rows<Named>(
    sql`select id, name, email, deleted_at is not null as "isDeleted" from users where id = any(${userIds}::uuid[])`,
  )
  return new Map(rows.map(row => [row.id, row]))
}

export const titlesOf = async (
  tx: Tx,
  campaignIds: readonly string[],
): Promise<Map<string, { id: string; title: string }>> => {
  const rows = await tx.rows<{ id: string; title: string }>(
    sql`select id, title from campaigns where id = any(${campaignIds}::uuid[])`,
  )
  return new Map(rows.map(row => [row.id, row]))
}

export const nameOf = (tx: Tx, userId: string): Promise<string> =>
  tx.value(sql`select name from users where id = ${userId}`)

type OtherRow = Omit<FraudReportFile['others'][number], 'reason'> & { kind: ReportKind }

/** The user's newest other reports. */
export const othersOf = (tx: Tx, userId: string, reportId: string): Promise<OtherRow[]> =>
  tx.rows(sql`select id, created_at as "createdAt", severity, status, kind from fraud_reports
    where user_id = ${userId} and id <> ${reportId} and archived_at is null order by id desc limit 10`)

export type Tally = { severity: Severity; status: ReportStatus; isSample: boolean; count: number }

/** One pass over an index that contains nothing else. */
export const tallies = (tx: Tx): Promise<Tally[]> =>
  tx.rows(sql`select severity, status, is_sample as "isSample", count(*) as count from fraud_reports
    where archived_at is null group by severity, status, is_sample`)

/** The newest users; an admin only if there is nobody else. */
export const samplePeople = (tx: Tx, limit: number): Promise<SamplePerson[]> =>
  tx.rows(sql`
    select "userId" from (
      (select id as "userId", 1 as choice from users where role = 'TESTER' and deleted_at is null order by id desc limit ${limit})
      union all
      (select id, 2 from users where role = 'DEVELOPER' and deleted_at is null order by id desc limit ${limit})
      union all
      (select id, 3 from users where role = 'ADMIN' and deleted_at is null order by id limit 1)
    ) people order by choice, "userId" desc limit ${limit}`)

export const insertSample = (tx: Tx, sample: Sample, { id, now }: { id: string; now: string }): Promise<number> =>
  tx.run(sql`
    insert into fraud_reports (id, user_id, status, severity, kind, facts, is_sample, created_at)
    values (${id}, ${sample.userId}, 'OPEN', ${sample.severity}, ${sample.kind},
      ${JSON.stringify(sample.facts)}, true, ${now})`)

export const removeSamples = (tx: Tx): Promise<number> => tx.run(sql`delete from fraud_reports where is_sample`)

export const archiveReports = (tx: Tx, now: string): Promise<number> =>
  tx.run(sql`update fraud_reports set archived_at = ${now} where archived_at is null and not is_sample`)

/**
 * The user who was copied: the first with a text or file, or the first who gave a Play address, which anybody who knows it can
 * give. The report names them, but is not about them.
 */
const copied = sql`coalesce(r.facts #>> '{submitted,0,userId}', r.facts #>> '{attached,0,userId}',
  case when r.kind = 'SHARED_PLAY_ADDRESS' then r.facts #>> '{people,0,userId}' end)`

/** Whether the report `r` concerns anybody who still has an account: its user, or somebody it names other than the one copied. */
export const concernsSomebody = sql`((select deleted_at is null from users where id = r.user_id)
  or exists (select from jsonb_path_query(r.facts, '$.**.userId') named (id)
    where named.id #>> '{}' is distinct from ${copied}
      and (select deleted_at is null from users where id = (named.id #>> '{}')::uuid)))`

/** The condition of the index `fraud_reports_naming`. */
const isGrave = sql`r.archived_at is null and r.status = 'OPEN' and not r.is_sample and r.severity in ('HIGH', 'CRITICAL')`

/** Those of these people whom an open report of severity HIGH or above names, as its user or among its facts. */
export const gravelyReported = (tx: Pick<Tx, 'rows'>, userIds: readonly string[]): Promise<{ id: string }[]> =>
  tx.rows(sql`
    select r.user_id as id from fraud_reports r where ${isGrave} and r.user_id = any(${userIds})
    union
    select person.id from unnest(${userIds}::uuid[]) person (id)
      join fraud_reports r on jsonb_path_query_array(r.facts, '$.**.userId') ? person.id::text
    where ${isGrave} and person.id::text is distinct from ${copied}`)

export const isGravelyReported = (tx: Tx, userId: string): Promise<boolean> =>
  tx.value(sql`select exists (select from fraud_reports r where r.user_id = ${userId} and ${isGrave})`)
