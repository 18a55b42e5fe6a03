import { lastBackup, placeRefusal } from '../../backups/server/backups.ts'
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { lastComparison, refusedHours } from '../../ledger/server/ledger.ts'
import { isPaused, queuesNow, waitingEmails } from '../../kit/server/jobs.ts'
import { mailTrouble } from '../../notifications/server/notifications.ts'
import type { Operations } from '../contract.ts'
import * as changes from './changes.queries.ts'
import { type Check, checks, isOfMoney } from './checkFiles.ts'
import { checkingSince, checksRunNextAt } from './checks.ts'
import * as queries from './queries.ts'

export { checkChanges, checkInFull } from './changes.ts'
export { checkData } from './checks.ts'

export const operations = async (): Promise<Operations> => {
  const now = clock.now()
  const [all, results, checking, money, queues, backup, pause, downtimes, watch, behind, breaches, provider, trouble] =
    await Promise.all([
      checks(),
      queries.checkResults(autocommit),
      checkingSince(now),
      queries.moneyOnItsWay(autocommit, { now, refusedHours }),
      queuesNow(autocommit),
      lastBackup(autocommit),
      queries.pauseNow(autocommit),
      queries.lastDowntimes(autocommit),
      changes.lastWatch(autocommit),
      changes.checksBehind(autocommit),
      queries.breaches(autocommit),
      lastComparison(autocommit),
      mailTrouble(autocommit, now),
    ])
  const byName = new Map(results.map(({ name, ...last }) => [name, last]))
  return {
    checks: all.map(check => ({ ...factsOf(check), last: shown(byName.get(check.name)) })),
    checkingSince: checking,
    checksRunNextAt: checksRunNextAt(now),
    moneyWatch: watch ? { ...watch, behind } : null,
    provider: provider ?? null,
    breaches: breaches.map(breach => ({ ...breach, examples: breach.examples.map(row => JSON.stringify(row)) })),
    backup: backup ?? null,
    backupsRefused: placeRefusal(),
    mailTrouble: trouble ? await whileEmailsWait(trouble) : null,
    money,
    queues: queues.map(queue => ({ ...queue, paused: isPaused(pause, queue.name) })),
    pause: pause ?? null,
    downtimes,
  }
}

/** The last waiting email may have gone out since. */
const whileEmailsWait = async (trouble: Omit<NonNullable<Operations['mailTrouble']>, 'waiting'>) => {
  const waiting = await waitingEmails(autocommit)
  return waiting > 0 ? { ...trouble, waiting } : null
}

const factsOf = (check: Check) => ({ name: check.name, says: check.says, isOfMoney: isOfMoney(check) })

const shown = (last: Omit<queries.CheckResult, 'name'> | undefined): Operations['checks'][number]['last'] =>
  last ? { ...last, examples: last.examples.map(row => JSON.stringify(row)) } : null
