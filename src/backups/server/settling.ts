/**
 * Prepares a restored copy before it serves requests: pauses its jobs, repeats later erasures, and deletes what has come due
 * since.
 */
import { transact } from '../../kit/server/db.ts'
import type { AnyJob } from '../../kit/server/jobs.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import { pauseJobs } from '../../kit/server/pauses.ts'
import { forgetTroubles } from '../../notifications/server/notifications.ts'
import { eraseAll, readErased } from './erasures.ts'
import type { Vault } from './vault.ts'

export type Settled = { accounts: number; addresses: number }

/** Works on the database that `connect` was called for, which is migrated and has its queues. */
export const settle = async (vault: Vault, note: string, dueDeletions: readonly AnyJob[]): Promise<Settled> => {
  await transact(async tx => {
    await pauseJobs(tx, { reason: 'RESTORED', note })
    await forgetTroubles(tx)
  })
  return during(workOf('jobs', jobLimits), async () => {
    const erased = await eraseAll(await readErased(vault))
    for (const job of dueDeletions) await job.run({})
    return erased
  })
}
