/**
 * Writes that many people make at once, each to rows of its own, such as joins of different campaigns. A few are made singly, each
 * at once. While these are under way, further ones wait for a moment, and one statement makes several of them, which costs
 * PostgreSQL a fraction of as many statements (decision 072).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from 'sql-template-tag'
import { autocommit } from './db.ts'
import { currentWork, during, requestLimits, type Work, workOf } from './limits.ts'
import { enter, type Line, newLine, sharesWrites, type Waiting, watch } from './lines.ts'
import { OutcomeUnknown } from './lost.ts'
import { later } from './positions.ts'
import { written } from './signals.ts'
import { traceStatement } from './tracing.ts'
import { isBeingWritten } from './turns.ts'

/** While fewer are made singly, nobody waits. */
const mostSingle = 2
/** Statements for several under way at once, and the most writes in each: the last of them waits for all the others. */
const mostStatements = 2
const together = 16
/** What is sent by then can still be answered within the time of its request. */
const patienceMs = 2_000

export type Grouping<Ask> = {
  /**
   * Makes those of the writes that wait for nobody's lock, and returns a row with the id of each. It writes all of these or, if it
   * fails, none.
   */
  statement: (asks: readonly Ask[]) => Sql
  /** What a write is about: those that have something in common are never made together. */
  subjectsOf: (ask: Ask) => string[]
}

/** A write of its own, for whoever the statement for several leaves out; it may wait for locks, and can say what is wrong. */
type Single<Result> = () => Promise<Result>

const isOrdinary = ({ pool, limits }: Work) => pool === 'writes' && limits === requestLimits

/** Outside a transaction. Resolves with the row of the write, whichever statement made it. */
export const grouped = <Ask extends { id: string }, Row extends { id: string }>({
  statement,
  subjectsOf,
}: Grouping<Ask>) => {
  type Asked = { ask: Ask; subjects: readonly string[] }
  const line: Line<Asked, Row | undefined> = newLine(() => patienceMs)
  let singles = 0
  let statements = 0

  const isAsked = (subject: string) =>
    line.waiting.some(({ what }) => what.subjects.includes(subject)) || isBeingWritten(subject)

  const mayWait = (subjects: readonly string[], work: Work) =>
    (singles >= mostSingle || statements > 0) && sharesWrites() && isOrdinary(work) && !subjects.some(isAsked)

  const serve = async () => {
    if (statements >= mostStatements) return
    statements++
    // Writes that arrive in this turn of the event loop come along.
    await nextTurn()
    while (line.waiting.length > 0) {
      await make(line.waiting.splice(0, together))
    }
    statements--
  }

  /** Never fails. */
  const make = async (batch: readonly Waiting<Asked, Row | undefined>[]) => {
    const asks = batch.map(({ what }) => what.ask)
    const work = { ...workOf('writes', requestLimits), until: Math.min(...batch.map(one => one.work.until)) }
    try {
      const rows = await asOneOf(batch, statement(asks), work)
      written(work.pool)
      for (const { what, answer, work: own } of batch) {
        if (work.position !== undefined) own.position = later(own.position, work.position)
        answer(rows.find(({ id }) => id === what.ask.id))
      }
    } catch (error) {
      for (const { answer, fail } of batch) {
        if (error instanceof OutcomeUnknown) fail(error)
        // PostgreSQL has kept nothing: each is tried singly.
        else answer(undefined)
      }
    }
  }

  /** The statement belongs to the request of the first, and to the trace of each. */
  const asOneOf = async (
    [first, ...others]: readonly Waiting<Asked, Row | undefined>[],
    text: Sql,
    work: Work,
  ): Promise<Row[]> => {
    const spans = others.map(({ request }) => request.runInAsyncScope(traceStatement, null, text))
    const rows = first!.request.runInAsyncScope(() => during(work, () => autocommit.rows<Row>(text)))
    const end = (error?: unknown) => {
      for (const endSpan of spans) endSpan?.(error)
    }
    rows.then(() => end(), end)
    return rows
  }

  return async <Result>(ask: Ask, single: Single<Result>): Promise<Row | Result> => {
    const subjects = subjectsOf(ask)
    const work = currentWork()
    if (mayWait(subjects, work)) {
      const answer = enter(line, { ask, subjects }, work)
      watch(line)
      void serve()
      return (await answer) ?? single()
    }
    singles++
    try {
      return await single()
    } finally {
      singles--
    }
  }
}
