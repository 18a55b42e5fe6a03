/** Every figure of the dashboards, once (docs/metrics.md). Months are in UTC. */
import { empty, sql, type Tx } from '../../app/server/db.ts'
import type { DeveloperAnalytics, PlatformAnalytics } from '../contract.ts'

const since = (column: ReturnType<typeof sql>, from: string | null) => (from ? sql`and ${column} >= ${from}` : empty)
const before = (column: ReturnType<typeof sql>, to: string | null) => (to ? sql`and ${column} < ${to}` : empty)

export type Span = { from: string | null; to: string | null }

/** Revenue: what developers paid in, fees included, less what was refunded. */
export const revenue = async (tx: Tx, { from, to }: Span): Promise<number> =>
  (
    await tx.one<{ cents: number }>(
      sql`select (
        (select coalesce(sum(amount_cents), 0) from payments
          where status = 'COMPLETED' ${since(sql`created_at`, from)} ${before(sql`created_at`, to)})
        - (select coalesce(sum(amount_cents), 0) from refunds
          where true ${since(sql`created_at`, from)} ${before(sql`created_at`, to)}))::bigint as cents`,
      'Revenue',
    )
  ).cents

/** Spend: the same for one developer. */
export const spendOf = async (tx: Tx, developerId: string, from: string | null): Promise<number> =>
  (
    await tx.one<{ cents: number }>(
      sql`select (
        (select coalesce(sum(amount_cents), 0) from payments
          where developer_id = ${developerId} and status = 'COMPLETED' ${since(sql`created_at`, from)})
        - (select coalesce(sum(amount_cents), 0) from refunds
          where developer_id = ${developerId} ${since(sql`created_at`, from)}))::bigint as cents`,
      'Spend',
    )
  ).cents

/** Platform fees: transfers into the platform's revenue account. */
export const platformFees = async (tx: Tx, from: string | null): Promise<number> =>
  (
    await tx.one<{ cents: number }>(
      sql`select coalesce(sum(amount_cents), 0)::bigint as cents from transfers
        where credit_account_id = account_of('PLATFORM_REVENUE', null) ${since(sql`at`, from)}`,
      'Fees',
    )
  ).cents

type MonthCents = { month: string; cents: number }

export const revenueByMonth = (tx: Tx, from: string): Promise<MonthCents[]> =>
  tx.rows(sql`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, sum(cents)::bigint as cents from (
      select created_at, amount_cents as cents from payments where status = 'COMPLETED' and created_at >= ${from}
      union all
      select created_at, -amount_cents from refunds where created_at >= ${from}
    ) moves group by 1`)

export const feesByMonth = (tx: Tx, from: string): Promise<MonthCents[]> =>
  tx.rows(sql`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month, sum(amount_cents)::bigint as cents from transfers
    where credit_account_id = account_of('PLATFORM_REVENUE', null) and at >= ${from} group by 1`)

export const spendByMonth = (tx: Tx, developerId: string, from: string): Promise<MonthCents[]> =>
  tx.rows(sql`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, sum(cents)::bigint as cents from (
      select created_at, amount_cents as cents from payments
        where developer_id = ${developerId} and status = 'COMPLETED' and created_at >= ${from}
      union all
      select created_at, -amount_cents from refunds where developer_id = ${developerId} and created_at >= ${from}
    ) moves group by 1`)

/** The time of the first payment: where "all" begins. */
export const firstPaymentAt = async (tx: Tx): Promise<string | undefined> =>
  (await tx.maybe<{ at: string }>(sql`select created_at as at from payments where status = 'COMPLETED'
    order by created_at limit 1`))?.at

export const usersCreated = async (tx: Tx, { from, to }: Span): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from users
        where deleted_at is null ${since(sql`created_at`, from)} ${before(sql`created_at`, to)}`,
      'Count',
    )
  ).count

export const campaignsCreated = async (tx: Tx, { from, to }: Span): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from campaigns where true ${since(sql`created_at`, from)} ${before(sql`created_at`, to)}`,
      'Count',
    )
  ).count

export const pendingApprovals = async (tx: Tx): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from campaigns where status = 'PENDING_APPROVAL'`, 'Count'))
    .count

/** Conversion: of the tests joined in the span, those that are verified by now. */
export const conversion = (tx: Tx, { from, to }: Span): Promise<{ joined: number; verified: number }> =>
  tx.one(
    sql`select count(*) as joined, count(*) filter (where status = 'VERIFIED') as verified from participations
      where true ${since(sql`joined_at`, from)} ${before(sql`joined_at`, to)}`,
    'Count',
  )

/** What campaigns paid in during the span, and how many they were. */
export const paidCampaigns = (tx: Tx, from: string | null): Promise<{ cents: number; campaigns: number }> =>
  tx.one(
    sql`select coalesce(sum(amount_cents), 0)::bigint as cents, count(distinct campaign_id) as campaigns from payments
      where status = 'COMPLETED' ${since(sql`created_at`, from)}`,
    'Payments',
  )

export const topCampaigns = (tx: Tx, from: string | null, limit: number): Promise<PlatformAnalytics['topCampaigns']> =>
  tx.rows(sql`
    with paid as (
      select campaign_id, sum(cents)::bigint as cents from (
        select campaign_id, amount_cents as cents from payments where status = 'COMPLETED' ${since(sql`created_at`, from)}
        union all
        select campaign_id, -amount_cents from refunds where true ${since(sql`created_at`, from)}
      ) moves group by campaign_id having sum(cents) > 0
      order by 2 desc, campaign_id desc limit ${limit}
    )
    select c.id, c.title, c.seats_taken as testers, c.testers_required as "testersRequired", paid.cents as "revenueCents"
    from paid join campaigns c on c.id = paid.campaign_id order by paid.cents desc, c.id desc`)

export type DeveloperCounts = { campaigns: number; active: number; testers: number; newCampaigns: number; started: number; newTesters: number }

export const developerCounts = (tx: Tx, developerId: string, from: string): Promise<DeveloperCounts> =>
  tx.one(
    sql`select count(*) as campaigns, count(*) filter (where status = 'LIVE') as active,
      coalesce(sum(joins_ever), 0)::bigint as testers, count(*) filter (where created_at >= ${from}) as "newCampaigns",
      count(*) filter (where start_date >= ${from}) as started,
      (select count(*) from participations p join campaigns mine on mine.id = p.campaign_id
        where mine.developer_id = ${developerId} and p.joined_at >= ${from}) as "newTesters"
    from campaigns where developer_id = ${developerId}`,
    'Counts',
  )

export const seatsFilledByMonth = (tx: Tx, developerId: string, from: string): Promise<{ month: string; count: number }[]> =>
  tx.rows(sql`
    select to_char(p.joined_at at time zone 'UTC', 'YYYY-MM') as month, count(*) as count
    from participations p join campaigns c on c.id = p.campaign_id
    where c.developer_id = ${developerId} and p.joined_at >= ${from} group by 1`)

/** Expected: one a day from joining until the proof, the end, or now; never more than the campaign's days. */
export const checkInRate = (tx: Tx, developerId: string, now: string): Promise<{ done: number; expected: number }> =>
  tx.one(
    sql`select coalesce(sum(least(p.check_in_count, c.duration_days)), 0)::bigint as done,
      coalesce(sum(greatest(least(c.duration_days, ceil(extract(epoch from
        coalesce(p.proof_submitted_at, p.closed_at, ${now}::timestamptz) - p.joined_at) / 86400)),
        least(p.check_in_count, c.duration_days))), 0)::bigint as expected
    from participations p join campaigns c on c.id = p.campaign_id
    where c.developer_id = ${developerId} and c.daily_check_in`,
    'Rate',
  )

type FillRow = { id: string; title: string; startDate: string; filledAt: string | null }

export const daysToFill = async (tx: Tx, developerId: string, limit: number): Promise<DeveloperAnalytics['daysToFill']> => {
  const rows = await tx.rows<FillRow>(sql`
    select c.id, c.title, c.start_date as "startDate", (
      select p.joined_at from participations p where p.campaign_id = c.id
      order by p.ordinal offset c.testers_required - 1 limit 1) as "filledAt"
    from campaigns c where c.developer_id = ${developerId} and c.start_date is not null
    order by c.id desc limit ${limit}`)
  return rows.map(({ id, title, startDate, filledAt }) => ({
    campaign: { id, title },
    startDate,
    days: filledAt === null ? null : tenths((Date.parse(filledAt) - Date.parse(startDate)) / 86_400_000),
  }))
}

const tenths = (days: number) => Math.trunc(days * 10) / 10

export type TesterCounts = { active: number; completed: number; joined: number; verified: number; earnedCents: number; balanceCents: number }

export const testerCounts = (tx: Tx, testerId: string, from: string): Promise<TesterCounts> =>
  tx.one(
    sql`select count(*) filter (where status = 'ACTIVE') as active, count(*) filter (where status = 'VERIFIED') as completed,
      count(*) filter (where joined_at >= ${from}) as joined,
      count(*) filter (where status = 'VERIFIED' and closed_at >= ${from}) as verified,
      balance_of_tester(${testerId}) as "balanceCents",
      (select coalesce(sum(amount_cents), 0)::bigint from transactions
        where user_id = ${testerId} and type = 'CREDIT' and status = 'COMPLETED' and created_at >= ${from}) as "earnedCents"
    from participations where tester_id = ${testerId}`,
    'Counts',
  )

/** Counted up to `most`: a card does not need to know that there are 40,000. */
export const availableCount = async (tx: Tx, testerId: string, most: number): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from (
        select from campaigns c where status = 'LIVE' and seats_taken < testers_required
          and not exists (select from participations p where p.campaign_id = c.id and p.tester_id = ${testerId})
        limit ${most}) open`,
      'Count',
    )
  ).count
