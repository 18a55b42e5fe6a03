/** Ending the sessions of a user: with their access tokens, on every server. */
import { clock } from '../../kit/clock.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { announceSessionEnd, forgetSession } from '../../kit/server/session.ts'
import { endSessionsOf } from './queries.ts'

type SessionEnd = { userId: string; reason: 'PASSWORD_CHANGED' | 'SUSPENDED' | 'DELETED'; keepId?: string }

/**
 * Does `work`, and in the same transaction ends all of the user's sessions but `keepId`. The other servers hear of it
 * with the commit; this one does not wait for its own notice.
 */
export const transactAndSignOut = async (
  { userId, reason, keepId }: SessionEnd,
  work: (tx: Tx) => Promise<void>,
): Promise<void> => {
  const ended = await transact(async tx => {
    await work(tx)
    const ids = await endSessionsOf(tx, { userId, reason, keepId: keepId ?? null, now: clock.now() })
    for (const id of ids) await announceSessionEnd(tx, id)
    return ids
  })
  for (const id of ended) forgetSession(id)
}
