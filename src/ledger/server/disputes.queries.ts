/** SQL for disputes. */
import type { Instant } from '../../kit/clock.ts'
import type { Due, Page } from '../../kit/server/batches.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { DisputeOutcome } from '../terms.ts'

export type News = {
  id: string
  provider: string
  reference: string
  paymentId: string
  amountCents: number
  reason: string
  status: 'OPEN' | DisputeOutcome
  evidenceDueAt: Instant | null
  at: Instant
  adminId: string | null
  now: Instant
}

export type Change = 'OPENED' | DisputeOutcome | 'SAME' | 'NOT_FOUND'

export const changeDispute = (tx: Tx, n: News): Promise<Change> =>
  tx.value(sql`select change_dispute(${n.id}, ${n.provider}, ${n.reference}, ${n.paymentId}, ${n.amountCents}, ${n.reason},
    ${n.status}, ${n.evidenceDueAt}, ${n.at}, ${n.adminId}, ${n.now})`)

/**
 * True if a known dispute has had more movements than this news says, so that the news is old. Locks the dispute and its
 * campaign.
 */
export const isOldNews = (tx: Tx, n: Pick<News, 'provider' | 'reference'>, movements: number): Promise<boolean> =>
  tx.value(sql`select coalesce(movements > ${movements}, false) from lock_dispute(${n.provider}, ${n.reference})`)

/** Returns true if a won dispute is open again because its money has moved once more. */
export const reopenDispute = (
  tx: Tx,
  n: Pick<News, 'provider' | 'reference'>,
  movements: number,
  now: Instant,
): Promise<boolean> => tx.value(sql`select open_dispute_again(${n.provider}, ${n.reference}, ${movements}, ${now})`)

/** Returns true if a lost dispute is won after all because its money has moved once more. */
export const winLostDispute = (
  tx: Tx,
  n: Pick<News, 'provider' | 'reference' | 'at'>,
  movements: number,
  now: Instant,
): Promise<boolean> =>
  tx.value(sql`select win_lost_dispute(${n.provider}, ${n.reference}, ${movements}, ${n.at}, ${now})`)

export const noteMovements = (tx: Tx, n: Pick<News, 'provider' | 'reference'>, movements: number): Promise<number> =>
  tx.run(sql`update disputes set movements = ${movements}
    where provider = ${n.provider} and reference = ${n.reference} and movements < ${movements}`)

/** What the provider kept of one movement of its money or, below zero, gave back. */
export type DisputeFee = { movement: string; cents: number }

export const bookDisputeFees = (
  tx: Tx,
  { provider, reference }: Pick<News, 'provider' | 'reference'>,
  fees: readonly DisputeFee[],
  now: Instant,
): Promise<unknown> =>
  tx.rows(sql`select book_dispute_fees(${provider}, ${reference}, ${fees.map(({ movement }) => movement)}::text[],
    ${fees.map(({ cents }) => cents)}::bigint[], ${now})`)

export type Concerned = {
  id: string
  campaignId: string
  title: string
  developerId: string
  amountCents: number
  stage: 'AHEAD' | 'RUNNING' | 'ENDED'
  /** Whether another payment of the campaign is disputed or was taken back. */
  others: 'NONE' | 'OPEN' | 'LOST'
}

export const concerned = (tx: Tx, provider: string, reference: string): Promise<Concerned> =>
  tx.one(
    sql`select d.id, c.id as "campaignId", c.title, c.developer_id as "developerId", d.amount_cents as "amountCents",
        case when c.status in ('LIVE', 'PAUSED') then 'RUNNING' when c.status in ('COMPLETED', 'CANCELLED') then 'ENDED'
          else 'AHEAD' end as stage,
        coalesce((select case when bool_or(o.status = 'OPEN') then 'OPEN' when bool_or(o.status = 'LOST') then 'LOST' end
          from disputes o where o.campaign_id = c.id and o.id <> d.id), 'NONE') as others
      from disputes d join campaigns c on c.id = d.campaign_id where d.provider = ${provider} and d.reference = ${reference}`,
    'Dispute',
  )

/** Testers who continue. A rejected test is open, too, but the message does not apply to it. */
export const insideOf = (tx: Tx, campaignId: string): Promise<{ testId: string; testerId: string }[]> =>
  tx.rows(sql`select id as "testId", tester_id as "testerId" from participations
    where campaign_id = ${campaignId} and closed_at is null and status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED')
    order by id`)

export type Told = { id: string; status: string; closedAt: Instant | null }

export const disputeBy = (tx: Tx, provider: string, reference: string): Promise<Told | undefined> =>
  tx.maybe(sql`select id, status, closed_at as "closedAt" from disputes
    where provider = ${provider} and reference = ${reference}`)

/** Campaigns whose disputes are closed, but whose follow-up is not done yet. */
export const afterDispute = (tx: Tx, { after, limit }: Page): Promise<Due[]> =>
  tx.rows(sql`select id, 'epoch' as at from campaigns where after_dispute and disputed_since is null
    ${after ? sql`and id > ${after.id}` : empty} order by id limit ${limit}`)

/** Campaigns with seats that have become free since a dispute was lost. */
export const toEmpty = (tx: Tx, { after, limit }: Page): Promise<Due[]> =>
  tx.rows(sql`select id, 'epoch' as at from campaigns where dispute_lost_at is not null and status in ('LIVE', 'PAUSED')
    and seats_taken + closed_seats < testers_required and disputed_since is null
    ${after ? sql`and id > ${after.id}` : empty} order by id limit ${limit}`)

/** Campaigns with refunds that a bank has paid, and that could not be set off when the dispute was lost. */
export const toSetOff = (tx: Tx, { after, limit }: Page): Promise<Due[]> =>
  tx.rows(sql`select distinct c.id, 'epoch' as at from refund_parts part
      join disputes d on d.payment_id = part.payment_id and d.status = 'LOST' and d.set_off_cents < d.amount_cents
      join campaigns c on c.id = d.campaign_id
    where part.status = 'PENDING' and c.disputed_since is null and may_set_off(part) and beyond_payment(part.payment_id) > 0
    ${after ? sql`and c.id > ${after.id}` : empty} order by c.id limit ${limit}`)

/** Locks users before campaigns, as all code does. */
export const lockCampaigns = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`select id from users where id = any(array(select developer_id from campaigns where id = any(${ids}))
    || array(select tester_id from bench_entries where campaign_id = any(${ids}))) order by id for key share`)
  await tx.run(sql`select id from campaigns where id = any(${ids}) order by id for update`)
}

export const settleDisputed = (
  tx: Tx,
  ids: readonly string[],
  refundIds: readonly string[],
  now: Instant,
): Promise<{ testerId: string; campaignId: string }[]> =>
  tx.rows(sql`select tester_id as "testerId", campaign_id as "campaignId"
    from settle_disputed(${ids}::uuid[], ${refundIds}::uuid[], ${now})`)

export const titlesOf = (tx: Tx, ids: readonly string[]): Promise<{ id: string; title: string }[]> =>
  tx.rows(sql`select id, title from campaigns where id = any(${ids})`)

/** Parts of refunds that were begun before a dispute and that it held up. */
export const heldRefundParts = (tx: Tx, campaignIds: readonly string[]): Promise<{ partId: string }[]> =>
  tx.rows(sql`select part.id as "partId" from refund_parts part join payments p on p.id = part.payment_id
    where p.campaign_id = any(${campaignIds}) and part.status = 'PENDING'`)

export const cancelledAmong = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(
      sql`select id from campaigns where id = any(${ids}) and status = 'CANCELLED' order by id`,
    )
  ).map(({ id }) => id)
