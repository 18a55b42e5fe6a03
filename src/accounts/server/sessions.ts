/** Ending sessions: one's own, or all of a user's. Every server hears of it when the transaction commits. */
import { clock } from '../../app/clock.ts'
import { sql, type Tx } from '../../app/server/db.ts'
import { announceSessionEnd } from '../../app/server/session.ts'

export type SessionEnd = 'LOGOUT' | 'TOKEN_REUSED' | 'ENDED_BY_USER' | 'PASSWORD_CHANGED' | 'SUSPENDED' | 'DELETED'

/** Ends all of a user's sessions, but for `keepId`. */
export const endAllSessions = async (tx: Tx, userId: string, reason: SessionEnd, keepId?: string): Promise<void> => {
  const ended = await tx.rows<{ id: string }>(sql`
    update sessions set ended_at = ${clock.now()}, end_reason = ${reason}
    where user_id = ${userId} and ended_at is null and id is distinct from ${keepId ?? null} returning id`)
  for (const { id } of ended) await announceSessionEnd(tx, id)
}
