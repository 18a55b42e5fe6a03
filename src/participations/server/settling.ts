/**
 * Postpones the deadlines by the time during which the product was down or paused (decision 045). Stored deadlines are computed
 * anew by the rules, never added to, so that it does not matter how often a server dies meanwhile, or how many servers do it.
 * Until all are postponed, none falls due (`deadlines` in src/kit/server/downtimes.ts).
 */
import { clock } from '../../kit/clock.ts'
import { type Due, type Hold, inBatches, type Page } from '../../kit/server/batches.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { addMoved, setSettled, type Unsettled, unsettled } from '../../kit/server/downtimes.ts'
import { everyMinute, scheduled } from '../../kit/server/jobs.ts'
import { wakeAt } from '../deadlines.ts'
import { nextLook } from '../goodwill.ts'
import { setWakeAt } from './listing.queries.ts'
import * as queries from './settling.queries.ts'

type Deadlines = {
  /** What falls due after an instant, latest first: a postponed deadline is then behind those that are still to be read. */
  load: (from: string, page: Page) => Promise<Due[]>
  /** Resolves with those that it locked, and how many of them were postponed. */
  move: (tx: Tx, ids: readonly string[], hold: Hold, from: string) => Promise<{ held: string[]; moved: number }>
}

const later = <T extends { wakeAt: string }>(rows: readonly T[], at: (row: T) => string | null) =>
  rows.flatMap(row => {
    const moved = at(row)
    return moved !== null && moved > row.wakeAt ? [{ ...row, wakeAt: moved }] : []
  })

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Check-ins, opt-ins, NDAs, proofs, reviews, appeals, and waiting for the list, each with its warnings. */
const ofTests: Deadlines = {
  load: (from, page) => queries.testsAhead(autocommit, from, page),
  move: async (tx, testIds, hold) => {
    const rows = await queries.lockTestsAhead(tx, testIds, hold)
    const moved = later(rows, wakeAt)
    await setWakeAt(
      tx,
      moved.map(row => ({ id: row.id, at: row.wakeAt })),
    )
    return { held: ids(rows), moved: moved.length }
  },
}

/** The admins' decisions on appeals. */
const ofAppeals: Deadlines = {
  load: (from, page) => queries.appealsAhead(autocommit, from, page),
  move: async (tx, testIds, hold, from) => {
    const rows = await queries.lockAppealsAhead(tx, testIds, hold)
    const moved = later(rows, ({ appealedAt, downtimes }) => nextLook(appealedAt, from, downtimes))
    await queries.setLookAt(tx, moved)
    return { held: ids(rows), moved: moved.length }
  },
}

/** Seats that are held for a tester on a bench. */
const ofOffers: Deadlines = {
  load: (from, page) => queries.offersAhead(autocommit, from, page),
  move: async (tx, entryIds, hold) => {
    const held = await queries.lockOffersAhead(tx, entryIds, hold)
    return { held, moved: await queries.moveOffers(tx, held) }
  },
}

export const settleDowntimes = scheduled('participations.settle-downtimes', everyMinute, async () => {
  const settling = await unsettled(autocommit)
  if (settling.length === 0) return
  const from = settling.reduce((first, { startedAt }) => (startedAt < first ? startedAt : first), clock.now())
  for (const { load, move } of [ofTests, ofAppeals, ofOffers])
    await inBatches({
      load: page => load(from, page),
      run: async (tx, due, hold) => {
        const { held, moved } = await move(tx, ids(due), hold, from)
        await addMoved(tx, settling, moved)
        return held
      },
    })
  await transact(tx => settle(tx, settling))
})

/** Contests store no deadline: theirs is computed whenever it is needed. */
const settle = async (tx: Tx, settling: readonly Unsettled[]) => {
  const now = clock.now()
  for (const downtime of settling) {
    if ((await setSettled(tx, downtime, now)) === 1)
      await addMoved(tx, [downtime], await queries.contestsOpenSince(tx, downtime.endedAt))
  }
}
