/** Use cases of the dashboards: read-only figures. */
import { clock } from '../../app/clock.ts'
import type { SignedIn } from '../../app/endpoint.ts'
import { meanOf, percentOf } from '../../app/money.ts'
import { autocommit as db } from '../../app/server/db.ts'
import type { DeveloperAnalytics, DeveloperFigures, Period, PlatformAnalytics, PlatformStats, TesterFigures } from '../contract.ts'
import { growthPercent, monthsBetween, monthStart, periodStart } from '../rules.ts'
import * as queries from './queries.ts'

const analyticsMonths = 6
const mostMonths = 24
const campaignsShown = 10
const topShown = 4
const availableCountedTo = 100
const always: queries.Span = { from: null, to: null }

export const developerFigures = async (user: SignedIn): Promise<DeveloperFigures> => {
  const month = monthStart(clock.now())
  const [counts, totalSpentCents, spentCents] = await Promise.all([
    queries.developerCounts(db, user.id, month),
    queries.spendOf(db, user.id, null),
    queries.spendOf(db, user.id, month),
  ])
  return {
    totalCampaigns: counts.campaigns,
    activeCampaigns: counts.active,
    totalSpentCents,
    totalTesters: counts.testers,
    thisMonth: { campaigns: counts.newCampaigns, started: counts.started, spentCents, testers: counts.newTesters },
  }
}

export const developerAnalytics = async (user: SignedIn): Promise<DeveloperAnalytics> => {
  const now = clock.now()
  const from = monthStart(now, analyticsMonths - 1)
  const [spend, seats, rate, daysToFill] = await Promise.all([
    queries.spendByMonth(db, user.id, from),
    queries.seatsFilledByMonth(db, user.id, from),
    queries.checkInRate(db, user.id, now),
    queries.daysToFill(db, user.id, campaignsShown),
  ])
  return {
    months: monthsBetween(from, now, analyticsMonths).map(month => ({
      month,
      spentCents: spend.find(row => row.month === month)?.cents ?? 0,
      seatsFilled: seats.find(row => row.month === month)?.count ?? 0,
    })),
    checkIns: rate.expected === 0 ? null : { ...rate, percent: percentOf(rate.done, rate.expected) },
    daysToFill,
  }
}

export const testerFigures = async (user: SignedIn): Promise<TesterFigures> => {
  const [counts, availableCampaigns] = await Promise.all([
    queries.testerCounts(db, user.id, monthStart(clock.now())),
    queries.availableCount(db, user.id, availableCountedTo),
  ])
  const { balanceCents, active, completed, earnedCents, joined, verified } = counts
  return {
    balanceCents,
    activeTests: active,
    completedTests: completed,
    availableCampaigns,
    thisMonth: { earnedCents, joined, verified },
  }
}

export const stats = async (): Promise<PlatformStats> => {
  const thisMonth = { from: monthStart(clock.now()), to: null }
  const [totalUsers, totalCampaigns, totalRevenueCents, pendingApprovals, users, campaigns, revenueCents] =
    await Promise.all([
      queries.usersCreated(db, always),
      queries.campaignsCreated(db, always),
      queries.revenue(db, always),
      queries.pendingApprovals(db),
      queries.usersCreated(db, thisMonth),
      queries.campaignsCreated(db, thisMonth),
      queries.revenue(db, thisMonth),
    ])
  return { totalUsers, totalCampaigns, totalRevenueCents, pendingApprovals, thisMonth: { users, campaigns, revenueCents } }
}

export const analytics = async (period: Period): Promise<PlatformAnalytics> => {
  const now = clock.now()
  const from = periodStart(period, now)
  const [totals, growth, joined, monthlyRevenue, topCampaigns, newUsers, paid, platformFeeCents] =
    await Promise.all([
      totalsOf(),
      growthOf(now),
      queries.conversion(db, { from, to: null }),
      monthly(from, now),
      queries.topCampaigns(db, from, topShown),
      queries.usersCreated(db, { from, to: null }),
      queries.paidCampaigns(db, from),
      queries.platformFees(db, from),
    ])
  return {
    period,
    from,
    totals,
    growth,
    conversion: { ...joined, percent: percentOf(joined.verified, joined.joined) },
    monthlyRevenue,
    topCampaigns,
    userGrowth: { newUsers, percent: growth.users },
    averageCampaignValueCents: meanOf(paid.cents, paid.campaigns),
    platformFeeCents,
  }
}

const totalsOf = async (): Promise<PlatformAnalytics['totals']> => {
  const [revenueCents, users, campaigns] = await Promise.all([
    queries.revenue(db, always),
    queries.usersCreated(db, always),
    queries.campaignsCreated(db, always),
  ])
  return { revenueCents, users, campaigns }
}

/** This month until now against the whole month before. */
const growthOf = async (now: string): Promise<PlatformAnalytics['growth']> => {
  const current = { from: monthStart(now), to: null }
  const previous = { from: monthStart(now, 1), to: monthStart(now) }
  const compare = async (figure: (span: queries.Span) => Promise<number>) =>
    growthPercent(...((await Promise.all([figure(current), figure(previous)])) as [number, number]))
  const [revenue, users, campaigns, conversion] = await Promise.all([
    compare(span => queries.revenue(db, span)),
    compare(span => queries.usersCreated(db, span)),
    compare(span => queries.campaignsCreated(db, span)),
    compare(async span => {
      const { joined, verified } = await queries.conversion(db, span)
      return percentOf(verified, joined)
    }),
  ])
  return { revenue, users, campaigns, conversion }
}

/** Empty before the first payment: the spec's "Monthly trend data not available yet". */
const monthly = async (from: string | null, now: string): Promise<PlatformAnalytics['monthlyRevenue']> => {
  const first = await queries.firstPaymentAt(db)
  if (!first) return []
  const start = from ?? first
  const months = monthsBetween(start, now, mostMonths)
  const [revenue, fees] = await Promise.all([queries.revenueByMonth(db, start), queries.feesByMonth(db, start)])
  return months.map(month => ({
    month,
    revenueCents: revenue.find(row => row.month === month)?.cents ?? 0,
    feeCents: fees.find(row => row.month === month)?.cents ?? 0,
  }))
}
