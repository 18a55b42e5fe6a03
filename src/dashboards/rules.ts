/** Spans of time and comparisons that the figures share. Pure. */
import { daysAfter, hoursAfter, hoursBetween, type Instant } from '../kit/clock.ts'
import { percentOf } from '../kit/money.ts'
import type { Period } from './contract.ts'

/** The first instant of the month `back` months before the one of `now`, in UTC. */
export const monthStart = (now: Instant, back = 0): Instant => {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1)).toISOString()
}

/** Where a period begins; null is the beginning of everything. Months are whole: six months are this one and five before. */
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

/** A stretch of time: from the first instant up to, and without, the second; null is open. */
export type Span = { from: Instant | null; to: Instant | null }

/** This month until now, and as much of the month before: a month that is not over is never held against a whole one. */
export const monthsToCompare = (now: Instant): { current: Span; before: Span } => {
  const thisMonth = monthStart(now)
  const lastMonth = monthStart(now, 1)
  const sameLength = hoursAfter(lastMonth, hoursBetween(thisMonth, now))
  return {
    current: { from: thisMonth, to: null },
    // February ends before the 30th of March has an equal.
    before: { from: lastMonth, to: sameLength < thisMonth ? sameLength : thisMonth },
  }
}

/** How many months the trend shows: whole ones, so the short periods show the six that the spec names. */
export const trendMonths: Record<Period, number> = { '30d': 6, '90d': 6, '6m': 6, '12m': 12, all: 24 }

/** Growth in percent, −100 when all is gone; null when there was nothing before. */
export const growthPercent = (current: number, before: number): number | null =>
  before <= 0 ? null : percentOf(current - before, before)
