/** `npm run reconcile` with Stripe: compares what moved our balance there with our books, by the real SDK against the fake. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Withdrawal } from '../../contract.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { command } from '../../../testing/stripe/moves.ts'
import { compareMovements } from '../comparing.ts'
import { stripe } from './provider.ts'

let t: StripeApp
let developer: Person
let tester: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  tester = (await t.earner(developer, await t.signUp('ADMIN'), 9000)).tester
})
afterAll(() => t.stop())

const withdraw = async (amountCents: number) => {
  const { body } = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents })
  await t.settle()
  return body.id
}

const run = () => command(t, 'reconcile')

test('books and Stripe agree after charges, returned refunds and payouts, and disputes, whatever Stripe kept', async () => {
  const { intent } = await t.paid(developer)
  t.fake.closeDispute(t.fake.openDispute(intent, { amount: 700 }), 'lost')
  // The developer owes it until it is covered, and another payment would go back.
  await t.tell()
  t.fake.openDispute((await t.paid(developer)).intent, { amount: 300 })
  await t.tell()
  const { campaign } = await t.paid(developer)
  await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
  await t.settle()
  t.fake.failRefund(t.fake.all('refund')[0]!.id)
  await t.tell()
  await t.advance(7)
  await withdraw(1000)
  await withdraw(2000)
  t.fake.reverseTransfer(t.fake.all('transfer')[0]!.id)
  await t.tell()
  expect(t.fake.all('refund').map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  const found = await compareMovements(stripe)
  expect(found).toMatchObject([{ where: 'ON_ITS_WAY', kind: 'DISPUTE', thereCents: -1800, hereCents: -1500 }])
})

test('movements that one side lacks are printed with ids and amounts, and the command fails', async () => {
  const paid = await withdraw(1100)
  await t.look(`update provider_calls set provider = 'sandbox' where subject_id = $1`, [paid])
  const unlike = await withdraw(1200)
  await t.look(`update withdrawals set amount_cents = amount_cents + 1 where id = $1`, [unlike])
  const draft = await draftOf(developer)
  await t.fund(developer, draft)
  t.fake.pay(lastSession(t.fake))
  const moved = t.fake.bookAlone(-250)
  const { said, code } = await run()
  expect(code).toBe(3)
  expect(said).toContain('unknown here: 2\n')
  expect(said).toMatch(new RegExp(`PAYOUT +${paid} +there -\\$11.00 +here \\$0.00 +tr_`))
  expect(said).toMatch(new RegExp(`OTHER +${moved.id} +there -\\$2.50 +here \\$0.00`))
  expect(said).toMatch(new RegExp(`but different: 1\n +PAYOUT +${unlike} +there -\\$12.00 +here -\\$12.01 +tr_`))
  expect(said).toMatch(/resolves itself: \d\n +CHARGE .*there \$\d/)
  expect(said).toContain('The provider holds ')
})
