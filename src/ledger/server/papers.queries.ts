/** SQL for papers. Sums and lines of a span of time come from the index transactions_of_user_by_time. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { Instant } from '../../kit/clock.ts'
import type { BalanceSums, PaymentSums, PayoutAdvice, YearSummary } from '../papersContract.ts'
import type { TransactionStatus, TransactionType } from '../contract.ts'

export type Reader = { name: string; email: string; timeZone: string }

export const readerOf = (tx: Tx, userId: string): Promise<Reader> =>
  tx.one(sql`select name, email, time_zone as "timeZone" from users where id = ${userId}`, 'User')

/** `from` is included, `until` is not; both are beginnings of days. */
export type Span = { from: Instant; until: Instant }

/** Days begin in the user's time zone, and PostgreSQL knows when. */
export const spanOf = (tx: Tx, timeZone: string, days: { from: string; until: string }): Promise<Span> =>
  tx.one(
    sql`select ${days.from}::date::timestamp at time zone ${timeZone} as "from",
      ${days.until}::date::timestamp at time zone ${timeZone} as "until"`,
    'Span',
  )

/** When the user's first line was written; null if there is none. */
export const firstLineAt = (tx: Tx, userId: string): Promise<Instant | null> =>
  tx.value(sql`select min(created_at) as at from transactions where user_id = ${userId}`)

const within = (userId: string, { from, until }: Span) =>
  sql`user_id = ${userId} and created_at >= ${from} and created_at < ${until}`

/** The balance of an account at a time: its credits until then, minus its debits. */
const balanceAt = (userId: string, at: Instant) => sql`(
  select coalesce((select sum(amount_cents) from transfers where credit_account_id = a.id and at < ${at}), 0)
    - coalesce((select sum(amount_cents) from transfers where debit_account_id = a.id and at < ${at}), 0)
  from (select max(id) as id from accounts where kind = 'TESTER_BALANCE' and owner_id = ${userId}) a)::bigint`

export type Totals = { lines: number }

/**
 * Both balances come from the ledger's transfers, the other sums from the statement's lines. One statement reads all of them as of
 * the same moment.
 */
export const balanceSums = (tx: Tx, userId: string, span: Span): Promise<BalanceSums & Totals> =>
  tx.one(
    sql`select count(*) as lines, ${balanceAt(userId, span.from)} as "openingCents",
      coalesce(sum(amount_cents) filter (where type = 'CREDIT' and status <> 'REFUNDED'), 0)::bigint as "earnedCents",
      coalesce(sum(amount_cents) filter (where type = 'PAYOUT'), 0)::bigint as "withdrawnCents",
      coalesce(sum(amount_cents) filter (where type = 'CREDIT' and status = 'REFUNDED'), 0)::bigint as "returnedCents",
      ${balanceAt(userId, span.until)} as "closingCents"
    from transactions where ${within(userId, span)}`,
    'Statement',
  )

/** For the line of a refund, or of what a bank took or returned: the part of it that was the platform's fee. */
const feeOf = sql`coalesce((select amount_cents from transfers where business_key = 'refund-fee:' || t.source_id),
  (select abs(fee_cents) from dispute_covers where id = t.source_id), 0)`

/** `t` is a line that moved money. */
const paymentParts = sql`
  coalesce(sum(t.amount_cents - t.fee) filter (where t.type = 'DEBIT'), 0)::bigint as "testersPayCents",
  coalesce(sum(case when t.type = 'FEE' then t.amount_cents else t.fee end) filter (where t.type <> 'CREDIT'), 0)::bigint
    as "feeCents",
  coalesce(sum(t.amount_cents - t.fee) filter (where t.type = 'CREDIT'), 0)::bigint as "refundedPayCents",
  coalesce(sum(t.fee) filter (where t.type = 'CREDIT'), 0)::bigint as "refundedFeeCents"`

const linesWithParts = (userId: string, span: Span) => sql`(
  select t.*, case when t.type in ('CREDIT', 'DEBIT') then ${feeOf} else 0 end as fee
  from transactions t where ${within(userId, span)} and status <> 'FAILED')`

export const paymentSums = (
  tx: Tx,
  userId: string,
  span: Span,
): Promise<PaymentSums & Totals & { onTheWayBackCents: number }> =>
  tx.one(
    sql`select (select count(*) from transactions where ${within(userId, span)}) as lines, ${paymentParts},
      coalesce(sum(t.amount_cents) filter (where t.type = 'CREDIT' and t.status = 'PENDING'), 0)::bigint as "onTheWayBackCents"
    from ${linesWithParts(userId, span)} t`,
    'Statement',
  )

type OfCampaign = { campaignId: string; title: string; campaigns: number }

/** By campaign, largest first; each row carries the total number of campaigns. */
export const paidFor = (tx: Tx, userId: string, span: Span, limit: number): Promise<(PaymentSums & OfCampaign)[]> =>
  tx.rows(sql`
    select s.*, c.title from (
      select t.campaign_id as "campaignId", ${paymentParts}, count(*) over () as campaigns
      from ${linesWithParts(userId, span)} t where t.campaign_id is not null group by t.campaign_id
      order by sum(t.amount_cents) filter (where t.type <> 'CREDIT') desc nulls last, t.campaign_id limit ${limit}
    ) s join campaigns c on c.id = s."campaignId"
    order by s."testersPayCents" + s."feeCents" desc, c.id`)

export const earnedFrom = (
  tx: Tx,
  userId: string,
  span: Span,
  limit: number,
): Promise<(OfCampaign & Pick<YearSummary['earnedFrom'][number], 'earnedCents'>)[]> =>
  tx.rows(sql`
    select s.*, c.title from (
      select campaign_id as "campaignId", sum(amount_cents)::bigint as "earnedCents", count(*) over () as campaigns
      from transactions where ${within(userId, span)} and type = 'CREDIT' and campaign_id is not null
      group by campaign_id order by sum(amount_cents) desc, campaign_id limit ${limit}
    ) s join campaigns c on c.id = s."campaignId"
    order by s."earnedCents" desc, c.id`)

/** When the money of a withdrawal that failed or came back was in the balance again, according to the line that says so. */
const backInBalanceAt = sql`(select max(created_at) from transactions where source_id = w.id and type = 'CREDIT')`

/** Counts by the days on which the provider paid and money came back, not by those of the requests. */
export const paidOut = (tx: Tx, testerId: string, { from, until }: Span): Promise<number> =>
  tx.value(sql`select coalesce(sum(case when "settledAt" >= ${from} and "settledAt" < ${until} then cents else 0 end
      - case when "returnedAt" >= ${from} and "returnedAt" < ${until} then cents else 0 end), 0)::bigint
    from (select amount_cents as cents, settled_at as "settledAt", returned_at as "returnedAt"
      from withdrawals where tester_id = ${testerId} and (status = 'COMPLETED' or returned_at is not null)) paid`)

type AdviceRow = Omit<PayoutAdvice, 'tester' | 'number'> & { name: string; email: string }

/** Another user's advice is not found. */
export const payoutAdviceOf = (tx: Tx, testerId: string, id: string): Promise<AdviceRow> =>
  tx.one(
    sql`select w.id, w.created_at as "createdAt", case when w.returned_at is null then w.status else 'RETURNED' end as status,
      w.amount_cents as "amountCents", w.destination, w.settled_at as "settledAt", w.failure_reason as "failureReason",
      ${backInBalanceAt} as "returnedAt", u.name, u.email
    from withdrawals w join users u on u.id = w.tester_id
    where w.id = ${id} and w.tester_id = ${testerId}`,
    'Withdrawal',
  )

export type LineRow = {
  id: string
  seq: number
  createdAt: Instant
  type: TransactionType
  status: TransactionStatus
  amountCents: number
  description: string
  campaignId: string | null
  campaignTitle: string | null
  paymentId: string | null
  refundId: string | null
  withdrawalId: string | null
  /** When the payment, refund or withdrawal that the line belongs to was made. */
  sourceAt: Instant | null
  failureReason: string | null
}

/**
 * The lines of a span that follow the line `after`, oldest first. They are sorted by the date on them, so that what a month
 * contains and ends with does not depend on who reads it, and by sequence within one millisecond.
 */
export const linesAfter = (
  tx: Tx,
  userId: string,
  span: Span,
  { after, limit }: { after: number | null; limit: number },
): Promise<LineRow[]> =>
  tx.rows(sql`
    select t.id, t.seq, t.created_at as "createdAt", t.type, t.status, t.amount_cents as "amountCents", t.description,
      t.campaign_id as "campaignId", c.title as "campaignTitle", p.id as "paymentId", r.id as "refundId",
      w.id as "withdrawalId", coalesce(p.created_at, r.created_at, w.created_at) as "sourceAt",
      case when t.type <> 'CREDIT' then coalesce(p.failure_reason, w.failure_reason) end as "failureReason"
    from (
      select l.* from ${
        after === null
          ? empty
          : sql`(select created_at, seq from transactions where user_id = ${userId} and seq = ${after}) seen,
            lateral `
      } (
        select * from transactions where ${within(userId, span)}
          ${after === null ? empty : sql`and (created_at, seq) > (seen.created_at, seen.seq)`}
        order by created_at, seq limit ${limit}
      ) l
    ) t
    left join campaigns c on c.id = t.campaign_id
    left join payments p on p.id = t.source_id and t.type in ('DEBIT', 'FEE')
    left join refunds r on r.id = t.source_id and t.type = 'CREDIT'
    left join withdrawals w on w.id = t.source_id
    order by t.created_at, t.seq`)

/** The tester's balance after the line `after`, or at the beginning of the span. */
export const balanceAfter = async (tx: Tx, userId: string, span: Span, after: number | null): Promise<number> => {
  const opening = sql`${balanceAt(userId, span.from)}`
  if (after === null) return tx.value(sql`select ${opening}`)
  return tx.value(sql`select ${opening} + coalesce(sum(case when t.type = 'CREDIT' then t.amount_cents else -t.amount_cents end), 0)::bigint
    from (select created_at, seq from transactions where user_id = ${userId} and seq = ${after}) seen
    join transactions t on t.user_id = ${userId} and t.created_at >= ${span.from} and t.created_at < ${span.until}
      and (t.created_at, t.seq) <= (seen.created_at, seen.seq)`)
}
