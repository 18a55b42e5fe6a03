/**
 * The figures of the three roles (spec §2 /dashboard, /dashboard/analytics). Each figure is defined once, in
 * server/*.queries.ts, and described in docs/metrics.md.
 */
import { z } from 'zod'
import { severities } from '../fraud/terms.ts'
import { endpoints } from '../kit/endpoint.ts'
import { Cents, Id, Instant, numberedQuery } from '../kit/schemas.ts'
import { needKinds, nextKinds, periods } from './terms.ts'

/** A month, `2026-11`, in UTC. */
const Month = z.string()

export const DeveloperFigures = z.object({
  totalCampaigns: z.int(),
  activeCampaigns: z.int(),
  /** Paid in for campaigns, fees included, net of refunds. */
  totalSpentCents: Cents,
  /** People who ever had a seat, over all campaigns. */
  totalTesters: z.int(),
  /** Seats ever taken: a tester of two campaigns has taken two. */
  seatsTaken: z.int(),
  /** Since the first of this month (UTC). */
  thisMonth: z.object({ campaigns: z.int(), started: z.int(), spentCents: Cents, testers: z.int() }),
  /** The steps that any campaign has ever reached, for the onboarding checklist. */
  reached: z.object({ paid: z.boolean(), approved: z.boolean(), started: z.boolean(), completed: z.boolean() }),
})
export type DeveloperFigures = z.output<typeof DeveloperFigures>

export const DeveloperAnalytics = z.object({
  /** The last six months, oldest first, without gaps. */
  months: z.array(z.object({ month: Month, spentCents: Cents, seatsFilled: z.int() })),
  /** Check-ins against expected days, over campaigns with daily check-in; null while no day is expected. */
  checkIns: z.object({ done: z.int(), expected: z.int(), percent: z.int() }).nullable(),
  /** The last ten campaigns that started, and when every seat was first taken; null before that. */
  filling: z.array(
    z.object({ campaign: z.object({ id: Id, title: z.string() }), startDate: Instant, filledAt: Instant.nullable() }),
  ),
})
export type DeveloperAnalytics = z.output<typeof DeveloperAnalytics>

export const TesterFigures = z.object({
  balanceCents: Cents,
  /** All credits for tests, whatever was withdrawn since. */
  earnedCents: Cents,
  activeTests: z.int(),
  completedTests: z.int(),
  /** LIVE campaigns with an open seat, counted up to 100. */
  availableCampaigns: z.int(),
  thisMonth: z.object({ earnedCents: Cents, joined: z.int(), verified: z.int() }),
  /** The steps that the tester has ever reached, for the onboarding checklist. */
  reached: z.object({ joined: z.boolean(), checkedIn: z.boolean(), submitted: z.boolean() }),
  /** Whether a test can still be verified: one that waits for the tester, for a review, or for an appeal. */
  hasOpenTest: z.boolean(),
})
export type TesterFigures = z.output<typeof TesterFigures>

export const PlatformStats = z.object({
  totalUsers: z.int(),
  totalCampaigns: z.int(),
  /** Paid in by developers, fees included, net of refunds. */
  totalRevenueCents: Cents,
  pendingApprovals: z.int(),
  /** Changed links of running campaigns that wait for an admin, too. */
  pendingLinks: z.int(),
  thisMonth: z.object({ users: z.int(), campaigns: z.int(), revenueCents: Cents }),
})
export type PlatformStats = z.output<typeof PlatformStats>

export const Period = z.enum(periods, { error: 'Period must be 30d, 90d, 6m, 12m or all' })
export type Period = z.output<typeof Period>

/** This month so far against the same days of last month; null on a base below 10 ($10), and for a negative sum. */
const Growth = z.int().nullable()

/** Of the tests that joined in the span and have ended (verified, rejected for good, dropped): those verified. */
const Conversion = z.object({ ended: z.int(), verified: z.int(), percent: z.int() })
export type Conversion = z.output<typeof Conversion>

export const PlatformAnalytics = z.object({
  period: Period,
  /** Start of the period, which ends now; null for `all`. */
  from: Instant.nullable(),
  /** All time. */
  totals: z.object({ revenueCents: Cents, users: z.int(), campaigns: z.int(), conversion: Conversion }),
  inPeriod: z.object({ revenueCents: Cents, campaigns: z.int(), conversion: Conversion }),
  /** In percent; `conversionPoints` in percentage points. */
  growth: z.object({ revenue: Growth, users: Growth, campaigns: Growth, conversionPoints: Growth }),
  /** The same in absolute figures, which say more where the base is small. */
  change: z.object({ revenueCents: Cents, users: z.int(), campaigns: z.int() }),
  /** Whole months up to this one, oldest first, without gaps: 12, up to 24 for `all`, else 6. Empty before the first payment. */
  monthlyRevenue: z.array(z.object({ month: Month, revenueCents: Cents, feeCents: Cents })),
  /** The four with the most revenue in the period. */
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
  /** `percent` is the growth since the start of the period; null when there were fewer than 10 users then. */
  userGrowth: z.object({ newUsers: z.int(), percent: z.int().nullable() }),
  /** Mean payment per campaign paid in the period, fees included, before refunds; null when there is none. */
  averageCampaignValueCents: Cents.nullable(),
  /** Fees that became revenue in the period, as tests were verified. */
  platformFeeCents: Cents,
})
export type PlatformAnalytics = z.output<typeof PlatformAnalytics>

/** A part of the revenue: a developer's payment or, negative, a refund. */
export const RevenueLine = z.object({
  id: Id,
  /** Besides payments and refunds: what a bank took back and a campaign had no use for, and what the bank then returned. */
  kind: z.enum(['PAYMENT', 'REFUND', 'TAKEN_BACK', 'RETURNED']),
  amountCents: Cents,
  createdAt: Instant,
  campaign: z.object({ id: Id, title: z.string() }),
  developer: z.object({ id: Id, name: z.string() }),
})
export type RevenueLine = z.output<typeof RevenueLine>

export const RevenueQuery = numberedQuery(20, { period: Period.default('all') })
export type RevenueQuery = z.output<typeof RevenueQuery>

/** Something that waits for the reader, most urgent first. What does not concern a kind is null. */
export const Need = z.object({
  kind: z.enum(needKinds),
  /** Exact up to 9; 10 stands for more. */
  count: z.int(),
  /** Null where it concerns several: the entries that the first few leave out. */
  campaign: z.object({ id: Id, title: z.string() }).nullable(),
  /** The caller's test, or place on a bench. */
  testId: Id.nullable(),
  /** The bug to test again; null when it is the feedback of a change. */
  bugId: Id.nullable(),
  /** Whose withdrawal it is. */
  user: z.object({ id: Id, name: z.string() }).nullable(),
  severity: z.enum(severities).nullable(),
  /** How long the oldest has waited. */
  since: Instant.nullable(),
  /** When it is too late, or is decided without the reader. */
  dueAt: Instant.nullable(),
})
export type Need = z.output<typeof Need>

export const Needs = z.object({
  needs: z.array(Need),
  /** What the reader can expect next, for when there is nothing to do. */
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
    summary: 'What waits for the caller, most urgent first, and what comes next.',
    reply: Needs,
  },
  developer: {
    method: 'GET',
    path: '/dashboard/developer',
    replica: true,
    access: 'DEVELOPER',
    revalidated: true,
    summary: 'Figures of the developer dashboard.',
    reply: DeveloperFigures,
  },
  developerAnalytics: {
    method: 'GET',
    path: '/dashboard/developer/analytics',
    replica: true,
    report: true,
    access: 'DEVELOPER',
    summary: 'Spend per month, seats filled, check-in rate and days to fill.',
    reply: DeveloperAnalytics,
  },
  tester: {
    method: 'GET',
    path: '/dashboard/tester',
    replica: true,
    access: 'TESTER',
    revalidated: true,
    summary: 'Figures of the tester dashboard.',
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
