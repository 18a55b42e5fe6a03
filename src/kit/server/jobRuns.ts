/** Runs what was taken from a queue: checks whether it may run, and records how it ended. */
import type { Job as BossJob, JobResult, PgBoss } from 'pg-boss'
import { autocommit, sql } from './db.ts'
import { during, requestLimits, workOf } from './limits.ts'
import { openPause, type Pause } from './pauses.ts'
import { inTraceOf } from './tracing.ts'

type Fetched = Pick<BossJob<object>, 'id' | 'data' | 'retryCount'>
/** The parts of a job (jobs.ts) that are needed to run it. */
type Runnable = {
  name: string
  // oxlint-disable-next-line typescript/no-explicit-any -- as in AnyJob (jobs.ts)
  run: (input: any, once?: Once) => Promise<void>
  cron?: string
  neverPaused?: true | 'BY_ADMIN'
}
/** Does `work` for the first job of a batch that asks, and gives its answer or its error to the others as well. */
export type Once = <Answer>(work: () => Promise<Answer>) => Promise<Answer>

/** For a job that was not taken together with others. */
export const forItself: Once = work => work()

const forAll = (): Once => {
  const answers = new Map<unknown, Promise<unknown>>()
  return <Answer>(work: () => Promise<Answer>) => {
    const answer = answers.get(work) ?? work()
    answers.set(work, answer)
    return answer as Promise<Answer>
  }
}

type Attempt = Pick<Fetched, 'id' | 'retryCount'>

/**
 * A job of a paused queue waits. A paused schedule does nothing, since its next run makes up for it and waiting runs would pile
 * up.
 */
type Fate = 'RUN' | 'SKIP' | 'WAIT'

export const fateUnder = (
  pause: Pick<Pause, 'reason'> | undefined,
  { neverPaused, cron }: Pick<Runnable, 'neverPaused' | 'cron'>,
): Fate => {
  if (!pause || neverPaused === true || (neverPaused === 'BY_ADMIN' && pause.reason === 'ADMIN')) return 'RUN'
  return cron ? 'SKIP' : 'WAIT'
}

export const pauseNow = (): Promise<Pause | undefined> =>
  during(workOf('queue', requestLimits), () => openPause(autocommit))

/** Checked again now: a pause may have begun since the job was taken. */
const fateOf = async (job: Runnable): Promise<Fate> =>
  job.neverPaused === true ? 'RUN' : fateUnder(await pauseNow(), job)

/** Attempts that end while others are being recorded are recorded together, in one statement. */
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

/** For jobs taken just before the pause was noticed: they wait again as if they had not been taken, and no try is counted. */
const putBack = (job: Runnable, batch: readonly Fetched[]) =>
  during(workOf('queue', requestLimits), () =>
    autocommit.run(sql`update pgboss.job set state = case when retry_count = 0 then 'created' else 'retry' end::pgboss.job_state,
        started_on = null, heartbeat_on = null
      where name = ${job.name} and id = any(${batch.map(({ id }) => id)}) and state = 'active'`),
  )

type Watch = { onError: (error: unknown) => void; onPaused: () => void }

/**
 * Runs a batch and records each result as it comes, so neither a failure nor the death of the process repeats the others. If that
 * fails, the worker records the same results again.
 */
export const runAndSettle = async (
  on: PgBoss,
  job: Runnable,
  batch: readonly Fetched[],
  { onError, onPaused }: Watch,
): Promise<JobResult[]> => {
  const fate = await fateOf(job)
  if (fate === 'WAIT') {
    await putBack(job, batch)
    onPaused()
    // This records nothing, since the jobs are no longer active.
    return batch.map(({ id }) => ({ id, status: 'failed' }))
  }
  const complete = completing(on, job.name, onError)
  const once = forAll()
  const runOne = async ({ id, data: input, retryCount }: Fetched): Promise<JobResult> => {
    try {
      if (fate === 'RUN') await inTraceOf(job.name, input, given => job.run(given, once))
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
