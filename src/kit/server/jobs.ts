/**
 * Jobs on PostgreSQL (pg-boss). A job is enqueued in the transaction that causes it, so that neither exists without the
 * other. It may run more than once, so every job is idempotent.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Job as BossJob, PgBoss } from 'pg-boss'
import { autocommit, onQueue, sql, type Tx } from './db.ts'

export type Job<Data extends object> = {
  name: string
  run: (input: Data) => Promise<void>
  /** Also runs on this cron schedule (UTC). */
  cron?: string
}

/** Retries of a failing job, with exponential backoff: about two days in all. */
const retries = { retryLimit: 16, retryDelay: 2, retryBackoff: true, retryDelayMax: 6 * 3600 }

// oxlint-disable-next-line typescript/no-explicit-any -- a list of jobs with different inputs
export type AnyJob = Job<any>

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
}

/** Creates the queues and, with `work`, starts the workers. */
export const startJobs = async (all: readonly AnyJob[], { onError, work }: JobOptions): Promise<void> => {
  jobs = all
  boss = new PgBoss({
    db: { executeSql: (text, values) => onQueue(text, values) },
    supervise: work,
    schedule: work,
    monitorVacuum: false,
    reindex: false,
  })
  boss.on('error', error => onError(error))
  await boss.start()
  const existing = new Set((await boss.getQueues()).map(queue => queue.name))
  for (const job of all) {
    if (!existing.has(job.name)) await boss.createQueue(job.name, retries)
    if (!work) continue
    if (job.cron) await boss.schedule(job.name, job.cron, {}, { singletonKey: job.name })
    await boss.work(job.name, { pollingIntervalSeconds: 1, batchSize: 5 }, async (batch: BossJob<object>[]) => {
      for (const { data: input } of batch) await runLogged(job, input, onError)
    })
  }
}

const runLogged = async (job: AnyJob, input: object, onError: JobOptions['onError']) => {
  try {
    await job.run(input)
  } catch (error) {
    onError(error, job.name)
    throw error
  }
}

/** Waits for running jobs, at most `timeoutMs`. */
export const stopJobs = async (timeoutMs = 5000): Promise<void> => {
  const stopping = boss
  boss = undefined
  await stopping?.stop({ graceful: true, timeout: timeoutMs })
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

const dueAtOnce = 100

/**
 * Runs a scheduled job over everything that is due, in batches. An item that fails does not hold up the others; at the
 * end the job fails with all of their errors.
 */
export const eachDue = async <T extends { id: string }>(
  load: (limit: number) => Promise<T[]>,
  run: (due: T) => Promise<unknown>,
): Promise<void> => {
  const tried = new Set<string>()
  const errors: unknown[] = []
  for (;;) {
    const due = await load(dueAtOnce)
    const fresh = due.filter(({ id }) => !tried.has(id))
    for (const item of fresh) {
      tried.add(item.id)
      await run(item).catch((error: unknown) => errors.push(error))
    }
    if (fresh.length > 0 && due.length === dueAtOnce) continue
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${tried.size} failed`)
    return
  }
}

/** Brings every waiting job `hours` forward, as the test clock does. */
export const bringJobsForward = async (hours: number): Promise<void> => {
  await autocommit.run(sql`
    update pgboss.job set start_after = start_after - make_interval(secs => ${hours * 3600})
    where state in ('created', 'retry')`)
}

/** Runs every scheduled job once, as its schedule would. */
export const runScheduledJobs = async (): Promise<void> => {
  for (const job of jobs) if (job.cron) await job.run({})
}

/** How long to wait for jobs that another worker is running. */
const busyWaitMs = 30_000

/** Runs all jobs that are due, and those that they enqueue, until none is due or running. */
export const runDueJobs = async (): Promise<void> => {
  const names = jobs.map(job => job.name)
  for (let waitedMs = 0; waitedMs < busyWaitMs;) {
    let ran = 0
    for (const job of jobs) ran += await takeAndRun(job)
    if (ran > 0) continue
    // A worker of this or another server may be running the last ones.
    const busy = await autocommit.maybe(sql`
      select from pgboss.job where name = any(${names})
        and (state = 'active' or (state in ('created', 'retry') and start_after <= now())) limit 1`)
    if (!busy) return
    await wait(20)
    waitedMs += 20
  }
}

const takeAndRun = async (job: AnyJob): Promise<number> => {
  const batch = await currentBoss().fetch<object>(job.name, { batchSize: 50 })
  for (const { id, data: input } of batch) {
    try {
      await job.run(input)
      await currentBoss().complete(job.name, id)
    } catch (error) {
      await currentBoss().fail(job.name, id, { message: error instanceof Error ? error.message : String(error) })
    }
  }
  return batch.length
}
