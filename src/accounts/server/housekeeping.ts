import { clock, daysAfter } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { forgetPastHours } from '../../kit/server/hourlyCalls.ts'
import type { Job } from '../../kit/server/jobs.ts'
import { forgetLinks } from './emailLinks.queries.ts'
import { forgetChallenges, forgetGuesses } from './factorChallenges.queries.ts'
import { forgetLoginFailures, forgetRefreshTokens } from './queries.ts'

const daysKept = { loginFailures: 90, expiredRefreshTokens: 30, wrongCodes: 90, expiredChallenges: 1, expiredLinks: 30 }

/** Deletes, every hour, what is needed for a while only. */
export const forgetOldSignIns: Job<object> = {
  name: 'accounts.forget-old-sign-ins',
  cron: '17 * * * *',
  expireMinutes: 120,
  retried: false,
  run: async () => {
    const now = clock.now()
    await forgetLoginFailures(autocommit, daysAfter(now, -daysKept.loginFailures))
    await forgetGuesses(autocommit, daysAfter(now, -daysKept.wrongCodes))
    await forgetChallenges(autocommit, daysAfter(now, -daysKept.expiredChallenges))
    await forgetRefreshTokens(autocommit, daysAfter(now, -daysKept.expiredRefreshTokens))
    await forgetLinks(autocommit, daysAfter(now, -daysKept.expiredLinks))
    await forgetPastHours(autocommit)
  },
}
