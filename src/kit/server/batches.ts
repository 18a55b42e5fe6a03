/**
 * Works off due rows in batches, one transaction each. If a server dies, its batch is undone and nothing is lost, since the rows
 * are still due. Servers that work at the same time take different rows. A batch that fails is halved until the row that cannot
 * be done is alone and holds up no others.
 */
import pLimit from 'p-limit'
import type { Sql } from 'sql-template-tag'
import { empty, isUnavailable, join, sql, transact, type Tx } from './db.ts'

/** A due row; `at` is PostgreSQL's text, which is more precise than an instant. */
export type Due = { id: string; at: string }

/** Rows that others hold are skipped or waited for. */
export type Hold = 'SKIP' | 'WAIT'

/** Follows `for update` and other locking clauses. */
export const holding = (hold: Hold) => (hold === 'SKIP' ? sql`skip locked` : empty)

/**
 * The page after `after`, in the order of a column and the id; it follows `where` and ends the statement. `id` needs its table's
 * name where the statement selects the id as text, or PostgreSQL would order by that text.
 */
export const nextPage = (at: Sql, { after, limit }: Page, id: Sql = sql`id`): Sql => {
  const order = join([at, id])
  const beyond = after ? sql`and (${order}) > (${after.at}::timestamptz, ${after.id})` : empty
  return sql`${beyond} order by ${order} limit ${limit}`
}

export type Page = { after: Due | undefined; limit: number }

export type Batches<T extends Due> = {
  load: (page: Page) => Promise<T[]>
  /** What the rows of a group share and each batch has to write, such as their campaign; a group is done in one batch. */
  groupOf?: (due: T) => string
  /** Locks the rows, does those that are due now, and returns the ids of all that it could lock. */
  run: (tx: Tx, due: readonly T[], hold: Hold) => Promise<readonly string[]>
  atOnce?: number
}

/** Small enough that nobody waits long for one of its rows. */
const batchSize = 250

/** Batches under way at once: while one waits for the disk, another is read or written. */
const lanes = 2

/** Calls `task` in each lane; if one fails, throws only after all have ended. */
const inLanes = async (task: () => Promise<void>) => {
  const ends = await Promise.allSettled(Array.from({ length: lanes }, task))
  const failed = ends.find(end => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** Due rows are in order of time, so the rows of a group are gathered from this many. */
const groupedFrom = 20_000

/** At most `atOnce` rows per batch. Each group takes as few batches as possible, in the order in which the groups begin. */
const dividedBy = <T>(rows: readonly T[], groupOf: (row: T) => string, atOnce: number): T[][] => {
  const batches: T[][] = []
  for (const group of Map.groupBy(rows, groupOf).values()) {
    const last = batches.at(-1)
    if (last && last.length + group.length <= atOnce) last.push(...group)
    else for (let from = 0; from < group.length; from += atOnce) batches.push(group.slice(from, from + atOnce))
  }
  return batches
}

/** Hands out one batch at a time to whoever asks next, and an empty one at the end. */
const batchesOf = <T extends Due>({
  load,
  groupOf,
  atOnce,
}: Pick<Batches<T>, 'load' | 'groupOf'> & { atOnce: number }) => {
  const limit = groupOf ? groupedFrom : atOnce
  const loaded: T[][] = []
  let after: T | undefined
  let ended = false
  const next = async (): Promise<T[]> => {
    if (loaded.length === 0 && !ended) {
      const page = await load({ after, limit })
      after = page.at(-1)
      ended = page.length < limit
      loaded.push(...(groupOf ? dividedBy(page, groupOf, atOnce) : [page]))
    }
    return loaded.shift() ?? []
  }
  const inTurn = pLimit(1)
  return () => inTurn(next)
}

/** Does everything that is due when it begins; throws the errors of what failed at the end. */
export const inBatches = async <T extends Due>({
  load,
  groupOf,
  run,
  atOnce = batchSize,
}: Batches<T>): Promise<void> => {
  const errors: unknown[] = []
  let failed = 0
  /** Returns the rows that others hold. */
  const together = async (due: readonly T[], hold: Hold): Promise<T[]> => {
    try {
      const had = new Set(await transact(tx => run(tx, due, hold)))
      return due.filter(({ id }) => !had.has(id))
    } catch (error) {
      // If the database is out of reach, or somebody keeps a lock, halving would wait for each row.
      if (due.length > 1 && !isUnavailable(error)) {
        const half = Math.ceil(due.length / 2)
        return [...(await together(due.slice(0, half), hold)), ...(await together(due.slice(half), hold))]
      }
      errors.push(error)
      failed += due.length
      return []
    }
  }
  /** Returns the rows that others hold, including those of the other lane. */
  const inOnePass = async (next: () => Promise<readonly T[]>): Promise<T[]> => {
    const held: T[] = []
    await inLanes(async () => {
      for (let page = await next(); page.length > 0; page = await next()) held.push(...(await together(page, 'SKIP')))
    })
    return held
  }
  const next = batchesOf({ load, groupOf, atOnce })
  let seen = 0
  let held = await inOnePass(async () => {
    const batch = await next()
    seen += batch.length
    return batch
  })
  // By now most of these rows have been done by whoever held them, or are free.
  for (let before = Infinity; held.length > atOnce && held.length <= before / 2;) {
    const rest = held
    before = rest.length
    held = await inOnePass(async () => rest.splice(0, atOnce))
  }
  for (let from = 0; from < held.length; from += atOnce) await together(held.slice(from, from + atOnce), 'WAIT')
  if (errors.length > 0) throw new AggregateError(errors, `${failed} of ${seen} failed`)
}
