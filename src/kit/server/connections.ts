/** The process's connections to PostgreSQL, in pools that do not hold each other up (decision 015). */
import type { Socket } from 'node:net'
import pg from 'pg'
import { asInstant } from './instants.ts'
import { CallerGone, isOver, OutOfTime, type PoolName, type Work } from './limits.ts'

/** How many connections a pool has at most, and how long its work waits for one. */
const sizes: Record<PoolName, { max: number; waitMs: number }> = {
  reads: { max: 8, waitMs: 3_000 },
  writes: { max: 10, waitMs: 3_000 },
  sessions: { max: 4, waitMs: 3_000 },
  jobs: { max: 4, waitMs: 30_000 },
  // pg-boss looks up its queues while our transaction waits; in the same pool, waiting transactions could hold it up.
  queue: { max: 2, waitMs: 10_000 },
  health: { max: 1, waitMs: 1_500 },
}

export type PoolSizes = Partial<Record<PoolName, number>>

const isPoolName = (name: string): name is PoolName => Object.hasOwn(sizes, name)

/** Of `reads=16,writes=20`; else what is wrong with it. */
export const parsePoolSizes = (text: string): PoolSizes | string => {
  const given: PoolSizes = {}
  for (const part of text.split(',')) {
    const [, name = '', size = ''] = /^\s*(\w+)=(\d{1,3})\s*$/.exec(part) ?? []
    if (!isPoolName(name) || Number(size) < 1)
      return `must be sizes from 1 to 999 of ${Object.keys(sizes).join(', ')}, such as reads=16,writes=20`
    given[name] = Number(size)
  }
  return given
}

/** Cents and counts arrive as int8: exact up to 2^53, an error beyond that rather than a wrong sum. */
const safeInteger = (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} exceeds the safe integers`)
  return value
}

const asIs = (text: string) => text
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, safeInteger],
  [pg.types.builtins.DATE, asIs],
  [pg.types.builtins.TIMESTAMPTZ, asInstant],
])

export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as (text: string) => unknown),
}

type Pools = Record<PoolName, pg.Pool>
let pools: Pools | undefined

type ConnectOptions = { url: string; onError?: (error: Error) => void; max?: number; poolSizes?: PoolSizes | undefined }

/**
 * Opens the process's pools; connections are made when they are needed. `max` is for scripts, which need fewer; `poolSizes` for
 * servers that have more to do. `onError`
 * is called when an idle connection breaks, which would otherwise end the process.
 */
export const connect = ({ url, onError, max = Infinity, poolSizes = {} }: ConnectOptions): void => {
  const open = (name: PoolName) => {
    const pool = new pg.Pool({
      connectionString: url,
      max: Math.min(max, poolSizes[name] ?? sizes[name].max),
      types,
      application_name: 'fieldtest',
      connectionTimeoutMillis: sizes[name].waitMs,
      keepAlive: true,
      // Statements that do not wait for each other share a round trip (docs/performance.md).
      pipeline: true,
    })
    // Of a lost one it is no news: the statement that lost it has failed.
    pool.on('error', (error, client) => {
      if (!isLost(client)) onError?.(error)
    })
    // Whatever it is used for, the statement in flight fails as well and says so.
    pool.on('connect', client => client.on('error', error => broken.set(client, error)))
    return pool
  }
  pools = Object.fromEntries(Object.keys(sizes).map(name => [name, open(name as PoolName)])) as Pools
}

/** A PostgreSQL that does not answer does not take its leave either. */
const goodbyeMs = 1_000

export const disconnect = async (): Promise<void> => {
  const closing = pools
  pools = undefined
  if (!closing) return
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, goodbyeMs)
  await Promise.race([Promise.all(Object.values(closing).map(pool => pool.end())), patience.promise])
  clearTimeout(timer)
}

const lost = new WeakSet<pg.ClientBase>()

export const lose = (client: pg.ClientBase): void => {
  lost.add(client)
}

/** A connection that must not be used again, not even to roll back. */
export const isLost = (client: pg.ClientBase): boolean => lost.has(client)

const broken = new WeakMap<pg.ClientBase, Error>()

/** Why a connection broke, if it did: it must not go back to its pool. */
export const breakOf = (client: pg.ClientBase): Error | undefined => broken.get(client)

const poolOf = (name: PoolName): pg.Pool => {
  if (!pools) throw new Error('connect() the database first')
  return pools[name]
}

const outOfTime = () => new OutOfTime('the time of the request was over before there was a connection')

/** How full each pool is; empty before `connect`. */
export const poolsInUse = (): { name: PoolName; busy: number; waiting: number; max: number }[] =>
  Object.entries(pools ?? {}).map(([name, pool]) => ({
    name: name as PoolName,
    busy: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
    max: pool.options.max,
  }))

/** A connection of the pool, within the time of the work; the caller releases it. */
export const borrow = async (work: Work): Promise<pg.PoolClient> => {
  if (isOver(work)) throw outOfTime()
  const client = await withinTime(poolOf(work.pool).connect(), work)
  if (!work.gone) return client
  client.release()
  throw new CallerGone()
}

/** A connection that comes too late goes back to its pool. */
const withinTime = async (coming: Promise<pg.PoolClient>, { pool, until }: Work): Promise<pg.PoolClient> => {
  const leftMs = until - performance.now()
  // The pool itself waits no longer than this.
  if (leftMs > sizes[pool].waitMs) return coming
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    coming.then(client => client.release()).catch(() => undefined)
    reject(outOfTime())
  }, leftMs)
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Without a farewell, which a PostgreSQL that does not answer would not notice. */
export const destroy = (client: pg.ClientBase): void => {
  ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
}

const answerWithinMs = 1_000
let asking: Promise<boolean> | undefined

/** Whether PostgreSQL answers. Callers at the same time share one question. */
export const answers = (): Promise<boolean> => {
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}

const ask = async (): Promise<boolean> => {
  // Work that outlives `disconnect` may still ask.
  const client = await pools?.health.connect().catch(() => undefined)
  if (!client) return false
  const timer = setTimeout(destroy, answerWithinMs, client)
  try {
    await client.query('select 1')
    client.release()
    return true
  } catch {
    client.release(true)
    return false
  } finally {
    clearTimeout(timer)
  }
}
