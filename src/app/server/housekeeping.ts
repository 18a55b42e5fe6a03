/** Forgets, every hour, what only had to be known for a while. */
import { clock, daysAfter } from '../../kit/clock.ts'
import { autocommit, sql } from '../../kit/server/db.ts'
import { forgetOldKeys } from '../../kit/server/idempotency.ts'
import type { Job } from '../../kit/server/jobs.ts'

const daysKept = { idempotencyKeys: 30, loginFailures: 90, expiredRefreshTokens: 30 }

export const housekeeping: Job<object> = {
  name: 'app.housekeeping',
  cron: '17 * * * *',
  run: async () => {
    const now = clock.now()
    await forgetOldKeys(autocommit, daysAfter(now, -daysKept.idempotencyKeys))
    await autocommit.run(sql`delete from login_failures where at < ${daysAfter(now, -daysKept.loginFailures)}`)
    await autocommit.run(
      sql`delete from refresh_tokens where expires_at < ${daysAfter(now, -daysKept.expiredRefreshTokens)}`,
    )
  },
}
