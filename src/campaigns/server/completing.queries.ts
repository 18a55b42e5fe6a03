import { sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/jobs.ts'

export type CampaignToComplete = { id: string; title: string; developerId: string }

/** Campaigns that are due for completion, a bounded number at a time. */
export const campaignsToComplete = (tx: Tx, now: string, { limit, except }: DuePage): Promise<CampaignToComplete[]> =>
  tx.rows(sql`
    select id, title, developer_id as "developerId" from (
      (select id, title, developer_id from campaigns
        where status in ('LIVE', 'PAUSED') and open_testers = 0 and end_date <= ${now} and id <> all(${except})
        order by end_date limit ${limit})
      union
      (select id, title, developer_id from campaigns
        where status in ('LIVE', 'PAUSED') and open_testers = 0
          and verified_testers + closed_seats = testers_required and id <> all(${except})
        order by id limit ${limit})
    ) due limit ${limit}`)
