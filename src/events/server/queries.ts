/**
 * SQL of events. Reads only rows of transactions below the oldest open one (`pg_snapshot_xmin`), because an open transaction may
 * still add rows that come before those of newer transactions.
 */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { Deleted } from '../../kit/server/deleting.ts'
import { positionOf } from '../../kit/server/positions.ts'
import { hasReplicas } from '../../kit/server/replicas.ts'
import type { Cursor } from '../cursor.ts'
import type { Topic } from '../terms.ts'

export type EventRow = Cursor & { userId: string; topic: Topic; subjectId: string | null }

const columns = sql`e.tx::text as tx, e.id, e.user_id as "userId", e.topic, e.subject_id as "subjectId"`

/**
 * The position in the log after everything that the statement sees, because a change is in the log before anybody sees it. Null
 * without standbys; only a primary can call this function.
 */
const position = () => (hasReplicas() ? sql`pg_current_wal_insert_lsn()::text` : sql`null::text`)

/** All later events belong to this transaction or a later one. */
export const present = (tx: Tx): Promise<string> => tx.value(sql`select pg_snapshot_xmin(pg_current_snapshot())::text`)

/** If nothing is found, there is one row of nulls that still contains `until`. */
type Found<More = object> = (EventRow | { [key in keyof EventRow]: null }) & {
  until: string
  lsn: string | null
} & More

const positionIn = ([row]: readonly Found[]): string | null => (row?.lsn ? positionOf(row.lsn) : null)

const eventsIn = (rows: readonly Found[]): EventRow[] => rows.flatMap(row => (row.tx === null ? [] : [row]))

/** Everybody's events after the cursor, at most `limit`. If there are fewer, these are all below the transaction `until`. */
export const eventsAfter = async (
  tx: Tx,
  { tx: after, id }: Cursor,
  limit: number,
): Promise<{ rows: EventRow[]; until: string; position: string | null }> => {
  // A single statement, so the rows and `until` belong to the same snapshot.
  const rows = await tx.rows<Found>(sql`
    select s.until::text as until, ${position()} as lsn, ${columns}
    from (select pg_snapshot_xmin(pg_current_snapshot()) as until) s
    left join lateral (select * from user_events
      where (tx, id) > (${after}::xid8, ${id}::bigint) and tx < s.until order by tx, id limit ${limit}) e on true
    order by e.tx, e.id`)
  return { rows: eventsIn(rows), until: rows[0]!.until, position: positionIn(rows) }
}

type Asked = { userId: string; after: Cursor | undefined; seconds: number; limit: number }

/**
 * One user's events after the cursor or, without one, the newest of the last seconds: at most `limit`. `known`: nothing after the
 * cursor has been deleted.
 */
export const missedBy = async (
  tx: Tx,
  { userId, after, seconds, limit }: Asked,
): Promise<{ rows: EventRow[]; until: string; known: boolean; position: string | null }> => {
  const own = sql`select * from user_events where user_id = ${userId} and tx < s.until`
  // Starts from the newest, so it does not walk through a week of events.
  const missed = after
    ? sql`${own} and (tx, id) > (${after.tx}::xid8, ${after.id}::bigint) order by tx, id limit ${limit}`
    : sql`select * from (${own} order by tx desc, id desc limit ${limit}) newest
        where at >= now() - make_interval(secs => ${seconds})`
  const known = after
    ? sql`${after.tx}::xid8 > (select up_to from user_events_forgotten)
        and ${after.tx}::xid8 <= pg_snapshot_xmax(pg_current_snapshot())`
    : sql`true`
  const rows = await tx.rows<Found<{ known: boolean }>>(sql`
    select s.until::text as until, s.known, ${position()} as lsn, ${columns} from (
      select pg_snapshot_xmin(pg_current_snapshot()) as until, ${known} as known) s
    left join lateral (${missed}) e on true
    order by e.tx, e.id`)
  return { rows: eventsIn(rows), until: rows[0]!.until, known: rows[0]!.known, position: positionIn(rows) }
}

/**
 * Deletes events older than `days`, by the database's clock, which also set their times. Goes in the order of cursors, which is
 * nearly that of time.
 */
export const forget = async (
  tx: Tx,
  { days, after = { tx: '0', id: 0 }, limit }: { days: number; after: Cursor | undefined; limit: number },
): Promise<Deleted<Cursor>> => {
  const { count, ...last } = await tx.one<{ count: number; tx: string | null; id: number | null }>(
    sql`with gone as (
      delete from user_events where (tx, id) in (
        select tx, id from (select tx, id, at from user_events where (tx, id) > (${after.tx}::xid8, ${after.id}::bigint)
          order by tx, id limit ${limit}) oldest
        where at < now() - make_interval(days => ${days}))
      returning tx, id
    ), last as (select tx, id from gone order by tx desc, id desc limit 1), said as (
      update user_events_forgotten set up_to = last.tx from last where up_to < last.tx
    )
    select (select count(*) from gone) as count, last.tx::text as tx, last.id from (select) always left join last on true`,
    'Deleted events',
  )
  return { count, last: last.tx === null || last.id === null ? null : { tx: last.tx, id: last.id } }
}

/** Which of these sessions have ended or expired. */
export const sessionsOver = (tx: Tx, ids: readonly string[], now: string): Promise<{ id: string }[]> =>
  tx.rows(sql`select id from unnest(${ids}::uuid[]) asked (id) where not exists (
    select from sessions s where s.id = asked.id and s.ended_at is null and s.expires_at > ${now})`)

export const forgetAll = async (tx: Tx): Promise<void> => {
  await tx.run(sql`delete from user_events`)
  await tx.run(sql`update user_events_forgotten set up_to = '0'`)
}
