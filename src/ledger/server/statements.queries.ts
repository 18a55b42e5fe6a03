/** SQL for what users see of their money. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit } from '../../kit/server/rowLimits.ts'
import { keysetOf, type NumberedList, type Slice } from '../../kit/server/numberedLists.ts'
import type { Payment, PaymentOnTheWay, PaymentSummary, Refund, Transaction, TransactionQuery } from '../contract.ts'

export const balanceOf = (tx: Tx, testerId: string): Promise<{ balanceCents: number; onTheWayCents: number }> =>
  tx.one(
    sql`select balance_of_tester(${testerId}) as "balanceCents",
      (select coalesce(sum(amount_cents), 0)::bigint from withdrawals where tester_id = ${testerId} and status = 'PENDING')
        as "onTheWayCents"`,
    'Balance',
  )

type TransactionRow = Omit<Transaction, 'campaign' | 'hold'> & {
  waitingId: string | null
  campaignId: string | null
  campaignTitle: string | null
  seq: number
}

type Filters = Pick<TransactionQuery, 'type' | 'status' | 'campaignId'>

const linesOf = (userId: string, { type, status, campaignId }: Filters) =>
  sql`transactions where user_id = ${userId} ${type ? sql`and type = any(${type})` : empty}
    ${status ? sql`and status = ${status}` : empty} ${campaignId ? sql`and campaign_id = ${campaignId}` : empty}`

/** `waitingId`: the withdrawal of this line, while it is not paid out. */
export type Line = Omit<Transaction, 'hold'> & { seq: number; waitingId: string | null }

const transactionsAt = async (tx: Tx, lines: ReturnType<typeof sql>, slice: Slice): Promise<Line[]> => {
  const { beyond, order, window } = keysetOf(slice, sql`seq`)
  const rows = await tx.rows<TransactionRow>(sql`
    select t.id, t.type, t.status, t.amount_cents as "amountCents", t.description, t.created_at as "createdAt",
      t.campaign_id as "campaignId", c.title as "campaignTitle", p.id as "paymentId",
      case when t.type = 'DEBIT' then p.amount_cents end as "paymentCents", r.id as "refundId",
      w.id as "withdrawalId", case when t.type <> 'CREDIT' then coalesce(p.failure_reason, w.failure_reason) end as "failureReason",
      t.seq,
      case when t.type = 'PAYOUT' and t.status = 'PENDING' then t.source_id end as "waitingId"
    from (select * from ${lines} ${beyond} order by ${order} ${window}) t
    left join campaigns c on c.id = t.campaign_id
    left join payments p on p.id = t.source_id and t.type in ('DEBIT', 'FEE')
    left join refunds r on r.id = t.source_id and t.type = 'CREDIT'
    left join withdrawals w on w.id = t.source_id
    order by t.seq desc`)
  return rows.map(({ campaignId, campaignTitle, ...row }) => ({
    ...row,
    campaign: campaignId !== null && campaignTitle !== null ? { id: campaignId, title: campaignTitle } : null,
  }))
}

/** A user's lines, newest first. */
export const statementList = (tx: Tx, userId: string, filters: Filters): NumberedList<Line> => {
  const lines = linesOf(userId, filters)
  return {
    of: ['transactions', { userId, ...filters }],
    keyOf: ({ seq }) => [String(seq)],
    matching: sql`select from ${lines}`,
    rows: slice => transactionsAt(tx, lines, slice),
  }
}

export const newestTransactions = (tx: Tx, userId: string, limit: number): Promise<Line[]> =>
  transactionsAt(tx, linesOf(userId, {}), { place: null, limit, offset: 0 })

export const paymentSumsOf = (tx: Tx, developerId: string): Promise<Omit<PaymentSummary, 'paymentsOnTheWay'>> =>
  tx.one(
    sql`select
      coalesce(sum(amount_cents) filter (where type in ('DEBIT', 'FEE') and status = 'COMPLETED'), 0)::bigint as "paidInCents",
      coalesce(sum(amount_cents) filter (where type = 'FEE' and status = 'COMPLETED'), 0)::bigint as "feeCents",
      coalesce(sum(amount_cents) filter (where type = 'CREDIT' and status = 'COMPLETED'), 0)::bigint as "refundedCents",
      coalesce(sum(amount_cents) filter (where type = 'CREDIT' and status = 'PENDING'), 0)::bigint as "onTheWayBackCents"
    from transactions where user_id = ${developerId}`,
    'Summary',
  )

/** Leaves out charges that nobody needs: abandoned on the provider's page, for a campaign that no longer wants them. */
export const paymentsOnTheWay = async (tx: Tx, developerId: string, most: number): Promise<PaymentOnTheWay[]> => {
  const rows = await tx.rows<Omit<PaymentOnTheWay, 'campaign'> & { campaignId: string; title: string }>(
    sql`select h.id, h.campaign_id as "campaignId", c.title, h.pay_cents + h.fee_cents as "amountCents", h.created_at as "createdAt",
        h.checkout_url is not null as "isUnfinished", h.ended_at is not null as "goesBack"
      from charges h join campaigns c on c.id = h.campaign_id
      where h.developer_id = ${developerId} and h.status = 'PENDING' and (h.ended_at is null or h.checkout_url is null)
      order by h.id desc limit ${fixedRowLimit(most)}`,
  )
  return rows.map(({ campaignId, title, ...row }) => ({ ...row, campaign: { id: campaignId, title } }))
}

type Named<T> = Omit<T, 'campaign' | 'developer'> & { campaignId: string; title: string; name: string; email: string }

const withNames = <T>({ campaignId, title, name, email, ...row }: Named<T>) => ({
  ...row,
  campaign: { id: campaignId, title },
  developer: { name, email },
})

export const paymentOf = async (tx: Tx, developerId: string, id: string): Promise<Payment> =>
  withNames<Payment>(
    await tx.one(
      sql`select p.id, p.created_at as "createdAt", p.status, p.amount_cents as "totalCents",
        p.counterparty as "paymentMethod", p.failure_reason as "failureReason", p.campaign_id as "campaignId", c.title,
        u.name, u.email, lines.pay as "testersPayCents", lines.fee as "feeCents"
      from payments p join campaigns c on c.id = p.campaign_id join users u on u.id = p.developer_id
      cross join lateral (
        select coalesce(sum(amount_cents) filter (where type = 'DEBIT'), 0)::bigint as pay,
          coalesce(sum(amount_cents) filter (where type = 'FEE'), 0)::bigint as fee
        from transactions where source_id = p.id and status = 'COMPLETED'
      ) lines
      where p.id = ${id} and p.developer_id = ${developerId}`,
      'Payment',
    ),
  )

/** The statement shows the refund as one line; the transfers say how much of it was pay and how much fee. */
export const refundOf = async (tx: Tx, developerId: string, id: string): Promise<Refund> => ({
  ...withNames<Omit<Refund, 'parts'>>(
    await tx.one(
      sql`select r.id, r.created_at as "createdAt", r.settled_at as "settledAt", r.status, r.amount_cents as "totalCents",
        r.campaign_id as "campaignId", c.title, u.name, u.email,
        coalesce((select amount_cents from transfers where business_key = 'refund-pay:' || r.id), 0) as "testersPayCents",
        coalesce((select amount_cents from transfers where business_key = 'refund-fee:' || r.id), 0) as "feeCents"
      from refunds r join campaigns c on c.id = r.campaign_id join users u on u.id = r.developer_id
      where r.id = ${id} and r.developer_id = ${developerId}`,
      'Refund',
    ),
  ),
  parts: await refundPartsOf(tx, id),
})

const refundPartsOf = (tx: Tx, refundId: string): Promise<Refund['parts']> =>
  tx.rows(sql`select r.payment_id as "paymentId", r.counterparty as "paymentMethod", r.amount_cents as "amountCents",
      r.settled_at as "settledAt", o.reference as "paidOutside", r.dispute_id is not null as "paidByBank"
    from refund_parts r join payments p on p.id = r.payment_id
      left join outside_refunds o on o.part_id = r.id and o.outcome = 'PAID'
    where r.refund_id = ${refundId} order by p.seq desc, r.dispute_id nulls first, r.id`)
