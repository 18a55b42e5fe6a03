/** Time in which no server ran, as the database and the next server see it. */
import { clock } from '../kit/clock.ts'
import { autocommit, sql } from '../kit/server/db.ts'
import { noteDowntime, startHeartbeat } from '../kit/server/heartbeat.ts'

/** Moves the clock without running jobs. */
export const passUnseen = async (hours: number): Promise<void> => {
  const offsetMs = clock.offsetMs() + hours * 3_600_000
  await autocommit.run(sql`insert into test_clock (offset_ms) values (${offsetMs})
    on conflict (only_row) do update set offset_ms = excluded.offset_ms`)
  clock.setOffsetMs(offsetMs)
}

/** Sets how long ago any server wrote the last heartbeat. */
export const lastBeatWas = async (hoursAgo: number): Promise<void> => {
  await autocommit.run(sql`insert into heartbeat (beat_at) values (clock_timestamp() - make_interval(secs => ${hoursAgo * 3600}))
    on conflict (only_row) do update set beat_at = excluded.beat_at`)
}

/** A server starts, writes its first heartbeat and stops. */
export const serve = async (): Promise<void> => {
  const stop = await startHeartbeat(error => {
    throw error
  })
  await stop()
}

/** All servers were off for so long; then one has started, and has not run any job yet. */
export const downFor = async (hours: number): Promise<void> => {
  await passUnseen(hours)
  await lastBeatWas(hours)
  await noteDowntime()
  await serve()
  // A test's application writes no heartbeats, so from here on the test's own running time would count as downtime.
  await autocommit.run(sql`delete from heartbeat`)
}
