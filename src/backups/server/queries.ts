import { holdLock, lockOf } from '../../kit/server/advisoryLocks.ts'
import { sql, type Tx } from '../../kit/server/db.ts'

type Server = { at: string; role: string; database: string; databaseId: string; major: number }

/** The time is PostgreSQL's own, as in its log. The role is the owner of the tables, whoever asks. */
export const aboutServer = (tx: Tx): Promise<Server> =>
  tx.one(
    sql`select clock_timestamp() as at, current_database()::text as database,
      (select oid::text from pg_database where datname = current_database()) as "databaseId",
      coalesce((select pg_get_userbyid(relowner) from pg_class where oid = to_regclass('schema_migrations')),
        current_user)::text as role,
      current_setting('server_version_num')::int / 10000 as major`,
    'Server',
  )

/** A restored copy has the same id. */
export const installation = (tx: Tx): Promise<string> => tx.value(sql`select id from installation where only_row`)

/** Until the transaction ends, no other server of this installation claims a place for its backups. */
export const holdPlace = (tx: Tx, mark: string): Promise<unknown> =>
  tx.rows(sql`select ${lockOf('BACKUP_PLACE', mark)}`)

/** The position up to which the log is written, and the time of asking. */
export const endOfLog = (tx: Tx): Promise<{ at: string; lsn: string }> =>
  tx.one(sql`select clock_timestamp() as at, pg_current_wal_flush_lsn()::text as lsn`, 'Log')

export type Slot = { name: string; active: boolean; restartLsn: string | null; lost: boolean }

/**
 * A slot named by a release that did not tell databases apart. It belongs to this database if there is no other database. Otherwise
 * it does if this database has no slot of its own yet and has sent log: since the slot was made or, if the slot is in use, within
 * the last minute.
 */
const isOurOldOne = sql`s.of_database is null and (
  not exists (select from pg_database where not datistemplate and datname not in ('postgres', current_database()))
  or not exists (select from pg_replication_slots own, pg_database this where this.datname = current_database()
      and starts_with(own.slot_name, 'fieldtest_backup_') and own.slot_name like '%\\_db' || this.oid || '\\_%')
    and exists (select from backup_log where archived_until > case when s.active then now() - interval '1 minute'
    else to_timestamp(substring(s.slot_name from '_([0-9]{14})_') || '+00', 'YYYYMMDDHH24MISSTZH') end))`

/** The slot's database was dropped, so nobody would ever follow it. */
const isLeftBehind = sql`not s.active and s.of_database not in (select oid from pg_database)`

/**
 * This database's slots, by the number in their names; then what an older release has left here, and slots that belong to nobody.
 */
export const backupSlots = (tx: Tx): Promise<Slot[]> =>
  tx.rows(sql`
    select s.slot_name::text as name, s.active, s.restart_lsn::text as "restartLsn",
      coalesce(s.wal_status = 'lost', false) or coalesce(${isLeftBehind}, false) as lost
    from (select *, substring(slot_name from '^fieldtest_backup_[0-9]+_db([0-9]+)_')::oid as of_database
      from pg_replication_slots where slot_name like 'fieldtest\\_backup\\_%' and not temporary) s
    where s.of_database = (select oid from pg_database where datname = current_database())
      or ${isOurOldOne} or ${isLeftBehind}
    order by s.of_database is null, s.slot_name`)

/** Until the transaction ends, no other server of this database can list, create or drop its slots. */
export const holdSlots = (tx: Tx): Promise<unknown> => holdLock(tx, 'BACKUP_SLOTS')

export const isFollowedBy = (tx: Tx, slot: string, process: number): Promise<boolean> =>
  tx.value(
    sql`select exists (select from pg_replication_slots where slot_name = ${slot} and active_pid = ${process}) as ours`,
  )

export type Taken = { takenAt: string; tookMs: number; bytes: number; place: string }

export const recordBackup = (tx: Tx, { takenAt, tookMs, bytes, place }: Taken): Promise<number> =>
  tx.run(sql`insert into backups (taken_at, took_ms, bytes, place) values (${takenAt}, ${tookMs}, ${bytes}, ${place})`)

export const recordArchived = (tx: Tx, until: string): Promise<number> =>
  tx.run(sql`insert into backup_log (archived_until) values (${until})
    on conflict (only_row) do update set archived_until = excluded.archived_until`)

/** For how long, by PostgreSQL's clock, writes have not been sent; undefined if nothing was sent yet. */
export const unsentSeconds = (tx: Tx): Promise<{ seconds: number } | undefined> =>
  tx.maybe(sql`select extract(epoch from now() - archived_until)::float8 as seconds from backup_log where only_row`)

export type LastBackup = Taken & {
  sentUntil: string | null
  /** By PostgreSQL's clock. */
  ageSeconds: number
}

export const lastBackup = (tx: Tx): Promise<LastBackup | undefined> =>
  tx.maybe(sql`select b.taken_at as "takenAt", b.took_ms as "tookMs", b.bytes, b.place, l.archived_until as "sentUntil",
      extract(epoch from now() - b.taken_at)::float8 as "ageSeconds"
    from backups b left join backup_log l on l.only_row order by b.id desc limit 1`)
