import { type Due, type Hold, holding, nextPage, type Page } from '../../kit/server/batches.ts'
import { sql, type Tx } from '../../kit/server/db.ts'

export type CampaignToComplete = Due & {
  title: string
  developerId: string
  disputedSince: string | null
  disputeLostAt: string | null
}

/** First the campaigns whose seats are all verified or closed, then those whose time is over. */
export const campaignsToComplete = (tx: Tx, now: string, page: Page): Promise<CampaignToComplete[]> =>
  tx.rows(sql`select id, title, developer_id as "developerId", completes_at::text as at,
      disputed_since as "disputedSince", dispute_lost_at as "disputeLostAt" from campaigns
    where completes_at <= ${now} ${nextPage(sql`completes_at`, page)}`)

/** Also locks their owners, and the testers on their benches. */
export const lockWithPeople = async (
  tx: Tx,
  campaigns: readonly CampaignToComplete[],
  hold: Hold,
): Promise<string[]> => {
  const ids = campaigns.map(({ id }) => id)
  const owners = await tx.rows<{ id: string }>(sql`select id from users
    where id = any(${campaigns.map(({ developerId }) => developerId)}::uuid[]
      || array(select tester_id from bench_entries where campaign_id = any(${ids})))
    order by id for key share ${holding(hold)}`)
  const rows = await tx.rows<{ id: string }>(sql`select id from campaigns
    where id = any(${ids}) and developer_id = any(${owners.map(({ id }) => id)}) order by id for update ${holding(hold)}`)
  return rows.map(({ id }) => id)
}
