/** A payment that has been in escrow too long is replaced by a new one, on Stripe's page. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import type { Person } from '../../../testing/app.ts'
import { runChecks } from '../../../testing/checks.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'

let t: StripeApp
let developer: Person
let admin: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  admin = await t.signUp('ADMIN')
})
afterAll(() => t.stop())

const asked = async () => {
  const { campaign, intent } = await t.paid(developer)
  await t.look('update campaigns set escrow_due_at = now() where id = $1', [campaign.id])
  await admin.call('POST', `/admin/escrow/${campaign.id}/renew`, { reason: 'It has been held for 80 days.' })
  return { ...campaign, intent }
}
type Asked = Awaited<ReturnType<typeof asked>>
const now = async ({ id }: Campaign) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const renew = ({ id, totalCostCents: amountCents }: Campaign) =>
  developer.call<Campaign>('POST', `/campaigns/${id}/renew`, { amountCents })
const refunds = () => t.fake.all('refund').length

test('the old payment is refunded, at Stripe too, only once the page is paid', async () => {
  const campaign = await asked()
  const { status, body } = await renew(campaign)
  expect([status, body.status, body.payment?.status]).toEqual([200, 'PENDING_APPROVAL', 'PENDING'])
  expect(body.payment?.checkoutUrl).toMatch(/^https:\/\/checkout\.stripe\.com\//)
  expect([(await now(campaign)).renewal?.amountCents, refunds()]).toEqual([campaign.totalCostCents, 0])
  t.fake.pay(lastSession(t.fake))
  await t.tell()
  expect(await now(campaign)).toMatchObject({ renewal: null, fundedCents: 3000, feeCents: 450 })
  expect((await now(campaign)).payment).toBeUndefined()
  await t.advance(1)
  await t.tell()
  expect(refunds()).toBe(1)
  expect(await runChecks(async query => ({ rows: await t.look(query) }))).toEqual([])
})

test('pressing again closes the first page; if nothing is paid for a day, the developer is still asked', async () => {
  const campaign = await asked()
  await renew(campaign)
  const first = lastSession(t.fake)
  await renew(campaign)
  expect(lastSession(t.fake)).not.toBe(first)
  await t.advance(25)
  await t.tell()
  expect((await now(campaign)).payment).toBeUndefined()
  expect((await now(campaign)).renewal?.amountCents).toBe(campaign.totalCostCents)
})

test('after an extension the page can no longer be paid', async () => {
  const campaign = await asked()
  expect((await renew(campaign)).status).toBe(200)
  const page = lastSession(t.fake)
  const extended = await admin.call('POST', `/admin/escrow/${campaign.id}/extend`, { reason: 'The bank lets us wait.' })
  expect(extended.status).toBe(200)
  await t.advance(1)
  expect(t.fake.objectOf(page)).toMatchObject({ status: 'expired' })
  expect(await now(campaign)).toMatchObject({ renewal: null })
})

test.each([
  [
    'the campaign is rejected',
    async ({ id }: Asked) => {
      await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'The link leads nowhere.' })
    },
  ],
  [
    'a bank disputes the old payment',
    async ({ intent }: Asked) => {
      t.fake.openDispute(intent)
      await t.tell()
    },
  ],
])('if %s, the page can no longer be paid', async (_, happens) => {
  const campaign = await asked()
  expect((await renew(campaign)).status).toBe(200)
  const page = lastSession(t.fake)
  await happens(campaign)
  expect((await now(campaign)).payment).toBeUndefined()
  await t.advance(1)
  expect(t.fake.objectOf(page)).toMatchObject({ status: 'expired' })
})

test('after a refund that makes the new payment too large, its page can no longer be paid, and the next one is smaller', async () => {
  const campaign = await asked()
  await admin.call('POST', `/admin/campaigns/${campaign.id}/approve`)
  await developer.call('POST', `/campaigns/${campaign.id}/start`)
  await renew(campaign)
  const page = lastSession(t.fake)
  expect((await developer.call('POST', `/campaigns/${campaign.id}/close-seat`)).status).toBe(200)
  expect(await now(campaign)).toMatchObject({ renewal: { amountCents: 2300 } })
  expect((await now(campaign)).payment).toBeUndefined()
  await t.advance(1)
  await t.tell()
  expect(t.fake.objectOf(page)).toMatchObject({ status: 'expired' })
  expect((await renew({ ...campaign, totalCostCents: 2300 })).body.payment?.amountCents).toBe(2300)
  t.fake.pay(lastSession(t.fake))
  await t.tell()
  expect(await now(campaign)).toMatchObject({ renewal: null })
  expect(await runChecks(async query => ({ rows: await t.look(query) }))).toEqual([])
})

test('a new title ends the page, which shows the old one; other edits leave it open', async () => {
  const campaign = await asked()
  await admin.call('POST', `/admin/campaigns/${campaign.id}/approve`)
  await developer.call('POST', `/campaigns/${campaign.id}/start`)
  await renew(campaign)
  const edit = async (title: string) => {
    const change = { title, description: 'Read every note aloud, and say where you stop.' }
    expect((await developer.call('PATCH', `/campaigns/${campaign.id}`, change)).status).toBe(200)
  }
  await edit(campaign.title)
  expect((await now(campaign)).payment).toMatchObject({ status: 'PENDING' })
  await edit('Try our better notes app')
  expect((await now(campaign)).payment).toBeUndefined()
})

test('a campaign that completes meanwhile can no longer be paid for', async () => {
  const campaign = await asked()
  await admin.call('POST', `/admin/campaigns/${campaign.id}/approve`)
  await developer.call('POST', `/campaigns/${campaign.id}/start`)
  expect((await renew(campaign)).status).toBe(200)
  const page = lastSession(t.fake)
  await t.look('update campaigns set end_date = now() where id = $1', [campaign.id])
  await t.advance(1)
  expect((await now(campaign)).status).toBe('COMPLETED')
  expect(t.fake.objectOf(page)).toMatchObject({ status: 'expired' })
  await t.advance(1)
  expect(await runChecks(async query => ({ rows: await t.look(query) }))).toEqual([])
})
