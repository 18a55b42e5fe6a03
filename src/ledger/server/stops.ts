/**
 * Withdrawals stop when the books are found to be wrong (decision 058), since we cannot ask testers to give back what they are paid
 * meanwhile.
 */
import type { Tx } from '../../kit/server/db.ts'
import { stoppedSentence } from '../rules.ts'
import * as queries from './breaches.queries.ts'

export type Stop = { since: string; sentence: string }

/**
 * Since when payouts are stopped, and the sentence that says so; null while they run. Requested withdrawals wait, and everything
 * else continues. This is a single look at an index that is nearly always empty.
 */
export const payoutsStopped = async (tx: Tx): Promise<Stop | null> => {
  const since = await queries.stoppedSince(tx)
  return since === null ? null : { since, sentence: stoppedSentence }
}
