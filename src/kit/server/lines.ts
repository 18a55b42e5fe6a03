/** What waits before it is sent, and goes with others (sharing.ts, turns.ts, grouped.ts). */
import { AsyncResource } from 'node:async_hooks'
import type pg from 'pg'
import { outOfTime, streamOf } from './connections.ts'
import { CallerGone, isOver, type Work } from './limits.ts'
import { type Query, setPlanning } from './planning.ts'

const sweepEveryMs = 100

export type Waiting<What = Query, Answer = pg.QueryResult> = {
  what: What
  work: Work
  since: number
  answer: (answer: Answer) => void
  fail: (error: unknown) => void
  /** The caller's request, for example for its trace. AsyncLocalStorage.snapshot would take fifty times as long. */
  request: AsyncResource
}

/**
 * `waiting` is an array, because the outgrown tables of a set would keep finished statements alive (docs/performance.md, Finished
 * requests).
 */
export type Line<What = Query, Answer = pg.QueryResult> = {
  waiting: Waiting<What, Answer>[]
  /** How long it may wait at the moment, in milliseconds. */
  patienceMs: (work: Work) => number
  sweeping: NodeJS.Timeout | undefined
}

export const newLine = <What, Answer>(patienceMs: (work: Work) => number): Line<What, Answer> => ({
  waiting: [],
  patienceMs,
  sweeping: undefined,
})

/** Puts it at the end of the line; resolves with its answer. */
export const enter = <What, Answer>(line: Line<What, Answer>, what: What, work: Work): Promise<Answer> =>
  new Promise((answer, fail) => {
    line.waiting.push({ what, work, since: performance.now(), answer, fail, request: new AsyncResource('Waiting') })
  })

/** Ends the waits that last too long, until nobody waits. */
export const watch = <What, Answer>(line: Line<What, Answer>): void => {
  line.sweeping ??= setInterval(() => sweep(line), sweepEveryMs).unref()
}

/** Returns whether it was still in the line. */
export const leave = <What, Answer>({ waiting }: Line<What, Answer>, one: Waiting<What, Answer>): boolean => {
  const place = waiting.indexOf(one)
  if (place >= 0) waiting.splice(place, 1)
  return place >= 0
}

/** Ends the wait of those whose caller has gone, whose time is over, or which have waited too long. */
export const sweep = <What, Answer>(line: Line<What, Answer>): void => {
  const now = performance.now()
  const isTooLate = ({ work, since }: Waiting<What, Answer>) => isOver(work) || now - since > line.patienceMs(work)
  const over = line.waiting.filter(one => one.work.gone || isTooLate(one))
  for (const one of over) {
    leave(line, one)
    one.fail(one.work.gone ? new CallerGone() : outOfTime())
  }
  if (line.waiting.length > 0) return
  clearInterval(line.sweeping)
  line.sweeping = undefined
}

let shared = true

/** Off where each write stands for a server of its own, which shares nothing with others (src/testing/model/gate.ts). */
export const shareWrites = (on: boolean): void => {
  shared = on
}

export const sharesWrites = (): boolean => shared

/** Sends all of them in one message; each gets its own answer or error. Resolves when all have theirs, and never fails. */
export const sendTogether = async (
  client: pg.PoolClient,
  batch: readonly Waiting[],
  send: (query: Query, work: Work) => Promise<pg.QueryResult>,
  answered: (query: Query) => void = () => undefined,
): Promise<void> => {
  const stream = streamOf(client)
  stream.cork()
  const answers = batch.map(async ({ what: query, work, answer, fail, request }) => {
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
