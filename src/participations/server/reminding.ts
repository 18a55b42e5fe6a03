/** Reminders in the tester's own evening, when today's check-in is missing. */
import { clock } from '../../kit/clock.ts'
import { transact } from '../../kit/server/db.ts'
import type { Job } from '../../kit/server/jobs.ts'
import { notifyMany } from '../../notifications/server/notifications.ts'
import { takeReminders } from './reminding.queries.ts'

/** Written in one transaction, so that none is lost or sent twice. */
const atOnce = 1000

export const remindTesters: Job<object> = {
  name: 'participations.remind',
  cron: '*/5 * * * *',
  expireMinutes: 120,
  retried: false,
  run: async () => {
    for (let more = true; more;) {
      more = await transact(async tx => {
        const taken = await takeReminders(tx, clock.now(), atOnce)
        const notices = taken
          .filter(({ owed }) => owed)
          .map(({ testId, testerId, title }) => ({
            userId: testerId,
            kind: 'CHECK_IN_DUE' as const,
            facts: { testId, title },
          }))
        await notifyMany(tx, notices)
        return taken.length === atOnce
      })
    }
  },
}
