/**
 * The figures of the three roles (spec §2 /dashboard, /dashboard/analytics). Each figure is defined once, in
 * server/queries.ts, and described in docs/metrics.md.
 */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { Cents, Id, Instant, numberedPage, pageQuery } from '../kit/schemas.ts'
import { periods } from './terms.ts'

/** A month, `2026-11`, in UTC. */
const Month = z.string()

export const DeveloperFigures = z.object({
  totalCampaigns: z.int(),
  activeCampaigns: z.int(),
  /** Paid in for campaigns, fees included, net of refunds. */
  totalSpentCents: Cents,
  /** Seats taken ever, over all campaigns. */
  totalTesters: z.int(),
  /** Since the first of this month (UTC). */
  thisMonth: z.object({ campaigns: z.int(), started: z.int(), spentCents: Cents, testers: z.int() }),
  /** How far the furthest campaign ever came: what a new developer has still to do. */
  reached: z.object({ paid: z.boolean(), approved: z.boolean(), started: z.boolean(), completed: z.boolean() }),
})
export type DeveloperFigures = z.output<typeof DeveloperFigures>

export const DeveloperAnalytics = z.object({
  /** The last six months, the oldest first, none left out. */
  months: z.array(z.object({ month: Month, spentCents: Cents, seatsFilled: z.int() })),
  /** Days checked in of the days that testers were in, over campaigns with daily check-in; null before there are any. */
  checkIns: z.object({ done: z.int(), expected: z.int(), percent: z.int() }).nullable(),
  /** The last ten campaigns that started, and when every seat was taken for the first time; null before that. */
  filling: z.array(
    z.object({ campaign: z.object({ id: Id, title: z.string() }), startDate: Instant, filledAt: Instant.nullable() }),
  ),
})
export type DeveloperAnalytics = z.output<typeof DeveloperAnalytics>

export const TesterFigures = z.object({
  balanceCents: Cents,
  activeTests: z.int(),
  completedTests: z.int(),
  /** What Available Campaigns lists: LIVE ones with a free seat; counted up to 100. */
  availableCampaigns: z.int(),
  thisMonth: z.object({ earnedCents: Cents, joined: z.int(), verified: z.int() }),
  /** What the tester has ever done: what a new one has still to do. */
  reached: z.object({ joined: z.boolean(), checkedIn: z.boolean(), submitted: z.boolean() }),
})
export type TesterFigures = z.output<typeof TesterFigures>

export const PlatformStats = z.object({
  totalUsers: z.int(),
  totalCampaigns: z.int(),
  /** Paid in by developers, fees included, net of refunds. */
  totalRevenueCents: Cents,
  pendingApprovals: z.int(),
  thisMonth: z.object({ users: z.int(), campaigns: z.int(), revenueCents: Cents }),
})
export type PlatformStats = z.output<typeof PlatformStats>

export const Period = z.enum(periods, { error: 'The period has to be 30d, 90d, 6m, 12m or all' })
export type Period = z.output<typeof Period>

/** This month until now against the same days of the month before; null when those had nothing to compare with. */
const Growth = z.int().nullable()

/** Of the tests that were joined in a span of time, those that were verified within it. */
const Conversion = z.object({ joined: z.int(), verified: z.int(), percent: z.int() })
export type Conversion = z.output<typeof Conversion>

export const PlatformAnalytics = z.object({
  period: Period,
  /** Where the period begins; null for `all`. It ends now. */
  from: Instant.nullable(),
  /** Since the beginning of everything. */
  totals: z.object({ revenueCents: Cents, users: z.int(), campaigns: z.int(), conversion: Conversion }),
  inPeriod: z.object({ revenueCents: Cents, campaigns: z.int(), conversion: Conversion }),
  /** In percent; `conversionPoints` in percentage points. */
  growth: z.object({ revenue: Growth, users: Growth, campaigns: Growth, conversionPoints: Growth }),
  /** Whole months up to this one, the oldest first, none left out: 12 or, for `all`, up to 24, else 6. Empty before the first payment. */
  monthlyRevenue: z.array(z.object({ month: Month, revenueCents: Cents, feeCents: Cents })),
  /** The four with the most revenue in the period. */
  topCampaigns: z.array(
    z.object({ id: Id, title: z.string(), testers: z.int(), testersRequired: z.int(), revenueCents: Cents }),
  ),
  /** `percent` is how much the users that there were before the period have grown by; null when there were none. */
  userGrowth: z.object({ newUsers: z.int(), percent: z.int().nullable() }),
  /** Mean of what the campaigns that paid in the period paid in it, fees included, before refunds; null when none did. */
  averageCampaignValueCents: Cents.nullable(),
  /** Fees that became the platform's own in the period, as tests were verified. */
  platformFeeCents: Cents,
})
export type PlatformAnalytics = z.output<typeof PlatformAnalytics>

/** What revenue is the sum of: a payment of a developer or, with a minus, a refund. */
export const RevenueLine = z.object({
  id: Id,
  kind: z.enum(['PAYMENT', 'REFUND']),
  amountCents: Cents,
  createdAt: Instant,
  campaign: z.object({ id: Id, title: z.string() }),
  developer: z.object({ id: Id, name: z.string() }),
})
export type RevenueLine = z.output<typeof RevenueLine>

export const RevenueQuery = pageQuery(20).extend({ period: Period.default('all') })
export type RevenueQuery = z.output<typeof RevenueQuery>

export const dashboardApi = endpoints({
  developer: {
    method: 'GET',
    path: '/dashboard/developer',
    access: 'DEVELOPER',
    summary: 'The figures of a developer’s cards.',
    reply: DeveloperFigures,
  },
  developerAnalytics: {
    method: 'GET',
    path: '/dashboard/developer/analytics',
    access: 'DEVELOPER',
    summary: 'Spend per month, seats filled, check-in rate, days to fill.',
    reply: DeveloperAnalytics,
  },
  tester: {
    method: 'GET',
    path: '/dashboard/tester',
    access: 'TESTER',
    summary: 'The figures of a tester’s cards.',
    reply: TesterFigures,
  },
  stats: {
    method: 'GET',
    path: '/admin/stats',
    access: 'ADMIN',
    summary: 'The platform in a few figures.',
    reply: PlatformStats,
  },
  analytics: {
    method: 'GET',
    path: '/admin/analytics',
    access: 'ADMIN',
    summary: 'The platform over a period.',
    query: z.object({ period: Period.default('6m') }),
    reply: PlatformAnalytics,
  },
  revenue: {
    method: 'GET',
    path: '/admin/revenue',
    access: 'ADMIN',
    summary: 'The payments and refunds that the revenue of a period is the sum of, the newest first.',
    query: RevenueQuery,
    reply: numberedPage(RevenueLine),
  },
})
