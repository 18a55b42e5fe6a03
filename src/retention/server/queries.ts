/** SQL for partitions. Their names and bounds are our own, so they may be part of its text. */
import type { Day, Instant } from '../../kit/clock.ts'
import { sql, type Tx } from '../../kit/server/db.ts'

/** For each table, the time column by which it is partitioned and the table that its rows refer to. */
export const partitioned = {
  check_ins: { key: 'day', of: 'participations' },
  audit_log: { key: 'at', of: 'users' },
} as const
export type Partitioned = keyof typeof partitioned

/** Whole months: from `from`, or the beginning of time if null, until before `until`, or without end if null. */
export type Partition = { name: string; from: Day | null; until: Day | null; detaching: boolean }

/** In chronological order. */
export const partitionsOf = async (tx: Tx, table: Partitioned): Promise<Partition[]> => {
  await tx.raw(`set local timezone = 'UTC'`)
  return tx.rows(sql`
    select name, detaching, substring(bounds from 'FROM \\(''(.{10})') as from, substring(bounds from 'TO \\(''(.{10})') as until
    from (select c.relname as name, i.inhdetachpending as detaching, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass) partition
    order by until nulls last`)
}

/** Gives up after a second, so that nobody waits longer behind it. Locks in the usual order, where there is one. */
export const holdTable = async (tx: Tx, table: Partitioned): Promise<void> => {
  await tx.raw(`set local lock_timeout = '1s'; set local timezone = 'UTC'`)
  await tx.raw(`lock table ${partitioned[table].of} in share row exclusive mode`)
  await tx.raw(`lock table ${table} in access exclusive mode`)
}

/** The last day with rows in this partition. */
export const newestDay = async (tx: Tx, table: Partitioned, name: string): Promise<Day | null> => {
  const { rows } = await tx.raw(`select max(${partitioned[table].key})::date::text as day from ${name}`)
  return (rows[0] as { day: Day | null }).day
}

const boundText = (day: Day | null) => (day === null ? 'maxvalue' : `'${day}'`)

type Bounds = { from: Day; until: Day | null }

export const makePartition = async (tx: Tx, table: Partitioned, name: string, bounds: Bounds): Promise<void> => {
  await tx.raw(
    `create table ${name} partition of ${table} for values from ('${bounds.from}') to (${boundText(bounds.until)})`,
  )
  // The table's own trigger fires only for statements that name the table itself.
  if (table === 'audit_log') {
    await tx.raw(`create trigger audit_log_append_only before update or delete or truncate on ${name}
      for each statement execute function refuse_change()`)
  }
}

export const detach = (tx: Tx, table: Partitioned, name: string) =>
  tx.raw(`alter table ${table} detach partition ${name}`)

export const attach = (tx: Tx, table: Partitioned, name: string, { from, until }: Bounds) =>
  tx.raw(`alter table ${table} attach partition ${name} for values from ('${from}') to (${boundText(until)})`)

export const rename = (tx: Tx, name: string, newName: string) => tx.raw(`alter table ${name} rename to ${newName}`)

export const finishDetaching = async (tx: Tx, table: Partitioned, name: string): Promise<void> => {
  await tx.raw(`set local lock_timeout = '1s'`)
  await tx.raw(`alter table ${table} detach partition ${name} finalize`)
}

/** A partition that has begun to leave. */
export type Leaving = { name: string; rowCount: number | null }

export const leavingOf = (tx: Tx, table: Partitioned): Promise<Leaving[]> =>
  tx.rows(sql`select name, row_count as "rowCount" from past_partitions
    where parent = ${table} and gone_at is null order by until_day`)

export const recordLeaving = (
  tx: Tx,
  table: Partitioned,
  { name, from, until }: Partition,
  now: Instant,
): Promise<number> =>
  tx.run(sql`insert into past_partitions (name, parent, from_day, until_day, leaving_since)
    values (${name}, ${table}, ${from}, ${until}, ${now}) on conflict (name) do nothing`)

export const recordArchive = (
  tx: Tx,
  name: string,
  archive: { file: string; sha256: Buffer; rowCount: number },
): Promise<number> =>
  tx.run(sql`update past_partitions set archive = ${archive.file}, sha256 = ${archive.sha256}, row_count = ${archive.rowCount}
    where name = ${name}`)

export const rowsIn = async (tx: Tx, name: string): Promise<number> => {
  const { rows } = await tx.raw(`select count(*)::int as count from ${name}`)
  return (rows[0] as { count: number }).count
}

export const exists = (tx: Tx, name: string): Promise<boolean> =>
  tx.value(sql`select to_regclass(${name}) is not null as exists`)

/** In one transaction, so that the table either exists, or is gone and recorded as gone. */
export const drop = async (tx: Tx, { name, rowCount }: Leaving, now: Instant): Promise<void> => {
  await tx.raw(`set local lock_timeout = '1s'`)
  await tx.raw(`drop table if exists ${name}`)
  await tx.run(sql`update past_partitions set gone_at = ${now}, row_count = coalesce(row_count, ${rowCount})
    where name = ${name}`)
}

/**
 * Whether any check-in of this partition belongs to a campaign or a test that is running, or that ended after `cutoff`. A test that
 * awaits a decision is running.
 */
export const stillNeeded = async (tx: Tx, name: string, cutoff: Instant): Promise<boolean> => {
  const { rows } = await tx.raw(
    `select exists (select from ${name} k join participations p on p.id = k.participation_id
      join campaigns c on c.id = p.campaign_id
      where c.closed_at is null or c.closed_at > $1 or p.closed_at is null or p.closed_at > $1) as needed`,
    [cutoff],
  )
  return (rows[0] as { needed: boolean }).needed
}

/** Pages are sorted by id. */
type Page = { after: string; limit: number }

/**
 * Detaches the screenshots from the check-ins of some tests, so that the sweep deletes their files. Returns the last test's id;
 * null when none was left.
 */
export const unhangScreenshots = async (tx: Tx, name: string, { after, limit }: Page): Promise<string | null> => {
  const { rows } = await tx.raw(
    `with tests as materialized (
      select distinct participation_id from ${name} where participation_id > $1 order by participation_id limit $2
    ), loosened as (
      update attachments a set stored_at = null, participation_id = null, kind = null, day = null, loose_since = '-infinity'
      from tests join ${name} k using (participation_id)
      where a.participation_id = k.participation_id and a.day = k.day and a.kind = 'CHECK_IN'
        and a.participation_id > $1 and k.participation_id > $1)
    select max(participation_id::text) as last from tests`,
    [after, limit],
  )
  return (rows[0] as { last: string | null }).last
}

/**
 * Keeps the days of some tests after `after`, together with their opt-ins. Returns the last test's id; null when none was left.
 * Rows are read as JSON, because partitions detached before 168-runs-of-check-ins.sql lack the column.
 */
export const keepDays = async (tx: Tx, name: string, { after, limit }: Page): Promise<string | null> => {
  const { rows } = await tx.raw(
    `with kept as (
      insert into past_check_in_days as k (participation_id, days, run_ids)
      select participation_id, array_agg(day order by day), array_agg((to_jsonb(old) ->> 'run_id')::bigint order by day)
        from ${name} old where participation_id > $1 group by participation_id order by participation_id limit $2
      on conflict (participation_id) do update
        set (days, run_ids) = (select array_agg(day order by day), array_agg(run_id order by day) from (
          select distinct on (day) day, run_id from (
            select * from unnest(k.days, k.run_ids) as before (day, run_id)
            union all select * from unnest(excluded.days, excluded.run_ids) as now (day, run_id)) kept
          order by day, run_id) each_once)
      returning participation_id)
    select max(participation_id::text) as last from kept`,
    [after, limit],
  )
  return (rows[0] as { last: string | null }).last
}

/** Entries of the audit log as JSON lines: those after `after`, by id. */
export const entriesOf = async (
  tx: Tx,
  name: string,
  { after, limit }: Page,
): Promise<{ id: string; line: string }[]> => {
  const { rows } = await tx.raw(
    `select id, row_to_json(e)::text as line from ${name} e where id > $1 order by id limit $2`,
    [after, limit],
  )
  return rows as { id: string; line: string }[]
}

export const monthName = (table: Partitioned, from: Day): string => `${table}_${from.slice(0, 7).replace('-', '_')}`
