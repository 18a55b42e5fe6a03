/**
 * The test clock (product.md §9): moves the clock forward and runs what is due, so that a test can play through a campaign of 14
 * days. Mounted only with FIELDTEST_TEST_CLOCK=1, which production refuses.
 */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { clock } from '../../kit/clock.ts'
import { endpoints, type Handlers } from '../../kit/endpoint.ts'
import { Instant } from '../../kit/schemas.ts'
import { autocommit, sql } from '../../kit/server/db.ts'
import { mount } from '../../kit/server/http.ts'
import { onSignal } from '../../kit/server/signals.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import { bringJobsForward, runDueJobs, runScheduledJobs } from '../../kit/server/dueJobs.ts'

const testClockApi = endpoints({
  advance: {
    method: 'POST',
    path: '/test-clock',
    access: 'PUBLIC',
    summary: 'Move the clock forward. Responds once the jobs that became due have run.',
    body: z.object({
      advanceHours: z
        .number({ error: 'advanceHours must be a number' })
        .min(0, { error: 'The clock only goes forward' })
        .max(24 * 400, { error: 'At most 400 days at a time' }),
    }),
    reply: z.object({ now: Instant }),
  },
})

/** One advance at a time, so that each one's deadlines have run before the next begins. */
let queue: Promise<unknown> = Promise.resolve()

const handlers: Handlers<typeof testClockApi> = {
  advance: ({ body }) => {
    // Runs jobs, so it gets their limits instead of a request's.
    const advanced = queue.then(() => during(workOf('jobs', jobLimits), () => advanceClock(body.advanceHours)))
    queue = advanced.catch(() => undefined)
    return advanced
  },
}

const channel = 'test_clock'

/** Also used by the demo and by tests without HTTP. */
const advanceClock = async (hours: number): Promise<{ now: string }> => {
  const [present, more] = [clock.offsetMs(), Math.trunc(hours * 3_600_000)]
  // Another server may move it at the same time, so both moves are added.
  const { offsetMs } = await autocommit.one<{ offsetMs: number }>(
    sql`with moved as (
        insert into test_clock (offset_ms) values (${present + more}) on conflict (only_row)
          do update set offset_ms = greatest(test_clock.offset_ms, ${present}) + ${more} returning offset_ms)
      select offset_ms as "offsetMs", pg_notify(${channel}, '') from moved`,
    'Clock',
  )
  clock.setOffsetMs(offsetMs)
  await bringJobsForward(hours)
  await runScheduledJobs()
  await runDueJobs()
  return { now: clock.now() }
}

/** Prevents a restart from turning time back, and keeps servers in step. */
export const restoreClock = async (): Promise<void> => {
  const row = await autocommit.maybe<{ offsetMs: number }>(sql`select offset_ms as "offsetMs" from test_clock`)
  if (row && row.offsetMs > clock.offsetMs()) clock.setOffsetMs(row.offsetMs)
}

/** Follows other servers when they move the clock, until the function that it returns is called. */
export const followClock = (onError: (error: unknown) => void): (() => void) =>
  onSignal(channel, () => void restoreClock().catch(onError))

export const mountTestClock = (app: FastifyInstance): void => mount(app, 'testClock', testClockApi, handlers)
