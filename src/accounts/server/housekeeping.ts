import { clock, daysAfter, type Instant, monthsAfter } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { deleteInSteps } from '../../kit/server/deleting.ts'
import { allDue } from '../../kit/server/eachDue.ts'
import { forgetPastHours } from '../../kit/server/hourlyCalls.ts'
import { scheduled } from '../../kit/server/jobs.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { forgetLinks } from './emailLinks.queries.ts'
import { forgetChallenges, forgetGuesses } from './factorChallenges.queries.ts'
import { loginLimits } from '../rules.ts'
import { forgetSomeLoginFailures } from './queries.ts'
import {
  deleteSessions,
  forgetRefreshTokens,
  keepLatest,
  lockPastSessions,
  type PastSession,
} from './sessions.queries.ts'

const daysKept = { wrongCodes: 90, expiredChallenges: 1, expiredLinks: 30 }

const failuresAtOnce = 1000

/** An attack leaves millions of rows, so each statement deletes only some of them and keeps nobody waiting. */
const forgetLoginFailures = (before: Instant) =>
  deleteInSteps<Instant>(failuresAtOnce, (from, limit) => forgetSomeLoginFailures(autocommit, { before, from, limit }))

/** Deletes every hour what is needed only for a while. */
export const forgetOldSignIns = scheduled(
  'accounts.forget-old-sign-ins',
  '17 * * * *',
  async () => {
    const now = clock.now()
    const { signInMonths } = await currentSettings(autocommit)
    await allDue([
      () => forgetLoginFailures(monthsAfter(now, -signInMonths)),
      () => forgetGuesses(autocommit, daysAfter(now, -daysKept.wrongCodes)),
      () => forgetChallenges(autocommit, daysAfter(now, -daysKept.expiredChallenges)),
      () => forgetRefreshTokens(autocommit, now),
      () => forgetLinks(autocommit, daysAfter(now, -daysKept.expiredLinks)),
      () => forgetPastHours(autocommit),
    ])
  },
  { neverPaused: true },
)

const sessionsAtOnce = 1000

/**
 * Every night, deletes sessions that ended longer ago than a device counts as known. Each user's latest one is kept, because it
 * tells when the user was last active, and that their next sign-in is not the first.
 */
export const forgetOldSessions = scheduled(
  'accounts.forget-old-sessions',
  '47 3 * * *',
  async () => {
    const before = daysAfter(clock.now(), -loginLimits.knownDays)
    const forgetPage = (after: PastSession | undefined) =>
      transact(async tx => {
        const page = await lockPastSessions(tx, { before, after, limit: sessionsAtOnce })
        const past = await keepLatest(
          tx,
          page.map(({ id }) => id),
        )
        if (past.length > 0) await deleteSessions(tx, past)
        return page
      })
    for (let page = await forgetPage(undefined); page.length === sessionsAtOnce;) page = await forgetPage(page.at(-1))
  },
  { neverPaused: true },
)
