import { expect, test } from 'vitest'
import { quote } from '../../../campaigns/quote.ts'
import { calculated, mostPayWithin } from './calculated.ts'

const amounts = (testers: string, pay: string, fee?: number) => calculated(testers, pay, fee)?.map(sum => sum.amount)

test('the calculator uses the formula of the specification: 15% of testers times pay, rounded to cents', () => {
  expect(amounts('12', '10.00')).toEqual(['$120.00', '$18.00', '$138.00'])
  expect(amounts('1', '9.99')).toEqual(['$9.99', '$1.50', '$11.49'])
  expect(amounts(' 100 ', '$1')).toEqual(['$100.00', '$15.00', '$115.00'])
})

test('the fee comes from the settings, and its rate is named', () => {
  expect(calculated('10', '10', 1250)?.map(({ label, amount }) => `${label} ${amount}`)).toEqual([
    'Testers’ pay $100.00',
    'Platform fee (12.5%) $12.50',
    'Total $112.50',
  ])
})

test.each([
  ['0', '10'],
  ['101', '10'],
  ['500', '10'],
  ['1.5', '10'],
  ['', '10'],
  ['12', '0.99'],
  ['12', '10000.01'],
  ['12', 'ten'],
  ['12', ''],
])('there is no price for %s testers at %s dollars, which a campaign cannot have', (testers, pay) => {
  expect(calculated(testers, pay)).toBeNull()
})

test.each([
  [4900, 10, 426],
  [9900, 25, 344],
  [19900, 50, 346],
  [115, 1, 100],
])('a plan of %s cents for %s testers is spent to the last cent that all can share', (price, testers, pay) => {
  expect(mostPayWithin(price, testers)).toBe(pay)
  expect(quote(testers, pay).totalCostCents).toBeLessThanOrEqual(price)
  expect(quote(testers, pay + 1).totalCostCents).toBeGreaterThan(price)
})
