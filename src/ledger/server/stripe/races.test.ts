/** A hundred attempts at once to book one payment at Stripe, by webhook, return page, job and sweep: it is booked once. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { brokenChecks, inParallel } from '../../../testing/observed.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { askAgain } from '../calls.ts'
import { settleOverdue } from '../payouts.ts'
import { sweepStripeEvents } from './sweep.ts'

let t: StripeApp
let developer: Person
const heard: { body: string; signature: string }[] = []
beforeAll(async () => {
  t = await startStripeApp()
  developer = await t.signUp('DEVELOPER')
  // Keeps the webhooks, so that a test can send them as often as it wants.
  t.fake.webhooks.configure({
    secret: 'whsec_of_the_tests',
    send: (body, headers) => {
      heard.push({ body, signature: headers['stripe-signature'] ?? '' })
      return t.post(body, headers['stripe-signature'] ?? '')
    },
  })
})
afterAll(() => t.stop())
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const hundred = 100

/** A page that was paid and whose webhook bodies are known, while nothing has been looked up yet. */
const paidPage = async () => {
  const draft = await draftOf(developer)
  await t.fund(developer, draft)
  t.fake.pay(lastSession(t.fake))
  heard.length = 0
  await t.fake.webhooks.deliver()
  const [charge] = await t.look<{ id: string }>('select id from charges where campaign_id = $1', [draft.id])
  return { draft, subjectId: charge!.id }
}
const now = async ({ id }: Campaign) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body

test('webhooks, the return page, the job, both sweeps and the clock book one payment once', async () => {
  const { draft, subjectId } = await paidPage()
  const ways: (() => Promise<unknown>)[] = [
    ...heard.map(
      ({ body, signature }) =>
        async () =>
          expect(await t.post(body, signature)).toBe(200),
    ),
    async () => expect((await developer.call('GET', `/campaigns/${draft.id}`)).status).toBe(200),
    () => askAgain.run({ subjectId }),
  ]
  const rare = [() => sweepStripeEvents.run({}), () => settleOverdue.run({}), () => t.settle()]
  await inParallel(hundred, index =>
    (index % 10 === 0 ? rare[(index / 10) % rare.length]! : ways[index % ways.length]!)(),
  )
  await t.settle()
  expect((await now(draft)).status).toBe('PENDING_APPROVAL')
  const payments = await t.look('select status, amount_cents from payments where campaign_id = $1', [draft.id])
  expect(payments).toEqual([{ status: 'COMPLETED', amount_cents: draft.totalCostCents }])
})

test('after an edit, a cancellation and a second fund during the payment, what is not wanted goes back once', async () => {
  const { draft } = await paidPage()
  const statuses = await inParallel(hundred, async index => {
    if (index % 4 === 0) return t.post(heard[0]!.body, heard[0]!.signature)
    if (index % 4 === 1)
      return (await developer.call('PATCH', `/campaigns/${draft.id}`, { payPerTesterCents: 1200 })).status
    if (index % 4 === 2) return (await t.fund(developer, draft)).status
    return index > 80 ? (await developer.call('POST', `/campaigns/${draft.id}/cancel`)).status : 200
  })
  for (const status of statuses) expect(status).toBeLessThan(500)
  for (let time = 0; time < 4; time++) await t.tell()
  expect((await now(draft)).status).toBe('CANCELLED')
  const [sums] = await t.look<{ paid: number; back: number; held: number }>(
    `select (select coalesce(sum(amount_cents), 0)::int from payments where campaign_id = $1 and status = 'COMPLETED') as paid,
      (select coalesce(sum(p.amount_cents), 0)::int from refund_parts p join refunds r on r.id = p.refund_id
        where r.campaign_id = $1 and p.status = 'COMPLETED') as back,
      (select coalesce(sum(balance_cents), 0)::int from accounts where owner_id = $1) as held`,
    [draft.id],
  )
  expect(sums).toEqual({ paid: draft.totalCostCents, back: draft.totalCostCents, held: 0 })
})
