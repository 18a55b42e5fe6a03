/** Applies files of /migrations while servers go on working (decision 047). */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { clock } from '../clock.ts'
import { beginWith, concurrentLimits, migrationLimits, setSession } from './limits.ts'
import { indexMadeBy, isRepeated, isTransactional, type SqlFile, statementsOf } from './migrationFiles.ts'

/** What applying a file needs besides the file. */
export type Run = {
  client: pg.Client
  release: number
  /** Called with what people should know: that a start takes longer, and why. */
  say: (line: string) => void
  patience: { tries: number; pauseMs: number }
}

/** How often a file is applied again after it met a lock, and after what pause: about two minutes in all. */
export const patience: Run['patience'] = { tries: 20, pauseMs: 4_000 }

export type Hashes = ReadonlyMap<string, string>

export const hashesOf = async (client: pg.Client, query: string): Promise<Hashes> => {
  const { rows } = await client.query<{ name: string; hash: string }>(query)
  return new Map(rows.map(row => [row.name, row.hash]))
}

const signatureSentence = 'A changed signature needs a numbered migration that drops the old function.'

const recordMigration = (client: pg.Client, { name, hash }: SqlFile) =>
  client.query('insert into schema_migrations values ($1, $2, $3)', [name, hash, clock.now()])

export const applyMigration = async (run: Run, file: SqlFile) => {
  const path = `migrations/${file.name}`
  if (!isTransactional(file.text)) return applyBesideWrites(run, file, path)
  return untilFree(run, path, client =>
    inTransaction(client, async () => {
      await client.query(file.text).catch(failed(path))
      await recordMigration(client, file)
    }),
  )
}

/** Applies each statement on its own while others work. After a crash all are applied again, so each has to be repeatable. */
const applyBesideWrites = async (run: Run, file: SqlFile, path: string) => {
  for (const statement of statementsOf(file.text)) {
    let changed: number
    do
      changed = await untilFree(
        run,
        path,
        client => applyStatement(client, statement, path),
        'Its earlier statements stay',
      )
    while (isRepeated(statement) && changed > 0)
  }
  await inTransaction(run.client, () => recordMigration(run.client, file))
}

const applyStatement = async (client: pg.Client, statement: string, path: string): Promise<number> => {
  await setSession(client, isRepeated(statement) ? migrationLimits : concurrentLimits)
  await dropHalfMade(client, indexMadeBy(statement))
  const { rowCount } = await client.query(statement).catch(failed(path))
  return rowCount ?? 0
}

/** A crash, or a row that violates a unique index, leaves an invalid index that is never used but slows down every write. */
const dropHalfMade = async (client: pg.Client, index: string | undefined) => {
  if (index === undefined) return
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rowCount !== 0) await client.query(`drop index concurrently if exists ${index}`)
}

const functionName = (file: SqlFile) => file.name.replace(/\.sql$/, '')

/** A function that a numbered migration dropped is applied again, changed or not. */
export const changedFunctions = async (client: pg.Client, functions: SqlFile[]) => {
  const recorded = await hashesOf(client, 'select name, hash from schema_functions where to_regproc(name) is not null')
  return functions.filter(file => recorded.get(functionName(file)) !== file.hash)
}

/** All or none, since they call each other. */
export const applyFunctions = (run: Run, changed: SqlFile[]) =>
  untilFree(run, 'migrations/functions', client =>
    inTransaction(client, async () => {
      for (const file of changed) {
        const path = `migrations/functions/${file.name}`
        await client.query(file.text).catch(failed(path))
        await assertMadeOnce(client, functionName(file), path)
        await client.query(
          `insert into schema_functions (name, hash, applied_at, release) values ($1, $2, $3, $4)
            on conflict (name) do update
              set hash = excluded.hash, applied_at = excluded.applied_at, release = excluded.release`,
          [functionName(file), file.hash, clock.now(), run.release],
        )
      }
    }),
  )

/** If the parameter types differ, `create or replace` creates a second function beside the first. */
const assertMadeOnce = async (client: pg.Client, name: string, path: string) => {
  const { rowCount } = await client.query(
    'select from pg_proc where proname = $1 and pronamespace = current_schema()::regnamespace',
    [name],
  )
  if (rowCount === 0) throw new Error(`${path} does not create the function ${name}.`)
  if (rowCount !== 1)
    throw new Error(`${path} makes a second function ${name} beside the old one. ${signatureSentence}`)
}

/** PostgreSQL's hint names DROP FUNCTION if a parameter's name or default, or the return type, has changed. */
const failed =
  (path: string) =>
  (error: unknown): never => {
    const message = error instanceof Error ? error.message : String(error)
    const isSignature = error instanceof pg.DatabaseError && error.hint?.includes('DROP FUNCTION')
    throw new Error(`${path} failed: ${message}${isSignature ? `. ${signatureSentence}` : ''}`, { cause: error })
  }

/** Waited too long for a lock, or a deadlock with other work. */
const inTheWay = ['55P03', '40P01']

const metLock = (error: unknown) =>
  error instanceof Error && error.cause instanceof pg.DatabaseError && inTheWay.includes(error.cause.code ?? '')

/** Retries `work` while others hold a table that it needs; `left` says what remains if it gives up. */
const untilFree = async <T>(
  { client, say, patience: { tries, pauseMs } }: Run,
  what: string,
  work: (client: pg.Client) => Promise<T>,
  left = 'Nothing of it was kept',
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(client)
    } catch (error) {
      if (!metLock(error)) throw error
      if (attempt === tries) throw new Error(`${what} ${inUse(left)}`, { cause: error })
      if (attempt === 1) say(`${what} is waiting for a table that another connection has locked.`)
      await pause(pauseMs)
    }
  }
}

const inUse = (left: string) =>
  'could not be applied: another connection holds a lock on a table that it needs, and kept it through all attempts. ' +
  `${left}. End the transaction that holds it (the oldest xact_start in pg_stat_activity), then start the server again.`

const inTransaction = async (client: pg.Client, work: () => Promise<unknown>) => {
  try {
    await client.query(beginWith(migrationLimits))
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
