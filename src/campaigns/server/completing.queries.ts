import { sql, type Tx } from '../../kit/server/db.ts'

export type CampaignToComplete = { id: string; title: string; developerId: string }

/** Campaigns that are due for completion, a bounded number at a time. */
export const campaignsToComplete = (tx: Tx, now: string, limit: number): Promise<CampaignToComplete[]> =>
  tx.rows(sql`
    select id, title, developer_id as "developerId" from (
      (select id, title, developer_id from campaigns
        where status in ('LIVE', 'PAUSED') and open_testers = 0 and end_date <= ${now} order by end_date limit ${limit})
      union
      (select id, title, developer_id from campaigns
        where status in ('LIVE', 'PAUSED') and open_testers = 0 and verified_testers = testers_required
        order by id limit ${limit})
    ) due limit ${limit}`)
