/** Statements that wait before they are sent, and go several in one message (sharing.ts, turns.ts). */
import { AsyncResource } from 'node:async_hooks'
import type pg from 'pg'
import { outOfTime, streamOf } from './connections.ts'
import { CallerGone, isOver, type Work } from './limits.ts'
import { type Query, setPlanning } from './planning.ts'

const sweepEveryMs = 100

export type Waiting = {
  query: Query
  work: Work
  since: number
  answer: (result: pg.QueryResult) => void
  fail: (error: unknown) => void
  /** The caller's request, for example for its trace. AsyncLocalStorage.snapshot would take fifty times as long. */
  request: AsyncResource
}

/**
 * `waiting` is an array, because the outgrown tables of a set would keep finished statements alive (docs/performance.md, Finished
 * requests).
 */
export type Line = {
  waiting: Waiting[]
  /** How long a statement may wait at the moment, in milliseconds. */
  patienceMs: (work: Work) => number
  sweeping: NodeJS.Timeout | undefined
}

export const newLine = (patienceMs: Line['patienceMs']): Line => ({ waiting: [], patienceMs, sweeping: undefined })

/** Puts a statement at the end of the line; resolves with its answer. */
export const enter = (line: Line, query: Query, work: Work): Promise<pg.QueryResult> =>
  new Promise((answer, fail) => {
    line.waiting.push({ query, work, since: performance.now(), answer, fail, request: new AsyncResource('Waiting') })
  })

/** Ends the waits that last too long, until nobody waits. */
export const watch = (line: Line): void => {
  line.sweeping ??= setInterval(sweep, sweepEveryMs, line).unref()
}

/** Returns whether it was still in the line. */
export const leave = ({ waiting }: Line, one: Waiting): boolean => {
  const place = waiting.indexOf(one)
  if (place >= 0) waiting.splice(place, 1)
  return place >= 0
}

/** Ends the wait of statements whose caller has gone, whose time is over, or which have waited too long. */
export const sweep = (line: Line): void => {
  const now = performance.now()
  const isTooLate = ({ work, since }: Waiting) => isOver(work) || now - since > line.patienceMs(work)
  const over = line.waiting.filter(one => one.work.gone || isTooLate(one))
  for (const one of over) {
    leave(line, one)
    one.fail(one.work.gone ? new CallerGone() : outOfTime())
  }
  if (line.waiting.length > 0) return
  clearInterval(line.sweeping)
  line.sweeping = undefined
}

/** Sends all of them in one message; each gets its own answer or error. Resolves when all have theirs, and never fails. */
export const sendTogether = async (
  client: pg.PoolClient,
  batch: readonly Waiting[],
  send: (query: Query, work: Work) => Promise<pg.QueryResult>,
  answered: (query: Query) => void = () => undefined,
): Promise<void> => {
  const stream = streamOf(client)
  stream.cork()
  const answers = batch.map(async ({ query, work, answer, fail, request }) => {
    try {
      setPlanning(client, query.plannedEachTime === true)
      answer(await request.runInAsyncScope(send, null, query, work))
    } catch (error) {
      fail(error)
    } finally {
      answered(query)
    }
  })
  stream.uncork()
  await Promise.all(answers)
}
