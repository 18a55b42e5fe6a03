/** Runs the checks of the data: every night, and when an admin asks for it. They change nothing and hold nobody up. */
import { clock, hoursAfter, type Instant, nextDaily } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import { type Check, checks } from './checkFiles.ts'
import * as queries from './queries.ts'

const runAt = { hour: 4, minute: 7 }

/** When they are run next by themselves. */
export const checksRunNextAt = (now: Instant): Instant => nextDaily(runAt, now)

const countedUpTo = 1001
const examplesShown = 5

/**
 * Each check by itself, as of the moment at which it starts. One that cannot be run stops no other. Fails at the end, so that
 * the log says what is broken.
 */
export const checkData: Job<object> = {
  name: 'operations.check-data',
  cron: `${runAt.minute} ${runAt.hour} * * *`,
  expireMinutes: 240,
  retried: false,
  timeless: true,
  run: async () => {
    const round = await queries.beginRound(autocommit, clock.now())
    const all = await checks()
    const broken: string[] = []
    for (const check of all) {
      const result = await run(check)
      await queries.recordResult(autocommit, result)
      if (result.broken !== 0) broken.push(`${check.name}: ${result.error ?? `${result.broken} rows`}`)
    }
    await queries.forgetOthers(
      autocommit,
      all.map(({ name }) => name),
    )
    await queries.endRound(autocommit, round, clock.now())
    if (broken.length > 0) throw new Error(`Checks of the data failed: ${broken.join('; ')}`)
  },
}

type Result = Parameters<typeof queries.recordResult>[1]

const run = async ({ name, sql }: Check): Promise<Result> => {
  const [at, start] = [clock.now(), performance.now()]
  const found = await answerOf(sql).catch((error: unknown) => ({
    broken: null,
    examples: [],
    error: error instanceof Error ? error.message : String(error),
  }))
  return { name, at, tookMs: Math.ceil(performance.now() - start), error: null, ...found }
}

/** Counts what the check answers, up to a bound: when everything is broken, the number does not matter. */
const answerOf = (sql: string): Promise<{ broken: number; examples: unknown[] }> =>
  transact(async tx => {
    await tx.raw('set transaction read only')
    const { rows } = await tx.raw(`
      select count(*)::int as broken, coalesce(json_agg(found.row) filter (where found.place <= ${examplesShown}), '[]') as examples
      from (select to_json(answer) as row, row_number() over () as place from (
${sql}
      ) answer limit ${countedUpTo}) found`)
    return rows[0] as { broken: number; examples: unknown[] }
  })

/** A round whose server died is not waited for. */
const roundHours = 4

/** Since when they are being run. */
export const checkingSince = async (now: Instant): Promise<Instant | null> => {
  const last = await queries.lastRound(autocommit)
  const runs = last !== undefined && last.endedAt === null && hoursAfter(last.startedAt, roundHours) > now
  return runs ? last.startedAt : null
}

export const runChecksNow = async (): Promise<void> => {
  if ((await checkingSince(clock.now())) === null) await transact(tx => enqueue(tx, checkData, {}))
}
