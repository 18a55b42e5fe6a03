/** On a Stripe account that was in use before, fees from before our time are not our costs. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { compareMovements } from '../comparing.ts'
import { bookStripeFees } from './fees.ts'
import { stripe } from './provider.ts'

let t: StripeApp
beforeEach(async () => {
  t = await startStripeApp()
})
afterEach(() => t.stop())

const takeFee = (cents: number, daysAgo: number): string => {
  const fee = t.fake.takeFee(cents)
  fee.created = Number(fee.created) - daysAgo * 86_400
  return fee.id
}
const booked = () => t.look('select amount_cents::int as cents from account_fees order by 1')
const differences = async () => (await compareMovements(stripe)).map(({ where, id }) => ({ where, id }))

test('fees from before our first call are not booked, and comparisons do not expect them to be', async () => {
  const old = takeFee(50_000, 10)
  await bookStripeFees()
  expect(await booked()).toEqual([])
  expect(await differences()).toEqual([{ where: 'THERE', id: old }])
  await t.paid(await t.signUp('DEVELOPER'))
  const own = takeFee(200, 0)
  expect(await differences()).toEqual([
    { where: 'ON_ITS_WAY', id: own },
    { where: 'THERE', id: old },
  ])
  // The second run goes back a month from the fee that the first run booked.
  await bookStripeFees()
  await bookStripeFees()
  expect(await booked()).toEqual([{ cents: 200 }])
  expect(await differences()).toEqual([{ where: 'THERE', id: old }])
})

test('a payout account opened before the first payment counts as a call, so its fees are booked', async () => {
  const tester = await t.signUp('TESTER')
  expect((await tester.call('POST', '/testers/payout-account/link', { country: 'DE' })).status).toBe(200)
  const own = takeFee(200, 0)
  expect(await differences()).toEqual([{ where: 'ON_ITS_WAY', id: own }])
  await bookStripeFees()
  expect(await booked()).toEqual([{ cents: 200 }])
  expect(await differences()).toEqual([])
})
