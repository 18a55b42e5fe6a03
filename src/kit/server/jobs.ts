/**
 * Jobs on PostgreSQL (pg-boss). A job is enqueued in the transaction that causes it, so that neither exists without the
 * other. It may run more than once, so every job is idempotent.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Job as BossJob, type JobResult, PgBoss } from 'pg-boss'
import { DomainError } from '../errors.ts'
import { autocommit, onQueue, sql, type Tx } from './db.ts'

export type Job<Data extends object> = {
  name: string
  run: (input: Data) => Promise<void>
  /** A try that takes longer counts as failed and is made again while the first may go on: be generous. */
  expireMinutes: number
  /** How many of them one process takes and runs at once, and looks for more at once after so many; 1 without it. */
  atOnce?: number
  /** Also runs on this cron schedule (UTC). */
  cron?: string
  /** False for a schedule whose next run makes up for a failed one: its failures would pile up. */
  retried?: boolean
  /** True for what no time makes due: the test clock leaves it out. */
  timeless?: boolean
}

/** A job that looks for itself what is due; its next run makes up for a failed one. */
export const scheduled = (name: string, cron: string, run: () => Promise<void>): Job<object> => ({
  name,
  cron,
  expireMinutes: 120,
  retried: false,
  run,
})

export const everyMinute = '* * * * *'

/** Retries of a failing job, with exponential backoff: about two days in all. */
const retries = { retryLimit: 16, retryDelay: 2, retryBackoff: true, retryDelayMax: 6 * 3600 }

/** A job whose process has not been heard of for so long is lost and goes to another. pg-boss’s minimum. */
const heartbeatSeconds = 10
/** How often the servers look for lost and expired jobs. */
const superviseSeconds = 5

const queueOf = ({ expireMinutes, retried = true }: AnyJob) => ({
  ...retries,
  ...(!retried && { retryLimit: 0 }),
  expireInSeconds: expireMinutes * 60,
  heartbeatSeconds,
})

// oxlint-disable-next-line typescript/no-explicit-any -- a list of jobs with different inputs
export type AnyJob = Job<any>
type Fetched = Pick<BossJob<object>, 'id' | 'data' | 'retryCount'>

let boss: PgBoss | undefined
let jobs: readonly AnyJob[] = []

const currentBoss = () => {
  if (!boss) throw new Error('startJobs() first')
  return boss
}

export type JobOptions = {
  onError: (error: unknown, jobName?: string) => void
  /** False: jobs only run through `runDueJobs` (tests, demo). */
  work: boolean
  /** How often an idle queue is looked into. */
  pollSeconds?: number
}

/** Makes the queues, or brings them up to date, and with `work` starts the workers. */
export const startJobs = async (
  all: readonly AnyJob[],
  { onError, work, pollSeconds = 1 }: JobOptions,
): Promise<void> => {
  jobs = all
  const working = new PgBoss({
    db: { executeSql: (text, values) => onQueue(text, values) },
    supervise: work,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    schedule: work,
    monitorVacuum: false,
    reindex: false,
  })
  boss = working
  working.on('error', error => onError(error))
  await working.start()
  await makeQueues(working, all)
  if (!work) return
  for (const job of all) {
    if (job.cron) await working.schedule(job.name, job.cron, {}, { singletonKey: job.name })
    const { atOnce = 1 } = job
    const polling = { pollingIntervalSeconds: pollSeconds, batchSize: atOnce, burstWhenBatchFull: atOnce > 1 }
    await working.work(job.name, { ...polling, perJobResults: true }, (batch: BossJob<object>[]) =>
      runAndSettle(working, job, batch, error => onError(error, job.name)),
    )
  }
}

/** Queues of an earlier version get today’s settings, and so do the jobs that wait in them. */
const makeQueues = async (on: PgBoss, all: readonly AnyJob[]) => {
  const existing = new Map((await on.getQueues()).map(queue => [queue.name, queue]))
  for (const job of all) {
    const queue = queueOf(job)
    const found = existing.get(job.name)
    existing.delete(job.name)
    if (!found) await on.createQueue(job.name, queue)
    else if (!isDeepStrictEqual({ ...found, ...queue }, found)) {
      await on.updateQueue(job.name, queue)
      await autocommit.run(sql`update pgboss.job set heartbeat_seconds = ${queue.heartbeatSeconds},
          expire_seconds = ${queue.expireInSeconds}, retry_limit = ${queue.retryLimit}
        where name = ${job.name} and state in ('created', 'retry')`)
    }
  }
  // pg-boss’s own, which sends what is scheduled, and queues of another version.
  for (const other of existing.values())
    if (other.heartbeatSeconds !== heartbeatSeconds) await on.updateQueue(other.name, { heartbeatSeconds })
}

type Attempt = Pick<Fetched, 'id' | 'retryCount'>

/** Those that end while others are being recorded are recorded together: a statement for some rather than for each. */
const completing = (on: PgBoss, name: string, onError: (error: unknown) => void) => {
  let ended: Attempt[] = []
  let recording: Promise<unknown> = Promise.resolve()
  const recordAll = async () => {
    const all = ended
    ended = []
    if (all.length > 0) await on.complete(name, all).catch(onError)
  }
  return (attempt: Attempt): Promise<unknown> => {
    ended.push(attempt)
    recording = recording.then(recordAll)
    return recording
  }
}

/**
 * Runs a batch and records each result as it comes, so that neither a failure nor the death of the process repeats the
 * others. The worker records the same results again, should this fail.
 */
const runAndSettle = (
  on: PgBoss,
  job: AnyJob,
  batch: readonly Fetched[],
  onError: (error: unknown) => void,
): Promise<JobResult[]> => {
  const complete = completing(on, job.name, onError)
  const runOne = async ({ id, data: input, retryCount }: Fetched): Promise<JobResult> => {
    try {
      await job.run(input)
    } catch (error) {
      onError(error)
      const output = { message: error instanceof Error ? error.message : String(error) }
      await on.fail(job.name, { id, retryCount }, output).catch(onError)
      return { id, status: 'failed', output }
    }
    await complete({ id, retryCount })
    return { id, status: 'completed' }
  }
  return Promise.all(batch.map(runOne))
}

/** Waits for running jobs, at most `timeoutMs`; until they end, they can enqueue others. */
export const stopJobs = async (timeoutMs = 5000): Promise<void> => {
  await boss?.stop({ graceful: true, timeout: timeoutMs })
  boss = undefined
}

/** Enqueues in the caller's transaction; the job runs `afterSeconds` later at the earliest. */
export const enqueue = async <Data extends object>(
  tx: Tx,
  job: Pick<Job<Data>, 'name'>,
  input: Data,
  { afterSeconds = 0 } = {},
): Promise<void> => {
  await currentBoss().send(job.name, input, {
    db: { executeSql: (text, values) => tx.raw(text, values) as Promise<{ rows: unknown[] }> },
    ...(afterSeconds > 0 && { startAfter: afterSeconds }),
  })
}

/** Many jobs of one kind in one statement, in the caller's transaction. */
export const enqueueMany = async <Data extends object>(
  tx: Tx,
  job: Pick<Job<Data>, 'name'>,
  inputs: readonly Data[],
  { afterSeconds = 0 } = {},
): Promise<void> => {
  if (inputs.length === 0) return
  const when = { ...(afterSeconds > 0 && { startAfter: afterSeconds }) }
  await currentBoss().insert(
    job.name,
    inputs.map(data => ({ data, ...when })),
    { db: { executeSql: (text, values) => tx.raw(text, values) as Promise<{ rows: unknown[] }> } },
  )
}

export type QueueNow = {
  name: string
  waiting: number
  oldestDueAt: string | null
  /** By PostgreSQL's clock, which makes jobs due. */
  oldestWaitSeconds: number
  active: number
  failed: number
}

/**
 * Each queue of ours, by name. What waits is counted now, up to a bound; what is active or failed, as the servers that
 * supervise the queues counted it a few seconds ago.
 */
export const queuesNow = (tx: Tx): Promise<QueueNow[]> =>
  tx.rows(sql`
    select q.name, q.active_count as active, q.failed_count as failed, due.waiting, oldest.at as "oldestDueAt",
      coalesce(extract(epoch from now() - oldest.at), 0)::float8 as "oldestWaitSeconds"
    from pgboss.queue q cross join lateral (
      select count(*) as waiting from (select from pgboss.job where name = q.name and state < 'active'
        and start_after <= now() limit 10001) counted) due
    cross join lateral (
      select min(start_after) as at from pgboss.job where name = q.name and state < 'active' and start_after <= now()) oldest
    where q.name = any(${jobs.map(({ name }) => name)}) order by q.name`)

/** Brings every waiting job `hours` forward, as the test clock does. */
export const bringJobsForward = async (hours: number): Promise<void> => {
  await autocommit.run(sql`
    update pgboss.job set start_after = start_after - make_interval(secs => ${hours * 3600})
    where state in ('created', 'retry')`)
}

/** Runs every scheduled job once, as its schedule would. */
export const runScheduledJobs = async (): Promise<void> => {
  for (const job of jobs) if (job.cron && !job.timeless) await job.run({})
}

/** Longer than it takes to notice that the server that held a job is dead. */
const busyWaitMs = 45_000

const stillHeld = () =>
  new DomainError('UNAVAILABLE', 'Another server still holds jobs that are due. Try again in a moment.', {
    retryAfterSeconds: 5,
  })

/**
 * Runs all jobs that are due, those that a dead server left, and those that they enqueue, until none is due or running.
 * UNAVAILABLE when others hold one for longer than `waitMs`.
 */
export const runDueJobs = async ({ waitMs = busyWaitMs } = {}): Promise<void> => {
  const names = jobs.map(job => job.name)
  let idleSince = performance.now()
  for (;;) {
    await bringLostBack(names)
    let ran = 0
    for (const job of jobs) ran += await takeAndRun(job)
    if (ran > 0) {
      idleSince = performance.now()
      continue
    }
    // A worker of this or another server may be running the last ones.
    const busy = await autocommit.maybe(sql`
      select from pgboss.job where name = any(${names})
        and (state = 'active' or (state in ('created', 'retry') and start_after <= now())) limit 1`)
    if (!busy) return
    if (performance.now() - idleSince >= waitMs) throw stillHeld()
    await wait(20)
  }
}

/** What pg-boss notes on a job whose process it has given up. */
const givenUp = ['job heartbeat timeout', 'job timed out']

/** Makes the jobs of dead servers due now, without pg-boss’s pause before a retry. */
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
    await runAndSettle(current, job, batch, () => undefined)
  } finally {
    clearInterval(heartbeat)
  }
  return batch.length
}
