/** Withdrawals stop when the books are found to be wrong (decision 058): who is paid meanwhile cannot be asked to give it back. */
import type { Tx } from '../../kit/server/db.ts'
import { stoppedSentence } from '../rules.ts'
import * as queries from './breaches.queries.ts'

export type Stop = { since: string; sentence: string }

/**
 * Since when nobody is paid out, and what to say of it; null while payouts go on. Withdrawals that were asked for wait, and
 * everything else goes on. One look at an index that is nearly always empty.
 */
export const payoutsStopped = async (tx: Tx): Promise<Stop | null> => {
  const since = await queries.stoppedSince(tx)
  return since === null ? null : { since, sentence: stoppedSentence }
}
