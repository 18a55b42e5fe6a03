/** The dashboards' figures, counted in full (fullCount.queries.ts) instead of read from the roll-ups. */
import { meanOf, percentOf } from '../kit/money.ts'
import { autocommit as db } from '../kit/server/db.ts'
import type {
  Conversion,
  DeveloperAnalytics,
  DeveloperFigures,
  Period,
  PlatformAnalytics,
  PlatformStats,
} from '../dashboards/contract.ts'
import { growthPercent, monthsToCompare, monthStart, periodStart, type Span, trendMonths } from '../dashboards/rules.ts'
import * as queries from './fullCount.queries.ts'

const analyticsMonths = 6
const topShown = 4
const allTime: Span = { from: null, to: null }

export const developerFigures = async (id: string, now: string): Promise<DeveloperFigures> => {
  const month = monthStart(now)
  const [counts, totalSpentCents, spentCents] = await Promise.all([
    queries.developerCounts(db, id, month),
    queries.spendOf(db, id, null),
    queries.spendOf(db, id, month),
  ])
  const { paid, approved, everStarted, completed } = counts
  return {
    totalCampaigns: counts.campaigns,
    activeCampaigns: counts.active,
    totalSpentCents,
    totalTesters: counts.people,
    seatsTaken: counts.testers,
    thisMonth: { campaigns: counts.newCampaigns, started: counts.started, spentCents, testers: counts.newTesters },
    reached: { paid, approved, started: everStarted, completed },
  }
}

export const developerAnalytics = async (id: string, now: string): Promise<Omit<DeveloperAnalytics, 'filling'>> => {
  const [months, rate] = await Promise.all([
    queries.developerByMonth(db, id, monthStart(now, analyticsMonths - 1), now),
    queries.checkInRate(db, id, now),
  ])
  return {
    months,
    checkIns: rate.expected === 0 ? null : { ...rate, percent: percentOf(rate.done, rate.expected) },
  }
}

export const stats = async (now: string): Promise<PlatformStats> => {
  const thisMonth: Span = { from: monthStart(now), to: null }
  const [
    totalUsers,
    totalCampaigns,
    totalRevenueCents,
    pendingApprovals,
    pendingLinks,
    users,
    campaigns,
    revenueCents,
  ] = await Promise.all([
    queries.usersCreated(db, allTime),
    queries.campaignsCreated(db, allTime),
    queries.revenue(db, allTime),
    queries.pendingApprovals(db),
    queries.pendingLinks(db),
    queries.usersCreated(db, thisMonth),
    queries.campaignsCreated(db, thisMonth),
    queries.revenue(db, thisMonth),
  ])
  return {
    totalUsers,
    totalCampaigns,
    totalRevenueCents,
    pendingApprovals,
    pendingLinks,
    thisMonth: { users, campaigns, revenueCents },
  }
}

export const analytics = async (period: Period, now: string): Promise<PlatformAnalytics> => {
  const from = periodStart(period, now)
  const span: Span = { from, to: null }
  const [totals, inPeriod, growth, newUsers, monthlyRevenue, topCampaigns, paid, platformFeeCents] = await Promise.all([
    totalsOf(),
    periodFigures(span),
    growthOf(now),
    queries.usersCreated(db, span),
    monthly(period, now),
    queries.topCampaigns(db, from, topShown),
    queries.paidCampaigns(db, from),
    queries.platformFees(db, from),
  ])
  return {
    period,
    from,
    totals,
    inPeriod,
    ...growth,
    monthlyRevenue,
    topCampaigns,
    userGrowth: { newUsers, percent: growthPercent(totals.users, totals.users - newUsers, 'count') },
    averageCampaignValueCents: meanOf(paid.cents, paid.campaigns),
    platformFeeCents,
  }
}

const periodFigures = async (span: Span): Promise<PlatformAnalytics['inPeriod']> => {
  const [revenueCents, campaigns, conversion] = await Promise.all([
    queries.revenue(db, span),
    queries.campaignsCreated(db, span),
    conversionOf(span),
  ])
  return { revenueCents, campaigns, conversion }
}

const totalsOf = async (): Promise<PlatformAnalytics['totals']> => {
  const [figures, users] = await Promise.all([periodFigures(allTime), queries.usersCreated(db, allTime)])
  return { ...figures, users }
}

const conversionOf = async (span: Span): Promise<Conversion> => {
  const { ended, verified } = await queries.conversion(db, span)
  return { ended, verified, percent: percentOf(verified, ended) }
}

const growthOf = async (now: string): Promise<Pick<PlatformAnalytics, 'growth' | 'change'>> => {
  const { current, before } = monthsToCompare(now)
  const both = <T>(figure: (span: Span) => Promise<T>): Promise<[T, T]> =>
    Promise.all([figure(current), figure(before)])
  const [revenue, users, campaigns, [conversion, conversionBefore]] = await Promise.all([
    both(span => queries.revenue(db, span)),
    both(span => queries.usersCreated(db, span)),
    both(span => queries.campaignsCreated(db, span)),
    both(conversionOf),
  ])
  const comparable = conversion.ended > 0 && conversionBefore.ended > 0
  return {
    growth: {
      revenue: growthPercent(...revenue, 'cents'),
      users: growthPercent(...users, 'count'),
      campaigns: growthPercent(...campaigns, 'count'),
      conversionPoints: comparable ? conversion.percent - conversionBefore.percent : null,
    },
    change: {
      revenueCents: revenue[0] - revenue[1],
      users: users[0] - users[1],
      campaigns: campaigns[0] - campaigns[1],
    },
  }
}

/** Empty before the first payment: the spec's "Monthly trend data not available yet". */
const monthly = async (period: Period, now: string): Promise<PlatformAnalytics['monthlyRevenue']> => {
  const first = await queries.firstPaymentAt(db)
  if (!first) return []
  const earliest = monthStart(now, trendMonths[period] - 1)
  // Only "all time" starts at the first payment; the other periods keep their length.
  return queries.platformByMonth(db, period === 'all' && first > earliest ? first : earliest, now)
}
