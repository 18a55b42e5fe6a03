/** Disputes by Stripe: the real application and the real SDK, against a stateful fake of Stripe. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Stripe } from 'stripe'
import type { Campaign } from '../../../campaigns/contract.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { brokenChecks } from '../../../testing/observed.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { transact } from '../../../kit/server/db.ts'
import { disputeChanged } from '../disputes.ts'
import { newsOf } from './disputes.ts'
import { sweepStripeEvents } from './sweep.ts'

let t: StripeApp
let developer: Person

beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
})
afterAll(() => t.stop())

const webhooks = {
  secret: 'whsec_of_the_tests',
  send: (body: string, headers: Record<string, string>) => t.post(body, headers['stripe-signature'] ?? ''),
}

/** What the provider holds for us according to our books. */
const bookedCents = async () => {
  const [row] = await t.look<{
    cents: number
  }>(`select (sum(case when d.kind = 'PROVIDER_CASH' then amount_cents else 0 end)
      - sum(case when c.kind = 'PROVIDER_CASH' then amount_cents else 0 end)
      - coalesce((select sum(pay_cents + fee_cents) from charges where status = 'PENDING'), 0))::int as cents
    from transfers t join accounts d on d.id = t.debit_account_id join accounts c on c.id = t.credit_account_id`)
  return row!.cents
}
const heldCents = () => t.fake.availableCents() + t.fake.pendingCents()

afterEach(async () => {
  t.fake.webhooks.configure(webhooks)
  expect(await brokenChecks()).toEqual([])
  expect(await bookedCents()).toBe(heldCents())
})

const campaignOf = async ({ id }: Campaign) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const disputesOf = ({ id }: Campaign) =>
  t.look<{ status: string; amount: number; fee: number }>(
    `select status, amount_cents::int as amount, provider_fee_cents::int as fee from disputes where campaign_id = $1`,
    [id],
  )
const feesOf = ({ id }: Campaign) =>
  t.look<{ cents: number }>(
    `select amount_cents::int as cents from transfers where campaign_id = $1 and business_key like 'dispute-fee:%'`,
    [id],
  )
/** Handles every event that Stripe has sent once more. */
const again = async () => {
  await t.look(`update provider_events set processed_at = null where type like 'charge.dispute.%'`)
  await t.advance(0.1)
}

describe('a dispute', () => {
  test('freezes its campaign, and if won costs only the fee that Stripe keeps, once', async () => {
    const { campaign, intent } = await t.paid(developer)
    const id = t.fake.openDispute(intent)
    expect(new Set(await t.tell())).toEqual(new Set([200]))
    expect((await campaignOf(campaign)).dispute).toMatchObject({ since: expect.any(String), lostAt: null })
    const evidence = t.fake.objectOf(id)!['evidence_details'] as { due_by: number }
    const isDue = async () =>
      expect(await t.look('select evidence_due_at as due from disputes where reference = $1', [id])).toEqual([
        { due: new Date(evidence.due_by * 1000).toISOString() },
      ])
    await isDue()
    evidence.due_by += 86_400
    t.fake.reviewDispute(id)
    await t.tell()
    await isDue()
    expect(await disputesOf(campaign)).toEqual([{ status: 'OPEN', amount: campaign.totalCostCents, fee: 1500 }])
    t.fake.closeDispute(id, 'won')
    await t.tell()
    await again()
    expect((await campaignOf(campaign)).dispute).toBeNull()
    expect(await disputesOf(campaign)).toEqual([{ status: 'WON', amount: campaign.totalCostCents, fee: 1500 }])
    expect(await feesOf(campaign)).toEqual([{ cents: 1500 }])
  })

  test('that is lost takes what the bank took and the fee, and the developer is not refunded as well', async () => {
    const { campaign, intent } = await t.paid(developer)
    const id = t.fake.openDispute(intent)
    await t.tell()
    t.fake.closeDispute(id, 'lost')
    await t.tell()
    await again()
    expect(await disputesOf(campaign)).toEqual([{ status: 'LOST', amount: campaign.totalCostCents, fee: 1500 }])
    expect((await campaignOf(campaign)).status).toBe('CANCELLED')
    expect(t.fake.all('refund').filter(({ payment_intent: of }) => of === intent)).toEqual([])
  })

  test('about a part takes that part, and a won one lets refunds continue', async () => {
    // Makes sure that Stripe holds enough to cover a refund.
    await t.paid(developer, { payPerTesterCents: 9000 })
    const { campaign, intent } = await t.paid(developer)
    const id = t.fake.openDispute(intent, { amount: 1000 })
    await t.tell()
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    await t.settle()
    expect(t.fake.all('refund').filter(({ payment_intent: of }) => of === intent)).toEqual([])
    t.fake.closeDispute(id, 'won')
    await t.tell()
    await t.advance(0.1)
    const refunds = t.fake.all('refund').filter(({ payment_intent: of }) => of === intent)
    expect(refunds).toMatchObject([{ amount: campaign.totalCostCents, status: 'succeeded' }])
    expect(await disputesOf(campaign)).toEqual([{ status: 'WON', amount: 1000, fee: 1500 }])
  })

  test('that is only an inquiry freezes the campaign too, costs nothing, and may end as an inquiry', async () => {
    const { campaign, intent } = await t.paid(developer)
    const id = t.fake.openDispute(intent, { inquiry: true })
    await t.tell()
    expect((await campaignOf(campaign)).dispute).toMatchObject({ since: expect.any(String) })
    t.fake.reviewDispute(id)
    t.fake.closeDispute(id, 'warning_closed')
    await t.tell()
    expect(await disputesOf(campaign)).toEqual([{ status: 'WON', amount: campaign.totalCostCents, fee: 0 }])
  })

  test('is booked correctly from news in any order, twice and days late', async () => {
    t.fake.webhooks.configure({ ...webhooks, repeated: 1, late: 0.7, shuffle: true })
    const all = []
    for (const outcome of ['won', 'lost', 'won', 'lost'] as const) {
      const { campaign, intent } = await t.paid(developer)
      const id = t.fake.openDispute(intent, { amount: 700 })
      t.fake.reviewDispute(id)
      t.fake.closeDispute(id, outcome)
      all.push({ campaign, status: outcome.toUpperCase() })
    }
    for (let day = 0; day < 4; day++) {
      await t.tell()
      await t.advance(24)
    }
    await t.tell()
    for (const { campaign, status } of all) {
      expect(await disputesOf(campaign)).toEqual([{ status, amount: 700, fee: 1500 }])
      expect(await feesOf(campaign)).toEqual([{ cents: 1500 }])
    }
  })

  test('that was won is frozen again when the bank takes its money again, and is booked when it is lost', async () => {
    const { campaign, intent } = await t.paid(developer)
    const id = t.fake.openDispute(intent, { amount: 900 })
    t.fake.closeDispute(id, 'won')
    await t.tell()
    expect((await campaignOf(campaign)).dispute).toBeNull()
    t.fake.disputeAgain(id)
    await t.tell()
    await again()
    expect(await disputesOf(campaign)).toMatchObject([{ status: 'OPEN' }])
    expect((await campaignOf(campaign)).dispute).toMatchObject({ since: expect.any(String), lostAt: null })
    t.fake.closeDispute(id, 'lost')
    await t.tell()
    await again()
    expect(await disputesOf(campaign)).toEqual([{ status: 'LOST', amount: 900, fee: 1500 }])
    expect((await campaignOf(campaign)).status).toBe('CANCELLED')
  })

  test('that was lost and is won after all gives the developer back what had covered it', async () => {
    // Makes sure that Stripe holds enough to cover a refund.
    await t.paid(developer, { payPerTesterCents: 9000 })
    const { campaign, intent } = await t.paid(developer)
    const id = t.fake.openDispute(intent)
    t.fake.closeDispute(id, 'lost')
    await t.tell()
    expect(await disputesOf(campaign)).toMatchObject([{ status: 'LOST' }])
    t.fake.closeDispute(id, 'won')
    await t.tell()
    await again()
    expect(await disputesOf(campaign)).toEqual([{ status: 'WON', amount: campaign.totalCostCents, fee: 1500 }])
    expect(await campaignOf(campaign)).toMatchObject({
      status: 'CANCELLED',
      fundedCents: 0,
      feeCents: 0,
      dispute: null,
    })
    expect(t.fake.all('refund').filter(({ payment_intent: of }) => of === intent)).toMatchObject([
      { amount: campaign.totalCostCents, status: 'succeeded' },
    ])
  })

  test('that was lost holds up a refund, which is made once it is won after all', async () => {
    await t.paid(developer, { payPerTesterCents: 9000 })
    const { campaign, intent } = await t.paid(developer)
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    const id = t.fake.openDispute(intent)
    t.fake.webhooks.lose()
    // Stripe refuses it while the charge is disputed.
    await t.settle()
    t.fake.closeDispute(id, 'lost')
    await t.tell()
    await t.advance(30)
    const refunds = () => t.fake.all('refund').filter(({ payment_intent: of }) => of === intent)
    expect(refunds()).toEqual([])
    t.fake.closeDispute(id, 'won')
    await t.tell()
    await t.advance(30)
    expect(refunds()).toMatchObject([{ amount: campaign.totalCostCents, status: 'succeeded' }])
  })

  test('keeps the state of newer news when older news comes last, won again or lost', async () => {
    for (const ends of ['won', 'lost'] as const) {
      const { campaign, intent } = await t.paid(developer)
      const id = t.fake.openDispute(intent, { amount: 900 })
      t.fake.closeDispute(id, 'won')
      const won = newsOf(structuredClone(t.fake.all('dispute')[0]) as unknown as Stripe.Dispute, campaign.id)
      await t.tell()
      t.fake.disputeAgain(id)
      const open = newsOf(structuredClone(t.fake.all('dispute')[0]) as unknown as Stripe.Dispute, campaign.id)
      t.fake.closeDispute(id, ends)
      await t.tell()
      const [{ paymentId }] = (await t.look<{ paymentId: string }>(
        'select payment_id as "paymentId" from disputes where reference = $1',
        [id],
      )) as [{ paymentId: string }]
      for (const old of [open, won, open]) await transact(tx => disputeChanged(tx, { ...old, paymentId }))
      await t.settle()
      expect(await disputesOf(campaign)).toEqual([{ status: ends.toUpperCase(), amount: 900, fee: 1500 }])
    }
  })

  test('shows its reason in words', async () => {
    const { campaign, intent } = await t.paid(developer)
    const id = t.fake.openDispute(intent)
    const told = structuredClone(t.fake.objectOf(id)) as unknown as Stripe.Dispute
    expect(newsOf({ ...told, reason: 'product_not_received' }, campaign.id).reason).toBe('product not received')
    t.fake.closeDispute(id, 'won')
    await t.tell()
  })

  test('whose events were lost is found by the daily sweep', async () => {
    const { campaign, intent } = await t.paid(developer)
    t.fake.closeDispute(t.fake.openDispute(intent), 'lost')
    t.fake.webhooks.lose()
    await sweepStripeEvents.run({})
    await t.settle()
    expect(await disputesOf(campaign)).toEqual([{ status: 'LOST', amount: campaign.totalCostCents, fee: 1500 }])
  })

  test('about a payment that is not known here yet is recorded together with it', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    const intent = t.fake.pay(lastSession(t.fake))
    t.fake.webhooks.lose()
    t.fake.openDispute(intent)
    await t.tell()
    expect((await campaignOf(draft)).status).toBe('PENDING_APPROVAL')
    expect(await disputesOf(draft)).toMatchObject([{ status: 'OPEN' }])
    t.fake.closeDispute(t.fake.all('dispute')[0]!.id, 'won')
    await t.tell()
  })
})
