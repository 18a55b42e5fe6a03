import { clock, monthsAfter } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { deleteInSteps } from '../../kit/server/deleting.ts'
import { scheduled } from '../../kit/server/jobs.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import * as queries from './queries.ts'

const forgottenAtOnce = 1000

/** Every night, deletes notifications that are older than the setting keeps them (decision 050). */
export const forgetOldNotifications = scheduled(
  'notifications.forget-old',
  '27 3 * * *',
  async () => {
    const { notificationMonths } = await currentSettings(autocommit)
    const before = monthsAfter(clock.now(), -notificationMonths)
    await deleteInSteps<string>(forgottenAtOnce, (after, limit) =>
      queries.forgetSome(autocommit, { before, after, limit }),
    )
  },
  { neverPaused: true },
)
