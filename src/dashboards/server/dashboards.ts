/** Use cases of the dashboards, which only read. */
import { countAvailable } from '../../campaigns/server/campaigns.ts'
import { clock } from '../../kit/clock.ts'
import type { NumberedPage, SignedIn } from '../../kit/endpoint.ts'
import { meanOf, percentOf } from '../../kit/money.ts'
import { autocommit as db } from '../../kit/server/db.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import type {
  Conversion,
  DeveloperAnalytics,
  DeveloperFigures,
  Period,
  PlatformAnalytics,
  PlatformStats,
  RevenueLine,
  RevenueQuery,
  TesterFigures,
} from '../contract.ts'
import { growthPercent, monthsToCompare, monthStart, periodStart, type Span, trendMonths } from '../rules.ts'
import * as developers from './developers.queries.ts'
import * as platform from './platform.queries.ts'
import * as revenueQueries from './revenue.queries.ts'
import * as testers from './testers.queries.ts'

const analyticsMonths = 6
const campaignsShown = 10
const topShown = 4
const availableCountLimit = 100
const allTime: Span = { from: null, to: null }

// Each screen's statements run one after another, so a screen never needs more than one connection.

export const developerFigures = async (user: SignedIn): Promise<DeveloperFigures> => {
  const counts = await developers.developerCounts(db, user.id, monthStart(clock.now()))
  const { paid, approved, everStarted, completed } = counts
  return {
    totalCampaigns: counts.campaigns,
    activeCampaigns: counts.active,
    totalSpentCents: counts.spentCents,
    totalTesters: counts.people,
    seatsTaken: counts.testers,
    thisMonth: {
      campaigns: counts.newCampaigns,
      started: counts.started,
      spentCents: counts.newSpentCents,
      testers: counts.newTesters,
    },
    reached: { paid, approved, started: everStarted, completed },
  }
}

export const developerAnalytics = async (user: SignedIn): Promise<DeveloperAnalytics> => {
  const now = clock.now()
  const months = await developers.developerByMonth(db, user.id, monthStart(now, analyticsMonths - 1), now)
  const rate = await developers.checkInRate(db, user.id, now)
  const filling = await developers.filling(db, user.id, campaignsShown)
  return {
    months,
    checkIns: rate.expected === 0 ? null : { ...rate, percent: percentOf(rate.done, rate.expected) },
    filling,
  }
}

export const testerFigures = async (user: SignedIn): Promise<TesterFigures> => {
  const counts = await testers.testerCounts(db, user.id, monthStart(clock.now()))
  const availableCampaigns = await countAvailable(db, user.id, availableCountLimit)
  const {
    balanceCents,
    active,
    completed,
    earnedCents,
    newEarnedCents,
    joined,
    verified,
    everJoined,
    checkedIn,
    submitted,
    hasOpenTest,
  } = counts
  return {
    balanceCents,
    earnedCents,
    activeTests: active,
    completedTests: completed,
    availableCampaigns,
    thisMonth: { earnedCents: newEarnedCents, joined, verified },
    reached: { joined: everJoined, checkedIn, submitted },
    hasOpenTest,
  }
}

export const stats = async (): Promise<PlatformStats> => {
  const { all, thisMonth } = await platform.platformSums(db, {
    all: allTime,
    thisMonth: { from: monthStart(clock.now()), to: null },
  })
  return {
    totalUsers: all.users,
    totalCampaigns: all.campaigns,
    totalRevenueCents: all.revenueCents,
    pendingApprovals: all.pendingApprovals,
    pendingLinks: all.pendingLinks,
    thisMonth: { users: thisMonth.users, campaigns: thisMonth.campaigns, revenueCents: thisMonth.revenueCents },
  }
}

export const analytics = async (period: Period): Promise<PlatformAnalytics> => {
  const now = clock.now()
  const from = periodStart(period, now)
  const { all, chosen, current, before } = await platform.platformSums(db, {
    all: allTime,
    chosen: { from, to: null },
    ...monthsToCompare(now),
  })
  const monthlyRevenue = await platform.platformByMonth(db, {
    earliest: monthStart(now, trendMonths[period] - 1),
    // Other periods always show the same number of months.
    sinceFirstPayment: period === 'all',
    now,
  })
  const topCampaigns = await platform.topCampaigns(db, from, topShown)
  return {
    period,
    from,
    totals: { ...figuresOf(all), users: all.users },
    inPeriod: figuresOf(chosen),
    growth: growthOf(current, before),
    change: {
      revenueCents: current.revenueCents - before.revenueCents,
      users: current.users - before.users,
      campaigns: current.campaigns - before.campaigns,
    },
    monthlyRevenue,
    topCampaigns,
    userGrowth: { newUsers: chosen.users, percent: growthPercent(all.users, all.users - chosen.users, 'count') },
    averageCampaignValueCents: meanOf(chosen.paidCents, chosen.payingCampaigns),
    platformFeeCents: chosen.feeCents,
  }
}

/** The payments and refunds that make up the revenue of a period. */
export const revenueLines = ({ period, page, limit, cursor }: RevenueQuery): Promise<NumberedPage<RevenueLine>> => {
  const lines = revenueQueries.revenueList(db, period, periodStart(period, clock.now()))
  return numberedPageOf(db, { page, limit, cursor }, lines)
}

const figuresOf = (sums: platform.PlatformSums): PlatformAnalytics['inPeriod'] => ({
  revenueCents: sums.revenueCents,
  campaigns: sums.campaigns,
  conversion: conversionOf(sums),
})

const conversionOf = ({ ended, verified }: platform.PlatformSums): Conversion => ({
  ended,
  verified,
  percent: percentOf(verified, ended),
})

const growthOf = (current: platform.PlatformSums, before: platform.PlatformSums): PlatformAnalytics['growth'] => ({
  revenue: growthPercent(current.revenueCents, before.revenueCents, 'cents'),
  users: growthPercent(current.users, before.users, 'count'),
  campaigns: growthPercent(current.campaigns, before.campaigns, 'count'),
  conversionPoints:
    current.ended > 0 && before.ended > 0 ? conversionOf(current).percent - conversionOf(before).percent : null,
})
