/**
 * SQL of events. Rows are read only below the oldest transaction that is still open (`pg_snapshot_xmin`): those above it may
 * yet be joined by others with a smaller cursor.
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
 * After all that the statement sees: a change is in the log before anybody sees it. None where there are no standbys, and on
 * what is no primary it cannot be asked for.
 */
const position = () => (hasReplicas() ? sql`pg_current_wal_insert_lsn()::text` : sql`null::text`)

/** Everything from this transaction on is still to come. */
export const present = (tx: Tx): Promise<string> => tx.value(sql`select pg_snapshot_xmin(pg_current_snapshot())::text`)

/** Where nothing is found, one row with nulls says up to where. */
type Found<More = object> = (EventRow | { [key in keyof EventRow]: null }) & {
  until: string
  lsn: string | null
} & More

const positionIn = ([row]: readonly Found[]): string | null => (row?.lsn ? positionOf(row.lsn) : null)

const eventsIn = (rows: readonly Found[]): EventRow[] => rows.flatMap(row => (row.tx === null ? [] : [row]))

/** Of everybody, after the cursor: at most `limit`; where there are fewer, all below the transaction `until`. */
export const eventsAfter = async (
  tx: Tx,
  { tx: after, id }: Cursor,
  limit: number,
): Promise<{ rows: EventRow[]; until: string; position: string | null }> => {
  // One statement has one snapshot: what it reads and `until` belong together.
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
 * Of one user, after the cursor or of the last seconds: at most `limit`, which are the newest ones of the last seconds.
 * `known`: nothing after the cursor has been deleted meanwhile.
 */
export const missedBy = async (
  tx: Tx,
  { userId, after, seconds, limit }: Asked,
): Promise<{ rows: EventRow[]; until: string; known: boolean; position: string | null }> => {
  const own = sql`select * from user_events where user_id = ${userId} and tx < s.until`
  // From the newest, so that whatever the user has of a whole week is not walked.
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

/** Deletes what is older than `days`, by the clock that it was written with. In the order of cursors, which is nearly that of time. */
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

/** Of these sessions, those that are over. */
export const sessionsOver = (tx: Tx, ids: readonly string[], now: string): Promise<{ id: string }[]> =>
  tx.rows(sql`select id from unnest(${ids}::uuid[]) asked (id) where not exists (
    select from sessions s where s.id = asked.id and s.ended_at is null and s.expires_at > ${now})`)

export const forgetAll = async (tx: Tx): Promise<void> => {
  await tx.run(sql`delete from user_events`)
  await tx.run(sql`update user_events_forgotten set up_to = '0'`)
}
