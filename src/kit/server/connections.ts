/** The process's connections to PostgreSQL, in pools that do not hold each other up (decision 015). */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { asInstant } from './instants.ts'
import { CallerGone, isOver, OutOfTime, type PoolName, type Work } from './limits.ts'
import { isConnectionLoss } from './lost.ts'

/** How many connections a pool has at most, and how long its work waits for one. */
const sizes: Record<PoolName, { max: number; waitMs: number; mostSeconds?: number }> = {
  reads: { max: 8, waitMs: 3_000 },
  writes: { max: 10, waitMs: 3_000 },
  sessions: { max: 4, waitMs: 3_000 },
  jobs: { max: 4, waitMs: 30_000 },
  // pg-boss looks up its queues while our transaction waits; in the same pool, waiting transactions could hold it up.
  queue: { max: 2, waitMs: 10_000 },
  // A PostgreSQL that shuts down answers on open connections but takes no new ones: a lasting connection would never notice.
  health: { max: 1, waitMs: 1_500, mostSeconds: 2 },
  // For the few statements that need the owner of the tables: partitions, and the queues of a new pg-boss.
  owner: { max: 2, waitMs: 30_000 },
}

export type PoolSizes = Partial<Record<PoolName, number>>

const isPoolName = (name: string): name is PoolName => Object.hasOwn(sizes, name)

/** The sizes in `reads=16,writes=20`, or what is wrong with the text. */
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

export const sizeOf = (name: PoolName, given: PoolSizes = {}): number => given[name] ?? sizes[name].max

type Pools = Record<PoolName, pg.Pool>
let pools: Pools | undefined
let openAll: (() => Pools) | undefined

type ConnectOptions = {
  url: string
  /** For the role that owns the tables; by default `url`, whose role then owns them. */
  ownerUrl?: string | undefined
  /** The role that connections of `url` switch to, if they do not sign in as it (roles.ts). */
  workAs?: string | undefined
  onError?: (error: Error) => void
  max?: number
  poolSizes?: PoolSizes | undefined
}

type PoolOptions = {
  url: string
  max: number
  /** For a connection. */
  waitMs: number
  /** How long a connection is used. */
  mostSeconds?: number | undefined
  onError?: ((error: Error) => void) | undefined
  /** Refuses a new connection by failing. */
  onConnect?: (client: pg.ClientBase) => Promise<void>
}

/** How many connections a pool has; its own count includes those that it is still opening. */
const made = new WeakMap<pg.Pool, number>()

export const openPool = ({ url, max, waitMs, mostSeconds, onError, onConnect }: PoolOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: 'fieldtest',
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
    ...(mostSeconds !== undefined && { maxLifetimeSeconds: mostSeconds }),
    // Statements that do not wait for each other share a round trip (docs/performance.md).
    pipeline: true,
    // The pool awaits the promise, although its types do not say so.
    ...(onConnect && { onConnect: onConnect as (client: pg.ClientBase) => void }),
  })
  // A connection known as lost is not reported: the statement that lost it has failed. Neither is one that is being closed.
  pool.on('error', (error, client) => {
    // The error carries the connection, which must not be logged: it holds the key to cancel what runs on it.
    Reflect.deleteProperty(error, 'client')
    if (!isLost(client) && !pool.ending) onError?.(error)
  })
  pool.on('connect', client => {
    made.set(pool, (made.get(pool) ?? 0) + 1)
    // If the connection is in use, the statement in flight fails as well and reports the error.
    client.on('error', error => broken.set(client, error))
  })
  pool.on('remove', () => made.set(pool, (made.get(pool) ?? 0) - 1))
  return pool
}

const actingAs = (role: string) => async (client: pg.ClientBase) => {
  await client.query(`set role ${pg.escapeIdentifier(role)}`)
}

/**
 * Opens the process's pools; connections are made when they are needed. `max` is for scripts, which need fewer; `poolSizes` is
 * for servers that have more to do. `onError` is called when an idle connection breaks, which would otherwise end the process.
 */
export const connect = ({
  url,
  ownerUrl = url,
  workAs,
  onError,
  max = Infinity,
  poolSizes = {},
}: ConnectOptions): void => {
  const asProduct = workAs === undefined ? {} : { onConnect: actingAs(workAs) }
  const open = (name: PoolName) =>
    openPool({
      ...(name === 'owner' ? { url: ownerUrl } : { url, ...asProduct }),
      max: Math.min(max, sizeOf(name, poolSizes)),
      waitMs: sizes[name].waitMs,
      mostSeconds: sizes[name].mostSeconds,
      onError,
    })
  openAll = () => Object.fromEntries(Object.keys(sizes).map(name => [name, open(name as PoolName)])) as Pools
  pools = openAll()
}

const anewEveryMs = 500
let anewAt = -Infinity

/**
 * After a primary has become a standby: new work gets new connections, which lead to the next primary as soon as the address
 * does. Work under way keeps the old ones until it ends.
 */
export const connectAnew = (): void => {
  if (!pools || !openAll || performance.now() - anewAt < anewEveryMs) return
  anewAt = performance.now()
  const old = Object.values(pools)
  pools = openAll()
  for (const pool of old) pool.end().catch(() => undefined)
}

/** A PostgreSQL that does not answer does not close its connections either. */
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

/** Why a connection broke, if it did; a broken one must not go back to its pool. */
export const breakOf = (client: pg.ClientBase): Error | undefined => broken.get(client)

export const poolOf = (name: PoolName): pg.Pool => {
  if (!pools) throw new Error('connect() the database first')
  return pools[name]
}

export const poolFor = ({ replica, pool }: Work): pg.Pool => replica ?? poolOf(pool)

export const waitMsOf = (name: PoolName): number => sizes[name].waitMs

export const outOfTime = (): OutOfTime =>
  new OutOfTime('the time of the request was over before there was a connection')

/** Empty before `connect`. */
export const openPools = (): [PoolName, pg.Pool][] => Object.entries(pools ?? {}) as [PoolName, pg.Pool][]

/** How long a request waits for a primary, for example while another machine takes over from one that died. */
const awayMs = 5_000
const tryEveryMs = 200
/** More would only flood the next primary. */
const mostWaiting = 1_000
let waitingForPrimary = 0

const mayWait = ({ pool, replica, gone }: Work) =>
  !replica && !gone && (pool === 'reads' || pool === 'writes' || pool === 'sessions') && waitingForPrimary < mostWaiting

const connected = async (work: Work): Promise<pg.PoolClient> => {
  const giveUpAt = performance.now() + awayMs
  for (;;) {
    const pool = poolFor(work)
    try {
      return await withinTime(pool.connect(), work)
    } catch (error) {
      // Work that waited for one of the old connections waits for a new one.
      const isOld = !work.replica && pools?.[work.pool] !== pool
      const leftMs = Math.min(giveUpAt, work.until) - performance.now()
      if (leftMs <= tryEveryMs || !(isOld || (isConnectionLoss(error) && mayWait(work)))) throw error
    }
    waitingForPrimary++
    await pause(tryEveryMs * (0.5 + Math.random() / 2)).finally(() => waitingForPrimary--)
  }
}

/** A connection of the pool, within the time of the work; the caller releases it. */
export const borrow = async (work: Work): Promise<pg.PoolClient> => {
  if (isOver(work)) throw outOfTime()
  const client = await connected(work)
  if (!work.gone) return client
  client.release()
  throw new CallerGone()
}

/** A connection that arrives too late goes back to its pool. */
const withinTime = async (coming: Promise<pg.PoolClient>, { pool, until }: Work): Promise<pg.PoolClient> => {
  // Would be negative if a busy machine was slow to come back from the pause before a retry.
  const leftMs = Math.max(0, until - performance.now())
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

export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** Without a farewell message, which a PostgreSQL that does not answer would not read. */
export const destroy = (client: pg.ClientBase): void => {
  streamOf(client).destroy()
}

/** A PostgreSQL whose connections are all in use still serves those; this process can use it only if some are its own. */
const whyNot = (error: { code?: string }) =>
  error.code === '53300' && hasConnections() ? ('FULL' as const) : ('NOBODY' as const)
const hasConnections = () => Object.values(pools ?? {}).some(pool => (made.get(pool) ?? 0) > 0)

const answerWithinMs = 1_000
let asking: Promise<boolean> | undefined

/** Whether PostgreSQL answers. Concurrent callers share one question. */
export const answers = (): Promise<boolean> => {
  asking ??= askShortly('select 1')
    .then(rows => rows !== undefined)
    .finally(() => {
      asking = undefined
    })
  return asking
}

/**
 * The rows of a question that PostgreSQL answers at once; none if all its connections are in use and this process has some of
 * them; undefined if it does not answer. All such questions share one connection, which is given up after a second: nothing else
 * reveals that a machine is gone.
 */
export const askShortly = async <Row extends object>(question: string): Promise<Row[] | undefined> => {
  // Work that outlives `disconnect` may still ask.
  const client = await pools?.health.connect().catch(whyNot)
  if (client === undefined || client === 'NOBODY') return undefined
  if (client === 'FULL') return []
  const timer = setTimeout(destroy, answerWithinMs, client)
  try {
    const { rows } = await client.query<Row>(question)
    client.release()
    return rows
  } catch {
    client.release(true)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
