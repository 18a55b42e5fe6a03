/**
 * What deadlines need to know about the times when the product was down or paused (decision 045): statements carry these times,
 * and no deadline falls due until all have been moved by them.
 */
import type { Sql } from 'sql-template-tag'
import { type Batches, type Due, inBatches } from './batches.ts'
import { autocommit, sql, type Tx } from './db.ts'
import { everyMinute, type Job, scheduled } from './jobs.ts'
import { instantText } from './json.ts'

/** The downtimes that ended after an instant, as JSON of `Downtime`. One that still goes on counts as ended now. */
export const downtimesSince = (instant: Sql): Sql =>
  sql`(select coalesce(json_agg(json_build_object('from', ${instantText(sql`s.started_at`)}, 'to', ${instantText(sql`s.ended_at`)})), '[]')
    from stoppages s where s.until > ${instant})`

/**
 * True while the product is paused, while some deadlines have not been moved for a downtime yet, and if the last heartbeat is so
 * old that a downtime is about to be found.
 */
const standStill = (tx: Tx): Promise<boolean> =>
  tx.value(sql`select exists (select from downtimes where settled_at is null)
    or coalesce((select beat_at from heartbeat where only_row) < clock_timestamp() - interval '2 minutes', false)`)

/** A scheduled job for people's deadlines: none falls due before it has been moved. */
export const deadlines = <T extends Due>(name: string, ...batches: (() => Batches<T>)[]): Job<object> =>
  scheduled(name, everyMinute, async () => {
    if (await standStill(autocommit)) return
    for (const each of batches) {
      const { run, ...more } = each()
      // A laptop may have slept since the batch was loaded.
      await inBatches({ ...more, run: async (tx, due, hold) => ((await standStill(tx)) ? [] : run(tx, due, hold)) })
    }
  })

export type Unsettled = { id: number; startedAt: string; endedAt: string }

/** Ended, but some deadlines have not been moved for it yet. */
export const unsettled = (tx: Tx): Promise<Unsettled[]> =>
  tx.rows(sql`select id, started_at as "startedAt", ended_at as "endedAt" from downtimes
    where settled_at is null and ended_at is not null order by id`)

/** Runs in the transaction that moved the deadlines. */
export const addMoved = async (tx: Tx, settling: readonly Unsettled[], moved: number): Promise<void> => {
  if (moved === 0) return
  await tx.run(sql`update downtimes set moved = moved + ${moved} where id = any(${settling.map(({ id }) => id)})`)
}

/** Does nothing if the downtime was found to be longer meanwhile. */
export const setSettled = (tx: Tx, { id, endedAt }: Unsettled, now: string): Promise<number> =>
  tx.run(
    sql`update downtimes set settled_at = ${now} where id = ${id} and settled_at is null and ended_at <= ${endedAt}`,
  )
