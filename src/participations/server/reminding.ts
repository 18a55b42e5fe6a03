/** Reminders in the tester's own evening, when today's check-in is missing. */
import { clock } from '../../kit/clock.ts'
import { type Due, type Hold, inBatches } from '../../kit/server/batches.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { scheduled } from '../../kit/server/jobs.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import * as queries from './reminding.queries.ts'

/** Large batches are fine: no one waits for these rows, and a check-in waits only for its campaign's. */
const atOnce = 1000

export const remindTesters = scheduled('participations.remind', '*/5 * * * *', () => {
  const now = clock.now()
  return inBatches({ load: page => queries.dueReminders(autocommit, now, page), run: remind, atOnce })
})

const remind = async (tx: Tx, due: readonly Due[], hold: Hold): Promise<string[]> => {
  const now = clock.now()
  const ids = due.map(({ id }) => id)
  const free = await queries.lockTesters(tx, ids, now, hold)
  const taken = await queries.takeReminders(tx, free, now, hold)
  const notices = taken
    .filter(({ owed }) => owed)
    .map(({ testId, testerId, title, zone }) => notice(testerId, 'CHECK_IN_DUE', { testId, title, zone }))
  await notifyMany(tx, notices)
  return taken.map(({ testId }) => testId)
}
