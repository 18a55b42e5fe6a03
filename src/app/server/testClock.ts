/**
 * The test clock (product.md §9): moves the clock forward and runs what falls due, so that a test can play through a
 * campaign of 14 days. Mounted only with FIELDTEST_TEST_CLOCK=1, which production refuses.
 */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { clock } from '../../kit/clock.ts'
import { endpoints, type Handlers } from '../../kit/endpoint.ts'
import { Instant } from '../../kit/schemas.ts'
import { autocommit, sql } from '../../kit/server/db.ts'
import { mount } from '../../kit/server/http.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import { bringJobsForward, runDueJobs, runScheduledJobs } from '../../kit/server/jobs.ts'

const testClockApi = endpoints({
  advance: {
    method: 'POST',
    path: '/test-clock',
    access: 'PUBLIC',
    summary: 'Move the clock forward; answers once the jobs that fell due have run.',
    body: z.object({
      advanceHours: z
        .number({ error: 'advanceHours must be a number' })
        .min(0, { error: 'The clock only goes forward' })
        .max(24 * 400, { error: 'At most 400 days at a time' }),
    }),
    reply: z.object({ now: Instant }),
  },
})

/** One advance at a time: each one runs its deadlines before the next begins. */
let queue: Promise<unknown> = Promise.resolve()

const handlers: Handlers<typeof testClockApi> = {
  advance: ({ body }) => {
    // It runs jobs, within their limits rather than a request's.
    const advanced = queue.then(() => during(workOf('jobs', jobLimits), () => advanceClock(body.advanceHours)))
    queue = advanced.catch(() => undefined)
    return advanced
  },
}

/** Also for the demo and for tests without HTTP. */
const advanceClock = async (hours: number): Promise<{ now: string }> => {
  const offsetMs = clock.offsetMs() + Math.trunc(hours * 3_600_000)
  await autocommit.run(sql`insert into test_clock (offset_ms) values (${offsetMs})
    on conflict (only_row) do update set offset_ms = excluded.offset_ms`)
  clock.setOffsetMs(offsetMs)
  await bringJobsForward(hours)
  await runScheduledJobs()
  await runDueJobs()
  return { now: clock.now() }
}

/** Keeps a restart from turning time back. */
export const restoreClock = async (): Promise<void> => {
  const row = await autocommit.maybe<{ offsetMs: number }>(sql`select offset_ms as "offsetMs" from test_clock`)
  if (row) clock.setOffsetMs(row.offsetMs)
}

export const mountTestClock = (app: FastifyInstance): void => mount(app, 'testClock', testClockApi, handlers)
