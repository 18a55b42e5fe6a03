/** How withdrawals resume after a breach of the books (decision 058). */
import { clock } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Tx } from '../../kit/server/db.ts'
import * as queries from './breaches.queries.ts'
import { resumeAllPayouts } from './payouts.ts'

export type Acceptance = { ids: readonly string[]; by: string; reason: string }

/**
 * Resumes payouts when `tx` commits, oldest waiting first. Fails with WRONG_STATE unless `ids` covers every breach that stops
 * payouts, so that nobody accepts a breach they have not seen. Returns the accepted breaches with their checks.
 */
export const acceptBreaches = async (
  tx: Tx,
  { ids, by, reason }: Acceptance,
): Promise<{ id: string; check: string }[]> => {
  const open = await queries.lockUnexplained(tx)
  if (open.length === 0) throw new DomainError('WRONG_STATE', 'Withdrawals are not stopped.')
  if (open.some(({ id }) => !ids.includes(id))) {
    throw new DomainError(
      'WRONG_STATE',
      'Something else was found in the meantime. Look at it, then record why withdrawals can resume.',
    )
  }
  await queries.acceptBreaches(tx, { by, reason, now: clock.now() })
  await resumeAllPayouts(tx)
  return open
}
