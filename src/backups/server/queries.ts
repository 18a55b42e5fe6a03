import { sql, type Tx } from '../../kit/server/db.ts'

type Server = { at: string; role: string; database: string; major: number }

/** The time is PostgreSQL's own, which stands in its log. The role is the one that owns the tables, whoever asks. */
export const aboutServer = (tx: Tx): Promise<Server> =>
  tx.one(
    sql`select clock_timestamp() as at, current_database()::text as database,
      coalesce((select pg_get_userbyid(relowner) from pg_class where oid = to_regclass('schema_migrations')),
        current_user)::text as role,
      current_setting('server_version_num')::int / 10000 as major`,
    'Server',
  )

/** How far the log is written, and when that was so. */
export const endOfLog = (tx: Tx): Promise<{ at: string; lsn: string }> =>
  tx.one(sql`select clock_timestamp() as at, pg_current_wal_flush_lsn()::text as lsn`, 'Log')

export type Slot = { name: string; active: boolean; restartLsn: string | null; lost: boolean }

export const backupSlots = (tx: Tx): Promise<Slot[]> =>
  tx.rows(sql`select slot_name::text as name, active, restart_lsn::text as "restartLsn", wal_status = 'lost' as lost
    from pg_replication_slots where slot_name like 'fieldtest\\_backup\\_%' and not temporary order by slot_name`)

export type Taken = { takenAt: string; tookMs: number; bytes: number; place: string }

export const recordBackup = (tx: Tx, { takenAt, tookMs, bytes, place }: Taken): Promise<number> =>
  tx.run(sql`insert into backups (taken_at, took_ms, bytes, place) values (${takenAt}, ${tookMs}, ${bytes}, ${place})`)

export const recordArchived = (tx: Tx, until: string): Promise<number> =>
  tx.run(sql`insert into backup_log (archived_until) values (${until})
    on conflict (only_row) do update set archived_until = excluded.archived_until`)

/** Undefined where nothing that was written has left yet. By PostgreSQL's clock. */
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
