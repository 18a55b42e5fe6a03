import { clock } from '../../kit/clock.ts'
import { mailGoesOut } from '../../notifications/server/notifications.ts'
import type { User } from '../contract.ts'
import { pauseOf } from '../rules.ts'
import type { UserRow } from './queries.ts'

export const toUser = (row: UserRow): User => {
  const now = clock.now()
  const pause = pauseOf(row, now)
  const { pendingEmail } = row
  return {
    ...row,
    paymentMethod: row.paymentMethod ?? row.email,
    mustConfirmEmail: row.emailVerifiedAt === null && mailGoesOut(),
    pendingEmail: pendingEmail && Date.parse(pendingEmail.expiresAt) > Date.parse(now) ? pendingEmail.email : null,
    payoutsPausedUntil: pause?.until ?? null,
    payoutsPausedBecause: pause?.because ?? null,
  }
}
