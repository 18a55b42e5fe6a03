/** The user's own password and sessions. */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { notFound } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { refuseSessions } from '../../kit/server/endedSessions.ts'
import type { SessionInfo } from '../contract.ts'
import { endSessions } from './accounts.ts'
import { assertOwnPassword, assertStillOwn } from './ownPassword.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'

/** Ends all other sessions, which were opened with the old password. */
export const changePassword = async (user: SignedIn, currentPassword: string, newPassword: string): Promise<void> => {
  const checkedHash = await assertOwnPassword(user, currentPassword, 'currentPassword')
  const passwordHash = await hashPassword(newPassword)
  await transact(async tx => {
    await assertStillOwn(tx, user, checkedHash, 'currentPassword')
    await queries.setPasswordHash(tx, user.id, passwordHash)
    await endSessions(tx, { userId: user.id, reason: 'PASSWORD_CHANGED', keepId: user.sessionId })
  })
}

export const ownSessions = async (user: SignedIn): Promise<SessionInfo[]> => {
  const rows = await queries.liveSessionsOf(autocommit, user.id, clock.now())
  return rows.map(row => ({ ...row, current: row.id === user.sessionId }))
}

/** Also the caller's own: whoever else holds a token of this account is out. */
export const endAllOwnSessions = (user: SignedIn): Promise<void> =>
  transact(tx => endSessions(tx, { userId: user.id, reason: 'ENDED_BY_USER' }))

export const endOwnSession = (user: SignedIn, id: string): Promise<void> =>
  transact(async tx => {
    if (!(await queries.endSessionOf(tx, user.id, id, clock.now()))) throw notFound('Session')
    await refuseSessions(tx, [id])
  })
