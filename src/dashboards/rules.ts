/** Spans of time and comparisons that the figures share. Pure. */
import { daysAfter, type Instant } from '../app/clock.ts'
import { percentOf } from '../app/money.ts'
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

/** `2026-07` … `2026-11`: every month from the one of `from` to the one of `now`, the newest `most` of them. */
export const monthsBetween = (from: Instant, now: Instant, most: number): string[] => {
  const months: string[] = []
  for (let back = 0; back < most; back++) {
    const start = monthStart(now, back)
    months.unshift(start.slice(0, 7))
    if (start <= from) break
  }
  return months
}

/** Growth in percent, −100 when all is gone; null when there was nothing before. */
export const growthPercent = (current: number, before: number): number | null =>
  before === 0 ? null : percentOf(current - before, before)
