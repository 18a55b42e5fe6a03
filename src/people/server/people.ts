/** Admins' use cases on users: list, message, suspend, restore (product.md §5, §7). */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { NumberedPage, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Role } from '../../kit/roles.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import type { Job } from '../../kit/server/jobs.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import { pauseForSuspension } from '../../campaigns/server/campaigns.ts'
import { resumePayouts } from '../../ledger/server/ledger.ts'
import { emailMessages, isEmailedAtOnce, notify } from '../../notifications/server/notifications.ts'
import { dropForSuspension } from '../../participations/server/participations.ts'
import { loginLimits } from '../../accounts/rules.ts'
import type { AdminUser, SecurityReport, UserCounts, UserProfile, UserQuery } from '../contract.ts'
import { endSessions, leaveCampaignsJob } from '../../accounts/server/accounts.ts'
import * as queries from './queries.ts'

export const list = async ({ page, limit, cursor, ...filters }: UserQuery): Promise<NumberedPage<AdminUser>> =>
  numberedPageOf(autocommit, { page, limit, cursor }, await queries.usersList(autocommit, filters))

export const counts = (): Promise<UserCounts> =>
  queries.userCounts(autocommit, `${clock.now().slice(0, 7)}-01T00:00:00.000Z`)

export const profile = async (id: string): Promise<UserProfile> => {
  const { suspendedAt, suspensionReason, ...user } = await queries.profileOf(autocommit, id)
  const [payoutsPending, campaigns, tests, transactions, sessions, activeSessions, adminActions] = await Promise.all([
    queries.payoutsPendingOf(autocommit, id),
    queries.campaignsOf(autocommit, id),
    queries.testsOf(autocommit, id),
    queries.transactionsOf(autocommit, id),
    queries.sessionsOf(autocommit, id, clock.now()),
    queries.activeSessionsOf(autocommit, id, clock.now()),
    queries.adminActionsOn(autocommit, id),
  ])
  const suspension = suspendedAt && suspensionReason ? { at: suspendedAt, reason: suspensionReason } : null
  return { ...user, suspension, payoutsPending, campaigns, tests, transactions, sessions, activeSessions, adminActions }
}

type Message = { subject: string; message: string }

export const message = (
  admin: SignedIn,
  id: string,
  { subject, message: text }: Message,
  key: string | null,
): Promise<{ sentTo: string | null }> =>
  transactOnce({
    userId: admin.id,
    key,
    call: 'message-user',
    asked: { id, subject, text },
    subjectId: id,
    effect: async tx => {
      // A suspension emails the messages that are there by then.
      await queries.holdUser(tx, id)
      await notify(tx, id, 'ADMIN_MESSAGE', { subject, text })
      await auditIfAdmin(tx, admin, { action: 'user.message', subjectType: 'user', subjectId: id, facts: { subject } })
    },
    answer: async userId => {
      const [{ email, suspendedAt }, emailed] = await Promise.all([
        queries.profileOf(autocommit, userId),
        isEmailedAtOnce(autocommit, userId, 'MESSAGES'),
      ])
      return { sentTo: emailed || suspendedAt ? email : null }
    },
  })

/**
 * Suspends a user: ends every session, refuses sign-ins with the reason, drops a tester from running campaigns, pauses a
 * developer's LIVE campaigns, and freezes payouts until the user is restored.
 */
export const ban = async (admin: SignedIn, id: string, reason: string): Promise<UserProfile> => {
  await transact(async tx => {
    const user = await queries.profileOf(tx, id)
    assertMayBan(user)
    if ((await queries.setSuspended(tx, id, reason, clock.now())) === 0) throw suspendedBefore()
    await auditIfAdmin(tx, admin, { action: 'user.ban', subjectType: 'user', subjectId: id, facts: { reason } })
    await notify(tx, id, 'ACCOUNT_SUSPENDED', { reason, role: user.role })
    await emailMessages(tx, id)
    await leaveCampaigns(tx, user)
    await endSessions(tx, { userId: id, reason: 'SUSPENDED' })
  })
  return profile(id)
}

/**
 * Used when src/accounts suspends a user, because it does not know campaigns. Does nothing if an admin has restored the user
 * meanwhile.
 */
export const leaveAllCampaigns: Job<{ userId: string }> = {
  name: leaveCampaignsJob,
  expireMinutes: 5,
  run: ({ userId }) =>
    transact(async tx => {
      const user = await queries.lockSuspended(tx, userId)
      if (user) await leaveCampaigns(tx, user)
    }),
}

const leaveCampaigns = async (tx: Tx, user: { id: string; role: Role }) => {
  if (user.role === 'TESTER') await dropForSuspension(tx, user.id)
  if (user.role === 'DEVELOPER') await pauseForSuspension(tx, user.id)
}

const suspendedBefore = () => new DomainError('WRONG_STATE', 'This user is already suspended.')

const assertMayBan = (user: { role: Role; status: string }) => {
  if (user.role === 'ADMIN') throw new DomainError('WRONG_STATE', 'Admins cannot be suspended.')
  if (user.status === 'SUSPENDED') throw suspendedBefore()
}

export const unban = async (admin: SignedIn, id: string, reason: string): Promise<UserProfile> => {
  await transact(async tx => {
    const { role } = await queries.profileOf(tx, id)
    if ((await queries.setRestored(tx, id)) === 0) throw new DomainError('WRONG_STATE', 'This user is not suspended.')
    await auditIfAdmin(tx, admin, { action: 'user.unban', subjectType: 'user', subjectId: id, facts: { reason } })
    await notify(tx, id, 'ACCOUNT_RESTORED', { reason, role })
    await resumePayouts(tx, id)
  })
  return profile(id)
}

export const security = async (): Promise<SecurityReport> => {
  const now = clock.now()
  const since = hoursAfter(now, -loginLimits.windowMinutes / 60)
  const [failedLogins, lockedAccounts, refusedEmails, sessions] = await Promise.all([
    queries.failedLogins(autocommit),
    queries.lockedAccounts(autocommit, { since, ...loginLimits }),
    queries.refusedEmails(autocommit),
    queries.sessionsInUse(autocommit, now),
  ])
  return { failedLogins, lockedAccounts, refusedEmails, sessions }
}
