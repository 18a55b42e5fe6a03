/** The user's own password and sessions. */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { notFound } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { refuseSessions } from '../../kit/server/endedSessions.ts'
import type { SessionInfo } from '../contract.ts'
import { deviceOf } from '../../kit/userAgent.ts'
import { voidLinks } from './emailLinks.queries.ts'
import { assertOwnPassword, assertStillOwn } from './ownPassword.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { warn } from './securityEmails.ts'
import { endSessions } from './sessionEnds.ts'
import { assertStrongEnough } from './strongPasswords.ts'

/** Ends all other sessions, because they were opened with the old password. */
export const changePassword = async (user: SignedIn, currentPassword: string, newPassword: string): Promise<void> => {
  const checkedHash = await assertOwnPassword(user, currentPassword, 'currentPassword')
  await assertStrongEnough(autocommit, newPassword, await queries.userById(autocommit, user.id), 'newPassword')
  const passwordHash = await hashPassword(newPassword)
  await transact(async tx => {
    await assertStillOwn(tx, user, checkedHash, 'currentPassword')
    await queries.setPasswordHash(tx, user.id, passwordHash)
    await endSessions(tx, { userId: user.id, reason: 'PASSWORD_CHANGED', keepId: user.sessionId })
    // Someone who knew the old password may have asked to move the account to another address.
    await voidLinks(tx, { userId: user.id, purposes: ['RESET_PASSWORD', 'CHANGE_EMAIL'], now: clock.now() })
    await warn(tx, user.id, 'PASSWORD_CHANGED', { userId: user.id, byLink: false, pauseHours: null })
  })
}

export const ownSessions = async (user: SignedIn): Promise<SessionInfo[]> => {
  const rows = await queries.liveSessionsOf(autocommit, user.id, clock.now())
  return rows.map(row => ({ ...row, current: row.id === user.sessionId }))
}

/** Ends the caller's session as well, so nobody keeps a valid token for this account. */
export const endAllOwnSessions = (user: SignedIn): Promise<void> =>
  transact(async tx => {
    await endSessions(tx, { userId: user.id, reason: 'ENDED_BY_USER' })
    await voidLinks(tx, { userId: user.id, purposes: ['CHANGE_EMAIL'], now: clock.now() })
    await warn(tx, user.id, 'SIGNED_OUT_EVERYWHERE', { userId: user.id })
  })

/** Sends the user one email for all of them, because somebody else may be ending them. */
export const endOtherSessions = async (user: SignedIn, currentPassword: string): Promise<{ ended: number }> => {
  const checkedHash = await assertOwnPassword(user, currentPassword, 'currentPassword')
  return transact(async tx => {
    await assertStillOwn(tx, user, checkedHash, 'currentPassword')
    const ended = await endSessions(tx, { userId: user.id, reason: 'ENDED_BY_USER', keepId: user.sessionId })
    if (ended > 0) await warn(tx, user.id, 'SIGNED_OUT_ELSEWHERE', { userId: user.id, sessions: ended })
    return { ended }
  })
}

/** Ending another session than the caller's is reported to the user, because somebody else may be doing it. */
export const endOwnSession = async (user: SignedIn, id: string, currentPassword: string): Promise<void> => {
  // Another user's session is not found, whatever the password.
  if (!(await queries.isUnendedSessionOf(autocommit, user.id, id))) throw notFound('Session')
  const checkedHash = await assertOwnPassword(user, currentPassword, 'currentPassword')
  await transact(async tx => {
    await assertStillOwn(tx, user, checkedHash, 'currentPassword')
    const ended = await queries.endSessionOf(tx, user.id, id, clock.now())
    if (!ended) throw notFound('Session')
    await refuseSessions(tx, [id])
    // One that had expired was signed out before.
    if (id === user.sessionId || !ended.live) return
    const facts = { userId: user.id, device: deviceOf(ended.userAgent), by: 'ANOTHER_SESSION' as const }
    await warn(tx, user.id, 'SIGNED_OUT', facts)
  })
}
