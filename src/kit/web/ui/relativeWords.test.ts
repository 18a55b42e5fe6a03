import { expect, test } from 'vitest'
import { hoursAfter } from '../../clock.ts'
import { relativeWords } from './relativeWords.ts'

/** Noon in any time zone in which the test runs. */
const now = new Date(2026, 2, 1, 12).toISOString()
const minute = 1 / 60

test.each([
  [72, 'in 3 days'],
  [72 - minute, 'in 3 days'],
  [24 * 9 - 11, 'in 9 days'],
  [24 * 9 + 9, 'in 9 days'],
  [24 * 9 + 13, 'in 10 days'],
  [71 - minute, 'in 71 hours'],
  [48, 'in 48 hours'],
  [46.5, 'in 47 hours'],
  [26, 'in 26 hours'],
  [1.5, 'in 2 hours'],
  [1, 'in 1 hour'],
  [59.5 * minute, 'in 1 hour'],
  [58.5 * minute, 'in 59 minutes'],
  [minute / 2, 'just now'],
])('%s hours ahead: %s, rounded up to 72 hours, then in calendar days', (hours, words) => {
  expect(relativeWords(now, hoursAfter(now, hours))).toBe(words)
})

test.each([
  [minute / 2, 'just now'],
  [0.99 * minute, 'just now'],
  [minute, '1 minute ago'],
  [59.9 * minute, '59 minutes ago'],
  [1, '1 hour ago'],
  [1.5, '1 hour ago'],
  [23.9, '23 hours ago'],
  [24, 'yesterday'],
  [35, 'yesterday'],
  [37, '2 days ago'],
  [47, '2 days ago'],
  [24 * 44, '44 days ago'],
  [24 * 45, '45 days ago'],
  [24 * 45 + 1, 'Jan 15, 2026'],
  [24 * 60, 'Dec 31, 2025'],
])('%s hours ago: %s', (hours, words) => {
  expect(relativeWords(now, hoursAfter(now, -hours))).toBe(words)
})

test('a fresh 72 hours are 3 days even in the first minute of a day', () => {
  const midnight = new Date(2026, 2, 1, 0, 0, 30).toISOString()
  expect(relativeWords(midnight, hoursAfter(midnight, 72 - minute))).toBe('in 3 days')
})
