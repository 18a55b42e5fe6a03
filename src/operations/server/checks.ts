/** Runs the checks of the data every night, and when an admin asks for it. They change nothing and hold nobody up. */
import { randomUUIDv7 } from 'node:crypto'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock, hoursAfter, type Instant, nextDaily } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import { answerInFull, examplesOf } from './answers.ts'
import { runInFull } from './changes.ts'
import { checkBalance } from '../../ledger/server/ledger.ts'
import { type Check, checks, isOfMoney } from './checkFiles.ts'
import * as queries from './queries.ts'

const runAt = { hour: 4, minute: 7 }

/** When the nightly run comes next. */
export const checksRunNextAt = (now: Instant): Instant => nextDaily(runAt, now)

/**
 * Runs each check by itself, as of the moment at which it starts. A check that fails to run does not stop the others. The job fails
 * at the end if anything is broken, so that the log shows it.
 */
export const checkData: Job<object> = {
  name: 'operations.check-data',
  neverPaused: true,
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
    await compareBalance().catch((error: unknown) => broken.push(`provider-balance: ${messageOf(error)}`))
    await queries.endRound(autocommit, round, clock.now())
    if (broken.length > 0) throw new Error(`Checks of the data failed: ${broken.join('; ')}`)
  },
}

/** Compares the books, with all transfers summed up, with the balance that the provider reports. */
const compareBalance = async () => {
  const { offCents } = await checkBalance({ inFull: true })
  if (offCents !== 0) throw new Error(`off by ${offCents} cents`)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

type Result = Parameters<typeof queries.recordResult>[1]

const run = async (check: Check): Promise<Result> => {
  const [at, start] = [clock.now(), performance.now()]
  const found = await answerOf(check).catch((error: unknown) => ({
    broken: null,
    examples: [],
    error: messageOf(error),
  }))
  return { name: check.name, at, tookMs: Math.ceil(performance.now() - start), error: null, ...found }
}

const answerOf = async (check: Check): Promise<Pick<Result, 'broken' | 'examples'>> => {
  const answer = await (isOfMoney(check) ? runInFull(check) : answerInFull(check))
  return { broken: answer.broken, examples: examplesOf(answer) }
}

/** If a server died during a round, others stop waiting for it after this time. */
const roundHours = 4

/** When the running round began; null if none runs. */
export const checkingSince = async (now: Instant): Promise<Instant | null> => {
  const last = await queries.lastRound(autocommit)
  const runs = last !== undefined && last.endedAt === null && hoursAfter(last.startedAt, roundHours) > now
  return runs ? last.startedAt : null
}

export const runChecksNow = async (admin: SignedIn): Promise<void> => {
  if ((await checkingSince(clock.now())) !== null) return
  await transact(async tx => {
    await enqueue(tx, checkData, {})
    await auditIfAdmin(tx, admin, { action: 'checks.run', subjectType: 'checks', subjectId: randomUUIDv7() })
  })
}
