/**
 * How long work on the database may take (decision 015). PostgreSQL enforces the limits itself: transactions begin with theirs,
 * and single statements have those of the role. Both work through a transaction pooler, which refuses limits at the start of a
 * connection and would pass a session's `set` on to strangers; without one, connections of jobs keep theirs.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** 0 is no limit, as in PostgreSQL. */
export type Limits = { statementMs: number; lockMs: number; idleInTransactionMs: number }

export const requestLimits: Limits = { statementMs: 5_000, lockMs: 3_000, idleInTransactionMs: 10_000 }
/** For endpoints that add up many rows (`report` in the contract). */
export const reportLimits: Limits = { ...requestLimits, statementMs: 15_000 }
export const jobLimits: Limits = { statementMs: 600_000, lockMs: 10_000, idleInTransactionMs: 60_000 }
/**
 * A migration may rewrite a large table. While it waits for a table's lock, everybody who wants the table waits behind it, so it
 * gives up before they do and tries again later (migrate.ts).
 */
export const migrationLimits: Limits = { statementMs: 0, lockMs: 2_000, idleInTransactionMs: 600_000 }
/**
 * Creating an index concurrently or validating a constraint blocks nobody while it waits for earlier transactions, so it waits
 * longer than our longest one can last.
 */
export const concurrentLimits: Limits = { ...migrationLimits, lockMs: jobLimits.statementMs + 60_000 }

const settingsOf = ({ statementMs, lockMs, idleInTransactionMs }: Limits) =>
  Object.entries({
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  })

/** Begins a transaction with its limits, in one round trip. */
export const beginWith = (limits: Limits): string => {
  let text = beginnings.get(limits)
  if (text === undefined) {
    text = `begin; ${settingsOf(limits)
      .map(([name, ms]) => `set local ${name} = ${ms}`)
      .join('; ')}`
    beginnings.set(limits, text)
  }
  return text
}
const beginnings = new Map<Limits, string>()

/** Sets the limits for everything that a connection does from now on; does not work through a transaction pooler. */
export const sessionText = (limits: Limits): string =>
  settingsOf(limits)
    .map(([name, ms]) => `set ${name} = ${ms}`)
    .join('; ')

/** For statements that cannot run in a transaction, on a direct connection. */
export const setSession = async (client: pg.Client, limits: Limits): Promise<void> => {
  await client.query(sessionText(limits))
}

/** For a direct connection of a script or a test that may take its time: `new pg.Client({ options: unlimited })`. */
export const unlimited = settingsOf({ statementMs: 0, lockMs: 0, idleInTransactionMs: 0 })
  .map(([name, ms]) => `-c ${name}=${ms}`)
  .join(' ')

/**
 * Makes the limits of requests the defaults of our role in this database, for single statements. A role may set its own defaults.
 * Servers that start at once must not do so at the same time.
 */
export const setRoleLimits = async (client: pg.Client): Promise<void> => {
  const wanted = settingsOf(requestLimits)
  const { rows } = await client.query<{ setting: string }>(`
    select unnest(setconfig) as setting from pg_db_role_setting
    where setrole = current_user::regrole
      and setdatabase = (select oid from pg_database where datname = current_database())`)
  const present = new Set(rows.map(row => row.setting))
  for (const [name, ms] of wanted) {
    if (present.has(`${name}=${ms}`)) continue
    await client.query(`do $$ begin
      execute format('alter role current_user in database %I set ${name} = ${ms}', current_database());
    end $$`)
  }
}

/** Each has its own connections, so waiting writes do not hold up lists, sign-in or health. */
export type PoolName = 'reads' | 'writes' | 'sessions' | 'jobs' | 'queue' | 'health' | 'owner'

/** What the current statements are for. */
export type Work = {
  pool: PoolName
  limits: Limits
  /** When the caller must have an answer, by `performance.now()`. */
  until: number
  /** The caller of a read has gone. */
  gone: boolean
  /** Cancel this read's running statements. */
  cancels: Set<() => void>
  /** The connections of a standby that this read may use (replicas.ts). */
  replica: pg.Pool | undefined
  /** The position of the last write in PostgreSQL's log, if there are standbys. */
  position: string | undefined
}

const works = new AsyncLocalStorage<Work>()

export const workOf = (pool: PoolName, limits: Limits, withinMs = Infinity): Work => ({
  pool,
  limits,
  until: performance.now() + withinMs,
  gone: false,
  cancels: new Set(),
  replica: undefined,
  position: undefined,
})

const ordinary = workOf('writes', requestLimits)

export const currentWork = (): Work => works.getStore() ?? ordinary

/** Runs `task` with these limits, wherever it is called from. */
export const during = <T>(work: Work, task: () => T): T => works.run(work, task)

/** Added to PostgreSQL's own limit, so that one comes first as long as PostgreSQL works. */
const graceMs = 500

/**
 * A request is answered at most half a second after the limit of its longest statement, whatever it waits for and however many
 * statements it sends.
 */
export const requestWork = (pool: PoolName, limits: Limits = requestLimits): Work =>
  workOf(pool, limits, limits.statementMs + graceMs)

/** How long the next statement may take before its connection is given up. */
export const timeLeftMs = ({ limits, until }: Work): number =>
  Math.max(graceMs, Math.min(limits.statementMs + graceMs, until - performance.now()))

/**
 * Runs a wait for something other than PostgreSQL, such as a place in the queue of password hashes. That has its own limits, and
 * does not use up the time of the request's statements.
 */
export const untimed = async <T>(task: () => Promise<T>): Promise<T> => {
  const work = currentWork()
  const leftMs = work.until - performance.now()
  try {
    return await task()
  } finally {
    work.until = Math.max(work.until, performance.now() + leftMs)
  }
}

export const isOver = ({ until }: Work): boolean => performance.now() >= until

/** The time of a request is over, and its caller no longer waits. */
export class OutOfTime extends Error {
  override name = 'OutOfTime'
  readonly code = 'ETIMEDOUT'
}

/** The caller of a read has closed the connection, so nobody waits for the answer. */
export class CallerGone extends Error {
  override name = 'CallerGone'
}

/** Cancels a read whose caller has gone. */
export const abandon = (work: Work): void => {
  work.gone = true
  for (const cancel of work.cancels) cancel()
}
