/**
 * Every server writes a heartbeat, so the next one to start can tell how long none ran (decision 045). The times are
 * PostgreSQL's, without the test clock's offset, because the clocks of servers differ.
 */
import { uptime } from 'node:os'
import { clock } from '../clock.ts'
import { autocommit, sql } from './db.ts'
import { during, requestLimits, workOf } from './limits.ts'

const beatSeconds = 5

/** By the machine's own clock, which nobody sets and which goes on while it sleeps. A second is added for rounding. */
const silenceSince = (beatAt: number | null) => (beatAt === null ? null : Math.max(0, uptime() - beatAt) + 1)

const beat = (silentSeconds: number | null, serves: boolean): Promise<boolean> =>
  during(workOf('health', requestLimits), () =>
    autocommit.value(sql`select beat(${silentSeconds}::float8, ${clock.offsetMs()}, ${serves})`),
  )

/** Runs before the first job and the first request: deadlines that passed while no server ran have to be moved first. */
export const noteDowntime = (): Promise<boolean> => beat(null, false)

/** Resolves with the function that stops it. */
export const startHeartbeat = async (onError: (error: unknown) => void): Promise<() => Promise<void>> => {
  let beatAt: number | null = null
  let last: Promise<unknown> = Promise.resolve()
  const write = async () => {
    await beat(silenceSince(beatAt), true)
    beatAt = uptime()
  }
  await write().catch(onError)
  let writing = false
  const timer = setInterval(() => {
    if (writing) return
    writing = true
    last = write()
      .catch(onError)
      .finally(() => (writing = false))
  }, beatSeconds * 1000)
  return async () => {
    clearInterval(timer)
    await last
  }
}
