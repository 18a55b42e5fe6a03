import { expect, test } from 'vitest'
import {
  centsFromLastMonth,
  countedThisMonth,
  countFromLastMonth,
  monthLong,
  monthShort,
  seatsFromLastMonth,
  signed,
  signedCount,
} from './captions.ts'

test('a caption reports the difference from last month in the specification’s words, and is omitted if there is none', () => {
  expect([0, 2, 1200].map(countFromLastMonth)).toEqual([undefined, '+2 from last month', '+1,200 from last month'])
  expect([0, 1, 1200].map(seatsFromLastMonth)).toEqual([
    undefined,
    '+1 seat from last month',
    '+1,200 seats from last month',
  ])
  expect([23_000, -2050, 0].map(centsFromLastMonth)).toEqual([
    '+$230.00 from last month',
    '−$20.50 from last month',
    undefined,
  ])
  // Some of these may have ended since, so this is not a difference.
  expect(countedThisMonth(1200, 'joined')).toBe('1,200 joined this month')
  expect(countedThisMonth(0, 'joined')).toBeUndefined()
})

test('growth is shown with its sign', () => {
  expect(signed(12, '%')).toBe('+12%')
  expect(signed(-3, ' points')).toBe('−3 points')
  expect([1, -1, 2].map(value => signedCount(value, 'new user'))).toEqual([
    '+1 new user',
    '−1 new user',
    '+2 new users',
  ])
  expect(signed(0, '%')).toBe('0%')
})

test('a month has the same name in every time zone', () => {
  expect(monthShort('2026-11')).toBe('Nov')
  expect(monthLong('2026-01')).toBe('January 2026')
})
