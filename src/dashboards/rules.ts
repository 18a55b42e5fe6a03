/** Periods and comparisons shared by the figures. Pure. */
import { daysAfter, hoursAfter, hoursBetween, type Instant, startOfHour } from '../kit/clock.ts'
import { percentOf } from '../kit/money.ts'
import type { Period } from './contract.ts'

/** Start of the month, `back` months before now's, in UTC. */
export const monthStart = (now: Instant, back = 0): Instant => {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1)).toISOString()
}

/** Start of a period; null for all time. Months are whole: six months are this one and the five before. */
export const periodStart = (period: Period, now: Instant): Instant | null => {
  switch (period) {
    case '30d':
      return daysAfter(now, -30)
    case '90d':
      return daysAfter(now, -90)
    case '6m':
      return monthStart(now, 5)
    case '12m':
      return monthStart(now, 11)
    case 'all':
      return null
  }
}

/**
 * From the first instant up to, but not including, the second; null is unbounded. A span that has an end begins with a month
 * and ends within it, or with it.
 */
export type Span = { from: Instant | null; to: null } | { from: Instant; to: Instant }

/** The first beginning of a month that is not before the instant. */
export const monthFrom = (instant: Instant): Instant =>
  monthStart(instant) === instant ? instant : monthStart(instant, -1)

/** The first beginning of an hour that is not before the instant. */
export const hourFrom = (instant: Instant): Instant =>
  startOfHour(instant) === instant ? instant : startOfHour(hoursAfter(instant, 1))

/** This month so far, and the same days of last month: a partial month is never compared with a whole one. */
export const monthsToCompare = (now: Instant): Record<'current' | 'before', Span> => {
  const thisMonth = monthStart(now)
  const lastMonth = monthStart(now, 1)
  const sameLength = hoursAfter(lastMonth, hoursBetween(thisMonth, now))
  return {
    current: { from: thisMonth, to: null },
    // On March 30, February has no equal day.
    before: { from: lastMonth, to: sameLength < thisMonth ? sameLength : thisMonth },
  }
}

/** Months shown by the trend. Periods of days show the six months that the spec names. */
export const trendMonths: Record<Period, number> = { '30d': 6, '90d': 6, '6m': 6, '12m': 12, all: 24 }

/** Below it a percentage says little: of users and campaigns, and of dollars. */
const leastBase = { count: 10, cents: 1000 }

/**
 * Growth in percent, −100 when nothing is left; null on a base too small for a percentage, and for a sum that has become
 * negative: the absolute change is shown then.
 */
export const growthPercent = (current: number, before: number, unit: keyof typeof leastBase): number | null =>
  before < leastBase[unit] || current < 0 ? null : percentOf(current - before, before)
