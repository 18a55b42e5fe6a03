/** The rows that make up the revenue of a period (platform.queries.ts). */
import { empty, planEachTime, sql, type Tx } from '../../kit/server/db.ts'
import { keysetOf, type NumberedList, type Slice } from '../../kit/server/numberedLists.ts'
import type { Period, RevenueLine } from '../contract.ts'

const since = (column: typeof empty, from: string | null) => (from ? sql`and ${column} >= ${from}` : empty)

type RevenueRow = Omit<RevenueLine, 'campaign' | 'developer'> & {
  campaignId: string
  title: string
  developerId: string
  name: string
  at: string
}

const payments = (from: string | null) => sql`payments where status = 'COMPLETED' ${since(sql`created_at`, from)}`
const refunds = (from: string | null) => sql`refunds where true ${since(sql`created_at`, from)}`
const covers = (from: string | null) => sql`dispute_covers where true ${since(sql`created_at`, from)}`

/** Newest first. */
export const revenueList = (
  tx: Tx,
  period: Period,
  from: string | null,
): NumberedList<RevenueLine & { at: string }> => ({
  // Does not include `from`, because the period's start moves on while a user pages through.
  of: ['revenue', { period }],
  keyOf: ({ at, id }) => [at, id],
  matching: sql`select from ${payments(from)} union all select from ${refunds(from)}
    union all select from ${covers(from)}`,
  rows: slice => revenueLines(tx, from, slice),
})

/** Reads no more rows of each kind than the page can show. */
const revenueLines = async (tx: Tx, from: string | null, slice: Slice): Promise<(RevenueLine & { at: string })[]> => {
  const { beyond, order, window } = keysetOf(slice, sql`created_at`, sql`id`)
  const most = sql`limit ${slice.offset + slice.limit}`
  const rows = await tx.rows<RevenueRow>(
    planEachTime(sql`
    with lines as (
      (select id, 'PAYMENT' as kind, amount_cents, created_at, campaign_id, developer_id from ${payments(from)} ${beyond}
        order by ${order} ${most})
      union all
      (select id, 'REFUND', -amount_cents, created_at, campaign_id, developer_id from ${refunds(from)} ${beyond}
        order by ${order} ${most})
      union all
      (select id, case when amount_cents > 0 then 'TAKEN_BACK' else 'RETURNED' end, -amount_cents, created_at, campaign_id,
          developer_id from ${covers(from)} ${beyond}
        order by ${order} ${most})
    ), shown as (select * from lines order by ${order} ${window})
    select shown.id, kind, amount_cents as "amountCents", shown.created_at as "createdAt", c.id as "campaignId", c.title,
      d.id as "developerId", d.name, shown.created_at::text as at
    from shown join campaigns c on c.id = shown.campaign_id join users d on d.id = shown.developer_id
    order by shown.created_at desc, shown.id desc`),
  )
  return rows.map(({ campaignId, title, developerId, name, ...line }) => ({
    ...line,
    campaign: { id: campaignId, title },
    developer: { id: developerId, name },
  }))
}
