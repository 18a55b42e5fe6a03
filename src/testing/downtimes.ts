/** Time in which no server ran, as a database and the next server find it. */
import { clock } from '../kit/clock.ts'
import { autocommit, sql } from '../kit/server/db.ts'
import { noteDowntime, startHeartbeat } from '../kit/server/heartbeat.ts'

/** Time goes by and no job runs. */
export const passUnseen = async (hours: number): Promise<void> => {
  const offsetMs = clock.offsetMs() + hours * 3_600_000
  await autocommit.run(sql`insert into test_clock (offset_ms) values (${offsetMs})
    on conflict (only_row) do update set offset_ms = excluded.offset_ms`)
  clock.setOffsetMs(offsetMs)
}

/** The last heartbeat of any server. */
export const lastBeatWas = async (hoursAgo: number): Promise<void> => {
  await autocommit.run(sql`insert into heartbeat (beat_at) values (clock_timestamp() - make_interval(secs => ${hoursAgo * 3600}))
    on conflict (only_row) do update set beat_at = excluded.beat_at`)
}

/** A server writes its first heartbeat. */
export const serve = async (): Promise<void> => {
  const stop = await startHeartbeat(error => {
    throw error
  })
  await stop()
}

/** All servers were off for so long; then one has started, and has run no job yet. */
export const downFor = async (hours: number): Promise<void> => {
  await passUnseen(hours)
  await lastBeatWas(hours)
  await noteDowntime()
  await serve()
  // Nobody beats in a test: its own real time is no downtime.
  await autocommit.run(sql`delete from heartbeat`)
}
