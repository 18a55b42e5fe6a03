/** The dashboards' figures (docs/metrics.md), counted from the rows each time, for comparison with the roll-ups. */
import { empty, sql, type Tx } from '../kit/server/db.ts'
import type { DeveloperAnalytics, PlatformAnalytics } from '../dashboards/contract.ts'
import type { UserCounts } from '../people/contract.ts'
import type { Span } from '../dashboards/rules.ts'

const since = (column: ReturnType<typeof sql>, from: string | null) => (from ? sql`and ${column} >= ${from}` : empty)
const before = (column: ReturnType<typeof sql>, to: string | null) => (to ? sql`and ${column} < ${to}` : empty)

/** Revenue: payments of developers, fees included, minus refunds and what covered lost disputes. */
export const revenue = (tx: Tx, { from, to }: Span): Promise<number> =>
  tx.value(sql`
    select (
      (select coalesce(sum(amount_cents), 0) from payments
        where status = 'COMPLETED' ${since(sql`created_at`, from)} ${before(sql`created_at`, to)})
      - (select coalesce(sum(amount_cents), 0) from refunds
        where true ${since(sql`created_at`, from)} ${before(sql`created_at`, to)})
      - (select coalesce(sum(amount_cents), 0) from dispute_covers
        where true ${since(sql`created_at`, from)} ${before(sql`created_at`, to)}))::bigint`)

/** Spend: the revenue from one developer. */
export const spendOf = (tx: Tx, developerId: string, from: string | null): Promise<number> =>
  tx.value(sql`
    select (
      (select coalesce(sum(amount_cents), 0) from payments
        where developer_id = ${developerId} and status = 'COMPLETED' ${since(sql`created_at`, from)})
      - (select coalesce(sum(amount_cents), 0) from refunds
        where developer_id = ${developerId} ${since(sql`created_at`, from)})
      - (select coalesce(sum(amount_cents), 0) from dispute_covers
        where developer_id = ${developerId} ${since(sql`created_at`, from)}))::bigint`)

/** Not `account_of`, which may write: PostgreSQL would call it for every row. */
const revenueAccount = sql`(select id from accounts where kind = 'PLATFORM_REVENUE' and owner_id is null)`

/** Platform fees: transfers into the platform's revenue account. */
export const platformFees = (tx: Tx, from: string | null): Promise<number> =>
  tx.value(sql`select coalesce(sum(amount_cents), 0)::bigint from transfers
    where credit_account_id = ${revenueAccount} ${since(sql`at`, from)}`)

/** Every month from `from` to `now`, as `label`, `start` and `next`, so that each month is one index range. */
const monthsFrom = (from: string, now: string) => sql`(
  select to_char(m, 'YYYY-MM') as label, m at time zone 'UTC' as start, (m + interval '1 month') at time zone 'UTC' as next
  from generate_series(date_trunc('month', ${from}::timestamptz at time zone 'UTC'),
    ${now}::timestamptz at time zone 'UTC', interval '1 month') m) month`

export const platformByMonth = (tx: Tx, from: string, now: string): Promise<PlatformAnalytics['monthlyRevenue']> =>
  tx.rows(sql`
    select label as month, (
      (select coalesce(sum(amount_cents), 0) from payments
        where status = 'COMPLETED' and created_at >= month.start and created_at < month.next)
      - (select coalesce(sum(amount_cents), 0) from refunds
        where created_at >= month.start and created_at < month.next)
      - (select coalesce(sum(amount_cents), 0) from dispute_covers
        where created_at >= month.start and created_at < month.next))::bigint as "revenueCents",
      (select coalesce(sum(amount_cents), 0) from transfers where credit_account_id = ${revenueAccount}
        and at >= month.start and at < month.next)::bigint as "feeCents"
    from ${monthsFrom(from, now)} order by month.start`)

export const developerByMonth = (
  tx: Tx,
  developerId: string,
  from: string,
  now: string,
): Promise<DeveloperAnalytics['months']> =>
  tx.rows(sql`
    select label as month, (
      (select coalesce(sum(amount_cents), 0) from payments where developer_id = ${developerId}
        and status = 'COMPLETED' and created_at >= month.start and created_at < month.next)
      - (select coalesce(sum(amount_cents), 0) from refunds where developer_id = ${developerId}
        and created_at >= month.start and created_at < month.next)
      - (select coalesce(sum(amount_cents), 0) from dispute_covers where developer_id = ${developerId}
        and created_at >= month.start and created_at < month.next))::bigint as "spentCents",
      (select count(*) from participations p join campaigns c on c.id = p.campaign_id
        where c.developer_id = ${developerId} and p.joined_at >= month.start and p.joined_at < month.next) as "seatsFilled"
    from ${monthsFrom(from, now)} order by month.start`)

/** The first payment, which is where "all time" begins. */
export const firstPaymentAt = async (tx: Tx): Promise<string | undefined> =>
  (
    await tx.maybe<{ at: string }>(sql`select created_at as at from payments where status = 'COMPLETED'
    order by created_at limit 1`)
  )?.at

export const usersCreated = (tx: Tx, { from, to }: Span): Promise<number> =>
  tx.value(sql`select count(*) from users
    where deleted_at is null ${since(sql`created_at`, from)} ${before(sql`created_at`, to)}`)

export const campaignsCreated = (tx: Tx, { from, to }: Span): Promise<number> =>
  tx.value(
    sql`select count(*) from campaigns where true ${since(sql`created_at`, from)} ${before(sql`created_at`, to)}`,
  )

export const pendingApprovals = (tx: Tx): Promise<number> =>
  tx.value(sql`select count(*) from campaigns where status = 'PENDING_APPROVAL'`)

export const pendingLinks = (tx: Tx): Promise<number> =>
  tx.value(sql`select count(*) from campaigns where pending_link is not null or pending_group_link is not null`)

/** Tests joined in the span that ended, or were verified, within it, so that two spans of the same length can be compared. */
export const conversion = (tx: Tx, { from, to }: Span): Promise<{ ended: number; verified: number }> =>
  tx.one(
    sql`select count(*) filter (where status in ('VERIFIED', 'REJECTED', 'DROPPED') and closed_at is not null
        ${before(sql`closed_at`, to)}) as ended,
      count(*) filter (where status = 'VERIFIED' ${before(sql`closed_at`, to)}) as verified
      from participations where true ${since(sql`joined_at`, from)} ${before(sql`joined_at`, to)}`,
    'Count',
  )

/** Payments since `from`, and the number of campaigns that were paid. */
export const paidCampaigns = (tx: Tx, from: string | null): Promise<{ cents: number; campaigns: number }> =>
  tx.one(
    sql`select coalesce(sum(cents), 0)::bigint as cents, count(*) as campaigns from (
      select sum(amount_cents) as cents from payments
      where status = 'COMPLETED' ${since(sql`created_at`, from)} group by campaign_id) paid`,
    'Payments',
  )

export const topCampaigns = (tx: Tx, from: string | null, limit: number): Promise<PlatformAnalytics['topCampaigns']> =>
  tx.rows(sql`
    with paid as (
      select campaign_id, sum(cents)::bigint as cents from (
        select campaign_id, amount_cents as cents from payments where status = 'COMPLETED' ${since(sql`created_at`, from)}
        union all
        select campaign_id, -amount_cents from refunds where true ${since(sql`created_at`, from)}
        union all
        select campaign_id, -amount_cents from dispute_covers where true ${since(sql`created_at`, from)}
      ) moves group by campaign_id having sum(cents) > 0
      order by 2 desc, campaign_id desc limit ${limit}
    )
    select c.id, c.title, c.seats_taken as testers, c.testers_required as "testersRequired",
      c.closed_seats as "closedSeats", paid.cents as "revenueCents"
    from paid join campaigns c on c.id = paid.campaign_id order by paid.cents desc, c.id desc`)

export type DeveloperCounts = {
  campaigns: number
  active: number
  testers: number
  people: number
  newCampaigns: number
  started: number
  newTesters: number
  paid: boolean
  approved: boolean
  everStarted: boolean
  completed: boolean
}

export const developerCounts = (tx: Tx, developerId: string, from: string): Promise<DeveloperCounts> =>
  tx.one(
    sql`select count(*) as campaigns, count(*) filter (where status = 'LIVE') as active,
      coalesce(sum(joins_ever), 0)::bigint as testers,
      (select count(distinct p.tester_id) from participations p join campaigns mine on mine.id = p.campaign_id
        where mine.developer_id = ${developerId}) as people, count(*) filter (where created_at >= ${from}) as "newCampaigns",
      count(*) filter (where start_date >= ${from}) as started,
      coalesce(bool_or(submitted_at is not null), false) as paid,
      coalesce(bool_or(status = 'APPROVED' or start_date is not null), false) as approved,
      coalesce(bool_or(start_date is not null), false) as "everStarted",
      coalesce(bool_or(status = 'COMPLETED'), false) as completed,
      (select count(*) from participations p join campaigns mine on mine.id = p.campaign_id
        where mine.developer_id = ${developerId} and p.joined_at >= ${from}) as "newTesters"
    from campaigns where developer_id = ${developerId}`,
    'Counts',
  )

/** One check-in is expected per full day from the test's beginning to the proof, the end or now, up to the campaign's duration. */
export const checkInRate = (tx: Tx, developerId: string, now: string): Promise<{ done: number; expected: number }> =>
  tx.one(
    sql`select coalesce(sum(done), 0)::bigint as done, coalesce(sum(greatest(days, done)), 0)::bigint as expected from (
      select least(p.check_in_count, c.duration_days) as done, case when p.proof_allowed_at is null then 0
        else least(c.duration_days, floor(extract(epoch from coalesce(p.proof_submitted_at, p.closed_at, ${now}::timestamptz)
          - (p.proof_allowed_at - interval '24 hours' * c.duration_days)) / 86400)) end as days
      from participations p join campaigns c on c.id = p.campaign_id
      where c.developer_id = ${developerId} and c.daily_check_in) tests`,
    'Rate',
  )

/** The counts of the admins' list of users. */
export const userCounts = (tx: Tx, monthStart: string): Promise<UserCounts> =>
  tx.one(
    sql`select count(*) as total, count(*) filter (where suspended_at is null) as active,
      count(*) filter (where role = 'DEVELOPER') as developers, count(*) filter (where role = 'TESTER') as testers,
      count(*) filter (where created_at >= ${monthStart}) as "newThisMonth"
    from users where deleted_at is null`,
    'Counts',
  )
