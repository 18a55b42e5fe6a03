import { expect, test } from 'vitest'
import {
  centsThisMonth,
  countedThisMonth,
  monthLong,
  monthShort,
  seatsThisMonth,
  signed,
  signedCount,
} from './captions.ts'

test('a caption reports this month’s change, and is left out when there is none', () => {
  expect(countedThisMonth(2)).toBe('+2 this month')
  expect(countedThisMonth(1200, 'joined')).toBe('1,200 joined this month')
  expect(countedThisMonth(0)).toBeUndefined()
  expect([0, 1, 1200].map(seatsThisMonth)).toEqual([undefined, '+1 seat this month', '+1,200 seats this month'])
  expect(centsThisMonth(23_000)).toBe('+$230.00 this month')
  expect(centsThisMonth(-2050)).toBe('−$20.50 this month')
  expect(centsThisMonth(0)).toBeUndefined()
})

test('growth carries its sign', () => {
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
