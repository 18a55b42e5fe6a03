import { expect, test } from 'vitest'
import { growthPercent, monthStart, monthsToCompare, periodStart } from './rules.ts'

test('a month starts at midnight UTC on its first day, even across years', () => {
  expect(monthStart('2026-11-21T06:16:59.000Z')).toBe('2026-11-01T00:00:00.000Z')
  expect(monthStart('2026-01-31T23:59:59.999Z', 1)).toBe('2025-12-01T00:00:00.000Z')
  expect(monthStart('2026-03-31T12:00:00.000Z', 13)).toBe('2025-02-01T00:00:00.000Z')
})

test('periods of days go back from now, periods of months start on the first of a month, and all time has no start', () => {
  const now = '2026-11-21T06:00:00.000Z'
  expect(periodStart('30d', now)).toBe('2026-10-22T06:00:00.000Z')
  expect(periodStart('90d', now)).toBe('2026-08-23T06:00:00.000Z')
  expect(periodStart('6m', now)).toBe('2026-06-01T00:00:00.000Z')
  expect(periodStart('12m', now)).toBe('2025-12-01T00:00:00.000Z')
  expect(periodStart('all', now)).toBeNull()
})

test('an unfinished month is compared with the same days of the month before', () => {
  expect(monthsToCompare('2026-11-21T06:00:00.000Z')).toEqual({
    current: { from: '2026-11-01T00:00:00.000Z', to: null },
    before: { from: '2026-10-01T00:00:00.000Z', to: '2026-10-21T06:00:00.000Z' },
  })
})

test('a longer month is compared with the whole shorter month before it, but not with its own days', () => {
  expect(monthsToCompare('2026-03-30T06:00:00.000Z').before).toEqual({
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  })
})

test('growth is in whole percent, and null for a base below 10 or $10 and for negative sums', () => {
  expect(growthPercent(112, 100, 'count')).toBe(12)
  expect(growthPercent(0, 10, 'count')).toBe(-100)
  expect(growthPercent(30, 9, 'count')).toBeNull()
  expect(growthPercent(3000, 1000, 'cents')).toBe(200)
  expect(growthPercent(3000, 999, 'cents')).toBeNull()
  // If refunds exceed payments, a percentage would have the wrong sign, or no meaning.
  expect(growthPercent(5000, -1000, 'cents')).toBeNull()
  expect(growthPercent(-3850, 1000, 'cents')).toBeNull()
})
