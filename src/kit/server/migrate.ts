/**
 * Migrations: plain SQL in /migrations, in the order of their names, each once and in its own transaction. An advisory
 * lock lets several servers start at once; a hash notices a file that was changed after it had been applied.
 */
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { clock } from '../clock.ts'
import { projectRoot } from './root.ts'

const folder = join(projectRoot, 'migrations')
/** Any number, the same in every server. */
const lockKey = 7_304_112

type Migration = { name: string; text: string; hash: string }

const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Brings the database up to date; gives the names that were applied. Throws when an applied file was changed. */
export const migrate = async (url: string): Promise<string[]> => {
  const migrations = await readMigrations()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(`create table if not exists schema_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null)`)
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations')
    const applied = new Map(rows.map(row => [row.name, row.hash]))
    const missing = migrations.filter(migration => !isApplied(migration, applied))
    for (const migration of missing) await apply(client, migration)
    return missing.map(migration => migration.name)
  } finally {
    // Ends the session and with it the lock.
    await client.end()
  }
}

const isApplied = (migration: Migration, applied: Map<string, string>) => {
  const hash = applied.get(migration.name)
  if (hash !== undefined && hash !== migration.hash) {
    throw new Error(`migrations/${migration.name} was changed after it had been applied. Add a new migration instead.`)
  }
  return hash !== undefined
}

const apply = async (client: pg.Client, { name, text, hash }: Migration) => {
  try {
    await client.query('begin')
    await client.query(text)
    await client.query('insert into schema_migrations values ($1, $2, $3)', [name, hash, clock.now()])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`migrations/${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
