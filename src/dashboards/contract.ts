/**
 * The figures of the three roles (spec §2 /dashboard, /dashboard/analytics). Each figure is defined once, in
 * server/*.queries.ts, and described in docs/metrics.md.
 */
import { z } from 'zod'
import { severities } from '../fraud/terms.ts'
import { endpoints } from '../kit/endpoint.ts'
import { Cents, Id, Instant, numberedQuery } from '../kit/schemas.ts'
import { needKinds, nextKinds, periods } from './terms.ts'

/** A month in UTC, such as `2026-11`. */
const Month = z.string()

export const DeveloperFigures = z.object({
  totalCampaigns: z.int(),
  activeCampaigns: z.int(),
  /** Paid in for campaigns, fees included, net of refunds. */
  totalSpentCents: Cents,
  /** The number of people who ever had a seat in any of the campaigns. */
  totalTesters: z.int(),
  /** Seats ever taken: a tester of two campaigns counts twice. */
  seatsTaken: z.int(),
  /** Since the first of this month (UTC). */
  thisMonth: z.object({ campaigns: z.int(), started: z.int(), spentCents: Cents, testers: z.int() }),
  /** Which steps any of the campaigns has ever reached, for the onboarding checklist. */
  reached: z.object({ paid: z.boolean(), approved: z.boolean(), started: z.boolean(), completed: z.boolean() }),
})
export type DeveloperFigures = z.output<typeof DeveloperFigures>

export const DeveloperAnalytics = z.object({
  /** The last six months, oldest first, without gaps. */
  months: z.array(z.object({ month: Month, spentCents: Cents, seatsFilled: z.int() })),
  /** Check-ins and expected days of all campaigns with daily check-ins; null as long as no day is expected. */
  checkIns: z.object({ done: z.int(), expected: z.int(), percent: z.int() }).nullable(),
  /** The last ten campaigns that started, each with the time when every seat was first taken; null until then. */
  filling: z.array(
    z.object({ campaign: z.object({ id: Id, title: z.string() }), startDate: Instant, filledAt: Instant.nullable() }),
  ),
})
export type DeveloperAnalytics = z.output<typeof DeveloperAnalytics>

export const TesterFigures = z.object({
  balanceCents: Cents,
  /** All credits for tests, including what has been withdrawn. */
  earnedCents: Cents,
  activeTests: z.int(),
  completedTests: z.int(),
  /**
   * The campaigns that the Available Campaigns screen lists for this tester: LIVE with a free seat or a free place on the bench;
   * counted up to 100.
   */
  availableCampaigns: z.int(),
  thisMonth: z.object({ earnedCents: Cents, joined: z.int(), verified: z.int() }),
  /** Which steps the tester has ever reached, for the onboarding checklist. */
  reached: z.object({ joined: z.boolean(), checkedIn: z.boolean(), submitted: z.boolean() }),
  /** Whether a test can still be verified: it waits for the tester, for a review or for the outcome of an appeal. */
  hasOpenTest: z.boolean(),
})
export type TesterFigures = z.output<typeof TesterFigures>

export const PlatformStats = z.object({
  totalUsers: z.int(),
  totalCampaigns: z.int(),
  /** Paid in by developers, fees included, net of refunds. */
  totalRevenueCents: Cents,
  pendingApprovals: z.int(),
  /** Changed links of running campaigns wait for an admin as well. */
  pendingLinks: z.int(),
  thisMonth: z.object({ users: z.int(), campaigns: z.int(), revenueCents: Cents }),
})
export type PlatformStats = z.output<typeof PlatformStats>

export const Period = z.enum(periods, { error: 'Period must be 30d, 90d, 6m, 12m or all' })
export type Period = z.output<typeof Period>

/**
 * This month so far compared with the same days of last month; null if last month's figure is below 10 ($10), and for a negative
 * sum.
 */
const Growth = z.int().nullable()

/**
 * Tests that were joined in the span and have ended (verified, rejected for good, dropped), and how many of them were verified.
 */
const Conversion = z.object({ ended: z.int(), verified: z.int(), percent: z.int() })
export type Conversion = z.output<typeof Conversion>

export const PlatformAnalytics = z.object({
  period: Period,
  /** Start of the period, which ends now; null for `all`. */
  from: Instant.nullable(),
  /** Over all time. */
  totals: z.object({ revenueCents: Cents, users: z.int(), campaigns: z.int(), conversion: Conversion }),
  inPeriod: z.object({ revenueCents: Cents, campaigns: z.int(), conversion: Conversion }),
  /** In percent; `conversionPoints` in percentage points. */
  growth: z.object({ revenue: Growth, users: Growth, campaigns: Growth, conversionPoints: Growth }),
  /** The same as absolute differences, which say more if the numbers are small. */
  change: z.object({ revenueCents: Cents, users: z.int(), campaigns: z.int() }),
  /**
   * Whole months up to this one, oldest first, without gaps: 12 for `12m`, up to 24 for `all`, otherwise 6. Empty before the
   * first payment.
   */
  monthlyRevenue: z.array(z.object({ month: Month, revenueCents: Cents, feeCents: Cents })),
  /** The four campaigns with the most revenue in the period. */
  topCampaigns: z.array(
    z.object({
      id: Id,
      title: z.string(),
      testers: z.int(),
      testersRequired: z.int(),
      closedSeats: z.int(),
      revenueCents: Cents,
    }),
  ),
  /** `percent`: the growth since the start of the period; null if there were fewer than 10 users then. */
  userGrowth: z.object({ newUsers: z.int(), percent: z.int().nullable() }),
  /** The mean of what was paid per campaign paid in the period, with fees, before refunds; null without such campaigns. */
  averageCampaignValueCents: Cents.nullable(),
  /** Fees that became revenue in the period because tests were verified. */
  platformFeeCents: Cents,
})
export type PlatformAnalytics = z.output<typeof PlatformAnalytics>

/** A part of the revenue: a payment of a developer or, negative, a refund. */
export const RevenueLine = z.object({
  id: Id,
  /** TAKEN_BACK: what a bank took back and the campaign did not need. RETURNED: what the bank then returned. */
  kind: z.enum(['PAYMENT', 'REFUND', 'TAKEN_BACK', 'RETURNED']),
  amountCents: Cents,
  createdAt: Instant,
  campaign: z.object({ id: Id, title: z.string() }),
  developer: z.object({ id: Id, name: z.string() }),
})
export type RevenueLine = z.output<typeof RevenueLine>

export const RevenueQuery = numberedQuery(20, { period: Period.default('all') })
export type RevenueQuery = z.output<typeof RevenueQuery>

/** Something that waits for the user, most urgent first. Fields that do not apply to a kind are null. */
export const Need = z.object({
  kind: z.enum(needKinds),
  /** Exact up to 9; 10 means more. */
  count: z.int(),
  /** Null for an entry that stands for several campaigns: those beyond the first few. */
  campaign: z.object({ id: Id, title: z.string() }).nullable(),
  /** The caller's own test, or place on a bench. */
  testId: Id.nullable(),
  /** The bug to retest; null if the retest is of feedback that a change answers. */
  bugId: Id.nullable(),
  /** The user whose withdrawal it is. */
  user: z.object({ id: Id, name: z.string() }).nullable(),
  severity: z.enum(severities).nullable(),
  /** Since when the oldest one has waited. */
  since: Instant.nullable(),
  /** When it will be too late, or will be decided without the user. */
  dueAt: Instant.nullable(),
})
export type Need = z.output<typeof Need>

export const Needs = z.object({
  needs: z.array(Need),
  /** What comes next, for a user who has nothing to do now. */
  next: z.object({ kind: z.enum(nextKinds), at: Instant }).nullable(),
})
export type Needs = z.output<typeof Needs>

export const dashboardApi = endpoints({
  needs: {
    method: 'GET',
    path: '/dashboard/needs',
    replica: true,
    access: 'SIGNED_IN',
    revalidated: true,
    summary: 'What is waiting for the caller, most urgent first, and what comes next.',
    reply: Needs,
  },
  developer: {
    method: 'GET',
    path: '/dashboard/developer',
    replica: true,
    access: 'DEVELOPER',
    revalidated: true,
    summary: 'Figures for the developer dashboard.',
    reply: DeveloperFigures,
  },
  developerAnalytics: {
    method: 'GET',
    path: '/dashboard/developer/analytics',
    replica: true,
    report: true,
    access: 'DEVELOPER',
    summary: 'Spending per month, seats filled, check-in rate and days to fill.',
    reply: DeveloperAnalytics,
  },
  tester: {
    method: 'GET',
    path: '/dashboard/tester',
    replica: true,
    access: 'TESTER',
    revalidated: true,
    summary: 'Figures for the tester dashboard.',
    reply: TesterFigures,
  },
  stats: {
    method: 'GET',
    path: '/admin/stats',
    replica: true,
    report: true,
    access: 'ADMIN',
    summary: 'Key figures of the platform.',
    reply: PlatformStats,
  },
  analytics: {
    method: 'GET',
    path: '/admin/analytics',
    replica: true,
    report: true,
    access: 'ADMIN',
    summary: 'Analytics of the platform over a period.',
    query: z.object({ period: Period.default('6m') }),
    reply: PlatformAnalytics,
  },
  revenue: {
    method: 'GET',
    path: '/admin/revenue',
    replica: true,
    report: true,
    access: 'ADMIN',
    summary: 'The payments and refunds behind the revenue of a period, newest first.',
    query: RevenueQuery,
    pageOf: RevenueLine,
    numbered: true,
  },
})
