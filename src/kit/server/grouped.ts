/**
 * Writes that many people make at once, each to rows of its own, such as joins of different campaigns. A few are made singly, each
 * at once. While these are under way, further ones wait for a moment, and one statement makes several of them, which costs
 * PostgreSQL a fraction of as many statements (decision 072).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { autocommit, isUnavailable } from './db.ts'
import { currentWork, during, requestLimits, type Work, workOf } from './limits.ts'
import { enter, type Line, newLine, sharesWrites, sweep, type Waiting, watch } from './lines.ts'
import { OutcomeUnknown } from './lost.ts'
import { later } from './positions.ts'
import { written } from './signals.ts'
import { traceStatement } from './tracing.ts'
import { isBeingWritten } from './turns.ts'

/** While fewer are made singly, and no statement for several is under way, nobody waits. */
const mostSingle = 2
/** Statements for several under way at once, and the most writes in each: the last of them waits for all the others. */
const mostStatements = 2
const together = 16
/** The longest wait, and the time that a statement has at least: a request with less than both left is made singly. */
const patienceMs = 2_000
const statementMs = 1_500

export type Grouping<Ask> = {
  /**
   * Makes those of the writes whose rows nobody else has locked, and returns a row with the id of each. It makes all of these or,
   * if it fails, none.
   */
  statement: (asks: readonly Ask[]) => Sql
  /** What a write is about: those that have something in common are never made together. */
  subjectsOf: (ask: Ask) => string[]
}

/** A write of its own, for whoever the statement for several leaves out; it may wait for locks, and can say what is wrong. */
type Single<Result> = () => Promise<Result>

const isOrdinary = ({ pool, limits }: Work) => pool === 'writes' && limits === requestLimits

/** Whether PostgreSQL has undone the statement, or never had it. */
const hasChangedNothing = (error: unknown) =>
  !(error instanceof OutcomeUnknown) && (error instanceof pg.DatabaseError || isUnavailable(error))

/** Outside a transaction. Resolves with the row of the statement for several, or with what `single` gives. */
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
    (singles >= mostSingle || statements > 0) &&
    isOrdinary(work) &&
    work.until - performance.now() > patienceMs + statementMs &&
    !subjects.some(isAsked)

  const next = () => {
    sweep(line)
    return line.waiting.splice(0, together)
  }

  const serve = async () => {
    if (statements >= mostStatements) return
    statements++
    // Writes that arrive in this turn of the event loop come along.
    await nextTurn()
    for (let batch = next(); batch.length > 0; batch = next()) await make(batch)
    statements--
  }

  /** Never fails. */
  const make = async (batch: readonly Waiting<Asked, Row | undefined>[]) => {
    const work = { ...workOf('writes', requestLimits), until: Math.min(...batch.map(one => one.work.until)) }
    const [sent] = await Promise.allSettled([asOneOf(batch, work)])
    for (const { work: own } of batch)
      if (work.position !== undefined) own.position = later(own.position, work.position)
    if (sent.status === 'fulfilled') {
      written(work.pool)
      for (const { what, answer } of batch) answer(sent.value.find(({ id }) => id === what.ask.id))
      return
    }
    for (const { answer, fail } of batch) {
      if (hasChangedNothing(sent.reason)) answer(undefined)
      else fail(sent.reason)
    }
  }

  /** The statement belongs to the request of the first, and to the trace of each. */
  const asOneOf = async (batch: readonly Waiting<Asked, Row | undefined>[], work: Work): Promise<Row[]> => {
    const [first, ...others] = batch
    const text = statement(batch.map(({ what }) => what.ask))
    const spans = others.map(({ request }) => request.runInAsyncScope(traceStatement, null, text))
    const rows = first!.request.runInAsyncScope(() => during(work, () => autocommit.rows<Row>(text)))
    const end = (error?: unknown) => {
      for (const endSpan of spans) endSpan?.(error)
    }
    rows.then(() => end(), end)
    return rows
  }

  const singly = async <Result>(single: Single<Result>) => {
    singles++
    try {
      return await single()
    } finally {
      singles--
    }
  }

  return async <Result>(ask: Ask, single: Single<Result>): Promise<Row | Result> => {
    if (!sharesWrites()) return single()
    const subjects = subjectsOf(ask)
    const work = currentWork()
    if (!mayWait(subjects, work)) return singly(single)
    const answer = enter(line, { ask, subjects }, work)
    watch(line)
    void serve()
    return (await answer) ?? singly(single)
  }
}
