/** How withdrawals go on after a breach of the books (decision 058). */
import { clock } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Tx } from '../../kit/server/db.ts'
import * as queries from './breaches.queries.ts'
import { resumeAllPayouts } from './payouts.ts'

export type Acceptance = { ids: readonly string[]; by: string; reason: string }

/**
 * From the commit of `tx` on payouts go on, those that waited first. WRONG_STATE unless the breaches are all that stop them, so
 * that nobody accepts what they have not seen. Answers the breaches with their checks.
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
