/** Stripe's balance moves before we are told. What Stripe's events explain is no breach; what nothing explains is one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { autocommit } from '../../../kit/server/db.ts'
import type { Withdrawal } from '../../contract.ts'
import type { Person } from '../../../testing/app.ts'
import { passUnseen } from '../../../testing/downtimes.ts'
import { startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { checkBalance } from '../books.ts'
import { lastComparison } from '../books.queries.ts'
import { lookAtDifference } from '../differences.ts'

let t: StripeApp
let developer: Person
let tester: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  tester = (await t.earner(developer, await t.signUp('ADMIN'), 9000)).tester
})
afterAll(() => t.stop())

const withdraw = async () => {
  const { body } = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1000 })
  await t.settle()
  return body.id
}
const statusOf = async (id: string) =>
  (await t.look<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]!.status
const breaches = () => t.look('select off_cents as off from money_breaches')
const minutes = (count: number) => t.advance(count / 60)

test('a dispute whose webhook is late makes payouts wait until its event is fetched, even if it stays open', async () => {
  const { campaign, intent } = await t.paid(developer)
  const id = t.fake.openDispute(intent)
  t.fake.webhooks.lose()
  const early = await withdraw()
  expect(await statusOf(early)).toBe('PENDING')
  await minutes(2)
  await minutes(2)
  expect(await statusOf(early)).toBe('COMPLETED')
  const whileOpen = await withdraw()
  expect(await statusOf(whileOpen)).toBe('COMPLETED')
  await minutes(10)
  expect(await t.look(`select status from disputes where campaign_id = $1`, [campaign.id])).toEqual([
    { status: 'OPEN' },
  ])
  t.fake.closeDispute(id, 'won')
  t.fake.webhooks.lose()
  await withdraw()
  await minutes(2)
  await minutes(6)
  expect(await breaches()).toEqual([])
})

test('one look fetches missed events, handles them and compares again', async () => {
  const { intent } = await t.paid(developer)
  const id = t.fake.openDispute(intent)
  t.fake.webhooks.lose()
  const offSince = async () => (await lastComparison(autocommit))?.offSince
  await checkBalance({ inFull: false })
  expect(await offSince()).not.toBeNull()
  await lookAtDifference.run({})
  expect(await offSince()).toBeNull()
  t.fake.closeDispute(id, 'won')
  await t.tell()
})

test('a difference seen before an outage is no breach after it, because its event may not have been fetched yet', async () => {
  const { intent } = await t.paid(developer)
  const id = t.fake.openDispute(intent)
  t.fake.webhooks.lose()
  await checkBalance({ inFull: false })
  await passUnseen(1)
  // As the night's checks do, when a server is started again late at night.
  await checkBalance({ inFull: true })
  expect(await breaches()).toEqual([])
  await lookAtDifference.run({})
  expect((await lastComparison(autocommit))?.offSince).toBeNull()
  t.fake.closeDispute(id, 'won')
  await t.tell()
})

test('money that Stripe moved without an event is a breach, and nobody is paid meanwhile', async () => {
  t.fake.bookAlone(-250)
  const id = await withdraw()
  await minutes(4)
  expect(await breaches()).toEqual([])
  await minutes(2)
  expect(await statusOf(id)).toBe('PENDING')
  expect(await breaches()).toEqual([{ off: { stripe: -250 } }])
})
