/** Completes campaigns that are over, and refunds unused money. */
import { clock } from '../../kit/clock.ts'
import { type Hold, inBatches } from '../../kit/server/batches.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { everyMinute, scheduled } from '../../kit/server/jobs.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import { endBenches } from './bench.queries.ts'
import * as queries from './completing.queries.ts'
import { surplusOf } from './toCampaign.ts'

/** A campaign completes when no participation is open and all seats are verified or closed, or its time is over. */
export const completeCampaigns = scheduled('campaigns.complete', everyMinute, async () => {
  const now = clock.now()
  await inBatches({ load: page => queries.campaignsToComplete(autocommit, now, page), run: complete })
})

const complete = async (tx: Tx, due: readonly queries.CampaignToComplete[], hold: Hold): Promise<string[]> => {
  const locked = await queries.lockWithPeople(tx, due, hold)
  if (locked.length === 0) return []
  // Leaves out those that another server completed first, or that a tester has joined meanwhile.
  const completed = await ledger.completeCampaigns(tx, locked)
  const titles = new Map(due.map(({ id, title }) => [id, title]))
  const left = await endBenches(tx, completed)
  await notifyMany(tx, [
    ...due
      .filter(({ id }) => completed.includes(id))
      .map(({ id: campaignId, developerId, title, ...dispute }) =>
        notice(developerId, 'CAMPAIGN_COMPLETED', { campaignId, title, surplus: surplusOf(dispute) }),
      ),
    ...left.map(({ testerId, campaignId }) =>
      notice(testerId, 'BENCH_ENDED', { title: titles.get(campaignId)!, ended: true }),
    ),
  ])
  return locked
}
