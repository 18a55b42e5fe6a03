/**
 * Works off what is due in batches, each of them a transaction. A server that dies undoes its batch, and loses nothing:
 * the rest is still due. Servers that work at once take different rows. A batch that fails is halved until the row that
 * cannot be done is alone, so that it holds up no other.
 */
import pLimit from 'p-limit'
import type { Sql } from 'sql-template-tag'
import { empty, isUnavailable, join, sql, transact, type Tx } from './db.ts'

/** A row that is due; `at` as PostgreSQL writes it, which is more exact than an instant. */
export type Due = { id: string; at: string }

/** Rows that others hold are left out, or waited for. */
export type Hold = 'SKIP' | 'WAIT'

/** To follow `for update` and the like. */
export const holding = (hold: Hold) => (hold === 'SKIP' ? sql`skip locked` : empty)

/**
 * The page after `after` in the order of a column and the id: to follow `where`, and to end the statement. `id` names its table where the
 * statement selects the id as a text, which PostgreSQL would order by.
 */
export const nextPage = (at: Sql, { after, limit }: Page, id: Sql = sql`id`): Sql => {
  const order = join([at, id])
  const beyond = after ? sql`and (${order}) > (${after.at}::timestamptz, ${after.id})` : empty
  return sql`${beyond} order by ${order} limit ${limit}`
}

export type Page = { after: Due | undefined; limit: number }

export type Batches<T extends Due> = {
  load: (page: Page) => Promise<T[]>
  /** What rows share that each batch has to write, such as their campaign: they are done in one batch. */
  groupOf?: (due: T) => string
  /** Locks them, does what is due now, and answers the ids of those that it had. */
  run: (tx: Tx, due: readonly T[], hold: Hold) => Promise<readonly string[]>
  atOnce?: number
}

/** Few enough that nobody waits long for a row of it. */
const batchSize = 250

/** Batches under way at once: while one waits for the disk, another is read or written. */
const lanes = 2

/** Calls `task` in each lane, and fails once all have ended. */
const inLanes = async (task: () => Promise<void>) => {
  const ends = await Promise.allSettled(Array.from({ length: lanes }, task))
  const failed = ends.find(end => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** What is due lies in the order of its time, so the rows of one group are looked for among so many. */
const groupedFrom = 20_000

/** At most `atOnce` rows each, and a group in as few as it takes, in the order in which the groups begin. */
const dividedBy = <T>(rows: readonly T[], groupOf: (row: T) => string, atOnce: number): T[][] => {
  const batches: T[][] = []
  for (const group of Map.groupBy(rows, groupOf).values()) {
    const last = batches.at(-1)
    if (last && last.length + group.length <= atOnce) last.push(...group)
    else for (let from = 0; from < group.length; from += atOnce) batches.push(group.slice(from, from + atOnce))
  }
  return batches
}

/** One batch after the other, each given to whoever asks next; an empty one at the end. */
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

/** Does everything that is due when it begins; fails at the end, with what could not be done. */
export const inBatches = async <T extends Due>({
  load,
  groupOf,
  run,
  atOnce = batchSize,
}: Batches<T>): Promise<void> => {
  const errors: unknown[] = []
  let failed = 0
  /** Gives those that others hold. */
  const together = async (due: readonly T[], hold: Hold): Promise<T[]> => {
    try {
      const had = new Set(await transact(tx => run(tx, due, hold)))
      return due.filter(({ id }) => !had.has(id))
    } catch (error) {
      // Of a database that is out of reach, or of a lock that somebody keeps, each row would have to be waited for.
      if (due.length > 1 && !isUnavailable(error)) {
        const half = Math.ceil(due.length / 2)
        return [...(await together(due.slice(0, half), hold)), ...(await together(due.slice(half), hold))]
      }
      errors.push(error)
      failed += due.length
      return []
    }
  }
  /** Gives those that others hold, the lanes among themselves as well. */
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
  // By now most of it is done by those who held it, or is free.
  for (let before = Infinity; held.length > atOnce && held.length <= before / 2;) {
    const rest = held
    before = rest.length
    held = await inOnePass(async () => rest.splice(0, atOnce))
  }
  for (let from = 0; from < held.length; from += atOnce) await together(held.slice(from, from + atOnce), 'WAIT')
  if (errors.length > 0) throw new AggregateError(errors, `${failed} of ${seen} failed`)
}
