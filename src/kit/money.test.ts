import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  centsToInput,
  formatCents,
  formatCentsShort,
  formatRate,
  meanOf,
  parseDollars,
  parsePercent,
  percentOf,
  proRata,
  shareOf,
} from './money.ts'

const runs = { seed: 20_261_121, numRuns: 1000 }
const cents = fc.nat(Number.MAX_SAFE_INTEGER)
/** The largest amounts in the product: 100 seats at $10,000 each are $1,000,000. */
const amount = fc.nat(1_000_000_000_00)
const rate = fc.nat(10_000)

describe('a share', () => {
  test('is rounded to the cent, half a cent up (spec §9: 15 % of testers × pay)', () => {
    expect(shareOf(999, 1500)).toBe(150)
    expect(shareOf(10_000, 1500)).toBe(1500)
    expect(shareOf(3, 5000)).toBe(2)
    expect(shareOf(1, 4999)).toBe(0)
    expect(shareOf(110, 1500)).toBe(17)
  })

  test('is a whole number of cents, between nothing and the whole, within half a cent of the exact value', () => {
    fc.assert(
      fc.property(cents, rate, (whole, basisPoints) => {
        const share = shareOf(whole, basisPoints)
        expect(Number.isSafeInteger(share)).toBe(true)
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(whole)
        const off = BigInt(share) * 10_000n - BigInt(whole) * BigInt(basisPoints)
        expect(off > -5000n && off <= 5000n).toBe(true)
      }),
      runs,
    )
  })

  test('grows with the amount and with the rate; a share of nothing is nothing, and 100 % is everything', () => {
    fc.assert(
      fc.property(cents, cents, rate, rate, (a, b, low, high) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        expect(shareOf(less, low)).toBeLessThanOrEqual(shareOf(more, low))
        expect(shareOf(a, Math.min(low, high))).toBeLessThanOrEqual(shareOf(a, Math.max(low, high)))
        expect([shareOf(0, low), shareOf(a, 0), shareOf(a, 10_000)]).toEqual([0, 0, a])
      }),
      runs,
    )
  })
})

describe('pay for the days completed', () => {
  test('is rounded down (product.md §4)', () => {
    expect(proRata(1000, 5, 14)).toBe(357)
    expect(proRata(1000, 13, 14)).toBe(928)
    expect(proRata(1000, 14, 14)).toBe(1000)
    expect(proRata(1000, 0, 14)).toBe(0)
  })

  test('is never more than the pay, however many days were done', () => {
    expect(proRata(1000, 15, 14)).toBe(1000)
    fc.assert(
      fc.property(cents, fc.nat(200), fc.integer({ min: 1, max: 90 }), (pay, days, duration) => {
        const owed = proRata(pay, days, duration)
        expect(Number.isSafeInteger(owed)).toBe(true)
        expect(owed).toBeGreaterThanOrEqual(0)
        expect(owed).toBeLessThanOrEqual(pay)
        // Rounded down: less than a cent below the exact value, never above it.
        const exact = BigInt(pay) * BigInt(Math.min(days, duration))
        const off = exact - BigInt(owed) * BigInt(duration)
        expect(off >= 0n && off < BigInt(duration)).toBe(true)
      }),
      runs,
    )
  })

  test('grows with each day', () => {
    fc.assert(
      fc.property(amount, fc.nat(90), fc.integer({ min: 1, max: 90 }), (pay, days, duration) => {
        expect(proRata(pay, days, duration)).toBeLessThanOrEqual(proRata(pay, days + 1, duration))
      }),
      runs,
    )
  })
})

describe('reading dollars', () => {
  test.each([
    ['10', 1000],
    ['10.5', 1050],
    ['10.50', 1050],
    ['0.01', 1],
    ['.5', null],
    ['10.', 1000],
    [' $1,010.50 ', 101_050],
    ['1,234,567.89', 123_456_789],
    ['0', 0],
    ['', null],
    ['$', null],
    ['-1', null],
    ['+1', null],
    ['1.005', null],
    ['1e3', null],
    ['0x10', null],
    ['10,50', null],
    ['1,00', null],
    ['12,34,567', null],
    ['1 000', null],
    ['10$', null],
    ['ten', null],
    ['NaN', null],
    ['Infinity', null],
    ['١٠', null],
    ['1234567890123', null],
  ])('%j is %j', (text, expected) => {
    expect(parseDollars(text)).toBe(expected)
  })

  test('gives back what was formatted, for every amount', () => {
    fc.assert(
      fc.property(amount, value => {
        expect(parseDollars(formatCents(value))).toBe(value)
        expect(parseDollars(centsToInput(value))).toBe(value)
      }),
      runs,
    )
  })

  test('is a safe whole number or null, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[$]?[\d,.]{0,20}$/)), text => {
        const value = parseDollars(text)
        expect(value === null || (Number.isSafeInteger(value) && value >= 0)).toBe(true)
      }),
      runs,
    )
  })
})

test('dollars are shown with two decimals, trends with none (spec §3)', () => {
  expect([0, 5, 1000, 123_456, 100_000_000].map(formatCents)).toEqual([
    '$0.00',
    '$0.05',
    '$10.00',
    '$1,234.56',
    '$1,000,000.00',
  ])
  expect([0, 149, 150, 123_456].map(formatCentsShort)).toEqual(['$0', '$1', '$2', '$1,235'])
  expect(centsToInput(123_456)).toBe('1234.56')
})

test('a rate is shown in percent, with as many decimals as it has', () => {
  expect([0, 1, 10, 1250, 1500, 1505, 10_000].map(formatRate)).toEqual([
    '0%',
    '0.01%',
    '0.1%',
    '12.5%',
    '15%',
    '15.05%',
    '100%',
  ])
})

test('a percentage is read with up to two decimals, and nothing else is read', () => {
  expect(['15', '12.5', ' 12.50 % ', '0.01', '100%', '7.'].map(parsePercent)).toEqual([
    1500, 1250, 1250, 1, 10_000, 700,
  ])
  expect(['', '-1', '1.234', '$5', '1,000', 'x', '1e2', '%'].map(parsePercent)).toEqual(
    Array.from({ length: 8 }, () => null),
  )
})

test('a percentage of nothing is 0, and all of it is 100', () => {
  expect([percentOf(0, 0), percentOf(5, 0), percentOf(3, 3), percentOf(1, 3), percentOf(1, 200)]).toEqual([
    0, 0, 100, 33, 1,
  ])
})

test('a mean is rounded to the cent, half a cent up; without values there is none', () => {
  expect([meanOf(5, 2), meanOf(7, 3), meanOf(8, 3), meanOf(0, 4), meanOf(5, 0)]).toEqual([3, 2, 3, 0, null])
})

test('amounts are written as the platform writes US dollars', () => {
  const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
  const agrees = (of: number) => {
    expect(formatCents(of)).toBe(dollars.format(of / 100))
    expect(formatCentsShort(of)).toBe(whole.format(of / 100))
  }
  for (const of of [0, 1, 49, 50, 99, 100, 149, 150, 99_949, 99_950, 100_000, -1, -50, -123_456]) agrees(of)
  fc.assert(fc.property(amount, agrees), runs)
  fc.assert(
    fc.property(amount, of => agrees(-of || 0)),
    runs,
  )
})
