/** The rows that `revenue` (queries.ts) sums, over the same span. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { RevenueLine } from '../contract.ts'
import { since } from './queries.ts'

type RevenueRow = Omit<RevenueLine, 'campaign' | 'developer'> & {
  campaignId: string
  title: string
  developerId: string
  name: string
}

/** Newest first. Reads no more rows of each kind than the page can show. */
export const revenueLines = async (
  tx: Tx,
  from: string | null,
  { page, limit }: { page: number; limit: number },
): Promise<RevenueLine[]> => {
  const rows = await tx.rows<RevenueRow>(sql`
    with lines as (
      (select id, 'PAYMENT' as kind, amount_cents, created_at, campaign_id, developer_id from payments
        where status = 'COMPLETED' ${since(sql`created_at`, from)} order by created_at desc, id desc limit ${page * limit})
      union all
      (select id, 'REFUND', -amount_cents, created_at, campaign_id, developer_id from refunds
        where true ${since(sql`created_at`, from)} order by created_at desc, id desc limit ${page * limit})
    ), shown as (select * from lines order by created_at desc, id desc limit ${limit} offset ${(page - 1) * limit})
    select shown.id, kind, amount_cents as "amountCents", shown.created_at as "createdAt", c.id as "campaignId", c.title,
      d.id as "developerId", d.name
    from shown join campaigns c on c.id = shown.campaign_id join users d on d.id = shown.developer_id
    order by shown.created_at desc, shown.id desc`)
  return rows.map(({ campaignId, title, developerId, name, ...line }) => ({
    ...line,
    campaign: { id: campaignId, title },
    developer: { id: developerId, name },
  }))
}

export const countRevenueLines = (tx: Tx, from: string | null): Promise<number> =>
  tx.value(sql`
    select (select count(*) from payments where status = 'COMPLETED' ${since(sql`created_at`, from)})
      + (select count(*) from refunds where true ${since(sql`created_at`, from)})`)
