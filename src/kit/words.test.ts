import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allOf, anyOf, codeInWords, counted, deviceName, forgotten, grouped, oneDecimal } from './words.ts'

test('digits are grouped as the platform groups them', () => {
  for (const whole of [0, 9, 999, 1000, 999_999, 1_000_000, -999, -1000])
    expect(grouped(whole)).toBe(whole.toLocaleString('en-US'))
  fc.assert(
    fc.property(fc.maxSafeNat(), whole => {
      expect(grouped(whole)).toBe(whole.toLocaleString('en-US'))
    }),
    { seed: 20_261_125, numRuns: 1000 },
  )
})

test('one thing is counted in the singular, zero and many in the plural', () => {
  expect([0, 1, 2, 3000].map(count => counted(count, 'tester'))).toEqual([
    '0 testers',
    '1 tester',
    '2 testers',
    '3,000 testers',
  ])
})

test('a code reads as words in sentence case', () => {
  expect(['PAYOUT', 'CAMPAIGN_ESCROW', 'NOT_YET_PAID'].map(codeInWords)).toEqual([
    'Payout',
    'Campaign escrow',
    'Not yet paid',
  ])
})

test('a device is its model, preceded by its maker unless the model begins with it; a deleted account’s device is not kept', () => {
  const names = [
    { model: 'Pixel 8', manufacturer: 'Google' },
    { model: 'Google Pixel 8', manufacturer: 'Google' },
    { model: 'Pixel 8', manufacturer: null },
    { model: forgotten, manufacturer: null },
  ].map(deviceName)
  expect(names).toEqual(['Google Pixel 8', 'Google Pixel 8', 'Pixel 8', 'Device not kept'])
})

test('lists of names follow American English, with a comma before the last of three', () => {
  expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map(allOf)).toEqual(['a', 'a and b', 'a, b, and c'])
  expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map(anyOf)).toEqual(['a', 'a or b', 'a, b, or c'])
})

test('a figure has a decimal only if it needs one', () => {
  expect([4, 4.25, 0.04, 1234.56].map(oneDecimal)).toEqual(['4', '4.3', '0', '1,234.6'])
})
