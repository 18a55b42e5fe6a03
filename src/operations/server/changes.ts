/** Checks the money every minute, as far as it has changed since the last time (decision 058). */
import { clock, hoursAfter } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { everyMinute, type Job } from '../../kit/server/jobs.ts'
import { during, type Limits, workOf } from '../../kit/server/limits.ts'
import { endBreach, recordBreach } from '../../ledger/server/ledger.ts'
import { type Answer, answerForTouched, answerInFull, examplesOf, offCentsOf } from './answers.ts'
import { type Check, checks, isOfMoney } from './checkFiles.ts'
import * as queries from './changes.queries.ts'

const atOnce = 5_000
/** For one check of one batch, which takes milliseconds. */
const batchLimits: Limits = { statementMs: 10_000, lockMs: 1_000, idleInTransactionMs: 10_000 }
/** A check that is broken or behind is run in full, which may take as long as the tables are big. */
const fullLimits: Limits = { ...batchLimits, statementMs: 120_000 }
const secondsForBatches = 30
const hoursBetweenFull = 1 / 6

/** Each batch as of one moment. What it finds stops withdrawals at once, and is then looked at in full. */
export const checkChanges: Job<object> = {
  name: 'operations.check-changes',
  neverPaused: true,
  cron: everyMinute,
  expireMinutes: 15,
  retried: false,
  timeless: true,
  run: async () => {
    const [at, start] = [clock.now(), performance.now()]
    const money = (await checks()).filter(isOfMoney)
    const found = new Set<string>()
    let changes = 0
    for (;;) {
      const batch = await during(workOf('jobs', batchLimits), () => transact(tx => checkBatch(tx, money)))
      // Another server is at it.
      if (batch === null) return
      changes += batch.changes
      for (const name of batch.found) found.add(name)
      if (batch.changes < atOnce || performance.now() - start > secondsForBatches * 1000) break
    }
    await queries.recordWatch(autocommit, { at, tookMs: Math.ceil(performance.now() - start), changes })
    const due = await queries.dueInFull(autocommit, hoursAfter(at, -hoursBetweenFull))
    for (const check of money) if (found.has(check.name) || due.includes(check.name)) await runInFull(check)
  },
}

type Batch = { changes: number; found: string[] }

/** Null while another server checks. What a check found new is recorded in the transaction that takes the changes off the list. */
const checkBatch = async (tx: Tx, money: readonly Check[]): Promise<Batch | null> => {
  await queries.beginSnapshot(tx)
  if (!(await queries.holdChanges(tx))) return null
  const taken = await queries.takeChanges(tx, atOnce)
  const found: string[] = []
  if (taken.changes === 0) return { changes: 0, found }
  for (const { name, touchedSql } of money) {
    const answer = await answerOrError(tx, touchedSql!, taken)
    if (typeof answer === 'string') await queries.fallBehind(tx, name, answer, clock.now())
    else if (answer.broken > 0 && (await recordBreach(tx, { ...foundBy(name, answer), isPartial: true })))
      found.push(name)
  }
  return { changes: taken.changes, found }
}

/** One that cannot be run leaves the others, and the transaction, as they are. */
const answerOrError = async (tx: Tx, touchedSql: string, taken: queries.Taken): Promise<Answer | string> => {
  await tx.raw('savepoint before_check')
  try {
    return await answerForTouched(tx, touchedSql, taken)
  } catch (error) {
    await tx.raw('rollback to savepoint before_check')
    return messageOf(error)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const foundBy = (check: string, answer: Answer) => ({
  check,
  rowCount: answer.broken,
  offCents: offCentsOf(answer),
  examples: examplesOf(answer),
})

/** What a whole run of a check of the money found is what is known of it from then on. */
export const settleInFull = async (name: string, answer: Answer): Promise<void> => {
  await transact(async tx => {
    if (answer.broken > 0) await recordBreach(tx, foundBy(name, answer))
    else await endBreach(tx, name)
    await queries.recordFull(tx, name, null, clock.now())
  })
}

const runInFull = async (check: Check): Promise<void> => {
  try {
    await settleInFull(check.name, await during(workOf('jobs', fullLimits), () => answerInFull(check)))
  } catch (error) {
    await queries.recordFull(autocommit, check.name, messageOf(error), clock.now())
  }
}
