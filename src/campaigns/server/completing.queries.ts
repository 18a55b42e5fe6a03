import { type Due, type Hold, holding, nextPage, type Page } from '../../kit/server/batches.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'

export type CampaignToComplete = Due & { title: string; developerId: string }

const found = sql`select id, title, developer_id as "developerId"`
const nobodyInside = sql`status in ('LIVE', 'PAUSED') and open_testers = 0 and disputed_since is null`

/** Whose time is over. */
export const endedCampaigns = (tx: Tx, now: string, page: Page): Promise<CampaignToComplete[]> =>
  tx.rows(sql`${found}, end_date::text as at from campaigns where ${nobodyInside} and end_date <= ${now}
    ${nextPage(sql`end_date`, page)}`)

/** All of whose seats are verified or closed; they wait in no order. */
export const settledCampaigns = (tx: Tx, { after, limit }: Page): Promise<CampaignToComplete[]> =>
  tx.rows(sql`${found}, 'epoch' as at from campaigns
    where ${nobodyInside} and verified_testers + closed_seats = testers_required
      ${after ? sql`and id > ${after.id}` : empty}
    order by id limit ${limit}`)

/** With their owners, and those who wait on their benches. */
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
