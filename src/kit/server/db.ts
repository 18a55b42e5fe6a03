/**
 * PostgreSQL: small pools and plain SQL in tagged templates. Each statement is prepared once per connection, under a
 * name derived from its text (measured: 1.75 times as many small reads per second).
 */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { notFound } from '../errors.ts'
import { isLost } from './connections.ts'
import { beginWith, currentWork, isOver, jobLimits, requestLimits, type Work, workOf } from './limits.ts'
import { sharesWrites } from './lines.ts'
import { isConnectionLoss, isReadOnly, mayBeTriedAgain, OutcomeUnknown, sqlState } from './lost.ts'
import type { Query } from './planning.ts'
import { keepLimits, keepSessionSettings, keepsSessionSettings } from './sessionSettings.ts'
import { written } from './signals.ts'
import { askRead } from './sharing.ts'
import { send } from './statement.ts'
import { type Ask, inTransaction, onConnection, outcomeOf, rollBack, sendAlone } from './transaction.ts'
import { writeInTurn } from './turns.ts'

export { default as sql, empty, join } from 'sql-template-tag'
export { answers, connect, disconnect } from './connections.ts'

/** Where statements run: in one transaction, or each on its own (`autocommit`). A function's `tx` parameter is never optional. */
export type Tx = {
  /** All rows. */
  rows: <Row>(statement: Sql) => Promise<Row[]>
  /** The row, or NOT_FOUND with `noun` in its message. */
  one: <Row>(statement: Sql, noun: string) => Promise<Row>
  maybe: <Row>(statement: Sql) => Promise<Row | undefined>
  /** The only column of a row that always exists, such as a count. */
  value: <T>(statement: Sql) => Promise<T>
  /** How many rows were written. */
  run: (statement: Sql) => Promise<number>
  /** Runs `work` once the transaction has committed; never after a rollback. `work` must not fail. */
  afterCommit: (work: () => void) => void
  /** For pg-boss, which writes its own SQL. Several statements in one text give an array of results, as it expects. */
  raw: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
}

type Prepared = { name: string; text: string }

/**
 * By length first, and within it by comparison: a statement's text is built anew for each use, and a map would have to hash its
 * two kilobytes each time (measured: 15 µs against 3).
 */
const prepared = new Map<number, Prepared[]>()

const preparedAs = (text: string): Prepared => {
  const sameLength = prepared.get(text.length)
  const known = sameLength?.find(one => one.text === text)
  if (known) return known
  const made = { name: createHash('sha256').update(text).digest('base64url').slice(0, 24), text }
  if (sameLength) sameLength.push(made)
  else prepared.set(text.length, [made])
  return made
}

/** Off behind a transaction pooler that does not support named statements; each is then planned on every use. */
let named = true
export const usePreparedStatements = (on: boolean, keepsSession: boolean): void => {
  named = on
  keepSessionSettings(keepsSession)
}

/**
 * What pg-boss sends in our transactions. It creates jobs with one long statement for each queue, which costs more to parse and
 * plan than to run, and reads no table that grows, so it is prepared. Its other statements are planned for what the tables hold
 * at the time.
 */
const given = (text: string, values: unknown[] | undefined): Query => {
  if (!values) return { text }
  return named && /^\s*insert into pgboss\./i.test(text) ? { ...preparedAs(text), values } : { text, values }
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

const rowsWritten = new WeakMap<Sql, string>()

/**
 * For a write that is a use case of its own and changes a row that many people may want at once: outside a transaction, this
 * process sends such writes of a row one after the other (decision 071).
 */
export const inTurn = (row: string, statement: Sql): Sql => {
  rowsWritten.set(statement, row)
  return statement
}

const through = (ask: Ask, afterCommit: Tx['afterCommit']): Tx => {
  const query = (statement: Sql) => {
    const { text, values } = statement
    const row = rowsWritten.get(statement)
    return ask({
      ...(named ? { ...preparedAs(text), plannedEachTime: plannedEachTime.has(statement) } : { text }),
      values,
      row,
    })
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
    raw: (text, values) => ask(given(text, values)),
  }
}

/**
 * A single statement has the limits of the role, which are those of requests, or of its connection; any other limits need a
 * transaction.
 */
const alone: Ask = query => {
  const work = currentWork()
  // A read that failed on a standby is repeated as a whole on the primary (replicaReads.ts).
  return repeated(
    () => askedAlone(query, work),
    error => !work.replica && hasChangedNothing(error),
  )
}

const askedAlone = (query: Query, work: Work): Promise<pg.QueryResult> => {
  if (work.limits === requestLimits) {
    if (work.pool === 'reads') return askRead(query, work)
    if (query.row !== undefined && sharesWrites()) return writeInTurn(query.row, query, work)
    return onConnection(work, client => sendAlone(client, query, work))
  }
  if (work.pool === 'jobs' && work.limits === jobLimits && keepsSessionSettings())
    return onConnection(work, client => {
      keepLimits(client, jobLimits)
      return sendAlone(client, query, work)
    })
  return inTransaction(
    work,
    async () => undefined,
    ask => ask(query),
  ).then(outcomeOf)
}

const aloneAndSaid: Ask = async query => {
  const result = await alone(query)
  // A read has changed nothing that others need to hear of; a write may be a part of a select.
  if (result.command !== 'SELECT' || query.row !== undefined) written(currentWork().pool)
  return result
}

/** Each statement commits on its own: for use cases of a single statement. */
export const autocommit: Tx = through(aloneAndSaid, work => work())

/**
 * pg-boss's own statements (jobs.ts). Its long ones, such as deleting old jobs, are transactions and get the limits of jobs; the
 * index builds of a new pg-boss cannot run in one, and need the owner of its tables.
 */
export const onQueue: Tx['raw'] = (text, values) => asked('queue', text, values)

/** As the owner of the tables, for statements that create or change them. */
export const asOwner: Tx['raw'] = (text, values) => asked('owner', text, values)

const asked = (pool: 'queue' | 'owner', text: string, values: unknown[] | undefined) => {
  const isBesideWrites = /^\s*\w+[\w\s]* concurrently\b/i.test(text)
  const work = { ...workOf(isBesideWrites ? 'owner' : pool, jobLimits), until: currentWork().until }
  const limited = text.replace(/^\s*begin;/i, `${beginWith(jobLimits)};`)
  const query = { text: limited, ...(values && { values }) }
  return onConnection(work, async client => {
    if (!isBesideWrites) {
      try {
        return await send(client, query, work)
      } catch (error) {
        // The text may have begun a transaction of its own.
        await rollBack(client, work)
        throw error
      }
    }
    await send(client, 'set statement_timeout = 0; set lock_timeout = 0', work)
    try {
      return await send(client, query, work)
    } finally {
      if (!isLost(client)) await send(client, 'reset statement_timeout; reset lock_timeout', work)
    }
  })
}

const serializationFailure = '40001'
const deadlock = '40P01'
const attempts = 5

/** Which constraint a write violated (23505 unique, 23514 check, …), or undefined. */
export const violated = (error: unknown): string | undefined =>
  sqlState(error).startsWith('23') && error instanceof pg.DatabaseError ? error.constraint : undefined

/** Waited too long: for a lock, for the statement, or for the next statement of a transaction. */
const tooLong = ['55P03', '57014', '25P03']
/** Conflicts with other transactions. */
const inConflict = [serializationFailure, deadlock]

/** It was rolled back, or never reached PostgreSQL. */
const hasChangedNothing = (error: unknown): boolean => inConflict.includes(sqlState(error)) || mayBeTriedAgain(error)

/** True when the database cannot be reached or is too busy: the caller may try again (503). */
export const isUnavailable = (error: unknown): boolean => {
  const state = sqlState(error)
  return (
    mayBeTriedAgain(error) ||
    error instanceof OutcomeUnknown ||
    state.startsWith('53') ||
    tooLong.includes(state) ||
    inConflict.includes(state) ||
    state === 'ETIMEDOUT' ||
    (error instanceof Error && error.message.includes('timeout exceeded when trying to connect'))
  )
}

/**
 * Runs `work` in one READ COMMITTED transaction. Serialization failures, deadlocks and connections that broke before the commit
 * are retried up to 4 times with exponential, jittered backoff, so `work` may run more than once: effects outside the database
 * belong in jobs. Statements that are sent without waiting for each other (`Promise.all`) share a round trip. `answer` reads the
 * reply: its first statements share a round trip with the commit, later ones see what was committed.
 */
export const transact = async <T, A = T>(
  work: (tx: Tx) => Promise<T>,
  answer?: (tx: Tx, result: T) => Promise<A>,
): Promise<A> => {
  const ending = await repeated(
    () => once(work, answer ?? ((_, result) => Promise.resolve(result as unknown as A))),
    hasChangedNothing,
  )
  // The transaction has committed, but its answer was lost.
  if (ending.status === 'rejected' && isConnectionLoss(ending.reason)) throw new OutcomeUnknown(ending.reason)
  return outcomeOf(ending)
}

/** How long the next primary may take to appear behind the address, and how often that is tried. */
const readOnlyMs = 5_000
const readOnlyPauseMs = 200

/** Retries what failed without having changed anything, after ever longer pauses. */
const repeated = async <T>(task: () => Promise<T>, mayBeRepeated: (error: unknown) => boolean): Promise<T> => {
  const giveUpAt = performance.now() + readOnlyMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await task()
    } catch (error) {
      const isLast = isReadOnly(error) ? performance.now() > giveUpAt : attempt >= attempts
      if (isLast || isOver(currentWork()) || !mayBeRepeated(error)) throw error
      await wait(isReadOnly(error) ? readOnlyPauseMs : 2 ** attempt * (5 + Math.random() * 5))
    }
  }
}

const once = async <T, A>(
  work: (tx: Tx) => Promise<T>,
  answer: (tx: Tx, result: T) => Promise<A>,
): Promise<PromiseSettledResult<A>> => {
  const committed: (() => void)[] = []
  const txOf = (ask: Ask) => through(ask, then => committed.push(then))
  const ending = await inTransaction(
    currentWork(),
    ask => work(txOf(ask)),
    (ask, result) => answer(txOf(ask), result),
  )
  for (const then of committed) then()
  written(currentWork().pool)
  return ending
}
