import { sql, type Tx } from '../../kit/server/db.ts'
import type { FraudScan } from '../contract.ts'
import type { Finding } from '../rules.ts'

export type ScanRow = Omit<FraudScan, 'durationMs'>

const columns = sql`id, state, requested_at as "requestedAt", started_at as "startedAt", finished_at as "finishedAt", found`

/** Returns nothing if a scan is under way. */
export const insertScan = (
  tx: Tx,
  { id, requestedBy, now }: { id: string; requestedBy: string | null; now: string },
): Promise<ScanRow | undefined> =>
  tx.maybe(sql`
    insert into fraud_scans (id, state, requested_by, requested_at) values (${id}, 'QUEUED', ${requestedBy}, ${now})
    on conflict do nothing returning ${columns}`)

export const scanUnderWay = (tx: Tx): Promise<ScanRow | undefined> =>
  tx.maybe(sql`select ${columns} from fraud_scans where state in ('QUEUED', 'RUNNING')`)

export const lastScan = (tx: Tx): Promise<ScanRow | undefined> =>
  tx.maybe(sql`select ${columns} from fraud_scans where state in ('DONE', 'FAILED') order by seq desc limit 1`)

/** Gives up the scans of a server that died. */
export const giveUpScans = (tx: Tx, before: string, now: string): Promise<number> =>
  tx.run(sql`update fraud_scans set state = 'FAILED', finished_at = ${now}
    where state in ('QUEUED', 'RUNNING') and coalesce(started_at, requested_at) <= ${before}`)

/** False if it is over; an interrupted one is repeated. */
export const startScan = async (tx: Tx, id: string, now: string): Promise<boolean> =>
  (await tx.run(sql`update fraud_scans set state = 'RUNNING', started_at = ${now}
    where id = ${id} and state in ('QUEUED', 'RUNNING')`)) === 1

export const endScan = (
  tx: Tx,
  { id, state, found, now }: { id: string; state: 'DONE' | 'FAILED'; found: number; now: string },
): Promise<number> =>
  tx.run(sql`update fraud_scans set state = ${state}, found = ${found}, finished_at = ${now}
    where id = ${id} and state = 'RUNNING'`)

export type Progress = { detector: string; since: string; position: string; done: boolean }

/**
 * Where this scan continues: at its own last position, at that of an earlier scan that ended too early, or at the end of what has
 * been scanned.
 */
export const beginDetectors = (
  tx: Tx,
  scanId: string,
  all: readonly { detector: string; nextSince: string }[],
): Promise<Progress[]> =>
  tx.rows(sql`
    insert into fraud_scan_progress as p (detector, scan_id, since, next_since, position)
      select detector, ${scanId}, until, next_since, until
      from unnest(${all.map(({ detector }) => detector)}::text[], ${all.map(({ nextSince }) => nextSince)}::timestamptz[])
          given (detector, next_since)
        left join fraud_detectors d on d.name = given.detector, coalesce(d.looked_until, 'epoch') until
      order by detector
    on conflict (detector) do update set scan_id = excluded.scan_id,
      since = case when p.done and p.scan_id <> excluded.scan_id then excluded.since else p.since end,
      next_since = case when p.done and p.scan_id <> excluded.scan_id then excluded.next_since else p.next_since end,
      position = case when p.done and p.scan_id <> excluded.scan_id then excluded.position else p.position end,
      found = case when p.scan_id = excluded.scan_id then p.found else 0 end,
      done = p.done and p.scan_id = excluded.scan_id
    returning detector, since::text, position::text, done`)

/** False if another scan has taken over. */
export const advance = async (
  tx: Tx,
  { detector, scanId, position }: { detector: string; scanId: string; position: string },
): Promise<boolean> =>
  (await tx.run(sql`update fraud_scan_progress set position = ${position}::timestamptz
    where detector = ${detector} and scan_id = ${scanId}`)) === 1

export const addFound = (
  tx: Tx,
  { detector, scanId, found }: { detector: string; scanId: string; found: number },
): Promise<number> =>
  tx.run(
    sql`update fraud_scan_progress set found = found + ${found} where detector = ${detector} and scan_id = ${scanId}`,
  )

/** The next scan begins where this one says. False if another scan has taken over. */
export const endDetector = async (tx: Tx, detector: string, scanId: string): Promise<boolean> =>
  (await tx.run(sql`
    with ended as (
      update fraud_scan_progress set done = true where detector = ${detector} and scan_id = ${scanId} returning *
    )
    insert into fraud_detectors (name, looked_until) select detector, next_since from ended
    on conflict (name) do update set looked_until = excluded.looked_until`)) === 1

export const foundBy = (tx: Tx, scanId: string): Promise<number> =>
  tx.value(sql`select coalesce(sum(found), 0)::int from fraud_scan_progress where scan_id = ${scanId}`)

/**
 * Records new parts, and a report for each finding that has one, in a single statement. Returns the number of reports. Skips
 * users who have deleted their account, even since the finding, because nothing is left to do about them.
 */
export const reportFindings = (
  tx: Tx,
  findings: readonly (Finding & { id: string })[],
  now: string,
): Promise<number> => {
  const parts = findings.flatMap(({ id, key, userId, parts: names }) => names.map(part => ({ id, key, userId, part })))
  return tx.run(sql`
    with present as materialized (
      select id from users where id = any(${[...new Set(findings.map(({ userId }) => userId))]}::uuid[])
        and deleted_at is null order by id for key share
    ),
    fresh as (
      insert into fraud_finding_parts (finding_key, part, report_id)
      select finding_key, part, report_id
        from unnest(${parts.map(({ key }) => key)}::text[], ${parts.map(({ part }) => part)}::text[],
          ${parts.map(({ id }) => id)}::uuid[], ${parts.map(({ userId }) => userId)}::uuid[]) given (finding_key, part, report_id, user_id)
        where user_id in (select id from present)
        order by finding_key, part
      on conflict do nothing returning report_id
    )
    insert into fraud_reports (id, user_id, status, severity, kind, facts, finding_key, is_sample, created_at)
    select id, user_id, 'OPEN', severity, kind, facts, finding_key, false, ${now}::timestamptz
    from unnest(${findings.map(({ id }) => id)}::uuid[], ${findings.map(({ userId }) => userId)}::uuid[],
        ${findings.map(({ severity }) => severity)}::text[], ${findings.map(({ kind }) => kind)}::text[],
        ${findings.map(({ facts }) => JSON.stringify(facts))}::jsonb[], ${findings.map(({ key }) => key)}::text[])
      given (id, user_id, severity, kind, facts, finding_key)
    where id in (select report_id from fresh)`)
}
