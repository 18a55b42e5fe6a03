/**
 * Jobs on PostgreSQL (pg-boss). A job is enqueued in the transaction that causes it, so neither exists without the other. It may
 * run more than once, so every job is idempotent.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Job as BossJob, PgBoss } from 'pg-boss'
import { asOwner, autocommit, onQueue, sql, transact, type Tx } from './db.ts'
import type { Pause } from './pauses.ts'
import { fateUnder, type Once, pauseNow, runAndSettle } from './jobRuns.ts'
import { keepSchedules } from './schedules.ts'
import { carryingTrace } from './tracing.ts'

export type Job<Data extends object> = {
  name: string
  /** `once` is for work that jobs taken together need only one answer to. */
  run: (input: Data, once?: Once) => Promise<void>
  /**
   * A try that takes longer counts as failed, and the job is tried again while the first try may still be running: be generous.
   */
  expireMinutes: number
  /** How many of them a process takes and runs at a time; after a full batch it looks for more at once. 1 by default. */
  atOnce?: number
  /** Also runs on this cron schedule (UTC). */
  cron?: string
  /** False for a schedule whose next run makes up for a failed one, so retries would only pile up. */
  retried?: boolean
  /** True for work that no passing of time makes due: the test clock leaves it out. */
  timeless?: boolean
  /**
   * For jobs that run even while jobs are paused (decision 044): erasing, checking, counting. `BY_ADMIN` jobs run during an
   * admin's pause but not in a restored copy, such as emails, which the original may have sent.
   */
  neverPaused?: true | 'BY_ADMIN'
  sendsEmail?: true
}

/** A job that finds out for itself what is due; its next run makes up for a failed one. */
export const scheduled = (
  name: string,
  cron: string,
  run: () => Promise<void>,
  more: Pick<Job<object>, 'neverPaused'> = {},
): Job<object> => ({ name, cron, expireMinutes: 120, retried: false, run, ...more })

export const everyMinute = '* * * * *'

/** Retries of a failing job, with exponential backoff: about two days in all. */
const retries = { retryLimit: 20, retryDelay: 2, retryBackoff: true, retryDelayMax: 6 * 3600 }
/** pg-boss deletes jobs that have waited for longer: no pause lasts a year, and no backup is that old. */
const keptWaitingSeconds = 366 * 24 * 3600

/** A job whose process has sent no heartbeat for this long is lost and goes to another process. This is pg-boss's minimum. */
export const heartbeatSeconds = 10
/** How often the servers look for lost and expired jobs. */
const superviseSeconds = 5

const queueOf = ({ expireMinutes, retried = true }: AnyJob) => ({
  ...retries,
  ...(!retried && { retryLimit: 0 }),
  expireInSeconds: expireMinutes * 60,
  heartbeatSeconds,
  retentionSeconds: keptWaitingSeconds,
})

// oxlint-disable-next-line typescript/no-explicit-any -- a list of jobs with different inputs
export type AnyJob = Job<any>

let boss: PgBoss | undefined
let jobs: readonly AnyJob[] = []
let following: ReturnType<typeof followPauses> | undefined
let stopSchedules: (() => Promise<void>) | undefined

export const currentBoss = (): PgBoss => {
  if (!boss) throw new Error('startJobs() first')
  return boss
}

/** All jobs that this server knows. */
export const currentJobs = (): readonly AnyJob[] => jobs

export type JobOptions = {
  onError: (error: unknown, jobName?: string) => void
  /** False: jobs only run through `runDueJobs` (tests, demo). */
  work: boolean
  /** How often an idle queue is polled. */
  pollSeconds?: number
  /** How often schedules are asked for again; daily by default. */
  askEveryMs?: number
}

/** Creates or updates the queues, and with `work` starts the workers. */
export const startJobs = async (
  all: readonly AnyJob[],
  { onError, work, pollSeconds = 1, askEveryMs }: JobOptions,
): Promise<void> => {
  jobs = all
  // pg-boss begins by creating or updating its tables.
  let ask = asOwner
  const working = new PgBoss({
    db: { executeSql: (text, values) => ask(text, values) },
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
  ask = onQueue
  await makeQueues(working, all)
  if (!work) return
  stopSchedules = await keepSchedules(working, all, { onError, everyMs: askEveryMs })
  following = followPauses(working, { pollSeconds, onError })
  await following.look()
}

/** How soon a running server notices that a pause has begun or ended. */
const lookForPausesMs = 1_000

/** Polls only queues whose jobs may run; paused jobs stay where they are. */
const followPauses = (on: PgBoss, { pollSeconds, onError }: Required<Pick<JobOptions, 'onError' | 'pollSeconds'>>) => {
  const worked = new Set<string>()
  const workOn = async (job: AnyJob) => {
    const { atOnce = 1 } = job
    const polling = { pollingIntervalSeconds: pollSeconds, batchSize: atOnce, burstWhenBatchFull: atOnce > 1 }
    await on.work(job.name, { ...polling, perJobResults: true }, (batch: BossJob<object>[]) =>
      runAndSettle(on, job, batch, { onError: error => onError(error, job.name), onPaused: () => void look() }),
    )
  }
  const follow = async () => {
    const pause = await pauseNow()
    for (const job of jobs) {
      const runs = fateUnder(pause, job) !== 'WAIT'
      if (runs === worked.has(job.name)) continue
      if (runs) await workOn(job)
      else await on.offWork(job.name, { wait: false })
      if (runs) worked.add(job.name)
      else worked.delete(job.name)
    }
  }
  let looking: Promise<void> | undefined
  const look = () =>
    (looking ??= follow()
      .catch((error: unknown) => onError(error))
      .finally(() => {
        looking = undefined
      }))
  const timer = setInterval(() => void look(), lookForPausesMs)
  timer.unref()
  return {
    look,
    stop: async () => {
      clearInterval(timer)
      await looking
    },
  }
}

/** Queues of an earlier version get the current settings, and so do the jobs that wait in them. */
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
          expire_seconds = ${queue.expireInSeconds}, retry_limit = ${queue.retryLimit},
          keep_until = greatest(keep_until, start_after + make_interval(secs => ${queue.retentionSeconds}))
        where name = ${job.name} and state in ('created', 'retry')`)
    }
  }
  // pg-boss's own queue, which sends scheduled jobs, and queues of other versions.
  for (const other of existing.values())
    if (other.heartbeatSeconds !== heartbeatSeconds) await on.updateQueue(other.name, { heartbeatSeconds })
}

/** Waits for running jobs, at most `timeoutMs`; until they end, they can enqueue more. */
export const stopJobs = async (timeoutMs = 5000): Promise<void> => {
  await stopSchedules?.()
  stopSchedules = undefined
  await following?.stop()
  following = undefined
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
  await currentBoss().send(job.name, carryingTrace(input), {
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
    inputs.map(input => ({ data: carryingTrace(input), ...when })),
    { db: { executeSql: (text, values) => tx.raw(text, values) as Promise<{ rows: unknown[] }> } },
  )
}

/**
 * How long finished and given-up jobs are kept, in all queues; pg-boss deletes older ones once a day. Each job carries its
 * queue's period, so existing jobs are updated too.
 */
export const keepFinishedJobs = async (days: number): Promise<void> => {
  const seconds = days * 24 * 3600
  await transact(async tx => {
    const changed = await tx.run(
      sql`update pgboss.queue set deletion_seconds = ${seconds} where deletion_seconds <> ${seconds}`,
    )
    if (changed === 0) return
    await tx.run(sql`update pgboss.job set deletion_seconds = ${seconds} where deletion_seconds <> ${seconds}`)
  })
}

/** Whether the jobs of this queue do nothing during such a pause. */
export const isPaused = (pause: Pick<Pause, 'reason'> | undefined, queue: string): boolean => {
  const job = jobs.find(({ name }) => name === queue)
  return job !== undefined && fateUnder(pause, job) !== 'RUN'
}

/** Counted up to a bound, including those that wait for a retry. */
export const waitingEmails = (tx: Tx): Promise<number> =>
  tx.value(sql`select count(*) from (${emailsThatWait()} limit 10001) counted`)

/** One row for each waiting email. */
export const emailsThatWait = () =>
  sql`select from pgboss.job where name = any(${jobs.filter(({ sendsEmail }) => sendsEmail).map(({ name }) => name)}) and state < 'active'`

export type QueueNow = {
  name: string
  waiting: number
  oldestDueAt: string | null
  /** By PostgreSQL's clock, which decides when jobs are due. */
  oldestWaitSeconds: number
  active: number
  failed: number
}

/**
 * Our queues, by name. Waiting jobs are counted now, up to a bound; active and failed ones were counted a few seconds ago by the
 * servers that supervise the queues.
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
