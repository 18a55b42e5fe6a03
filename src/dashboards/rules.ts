/** Periods and comparisons shared by the figures. Pure. */
import { daysAfter, hoursAfter, hoursBetween, type Instant, startOfHour } from '../kit/clock.ts'
import { percentOf } from '../kit/money.ts'
import type { Period } from './contract.ts'

/** The start of a month in UTC: `back` months before the current one. */
export const monthStart = (now: Instant, back = 0): Instant => {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1)).toISOString()
}

/** The start of a period; null for all time. Periods of months are whole: six months are the current one and the five before. */
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
 * From the first instant up to, but not including, the second; null means unbounded. A span that has an end starts with a month,
 * and ends within that month or with it.
 */
export type Span = { from: Instant | null; to: null } | { from: Instant; to: Instant }

/** The first start of a month at or after the instant. */
export const monthFrom = (instant: Instant): Instant =>
  monthStart(instant) === instant ? instant : monthStart(instant, -1)

/** The first start of an hour at or after the instant. */
export const hourFrom = (instant: Instant): Instant =>
  startOfHour(instant) === instant ? instant : startOfHour(hoursAfter(instant, 1))

/** This month so far and the same days of last month, because an unfinished month cannot be compared with a whole one. */
export const monthsToCompare = (now: Instant): Record<'current' | 'before', Span> => {
  const thisMonth = monthStart(now)
  const lastMonth = monthStart(now, 1)
  const sameLength = hoursAfter(lastMonth, hoursBetween(thisMonth, now))
  return {
    current: { from: thisMonth, to: null },
    // On March 30, for example, February has no such day.
    before: { from: lastMonth, to: sameLength < thisMonth ? sameLength : thisMonth },
  }
}

/** How many months the trend shows. Periods of days show the six months that the specification names. */
export const trendMonths: Record<Period, number> = { '30d': 6, '90d': 6, '6m': 6, '12m': 12, all: 24 }

/** On a smaller base, a percentage says little. */
const leastBase = { count: 10, cents: 1000 }

/**
 * Growth in percent; −100 if nothing is left. Null if the base is too small for a percentage or the sum has become negative:
 * screens then show the absolute change.
 */
export const growthPercent = (current: number, before: number, unit: keyof typeof leastBase): number | null =>
  before < leastBase[unit] || current < 0 ? null : percentOf(current - before, before)
