/** Checks the money every minute, limited to what has changed since the last time (decision 058). */
import { clock, hoursAfter } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { everyMinute, type Job } from '../../kit/server/jobs.ts'
import { during, type Limits, workOf } from '../../kit/server/limits.ts'
import { endBreach, holdBreaches, recordBreach } from '../../ledger/server/ledger.ts'
import { type Answer, answerForTouched, answerInFull, examplesOf, offCentsOf } from './answers.ts'
import { type Check, checks, isOfMoney } from './checkFiles.ts'
import * as queries from './changes.queries.ts'

const atOnce = 5_000
/** For one check of one batch, which takes milliseconds. */
const batchLimits: Limits = { statementMs: 10_000, lockMs: 1_000, idleInTransactionMs: 10_000 }
/** A check that is broken or behind runs in full, which takes longer the bigger the tables are. */
const fullLimits: Limits = { ...batchLimits, statementMs: 120_000 }
const secondsForBatches = 30
const hoursBetweenFull = 1 / 6

/** Checks each batch as of one moment. A finding stops withdrawals at once; a job of its own then runs the check in full. */
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
    let changes = 0
    for (;;) {
      const batch = await during(workOf('jobs', batchLimits), () => transact(tx => checkBatch(tx, money)))
      // Another server is doing it.
      if (batch === null) return
      changes += batch
      if (batch < atOnce || performance.now() - start > secondsForBatches * 1000) break
    }
    await queries.recordWatch(autocommit, { at, tookMs: Math.ceil(performance.now() - start), changes })
  },
}

/** A job of its own, because a full run takes long on big tables, and changes have to be checked within a minute meanwhile. */
export const checkInFull: Job<object> = {
  name: 'operations.check-in-full',
  neverPaused: true,
  cron: everyMinute,
  expireMinutes: 60,
  retried: false,
  timeless: true,
  run: async () => {
    const now = clock.now()
    const times = { now, before: hoursAfter(now, -hoursBetweenFull) }
    const due = await queries.dueInFull(autocommit, times.before)
    for (const check of (await checks()).filter(isOfMoney)) if (due.includes(check.name)) await runIfDue(check, times)
  },
}

/**
 * Returns the number of changes; null while another server checks. Findings are recorded in the transaction that takes the changes
 * off the list.
 */
const checkBatch = async (tx: Tx, money: readonly Check[]): Promise<number | null> => {
  await queries.beginSnapshot(tx)
  if (!(await queries.holdChanges(tx))) return null
  const taken = await queries.takeChanges(tx, atOnce)
  if (taken.changes === 0) return 0
  // All checks run before anything is locked.
  const notHeld: { name: string; answer: Answer | string }[] = []
  for (const { name, touchedSql } of money) {
    const answer = await answerOrError(tx, touchedSql!, taken)
    if (typeof answer === 'string' || answer.broken > 0) notHeld.push({ name, answer })
  }
  if (notHeld.length > 0) await holdBreaches(tx)
  for (const { name, answer } of notHeld)
    if (typeof answer === 'string') await queries.fallBehind(tx, name, answer, clock.now())
    else await found(tx, name, answer)
  return taken.changes
}

const found = async (tx: Tx, name: string, answer: Answer): Promise<void> => {
  await queries.noteFinding(tx, name)
  if (await recordBreach(tx, { ...foundBy(name, answer), isPartial: true })) await queries.askInFull(tx, name)
}

/** If a check fails, the others and the transaction continue. */
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

/**
 * Runs a check of the money in full. Its result replaces what was known, unless changes were found meanwhile that it may not have
 * seen; these stand until the next full run.
 */
export const runInFull = async (check: Check): Promise<Answer> => {
  const now = clock.now()
  const findings = await queries.beginFull(autocommit, check.name, { before: now, now })
  return answerAndSettle(check, findings)
}

/** `findings`: their number before the run began; null if it is unknown. */
const answerAndSettle = async (check: Check, findings: number | null): Promise<Answer> => {
  const answer = await answerInFull(check)
  await transact(async tx => {
    await holdBreaches(tx)
    const meanwhile = (await queries.lockFindings(tx, check.name)) !== findings
    if (answer.broken > 0) await recordBreach(tx, { ...foundBy(check.name, answer), isPartial: meanwhile })
    else if (!meanwhile) await endBreach(tx, check.name)
    if (!meanwhile) await queries.recordFull(tx, check.name)
  })
  return answer
}

const runIfDue = async (check: Check, times: { before: string; now: string }): Promise<void> => {
  const findings = await queries.beginFull(autocommit, check.name, times)
  // Another server is doing it.
  if (findings === null) return
  try {
    await during(workOf('jobs', fullLimits), () => answerAndSettle(check, findings))
  } catch (error) {
    await queries.recordFailure(autocommit, check.name, messageOf(error))
  }
}
