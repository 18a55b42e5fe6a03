/**
 * Migrations: plain SQL in /migrations (decision 003). The numbered files go forward only, each once and in its own
 * transaction. After them, each function of /migrations/functions whose text has changed is applied again. An advisory
 * lock lets several servers start at once; a hash notices a numbered file that was changed after it had been applied.
 */
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { clock } from '../clock.ts'
import { beginWith, type Limits, migrationLimits, setRoleLimits, waitForMigrations } from './limits.ts'
import { projectRoot } from './root.ts'

/** Any number, the same in every server. */
const lockKey = 7_304_112
const signatureSentence = 'A changed signature needs a numbered migration that drops the old function.'

/** How often, and how long after a try that met a lock, a file is applied again: about two minutes in all. */
const patience = { tries: 20, pauseMs: 4_000 }

type Options = {
  folder?: string
  /** Called with what people should know: that a start takes longer, and why. */
  say?: (line: string) => void
  patience?: { tries: number; pauseMs: number }
}

/** What applying a file needs besides the file. */
type Run = Required<Omit<Options, 'folder'>> & { client: pg.Client }

type SqlFile = { name: string; text: string; hash: string }

const readSqlFiles = async (folder: string): Promise<SqlFile[]> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Brings the database up to date; gives the files that were applied. Throws when an applied numbered file was changed,
 * when the database was made by another set of migrations, and when a file fails, of which nothing is kept.
 */
export const migrate = async (
  url: string,
  { folder = join(projectRoot, 'migrations'), say = () => undefined, patience: given = patience }: Options = {},
): Promise<string[]> => {
  const migrations = await readSqlFiles(folder)
  const functions = await readSqlFiles(join(folder, 'functions'))
  const client = new pg.Client({ connectionString: url })
  const run: Run = { client, say, patience: given }
  await client.connect()
  try {
    // In a transaction for its limits only: the lock is the session's, and another server's migrations may take long.
    await inTransaction(client, () => client.query('select pg_advisory_lock($1)', [lockKey]), waitForMigrations)
    for (const table of ['schema_migrations', 'schema_functions']) {
      await client.query(`create table if not exists ${table} (
        name text primary key, hash text not null, applied_at timestamptz not null)`)
    }
    const recorded = await hashesOf(client, 'select name, hash from schema_migrations')
    refuseOtherSet(migrations, recorded)
    const missing = migrations.filter(migration => !isApplied(migration, recorded))
    for (const migration of missing) await applyMigration(run, migration)
    // The functions of a newer release belong to its tables.
    const changed = isOlderThan(recorded, migrations) ? [] : await changedFunctions(client, functions)
    await applyFunctions(run, changed)
    await setRoleLimits(client)
    return [...missing.map(({ name }) => name), ...changed.map(({ name }) => `functions/${name}`)]
  } finally {
    // Ends the session and with it the lock.
    await client.end()
  }
}

type Hashes = ReadonlyMap<string, string>

const hashesOf = async (client: pg.Client, query: string): Promise<Hashes> => {
  const { rows } = await client.query<{ name: string; hash: string }>(query)
  return new Map(rows.map(row => [row.name, row.hash]))
}

const numberOf = (name: string) => Number.parseInt(name, 10)
const newestOf = (migrations: SqlFile[]) => Math.max(...migrations.map(({ name }) => numberOf(name)))

/** The database knows a numbered migration that is newer than all of this release's. */
const isOlderThan = (recorded: Hashes, migrations: SqlFile[]) =>
  [...recorded.keys()].some(name => numberOf(name) > newestOf(migrations))

/** What is recorded up to our newest number must be ours; beyond it, a newer release has been here. */
const refuseOtherSet = (migrations: SqlFile[], recorded: Hashes) => {
  const ours = new Set(migrations.map(({ name }) => name))
  const foreign = [...recorded.keys()].find(name => !ours.has(name) && numberOf(name) <= newestOf(migrations))
  if (foreign !== undefined) {
    throw new Error(
      `This database was made by another set of migrations: it has ${foreign}, which this release does not have. ` +
        'Move DATA_DIR away, or name an empty database in DATABASE_URL.',
    )
  }
}

const isApplied = (migration: SqlFile, recorded: Hashes) => {
  const hash = recorded.get(migration.name)
  if (hash !== undefined && hash !== migration.hash) {
    throw new Error(`migrations/${migration.name} was changed after it had been applied. Add a new migration instead.`)
  }
  return hash !== undefined
}

const applyMigration = (run: Run, { name, text, hash }: SqlFile) =>
  untilFree(run, `migrations/${name}`, async client => {
    await client.query(text).catch(failed(`migrations/${name}`))
    await client.query('insert into schema_migrations values ($1, $2, $3)', [name, hash, clock.now()])
  })

const functionName = (file: SqlFile) => file.name.replace(/\.sql$/, '')

/** A function that a numbered migration dropped is applied again, changed or not. */
const changedFunctions = async (client: pg.Client, functions: SqlFile[]) => {
  const recorded = await hashesOf(client, 'select name, hash from schema_functions where to_regproc(name) is not null')
  return functions.filter(file => recorded.get(functionName(file)) !== file.hash)
}

/** All or none, since they call each other. */
const applyFunctions = (run: Run, changed: SqlFile[]) =>
  untilFree(run, 'migrations/functions', async client => {
    for (const file of changed) {
      const path = `migrations/functions/${file.name}`
      await client.query(file.text).catch(failed(path))
      await assertMadeOnce(client, functionName(file), path)
      await client.query(
        `insert into schema_functions values ($1, $2, $3)
          on conflict (name) do update set hash = excluded.hash, applied_at = excluded.applied_at`,
        [functionName(file), file.hash, clock.now()],
      )
    }
  })

/** With other parameter types, `create or replace` makes a second function beside the first. */
const assertMadeOnce = async (client: pg.Client, name: string, path: string) => {
  const { rowCount } = await client.query(
    'select from pg_proc where proname = $1 and pronamespace = current_schema()::regnamespace',
    [name],
  )
  if (rowCount === 0) throw new Error(`${path} does not create the function ${name}.`)
  if (rowCount !== 1)
    throw new Error(`${path} makes a second function ${name} beside the old one. ${signatureSentence}`)
}

/** PostgreSQL's hint names DROP FUNCTION when a name or default of a parameter, or what is returned, has changed. */
const failed =
  (path: string) =>
  (error: unknown): never => {
    const message = error instanceof Error ? error.message : String(error)
    const isSignature = error instanceof pg.DatabaseError && error.hint?.includes('DROP FUNCTION')
    throw new Error(`${path} failed: ${message}${isSignature ? `. ${signatureSentence}` : ''}`, { cause: error })
  }

/** Waited too long for a lock; a deadlock with what is going on. */
const inTheWay = ['55P03', '40P01']

const metLock = (error: unknown) =>
  error instanceof Error && error.cause instanceof pg.DatabaseError && inTheWay.includes(error.cause.code ?? '')

/** Applies `what` in a transaction, again and again while others hold a table that it needs. */
const untilFree = async (
  { client, say, patience: { tries, pauseMs } }: Run,
  what: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(client, () => work(client))
    } catch (error) {
      if (!metLock(error)) throw error
      if (attempt === tries) throw new Error(`${what} ${inUse}`, { cause: error })
      if (attempt === 1) say(`${what} waits for a table that another connection holds.`)
      await pause(pauseMs)
    }
  }
}

const inUse =
  'could not be applied: another connection holds a table that it needs, and kept it through all tries. Nothing of it ' +
  'was kept. End what holds the table (the oldest xact_start in pg_stat_activity), then start the server again.'

const inTransaction = async (client: pg.Client, work: () => Promise<unknown>, limits: Limits = migrationLimits) => {
  try {
    await client.query(beginWith(limits))
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
