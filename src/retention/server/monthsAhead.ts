/**
 * Creates the partitions of the coming months. Rows of a month without a partition go into the last one, which is open-ended, so
 * nothing fails at the end of a month. A default partition would not help: while one exists, no partition can be detached
 * concurrently.
 */
import { clock, type Day, type Instant, monthsAfter } from '../../kit/clock.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { scheduled } from '../../kit/server/jobs.ts'
import { asOwnerOfTables } from './asOwnerOfTables.ts'
import { untilFree } from './untilFree.ts'
import * as queries from './queries.ts'

const monthsAhead = 3

/** The first day of the month, in UTC. */
const firstOf = (instant: Instant): Day => `${instant.slice(0, 7)}-01`
const monthAfter = (day: Day): Day => firstOf(monthsAfter(`${day.slice(0, 7)}-01T00:00:00.000Z`, 1))

const lastOf = async (tx: Tx, table: queries.Partitioned) => {
  const later = (await queries.partitionsOf(tx, table)).find(({ until }) => until === null)
  if (!later?.from) throw new Error(`${table} has no last partition`)
  return { name: later.name, from: later.from }
}

export const makePartitions = scheduled(
  'retention.make-partitions',
  '7 2 * * *',
  asOwnerOfTables(async () => {
    const until = firstOf(monthsAfter(`${firstOf(clock.now())}T00:00:00.000Z`, monthsAhead + 1))
    for (const table of Object.keys(queries.partitioned) as queries.Partitioned[]) await makeMonths(table, until)
  }),
  { neverPaused: true },
)

/** If several servers run it at once, the later ones find nothing left to do. */
const makeMonths = async (table: queries.Partitioned, until: Day): Promise<void> => {
  const isDone = async (tx: Tx) => (await lastOf(tx, table)).from >= until
  while (!(await transact(isDone))) {
    await untilFree(() =>
      transact(async tx => {
        await queries.holdTable(tx, table)
        if (!(await isDone(tx))) await makeSome(tx, table, until)
      }),
    )
  }
}

/**
 * Cuts months off the last partition. If it has rows already, because nobody has created months for a long time, it becomes the
 * partition of all months up to its newest row, without moving any row, and a new last one follows.
 */
const makeSome = async (tx: Tx, table: queries.Partitioned, until: Day): Promise<void> => {
  const { name, from } = await lastOf(tx, table)
  const newest = await queries.newestDay(tx, table, name)
  await queries.detach(tx, table, name)
  if (newest !== null) {
    const end = monthAfter(newest)
    const month = queries.monthName(table, from)
    await queries.rename(tx, name, month)
    await queries.attach(tx, table, month, { from, until: end })
    await queries.makePartition(tx, table, name, { from: end, until: null })
    return
  }
  for (let month = from; month < until; month = monthAfter(month)) {
    await queries.makePartition(tx, table, queries.monthName(table, month), { from: month, until: monthAfter(month) })
  }
  await queries.attach(tx, table, name, { from: until, until: null })
}
