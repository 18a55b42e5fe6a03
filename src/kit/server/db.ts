/**
 * PostgreSQL: one small pool and plain SQL in tagged templates. Each statement is prepared once per connection, under a
 * name derived from its text (measured: 1.75 times as many small reads per second).
 */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { notFound } from '../errors.ts'

export { default as sql, empty, join } from 'sql-template-tag'

/** Where statements run: in one transaction, or each on its own (`autocommit`). A parameter is never optional. */
export type Tx = {
  /** All rows. */
  rows: <Row>(statement: Sql) => Promise<Row[]>
  /** The row, or NOT_FOUND with `noun` in its message. */
  one: <Row>(statement: Sql, noun: string) => Promise<Row>
  maybe: <Row>(statement: Sql) => Promise<Row | undefined>
  /** The one column of a row that is always there, such as a count. */
  value: <T>(statement: Sql) => Promise<T>
  /** How many rows were written. */
  run: (statement: Sql) => Promise<number>
  /** Runs `work` once the transaction has committed; never after a rollback. `work` must not fail. */
  afterCommit: (work: () => void) => void
  /** For pg-boss, which writes its own SQL. Several statements in one text give an array of results, as it expects. */
  raw: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
}

const names = new Map<string, string>()

const nameOf = (text: string) => {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}

/** Cents and counts arrive as int8: exact up to 2^53, an error beyond that rather than a wrong sum. */
const safeInteger = (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} exceeds the safe integers`)
  return value
}

const asIs = (text: string) => text
const asInstant = (text: string) => new Date(text).toISOString()
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, safeInteger],
  [pg.types.builtins.DATE, asIs],
  [pg.types.builtins.TIMESTAMPTZ, asInstant],
])

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as (text: string) => unknown),
}

const plannedEachTime = new WeakSet<Sql>()

/**
 * For a statement whose best plan depends on its values, such as a search: it is planned on every use instead of being
 * prepared (measured on 100,000 campaigns: the prepared plan reads every hit of a frequent word, 46 ms against 2).
 */
export const planEachTime = (statement: Sql): Sql => {
  plannedEachTime.add(statement)
  return statement
}

type Queryable = pg.Pool | pg.PoolClient

const on = (connection: Queryable, afterCommit: Tx['afterCommit']): Tx => {
  const query = (statement: Sql) => {
    const { text, values } = statement
    return connection.query(plannedEachTime.has(statement) ? { text, values } : { name: nameOf(text), text, values })
  }
  const maybe = async <Row>(statement: Sql) => (await query(statement)).rows[0] as Row | undefined
  return {
    rows: async <Row>(statement: Sql) => (await query(statement)).rows as Row[],
    maybe,
    one: async <Row>(statement: Sql, noun: string) => {
      const row = await maybe<Row>(statement)
      if (row === undefined) throw notFound(noun)
      return row
    },
    value: async <T>(statement: Sql) => {
      const [value, ...more] = Object.values((await maybe<Record<string, unknown>>(statement)) ?? {})
      if (value === undefined || more.length > 0) throw new Error(`not one value: ${statement.text}`)
      return value as T
    },
    run: async statement => (await query(statement)).rowCount ?? 0,
    afterCommit,
    raw: (text, values) => connection.query(text, values),
  }
}

type Pools = { main: pg.Pool; queue: pg.Pool }
let pools: Pools | undefined

const current = (name: keyof Pools): pg.Pool => {
  if (!pools) throw new Error('connect() the database first')
  return pools[name]
}
const currentPool = () => current('main')

export type ConnectOptions = { url: string; onError?: (error: Error) => void; max?: number }

/** How long a request waits for a free connection before it is refused with 503. */
const connectTimeoutMs = 10_000

/**
 * Opens the process's pools: one for requests, and a small one for pg-boss's own statements. pg-boss looks up its queues
 * while our transaction waits; with a single pool, waiting transactions could hold every connection. `onError` is called
 * when an idle connection breaks, which would otherwise end the process.
 */
export const connect = ({ url, onError, max = 10 }: ConnectOptions): void => {
  const open = (size: number) => {
    const pool = new pg.Pool({
      connectionString: url,
      max: size,
      types,
      application_name: 'fieldtest',
      connectionTimeoutMillis: connectTimeoutMs,
    })
    pool.on('error', error => onError?.(error))
    // It may break before anyone listens to it; its next statement then fails and says so.
    pool.on('connect', client => client.on('error', () => undefined))
    return pool
  }
  pools = { main: open(max), queue: open(2) }
}

export const disconnect = async (): Promise<void> => {
  const closing = pools
  pools = undefined
  await Promise.all([closing?.main.end(), closing?.queue.end()])
}

/** pg-boss's own statements (jobs.ts). */
export const onQueue: Tx['raw'] = (text, values) => current('queue').query(text, values)

/** Each statement commits on its own: for use cases of a single statement. */
export const autocommit: Tx = {
  rows: statement => onPool().rows(statement),
  one: (statement, noun) => onPool().one(statement, noun),
  maybe: statement => onPool().maybe(statement),
  value: statement => onPool().value(statement),
  run: statement => onPool().run(statement),
  raw: (text, values) => onPool().raw(text, values),
  afterCommit: work => work(),
}
const onPool = () => on(currentPool(), autocommit.afterCommit)

const serializationFailure = '40001'
const deadlock = '40P01'
const attempts = 5

const sqlState = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Which constraint a write violated (23505 unique, 23514 check, …), or undefined. */
export const violated = (error: unknown): string | undefined =>
  sqlState(error).startsWith('23') && error instanceof pg.DatabaseError ? error.constraint : undefined

/** True when the database cannot be reached: the caller may try again (503). */
export const isUnavailable = (error: unknown): boolean => {
  const state = sqlState(error)
  return (
    /^(08|57P0|53)/.test(state) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'].includes(state) ||
    (error instanceof Error &&
      /Connection terminated|not queryable|timeout exceeded when trying to connect/.test(error.message))
  )
}

/**
 * Runs `work` in one READ COMMITTED transaction. Serialization failures and deadlocks are retried up to 4 times with
 * exponential, jittered backoff, so `work` may run more than once: effects outside the database belong in jobs.
 */
export const transact = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(work)
    } catch (error) {
      if (attempt === attempts || ![serializationFailure, deadlock].includes(sqlState(error))) throw error
      await wait(2 ** attempt * (5 + Math.random() * 5))
    }
  }
}

const once = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
  const client = await currentPool().connect()
  let broken: Error | undefined
  // A checked-out connection that breaks reports it here; the statement in flight fails as well.
  const onBroken = (error: Error) => {
    broken = error
  }
  client.on('error', onBroken)
  try {
    await client.query('begin')
    const committed: (() => void)[] = []
    const result = await work(on(client, then => committed.push(then)))
    await client.query('commit')
    for (const then of committed) then()
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.off('error', onBroken)
    client.release(broken)
  }
}
