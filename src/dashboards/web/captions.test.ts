import { expect, test } from 'vitest'
import { centsThisMonth, countedThisMonth, monthLong, monthShort, signed } from './captions.ts'

test('a caption reports this month’s change, and is left out when there is none', () => {
  expect(countedThisMonth(2)).toBe('+2 this month')
  expect(countedThisMonth(1200, 'joined')).toBe('1,200 joined this month')
  expect(countedThisMonth(0)).toBeUndefined()
  expect(centsThisMonth(23_000)).toBe('+$230.00 this month')
  expect(centsThisMonth(-2050)).toBe('−$20.50 this month')
  expect(centsThisMonth(0)).toBeUndefined()
})

test('growth carries its sign', () => {
  expect(signed(12, '%')).toBe('+12%')
  expect(signed(-3, ' points')).toBe('−3 points')
  expect(signed(0, '%')).toBe('0%')
})

test('a month has the same name in every time zone', () => {
  expect(monthShort('2026-11')).toBe('Nov')
  expect(monthLong('2026-01')).toBe('January 2026')
})
