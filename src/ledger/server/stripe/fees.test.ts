/** Stripe's fees for its own services: no event reports them, they are booked once, and they stop nobody's withdrawal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenChecks } from '../../../testing/observed.ts'
import { startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { command } from '../../../testing/stripe/moves.ts'
import type { Withdrawal } from '../../contract.ts'
import type { Person } from '../../../testing/app.ts'
import { compareWithProvider } from '../books.ts'
import { compareMovements } from '../comparing.ts'
import { bookStripeFees } from './fees.ts'
import { stripe } from './provider.ts'
import { fetchFromStripe } from './sweep.ts'

let t: StripeApp
let developer: Person
let tester: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  tester = (await t.earner(developer, await t.signUp('ADMIN'), 9000)).tester
})
afterAll(() => t.stop())

const booked = () =>
  t.look<{ cents: number; way: string }>(
    `select f.amount_cents::int as cents, d.kind || ' to ' || c.kind || ' ' || x.amount_cents as way from account_fees f
      join transfers x on x.business_key = 'account-fee:' || f.id
      join accounts d on d.id = x.debit_account_id join accounts c on c.id = x.credit_account_id order by f.reference`,
  )
const agrees = async () => {
  expect(await brokenChecks()).toEqual([])
  expect((await compareWithProvider({ inFull: true })).offCents).toBe(0)
  expect(await compareMovements(stripe)).toEqual([])
}

test('fees of each kind, and their returns, are booked once, however often and by however many servers they are fetched', async () => {
  t.fake.takeFee(200)
  t.fake.takeFee(31, 'stripe_fx_fee')
  t.fake.takeFee(16, 'tax_fee')
  t.fake.takeFee(-200)
  await Promise.all([bookStripeFees(), bookStripeFees(), bookStripeFees()])
  await bookStripeFees()
  expect(await booked()).toEqual([
    { cents: 200, way: 'PROVIDER_FEES to PROVIDER_CASH 200' },
    { cents: 31, way: 'PROVIDER_FEES to PROVIDER_CASH 31' },
    { cents: 16, way: 'PROVIDER_FEES to PROVIDER_CASH 16' },
    { cents: -200, way: 'PROVIDER_CASH to PROVIDER_FEES 200' },
  ])
  await agrees()
})

test('more fees than a page shows are all booked', async () => {
  const before = (await booked()).length
  for (let i = 0; i < 130; i++) t.fake.takeFee(2)
  await bookStripeFees()
  expect(await booked()).toHaveLength(before + 130)
  await agrees()
})

test('a fee that is older than the newest booked one, and was listed after it, is booked', async () => {
  await t.look(`update provider_calls set created_at = created_at - interval '60 days'`)
  const late = t.fake.takeFee(75)
  late.created = Number(late.created) - 30 * 86_400
  const before = (await booked()).length
  await bookStripeFees()
  expect(await booked()).toHaveLength(before + 1)
  await agrees()
})

test('fees are booked even if the events cannot be fetched, and the job still fails', async () => {
  const before = (await booked()).length
  t.fake.takeFee(3)
  t.fake.faults.ask('GET /v1/events', '429')
  await expect(fetchFromStripe()).rejects.toThrow()
  expect(await booked()).toHaveLength(before + 1)
  await agrees()
})

test('a withdrawal delayed by an unreported fee is paid a minute later, without a breach', async () => {
  t.fake.takeFee(2500)
  const { body } = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1000 })
  await t.advance(2 / 60)
  await t.advance(10 / 60)
  expect(await t.look('select status from withdrawals where id = $1', [body.id])).toEqual([{ status: 'COMPLETED' }])
  expect(await t.look('select off_cents from money_breaches')).toEqual([])
  await agrees()
})

test('`npm run reconcile` lists only a fee that is not booked yet, as one that resolves itself', async () => {
  const { id } = t.fake.takeFee(150)
  const { said, code } = await command(t, 'reconcile')
  expect(said).toMatch(new RegExp(`resolves itself: 1\n +FEE +${id} +there -\\$1.50 +here \\$0.00`))
  expect(code).toBe(2)
  t.fake.bookAlone(-40)
  expect((await command(t, 'reconcile')).code).toBe(3)
  t.fake.bookAlone(40)
  await bookStripeFees()
  const { said: afterwards } = await command(t, 'reconcile')
  expect(afterwards).not.toContain('FEE')
  expect(afterwards).toMatch(/our books say \S+\n/)
})

test('a booked fee that differs from what was moved breaks a check', async () => {
  await t.look(
    `update account_fees set amount_cents = amount_cents + 1 where moved_at = (select max(moved_at) from account_fees)`,
  )
  expect((await brokenChecks()).map(({ check }) => check)).toEqual(['platform-accounts.sql'])
})
