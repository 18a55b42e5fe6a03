/**
 * Schedules of jobs are rows of pg-boss, and outlive the code that asked for them. While servers are replaced, an older one does
 * not know all that a newer one asks for, so no server removes schedules that it does not know: each asks for its own again every
 * day, and a schedule that nobody has asked for in a week is deleted.
 */
import type { PgBoss } from 'pg-boss'
import { autocommit, sql } from './db.ts'

type Scheduled = { name: string; cron?: string }

const askAgainMs = 24 * 3600 * 1000
const keptUnaskedDays = 7

const askFor = async (on: PgBoss, jobs: readonly Scheduled[]) => {
  for (const job of jobs) if (job.cron) await on.schedule(job.name, job.cron, {}, { singletonKey: job.name })
  await autocommit.run(
    sql`delete from pgboss.schedule where updated_on < now() - ${keptUnaskedDays} * interval '1 day'`,
  )
}

type Options = { onError: (error: unknown) => void; everyMs?: number | undefined }

/** Resolves once the schedules have been asked for, with the function that stops it. */
export const keepSchedules = async (
  on: PgBoss,
  jobs: readonly Scheduled[],
  { onError, everyMs = askAgainMs }: Options,
): Promise<() => Promise<void>> => {
  await askFor(on, jobs)
  let asking: Promise<void> = Promise.resolve()
  const askAgain = () => {
    asking = asking.then(() => askFor(on, jobs)).catch(onError)
  }
  const timer = setInterval(askAgain, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await asking
  }
}
