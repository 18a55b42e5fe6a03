/** Ending sessions together with their access tokens. */
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import { refuseSessions } from '../../kit/server/endedSessions.ts'
import { sessionLimits } from '../rules.ts'
import * as queries from './queries.ts'
import { endLeastUsed, lockSignIns } from './sessions.queries.ts'

export const closeSession = async (
  tx: Tx,
  sessionId: string,
  reason: 'LOGOUT' | 'TOKEN_REUSED',
): Promise<queries.EndedSession | undefined> => {
  const ended = await queries.endSession(tx, sessionId, reason, clock.now())
  if (ended) await refuseSessions(tx, [sessionId])
  return ended
}

type SessionEnd = {
  userId: string
  reason: 'PASSWORD_CHANGED' | 'SUSPENDED' | 'DELETED' | 'ENDED_BY_USER'
  keepId?: string
}

/**
 * Ends all sessions of a user except `keepId`, with their access tokens, and returns how many of them were still live. Also for
 * other slices.
 */
export const endSessions = async (tx: Tx, { userId, reason, keepId }: SessionEnd): Promise<number> => {
  const end = { userId, reason, keepId: keepId ?? null, now: clock.now() }
  const ended = await queries.endSessionsOf(tx, end)
  await refuseSessions(
    tx,
    ended.map(({ id }) => id),
  )
  return ended.filter(({ live }) => live).length
}

/** Makes room for a new session: at the limit, ends the live session that has been unused for longest. */
export const makeRoomForSession = async (tx: Tx, userId: string): Promise<void> => {
  await lockSignIns(tx, userId)
  await refuseSessions(tx, await endLeastUsed(tx, { userId, kept: sessionLimits.live - 1, now: clock.now() }))
}
