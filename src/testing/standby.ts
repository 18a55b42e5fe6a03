/**
 * A PostgreSQL with a standby, made with the embedded binaries alone: a base backup by pg_backup_start, a copied folder,
 * standby.signal. Durable enough for a test.
 */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startPostgres } from '../kit/postgres/embedded.ts'
import { urlOf } from './databases.ts'

export type Node = {
  url: string
  dataDir: string
  /** Runs statements as PostgreSQL's superuser, on a connection of their own. */
  asSuperuser: (...statements: string[]) => Promise<unknown[]>
  /** Stops it after its standby has received everything; the folder remains. */
  halt: () => Promise<void>
  stop: () => Promise<void>
}

const nodeOf = (dataDir: string, postgres: EmbeddedPostgres): Node => {
  const asSuperuser = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: await superuserUrl(dataDir, postgres.connectionString) })
    await client.connect()
    try {
      const all: unknown[] = []
      for (const statement of statements) all.push(...(await client.query<object>(statement)).rows)
      return all
    } finally {
      await client.end()
    }
  }
  return {
    url: postgres.connectionString,
    dataDir,
    asSuperuser,
    halt: postgres.stop,
    stop: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const superuserUrl = async (dataDir: string, connectionString: string): Promise<string> => {
  const url = new URL(urlOf(connectionString, 'postgres'))
  url.username = 'postgres'
  url.password = (await readFile(join(dataDir, 'postgres/fieldtest-password'), 'utf8')).trim()
  return url.href
}

const newFolder = () => mkdtemp(join(tmpdir(), 'fieldtest-node-'))

export const startPrimary = async (): Promise<Node> => {
  const dataDir = await newFolder()
  const node = nodeOf(dataDir, await startPostgres({ dataDir }))
  await node.asSuperuser('alter system set fsync = off', 'select pg_reload_conf()')
  return node
}

/** What a base backup leaves out (PostgreSQL's manual, "Making a Low-Level Base Backup"). The log is streamed instead. */
const isLeftOut = (path: string) =>
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|^postmaster\.|\/pgsql_tmp/.test(
    path,
  )

const copyCluster = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    if (isLeftOut(path)) continue
    await mkdir(entry.isDirectory() ? join(to, path) : dirname(join(to, path)), { recursive: true, mode: 0o700 })
    // A file may disappear meanwhile, which the log then records as well.
    if (entry.isFile()) await copyFile(join(from, path), join(to, path)).catch(ignoreMissing)
  }
  await mkdir(join(to, 'pg_wal/archive_status'), { recursive: true, mode: 0o700 })
}

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}

/** Follows `primary`, or the PostgreSQL at `primaryUrl`, which may be a wire. */
export const startStandby = async (primary: Node, primaryUrl = primary.url): Promise<Node> => {
  const dataDir = await newFolder()
  const cluster = join(dataDir, 'postgres')
  const url = await superuserUrl(primary.dataDir, primaryUrl)
  const client = new pg.Client({ connectionString: await superuserUrl(primary.dataDir, primary.url) })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    await copyCluster(join(primary.dataDir, 'postgres'), cluster)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(join(cluster, 'backup_label'), rows[0]!.labelfile, { mode: 0o600 })
  } finally {
    await client.end()
  }
  await writeFile(join(cluster, 'standby.signal'), '', { mode: 0o600 })
  await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${url}'\nfsync = off\n`, { mode: 0o600 })
  return nodeOf(dataDir, await startPostgres({ dataDir }))
}

/** The standby replays only what is at least this old. */
export const delay = async (standby: Node, ms: number): Promise<void> => {
  await standby.asSuperuser(`alter system set recovery_min_apply_delay = ${ms}`, 'select pg_reload_conf()')
}
