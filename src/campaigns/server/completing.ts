/** Completes campaigns that are over, and refunds unused money. */
import { clock } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { eachDue, type Job } from '../../kit/server/jobs.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { endBench } from './bench.queries.ts'
import { campaignsToComplete, type CampaignToComplete } from './completing.queries.ts'

/** A campaign completes when no participation is open and all seats are verified or closed, or its time is over. */
export const completeCampaigns: Job<object> = {
  name: 'campaigns.complete',
  cron: '* * * * *',
  expireMinutes: 120,
  retried: false,
  run: () => eachDue(page => campaignsToComplete(autocommit, clock.now(), page), complete),
}

const complete = ({ id, title, developerId }: CampaignToComplete): Promise<void> =>
  transact(async tx => {
    await notify(tx, developerId, 'CAMPAIGN_COMPLETED', { campaignId: id, title })
    // Somebody else completed it first, or a tester joined: roll the notification back.
    if ((await ledger.completeCampaign(tx, id)) !== 'OK') throw new NotDue()
    for (const { testerId } of await endBench(tx, id)) await notify(tx, testerId, 'BENCH_ENDED', { title })
  }).catch((error: unknown) => {
    if (!(error instanceof NotDue)) throw error
  })

class NotDue extends Error {}
