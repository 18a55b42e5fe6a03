/** Runs jobs without workers until none is due, for the test clock, the demo and tests. */
import { setTimeout as wait } from 'node:timers/promises'
import { DomainError } from '../errors.ts'
import { autocommit, sql } from './db.ts'
import { fateUnder, pauseNow, runAndSettle } from './jobRuns.ts'
import { type AnyJob, currentBoss, currentJobs, heartbeatSeconds } from './jobs.ts'

/** Brings every waiting job `hours` forward, as the test clock does. */
export const bringJobsForward = async (hours: number): Promise<void> => {
  await autocommit.run(sql`
    update pgboss.job set start_after = start_after - make_interval(secs => ${hours * 3600})
    where state in ('created', 'retry')`)
}

/** Runs every scheduled job once, as its schedule would. */
export const runScheduledJobs = async (): Promise<void> => {
  const pause = await pauseNow()
  for (const job of currentJobs()) if (job.cron && !job.timeless && fateUnder(pause, job) === 'RUN') await job.run({})
}

/** Longer than it takes to notice that a job's server is dead. */
const busyWaitMs = 45_000

const stillHeld = () =>
  new DomainError('UNAVAILABLE', 'Another server is still running jobs that are due. Try again in a moment.', {
    retryAfterSeconds: 5,
  })

/**
 * Runs all due jobs, including those that a dead server left and those that these jobs enqueue, until none but paused ones is due
 * or running. UNAVAILABLE if others hold one for longer than `waitMs`.
 */
export const runDueJobs = async ({ waitMs = busyWaitMs } = {}): Promise<void> => {
  const jobs = currentJobs()
  const names = jobs.map(job => job.name)
  let idleSince = performance.now()
  for (;;) {
    await bringLostBack(names)
    let ran = 0
    const pause = await pauseNow()
    const running = jobs.filter(job => fateUnder(pause, job) !== 'WAIT')
    for (let next = await firstDue(running, 0); next < running.length; next = await firstDue(running, next + 1))
      ran += await takeAndRun(running[next]!)
    if (ran > 0) {
      idleSince = performance.now()
      continue
    }
    // A worker of this or another server may be running the last ones.
    const busy = await autocommit.maybe(sql`
      select from pgboss.job where name = any(${names}) and (state = 'active' or (name = any(${running.map(job => job.name)})
        and state in ('created', 'retry') and start_after <= now())) limit 1`)
    if (!busy) return
    if (performance.now() - idleSince >= waitMs) throw stillHeld()
    await wait(20)
  }
}

/**
 * The index of the first job from `start` on that is due, or the number of jobs. Asks all queues at once, since most are empty.
 */
const firstDue = async (jobs: readonly AnyJob[], start: number): Promise<number> => {
  const names = jobs.slice(start).map(job => job.name)
  const due = await autocommit.rows<{ name: string }>(sql`select distinct name from pgboss.job
    where name = any(${names}) and state in ('created', 'retry') and start_after <= now()`)
  const place = names.findIndex(name => due.some(row => row.name === name))
  return place < 0 ? jobs.length : start + place
}

/** What pg-boss writes on a job when it gives up its process. */
const givenUp = ['job heartbeat timeout', 'job timed out']

/** Makes the jobs of dead servers due now, without pg-boss's pause before a retry. */
const bringLostBack = (names: readonly string[]) =>
  autocommit.run(sql`
    update pgboss.job set state = 'retry', start_after = now() where name = any(${names}) and (
      (state = 'active' and heartbeat_on + heartbeat_seconds * interval '1 second' < now())
      or (state = 'retry' and start_after > now() and output->'value'->>'message' = any(${givenUp})))`)

const takeAndRun = async (job: AnyJob): Promise<number> => {
  const current = currentBoss()
  const batch = await current.fetch<object>(job.name, { batchSize: job.atOnce ?? 1 })
  if (batch.length === 0) return 0
  const held = batch.map(({ id, retryCount }) => ({ id, retryCount }))
  const touch = () => void current.touch(job.name, held).catch(() => undefined)
  const heartbeat = setInterval(touch, (heartbeatSeconds * 1000) / 2)
  try {
    await runAndSettle(current, job, batch, { onError: () => undefined, onPaused: () => undefined })
  } finally {
    clearInterval(heartbeat)
  }
  return batch.length
}
