/**
 * Writes that many people want to make to one row at once, such as joins of a campaign that has just gone live: they take turns
 * in this process instead of each holding a connection while it waits for the row's lock (decision 071). For PostgreSQL each is a
 * statement of its own that commits by itself.
 */
import type pg from 'pg'
import { borrow } from './connections.ts'
import type { Work } from './limits.ts'
import { enter, leave, type Line, newLine, sendTogether, sweep, watch } from './lines.ts'
import type { Query } from './planning.ts'
import { giveBack, sendAlone } from './transaction.ts'

/** The most writes in one message. */
const together = 8
/** After a message with slower writes, the next has only one: whoever holds the row would otherwise hold up all of them. */
const quickMs = 20
/** What is sent by then can still fail clearly: PostgreSQL's own limit for a lock ends its wait within the time of its request. */
const patienceMs = 2_000

type Turns = Line & { row: string; isServed: boolean }

/** An array for the same reason as `waiting`; it has as many members as rows that are being written. */
const rows: Turns[] = []

/** Whether a write of the row is under way. */
export const isBeingWritten = (row: string): boolean => rows.some(one => one.row === row)

/** Sends a single-statement write when those before it, of the same `row`, have been answered. */
export const writeInTurn = (row: string, query: Query, work: Work): Promise<pg.QueryResult> => {
  let turns = rows.find(one => one.row === row)
  if (!turns) {
    turns = { ...newLine(() => patienceMs), row, isServed: false }
    rows.push(turns)
  }
  const answer = enter(turns, query, work)
  // The only one waits for nothing but a connection, for which there are limits.
  if (turns.isServed) watch(turns)
  else void serve(turns)
  return answer
}

const next = (line: Turns) => {
  sweep(line)
  return line.waiting[0]
}

const serve = async (line: Turns): Promise<void> => {
  line.isServed = true
  let most = 1
  for (let first = next(line); first; first = next(line)) {
    const client = await borrow(first.work).catch((error: unknown) => {
      // Unless it was removed from the line meanwhile.
      if (leave(line, first)) first.fail(error)
    })
    if (!client) continue
    const batch = line.waiting.splice(0, most)
    const sent = performance.now()
    await sendTogether(client, batch, (query, work) => sendAlone(client, query, work))
    giveBack(client)
    most = performance.now() - sent <= quickMs * batch.length ? Math.min(together, 2 * most) : 1
  }
  rows.splice(rows.indexOf(line), 1)
}
