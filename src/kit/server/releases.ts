/**
 * Servers of two releases work on one database while one release replaces the other (decision 047). A server runs with a schema
 * that is at most one release newer than its own; each tells the others its release by a lock that it holds while it listens.
 */
import type pg from 'pg'
import { locksOfEach } from './advisoryLocks.ts'
import { sql, type Tx } from './db.ts'

const runningKey = locksOfEach.RUNNING_RELEASE

/** The newest release that has begun to change this database; 0 if none has. */
export const releaseOfSchema = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ release: number }>(
    'select coalesce(max(release), 0)::int as release from schema_releases',
  )
  return rows[0]!.release
}

/** Called before the first change, so a server that is too old finds out even if this release fails halfway. */
export const recordRelease = async (client: pg.Client, release: number, now: string): Promise<void> => {
  await client.query('insert into schema_releases values ($1, $2) on conflict do nothing', [release, now])
}

class NewerSchema extends Error {
  override name = 'NewerSchema'
}

export const refuseNewerSchema = (ours: number, schema: number): void => {
  if (schema <= ours + 1) return
  throw new NewerSchema(
    `This database has the schema of release ${schema}. This server is release ${ours}, which works with schemas up to ` +
      `release ${ours + 1}. Start release ${schema - 1} or ${schema} instead.`,
  )
}

/** Throws if a running server could not work with the schema of release `ours`. */
export const refuseSkippedRelease = async (client: pg.Client, ours: number): Promise<void> => {
  const { rows } = await client.query<{ release: number | null }>(
    `select min(objid::int8)::int as release from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2
      and granted and database = (select oid from pg_database where datname = current_database())`,
    [runningKey],
  )
  const oldest = rows[0]!.release
  if (oldest === null || oldest >= ours - 1) return
  throw new Error(
    `A server of release ${oldest} is running, which cannot work with the schema of release ${ours}: replace all servers ` +
      `with release ${oldest + 1} first, or stop them.`,
  )
}

/** While this connection lasts, no release changes the schema to one that this server could not work with. */
export const announceRelease = async (listening: pg.Client, ours: number): Promise<void> => {
  await listening.query('select pg_advisory_lock_shared($1, $2)', [runningKey, ours])
  refuseNewerSchema(ours, await releaseOfSchema(listening))
}

export const isServerRunning = (tx: Tx): Promise<boolean> =>
  tx.value(sql`select exists (select from pg_locks where locktype = 'advisory' and classid = ${runningKey} and objsubid = 2
    and granted and database = (select oid from pg_database where datname = current_database()))`)

/** The schema became too new while the connection was broken, so the server has to stop. */
export const isOutdated = (error: unknown): error is Error => error instanceof NewerSchema
