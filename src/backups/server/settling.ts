/**
 * What a restored copy is made to do before it answers anybody: its jobs are paused, and what was erased or has come due for
 * deletion since is gone.
 */
import { transact } from '../../kit/server/db.ts'
import type { AnyJob } from '../../kit/server/jobs.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import { pauseJobs } from '../../kit/server/pauses.ts'
import { forgetTroubles } from '../../notifications/server/notifications.ts'
import { eraseAll, readErased } from './erasures.ts'
import type { Vault } from './vault.ts'

export type Settled = { accounts: number; addresses: number }

/** On the database that `connect` was called for, migrated and with its queues made. */
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
