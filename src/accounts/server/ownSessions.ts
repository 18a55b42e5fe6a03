/** The user's own password and sessions. */
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError, notFound } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { refuseSessions } from '../../kit/server/session.ts'
import type { SessionInfo } from '../contract.ts'
import { loginLimits, tooManyLogins } from '../rules.ts'
import { endSessions } from './accounts.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import * as queries from './queries.ts'

/** Throws unless it is the caller's password. Wrong ones count as failed sign-ins, so that a stolen token cannot guess on. */
export const assertOwnPassword = async (user: SignedIn, password: string, field: string): Promise<void> => {
  const { email, passwordHash } = await queries.userById(autocommit, user.id)
  const now = clock.now()
  const { windowMinutes, perAccount, perAddress } = loginLimits
  const attempt = {
    email,
    ip: 'signed in',
    at: now,
    since: hoursAfter(now, -windowMinutes / 60),
    perAccount,
    perAddress,
  }
  const attemptId = await transact(tx => queries.reserveLoginAttempt(tx, attempt))
  if (attemptId === undefined) throw tooManyLogins()
  if (await passwordMatches(password, passwordHash)) {
    await transact(tx => queries.clearLoginFailures(tx, email, attemptId))
    return
  }
  const message = 'The current password is not correct.'
  throw new DomainError('INVALID_INPUT', message, { fields: { [field]: message } })
}

/** Ends all other sessions, which were opened with the old password. */
export const changePassword = async (user: SignedIn, currentPassword: string, newPassword: string): Promise<void> => {
  await assertOwnPassword(user, currentPassword, 'currentPassword')
  const passwordHash = await hashPassword(newPassword)
  await transact(async tx => {
    await queries.setPasswordHash(tx, user.id, passwordHash)
    await endSessions(tx, { userId: user.id, reason: 'PASSWORD_CHANGED', keepId: user.sessionId })
  })
}

export const ownSessions = async (user: SignedIn): Promise<SessionInfo[]> => {
  const rows = await queries.liveSessionsOf(autocommit, user.id, clock.now())
  return rows.map(row => ({ ...row, current: row.id === user.sessionId }))
}

export const endOwnSession = (user: SignedIn, id: string): Promise<void> =>
  transact(async tx => {
    if (!(await queries.endSessionOf(tx, user.id, id, clock.now()))) throw notFound('Session')
    await refuseSessions(tx, [id])
  })
