import { sql, type Tx } from '../../kit/server/db.ts'
import type { FraudScan } from '../contract.ts'
import type { Finding } from '../rules.ts'

export type ScanRow = Omit<FraudScan, 'durationMs'>

const columns = sql`id, state, requested_at as "requestedAt", started_at as "startedAt", finished_at as "finishedAt", found`

/** Gives nothing when one is under way. */
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

/** Of a server that died. */
export const giveUpScans = (tx: Tx, before: string, now: string): Promise<number> =>
  tx.run(sql`update fraud_scans set state = 'FAILED', finished_at = ${now}
    where state in ('QUEUED', 'RUNNING') and coalesce(started_at, requested_at) <= ${before}`)

/** False when it is over; one that was interrupted is done again. */
export const startScan = async (tx: Tx, id: string, now: string): Promise<boolean> =>
  (await tx.run(sql`update fraud_scans set state = 'RUNNING', started_at = ${now}
    where id = ${id} and state in ('QUEUED', 'RUNNING')`)) === 1

export const endScan = (
  tx: Tx,
  { id, state, found, now }: { id: string; state: 'DONE' | 'FAILED'; found: number; now: string },
): Promise<number> =>
  tx.run(sql`update fraud_scans set state = ${state}, found = ${found}, finished_at = ${now}
    where id = ${id} and state = 'RUNNING'`)

export const lookedUntil = async (tx: Tx, detector: string): Promise<string | undefined> =>
  (await tx.maybe<{ until: string }>(sql`select looked_until as until from fraud_detectors where name = ${detector}`))
    ?.until

export const setLookedUntil = (tx: Tx, detector: string, until: string): Promise<number> =>
  tx.run(sql`insert into fraud_detectors (name, looked_until) values (${detector}, ${until})
    on conflict (name) do update set looked_until = excluded.looked_until`)

/** One statement: the parts that are new, and a report only when there is one. Gives whether it reported. */
export const reportFinding = async (
  tx: Tx,
  finding: Finding,
  { id, now }: { id: string; now: string },
): Promise<boolean> => {
  const inserted = await tx.run(sql`
    with fresh as (
      insert into fraud_finding_parts (finding_key, part, report_id)
      select ${finding.key}::text, part, ${id}::uuid from unnest(${finding.parts}::text[]) as part
      on conflict do nothing returning part
    )
    insert into fraud_reports (id, user_id, status, severity, kind, facts, finding_key, is_sample, created_at)
    select ${id}::uuid, ${finding.userId}::uuid, 'OPEN', ${finding.severity}, ${finding.kind},
      ${JSON.stringify(finding.facts)}::jsonb, ${finding.key}::text, false, ${now}::timestamptz
    where exists (select from fresh)`)
  return inserted === 1
}
