/**
 * Reads that find every connection of their pool taken wait in a line, and the next free connection takes several of them in one
 * message (decision 063). For PostgreSQL each is a statement of its own, with its own answer or error.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { borrow, openPools, poolFor, waitMsOf } from './connections.ts'
import { isOver, type PoolName, type Work } from './limits.ts'
import { enter, leave, type Line, newLine, sendTogether, type Waiting, watch } from './lines.ts'
import { type Query, setPlanning } from './planning.ts'
import { send } from './statement.ts'
import { giveBack, onConnection } from './transaction.ts'

/** The most reads that one connection takes: the last of them waits for all the others. */
const together = 8
/**
 * Only statements that usually take no longer than this wait in the line: behind a slower one, others would wait although
 * connections become free.
 */
const quickMs = 20
type PoolLine = Line & { pool: pg.Pool; isBorrowing: boolean }

const lines = new WeakMap<pg.Pool, PoolLine>()

const lineOf = (pool: pg.Pool): PoolLine => {
  let line = lines.get(pool)
  if (!line) {
    line = { ...newLine(work => (isTaken(pool) ? waitMsOf(work.pool) : Infinity)), pool, isBorrowing: false }
    lines.set(pool, line)
  }
  return line
}

/** How long each prepared statement takes, in milliseconds: a moving average in which recent runs count most. */
const usualMs = new Map<string, number>()

const isQuick = ({ name }: Query) => name !== undefined && (usualMs.get(name) ?? Infinity) <= quickMs

const took = ({ name }: Query, ms: number) => {
  if (name === undefined) return
  const before = usualMs.get(name)
  usualMs.set(name, before === undefined ? ms : before * 0.8 + ms * 0.2)
}

const isTaken = ({ idleCount, totalCount, options }: pg.Pool) => idleCount === 0 && totalCount >= options.max

/** Sends a read outside any transaction, on any connection. */
export const askRead = (query: Query, work: Work): Promise<pg.QueryResult> => {
  const pool = poolFor(work)
  const line = lineOf(pool)
  const mustWait = isTaken(pool) || line.waiting.length > 0
  if (mustWait && isQuick(query) && !isOver(work)) {
    const answer = enter(line, query, work)
    watch(line)
    void serve(line)
    return answer
  }
  return onConnection(work, async client => {
    const sent = performance.now()
    setPlanning(client, query.plannedEachTime === true)
    try {
      return await send(client, query, work)
    } finally {
      took(query, performance.now() - sent)
    }
  })
}

/**
 * The line takes one place in the pool's queue at a time, on behalf of its first read, and takes the next place once it has a
 * connection.
 */
const serve = async (line: PoolLine): Promise<void> => {
  const [first] = line.waiting
  if (!first || line.isBorrowing) return
  line.isBorrowing = true
  let client: pg.PoolClient | undefined
  try {
    client = await borrow(first.work)
    // Reads that arrive in this turn of the event loop come along.
    await nextTurn()
  } catch (error) {
    // Unless it was removed from the line meanwhile.
    if (leave(line, first)) first.fail(error)
  }
  line.isBorrowing = false
  const batch = client ? take(line) : []
  void serve(line)
  if (!client) return
  await sendReads(client, batch)
  giveBack(client)
}

/**
 * A fair share, since other connections become free as well. It is twice the even share: the first connections take more, which
 * wakes fewer processes (docs/performance.md).
 */
const take = ({ waiting, pool }: PoolLine): Waiting[] => {
  const share = Math.min(together, Math.ceil((2 * waiting.length) / pool.options.max))
  return waiting.splice(0, share)
}

const sendReads = (client: pg.PoolClient, batch: Waiting[]): Promise<void> => {
  let before = performance.now()
  const how = batch.length === 1 ? 'alone' : 'together'
  return sendTogether(
    client,
    batch,
    (query, work) => send(client, query, work, how),
    query => {
      const now = performance.now()
      took(query, now - before)
      before = now
    },
  )
}

/** How full each pool is. */
export const poolsInUse = (): { name: PoolName; busy: number; waiting: number; max: number }[] =>
  openPools().map(([name, pool]) => {
    const line = lines.get(pool)
    // The line's place in the pool's queue already counts as waiting.
    const inLine = line ? line.waiting.length - Number(line.isBorrowing) : 0
    return {
      name,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount + Math.max(0, inLine),
      max: pool.options.max,
    }
  })
