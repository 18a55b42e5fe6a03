/**
 * The figures of the platform, each defined once, here (docs/metrics.md). They come from the roll-ups by hour and month (UTC),
 * plus `recent`, the changes that are not in the roll-ups yet.
 */
import { raw } from 'sql-template-tag'
import { empty, join, planEachTime, sql, type Tx } from '../../kit/server/db.ts'
import type { PlatformAnalytics } from '../contract.ts'
import { startOfHour } from '../../kit/clock.ts'
import { hourFrom, monthFrom, type Span } from '../rules.ts'
import { monthsFrom } from './months.ts'

type Fragment = typeof empty

const columns = sql`users, campaigns, pending_approvals, pending_links, paid_cents, refunded_cents, fee_cents,
  paying_campaigns, joined, verified, ended`

/** Changes by hour, summed once for all spans of a statement. */
const recent = sql`recent as materialized (
  select date_trunc('hour', at, 'UTC') as hour, sum(users) as users, sum(campaigns) as campaigns,
    sum(pending_approvals) as pending_approvals, sum(pending_links) as pending_links, sum(paid_cents) as paid_cents,
    sum(refunded_cents) as refunded_cents, sum(fee_cents) as fee_cents, sum(paying_campaigns) as paying_campaigns,
    sum(joined) as joined, sum(verified) as verified, sum(ended) as ended
  from figure_changes group by 1)`

const monthsSince = (from: string | null) => sql`select ${columns} from platform_figures
  where unit = 'month' ${from === null ? empty : sql`and at >= ${from}`}`

const hours = (from: string, to: string) => sql`select ${columns} from platform_figures
  where unit = 'hour' and at >= ${from} and at < ${to}`

const recentHours = (from: string | null, to: string | null) => sql`select ${columns} from recent
  where true ${from === null ? empty : sql`and hour >= ${from}`} ${to === null ? empty : sql`and hour < ${to}`}`

/** The rows within a part of an hour. */
const rowsOf = (from: string, to: string) =>
  sql`select ${columns} from platform_facts where at >= ${from} and at < ${to}`

/**
 * What a span is summed from: whole months, the hours of partial months, and the rows of partial hours. A span that has an end
 * begins with a month and ends within it or with it (`monthsToCompare`).
 */
const partsOf = ({ from, to }: Span): Fragment => {
  const parts: Fragment[] = []
  if (to !== null) {
    const end = startOfHour(to)
    parts.push(hours(from, end), recentHours(from, end))
    if (end < to) parts.push(rowsOf(end, to))
  } else if (from === null) parts.push(monthsSince(null), recentHours(null, null))
  else {
    const [hour, month] = [hourFrom(from), monthFrom(from)]
    parts.push(monthsSince(month), recentHours(hour, null))
    if (hour < month) parts.push(hours(hour, month))
    if (from < hour) parts.push(rowsOf(from, hour))
  }
  return join(parts, ' union all ')
}

const statusesOf = {
  verified: sql`status = 'VERIFIED'`,
  ended: sql`status in ('VERIFIED', 'REJECTED', 'DROPPED')`,
}
type Counted = keyof typeof statusesOf

/**
 * Tests joined in this month that ended, or were verified, before `to`. Whole hours come from `verified_hours`, which counts each
 * test in the later of the hours in which it was joined and ended; the rows of the last, partial hour are added.
 */
const within = (what: Counted, month: string, to: string): Fragment => {
  const hour = startOfHour(to)
  return sql`(select (
    (select coalesce(sum(${raw(what)}), 0) from verified_hours where month = ${month} and hour < ${hour})
    + (select count(*) filter (where joined_at >= ${month} and joined_at < ${to}) from participations
        where ${statusesOf[what]} and closed_at >= ${hour} and closed_at < ${to})
    + (select count(*) from participations where ${statusesOf[what]} and joined_at >= ${hour} and joined_at < ${to}
        and closed_at < ${hour}))::bigint)`
}

const countedIn = (what: Counted, span: Span): Fragment =>
  span.to === null ? sql`coalesce(sum(${raw(what)}), 0)::bigint` : within(what, span.from, span.to)

export type PlatformSums = {
  users: number
  campaigns: number
  pendingApprovals: number
  pendingLinks: number
  /** Developers' payments with fees, minus refunds and minus what covered lost disputes. */
  revenueCents: number
  paidCents: number
  /** Transfers into the platform's revenue account. */
  feeCents: number
  /** Campaigns whose last payment is in the span. */
  payingCampaigns: number
  /**
   * Tests that were joined in the span and have ended, and those of them that were verified. If the span has an end, they ended
   * before it.
   */
  ended: number
  verified: number
}

/** All figures of the platform for each of the spans, in one statement. */
export const platformSums = async <Name extends string>(
  tx: Tx,
  spans: Record<Name, Span>,
): Promise<Record<Name, PlatformSums>> => {
  const sums = Object.entries<Span>(spans).map(
    ([name, span]) => sql`select ${name} as name, coalesce(sum(users), 0)::bigint as users,
      coalesce(sum(campaigns), 0)::bigint as campaigns, coalesce(sum(pending_approvals), 0)::bigint as "pendingApprovals",
      coalesce(sum(pending_links), 0)::bigint as "pendingLinks",
      (coalesce(sum(paid_cents), 0) - coalesce(sum(refunded_cents), 0))::bigint as "revenueCents",
      coalesce(sum(paid_cents), 0)::bigint as "paidCents", coalesce(sum(fee_cents), 0)::bigint as "feeCents",
      coalesce(sum(paying_campaigns), 0)::bigint as "payingCampaigns",
      ${countedIn('ended', span)} as ended, ${countedIn('verified', span)} as verified
      from (${partsOf(span)}) parts`,
  )
  const rows = await tx.rows<PlatformSums & { name: Name }>(sql`with ${recent} ${join(sums, ' union all ')}`)
  return Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])) as Record<Name, PlatformSums>
}

/**
 * Revenue and fees of every month since `earliest` or, with `sinceFirstPayment`, since the first payment if that is later. Empty
 * before the first payment.
 */
export const platformByMonth = (
  tx: Tx,
  { earliest, sinceFirstPayment, now }: { earliest: string; sinceFirstPayment: boolean; now: string },
): Promise<PlatformAnalytics['monthlyRevenue']> =>
  tx.rows(sql`
    with ${recent}, sums as (
      select at as month, paid_cents, refunded_cents, fee_cents from platform_figures where unit = 'month'
      union all
      select date_trunc('month', hour, 'UTC'), paid_cents, refunded_cents, fee_cents from recent
    ), first as (select created_at from payments where status = 'COMPLETED' order by created_at limit 1)
    select label as month, sum(coalesce(paid_cents, 0) - coalesce(refunded_cents, 0))::bigint as "revenueCents",
      coalesce(sum(fee_cents), 0)::bigint as "feeCents"
    from first cross join lateral ${monthsFrom(earliest, now)} left join sums on sums.month = start
    where not ${sinceFirstPayment} or start >= date_trunc('month', first.created_at, 'UTC')
    group by label, start order by start`)

/** How many of each month's highest campaigns to look at first; these nearly always include the top campaigns of the period. */
const depths = [8, 128, 2048, null]

export const topCampaigns = async (
  tx: Tx,
  from: string | null,
  limit: number,
): Promise<PlatformAnalytics['topCampaigns']> => {
  if (from === null) return topEver(tx, limit)
  for (const depth of depths) {
    const { top, isSure } = await topSince(tx, from, { limit, depth })
    if (isSure) return top
  }
  throw new Error('the top campaigns of all payments are not sure')
}

/** For all time, uses the campaigns' own totals (spec §2: `fundedCents` plus `feeCents`), which are indexed. */
const topEver = (tx: Tx, limit: number): Promise<PlatformAnalytics['topCampaigns']> =>
  tx.rows(sql`
    select id, title, seats_taken as testers, testers_required as "testersRequired", closed_seats as "closedSeats",
      funded_cents + fee_cents as "revenueCents"
    from campaigns where funded_cents + fee_cents > 0 order by funded_cents + fee_cents desc, id desc limit ${limit}`)

type Top = PlatformAnalytics['topCampaigns'][number]

/**
 * Looks at the `depth` highest of the campaigns whose last payment was in each month of the period. None of the others can have
 * more than the last one looked at (`most_cents`), so the top is certain once each of its campaigns has at least that much.
 */
const topSince = async (tx: Tx, from: string, { limit, depth }: { limit: number; depth: number | null }) => {
  const statement = sql`
    with looked_at as (
      select highest.* from generate_series(date_trunc('month', ${from}::timestamptz at time zone 'UTC'),
        (select max(month) at time zone 'UTC' from campaign_revenue where most_cents > 0), interval '1 month') m
      cross join lateral (
        select campaign_id, most_cents, row_number() over (order by most_cents desc, campaign_id desc) as place
        from campaign_revenue where month = m at time zone 'UTC' and most_cents > 0
        order by most_cents desc, campaign_id desc limit ${depth}) highest
    ), top as (
      select campaign_id, cents from looked_at cross join lateral (
        select coalesce(sum(cents), 0)::bigint as cents from (
          select amount_cents as cents from payments
            where campaign_id = looked_at.campaign_id and status = 'COMPLETED' and created_at >= ${from}
          union all
          select -amount_cents from refunds where campaign_id = looked_at.campaign_id and created_at >= ${from}
          union all
          select -amount_cents from dispute_covers
            where campaign_id = looked_at.campaign_id and created_at >= ${from}) moves) period
      where cents > 0 order by cents desc, campaign_id desc limit ${limit}
    ), last as (
      select cents, campaign_id from top order by cents desc, campaign_id desc offset ${limit}::int - 1
    ), sure as (
      select not exists (select from looked_at where place = ${depth} and not exists (
        select from last where (last.cents, last.campaign_id) >= (most_cents, looked_at.campaign_id))) as sure
    )
    select c.id, c.title, c.seats_taken as testers, c.testers_required as "testersRequired",
      c.closed_seats as "closedSeats", top.cents as "revenueCents", sure as "isSure"
    from sure left join (top join campaigns c on c.id = top.campaign_id) on true order by top.cents desc, c.id desc`
  type Row = { isSure: boolean } & (Top | { [key in keyof Top]: null })
  // A prepared statement would be planned for any depth, and read all payments.
  const rows = await tx.rows<Row>(planEachTime(statement))
  const top = rows.flatMap(({ isSure: _isSure, ...campaign }) => (campaign.id === null ? [] : [campaign]))
  return { top, isSure: rows[0]!.isSure }
}
