/** Funding by Stripe: the real application and the real SDK, against a stateful fake of Stripe. */
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import { draftOf, password, type Person } from '../../../testing/app.ts'
import { runChecks } from '../../../testing/checks.ts'
import { autocommit } from '../../../kit/server/db.ts'
import { declinedPaymentsPerDay } from '../../rules.ts'
import { compareWithProvider } from '../books.ts'
import { noteCheckout } from '../calls.queries.ts'
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

const now = async ({ id }: Campaign) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const asUsual = () => ({
  secret: 'whsec_of_the_tests',
  send: (body: string, headers: Record<string, string>) => t.post(body, headers['stripe-signature'] ?? ''),
})
const sentEarlier = ({ id }: Campaign, hours: number) =>
  t.look(
    `update provider_calls set sent_at = sent_at - make_interval(hours => $2)
      where subject_id in (select id from charges where campaign_id = $1)`,
    [id, hours],
  )
const sessions = () => t.fake.all('checkout.session')

describe('paying', () => {
  test('fund answers with the page to pay on; the campaign is paid once the webhook has arrived, with Stripe’s fee booked', async () => {
    const draft = await draftOf(developer)
    const { status, body } = await t.fund(developer, draft)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'DRAFT', payment: { status: 'PENDING', amountCents: draft.totalCostCents } })
    expect(body.payment?.checkoutUrl).toMatch(/^https:\/\/checkout\.stripe\.com\//)
    const seen = await admin.call<Campaign>('GET', `/campaigns/${draft.id}`)
    expect(seen.body.payment).toMatchObject({ status: 'PENDING', checkoutUrl: null })
    const [session] = sessions()
    expect(session).toMatchObject({ amount_total: draft.totalCostCents, customer_email: developer.user.email })

    t.fake.pay(session!.id)
    // The browser returns before the webhook arrives.
    expect(await now(draft)).toMatchObject({ status: 'DRAFT', payment: { status: 'PENDING' } })

    expect(new Set(await t.tell())).toEqual(new Set([200]))
    const paid = await now(draft)
    expect(paid.status).toBe('PENDING_APPROVAL')
    expect(paid.payment).toBeUndefined()
    const [fee] = await t.look<{ cents: number }>(
      `select amount_cents as cents from transfers where business_key like 'provider-fee:%' order by id desc limit 1`,
    )
    expect(fee?.cents).toBe(Math.floor((draft.totalCostCents * 29 + 500) / 1000) + 30)
  })

  test('a payment whose fee Stripe does not know yet waits for it, because our books would be off by the fee', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    expect(sessions()[0]).toMatchObject({ fake_intent: { capture_method: 'automatic' } })
    const intent = t.fake.payUnbooked(lastSession(t.fake))
    await t.tell()
    expect(await now(draft)).toMatchObject({ status: 'DRAFT', payment: { status: 'PENDING' } })
    t.fake.bookPayment(intent)
    await t.tell()
    expect((await now(draft)).status).toBe('PENDING_APPROVAL')
    expect(await compareWithProvider({ inFull: false })).toMatchObject({ offCents: 0 })
  })

  test('a declined card leaves the draft waiting, and a second try on the same page pays it', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    t.fake.declineCard(lastSession(t.fake))
    await t.tell()
    expect(await now(draft)).toMatchObject({ status: 'DRAFT', payment: { status: 'PENDING' } })
    t.fake.pay(lastSession(t.fake))
    await t.tell()
    expect((await now(draft)).status).toBe('PENDING_APPROVAL')
  })

  test('a slow method is paid once it reports so, or is declined with a paper that says so', async () => {
    const [good, bad] = [await draftOf(developer), await draftOf(developer)]
    await t.fund(developer, good)
    const goodSession = lastSession(t.fake)
    await t.fund(developer, bad)
    const badSession = lastSession(t.fake)
    t.fake.payLater(goodSession)
    t.fake.payLater(badSession)
    await t.tell()
    expect(await now(good)).toMatchObject({ status: 'DRAFT', payment: { status: 'PENDING' } })
    t.fake.settlePayment(goodSession, 'succeeded')
    t.fake.settlePayment(badSession, 'failed')
    await t.tell()
    expect((await now(good)).status).toBe('PENDING_APPROVAL')
    expect(await now(bad)).toMatchObject({ status: 'DRAFT' })
    expect((await now(bad)).payment).toBeUndefined()
    const failed = await t.look('select from payments where campaign_id = $1 and status = $2', [bad.id, 'FAILED'])
    expect(failed).toHaveLength(1)
  })

  test('a bank account that still has to be verified is not a refusal, and its payment days later is booked', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    t.fake.payLater(lastSession(t.fake), 'requires_action')
    await t.tell()
    expect(await now(draft)).toMatchObject({ status: 'DRAFT', payment: { status: 'PENDING' } })
    await t.advance(48)
    t.fake.settlePayment(lastSession(t.fake), 'succeeded')
    await t.tell()
    expect((await now(draft)).status).toBe('PENDING_APPROVAL')
    expect(await t.look('select from payments where campaign_id = $1', [draft.id])).toHaveLength(1)
  })

  test('an amount below Stripe’s minimum is not requested, and the developer reads what to do', async () => {
    const { campaign } = await t.paid(developer)
    await admin.call('POST', `/admin/campaigns/${campaign.id}/reject`, { reason: 'Say what testers are to try.' })
    const raise = async (cents: number) => {
      const payPerTesterCents = campaign.payPerTesterCents + cents
      return (await developer.call<Campaign>('PATCH', `/campaigns/${campaign.id}`, { payPerTesterCents })).body
    }
    const before = sessions().length
    const raised = await raise(1)
    expect(raised.outstandingCents).toBeGreaterThan(0)
    const refused = await t.fund(developer, { ...raised, totalCostCents: raised.outstandingCents })
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('does not accept payments below $0.50') },
    })
    expect(sessions()).toHaveLength(before)
    const enough = await raise(500)
    expect((await t.fund(developer, { ...enough, totalCostCents: enough.outstandingCents })).status).toBe(200)
  })

  test('a page that nobody has paid does not look like money on its way, and with its draft it keeps no account', async () => {
    const leaving = await t.signUp('DEVELOPER')
    const draft = await draftOf(leaving)
    await t.fund(leaving, draft)
    const leave = () => leaving.call<{ message: string }>('DELETE', '/users/me', { password })
    const kept = await leave()
    expect([kept.status, kept.body.message]).toEqual([
      409,
      'Your account cannot be deleted yet. You have started a payment for a campaign: finish it, or cancel the campaign.',
    ])
    await leaving.call('POST', `/campaigns/${draft.id}/cancel`)
    // Meanwhile it may have been paid.
    expect((await leave()).body.message).toContain(
      'Wait a minute, until the payment that you started has been stopped.',
    )
    await t.settle()
    expect(t.fake.objectOf(lastSession(t.fake))).toMatchObject({ status: 'expired' })
    // An answer from before may come late.
    const [charge] = await t.look<{ id: string }>('select id from charges where campaign_id = $1', [draft.id])
    expect(await noteCheckout(autocommit, charge!.id, 'https://checkout.stripe.com/c/pay/old')).toBe(0)
    const pages = () => t.look('select checkout_url is not null as known from charges where id = $1', [charge!.id])
    expect(await pages()).toEqual([{ known: true }])
    expect((await leave()).status).toBe(204)
    expect(await pages()).toEqual([{ known: false }])
  })

  test('a payment by a slow method is on its way: nothing is left to pay on its page, and it keeps the account until it is back', async () => {
    const leaving = await t.signUp('DEVELOPER')
    const draft = await draftOf(leaving)
    await t.fund(leaving, draft)
    t.fake.payLater(lastSession(t.fake))
    await t.tell()
    const { body } = await leaving.call<Campaign>('GET', `/campaigns/${draft.id}`)
    expect(body.payment).toEqual({ status: 'PENDING', amountCents: draft.totalCostCents, checkoutUrl: null })
    // An answer from before may come late.
    const [charge] = await t.look<{ id: string }>('select id from charges where campaign_id = $1', [draft.id])
    expect(await noteCheckout(autocommit, charge!.id, 'https://checkout.stripe.com/c/pay/old')).toBe(0)
    await leaving.call('POST', `/campaigns/${draft.id}/cancel`)
    const leave = () => leaving.call<{ message: string }>('DELETE', '/users/me', { password })
    const kept = await leave()
    expect([kept.status, kept.body.message]).toEqual([409, expect.stringContaining('on its way')])
    t.fake.settlePayment(lastSession(t.fake), 'succeeded')
    await t.tell()
    await t.advance(1)
    expect((await leave()).status).toBe(204)
  })

  test('a payment that is being collected is not replaced by another, with which the developer would pay twice', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    t.fake.payLater(lastSession(t.fake))
    await t.tell()
    const count = sessions().length
    expect(await t.fund(developer, draft)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already on its way') },
    })
    expect(sessions()).toHaveLength(count)
    t.fake.settlePayment(lastSession(t.fake), 'succeeded')
    await t.tell()
    expect((await now(draft)).status).toBe('PENDING_APPROVAL')
  })

  test('payments by slow methods, which take days, do not keep anyone from paying for more', async () => {
    const busy = await t.signUp('DEVELOPER')
    for (let paid = 0; paid <= declinedPaymentsPerDay; paid++) {
      expect((await t.fund(busy, await draftOf(busy))).status).toBe(200)
      t.fake.payLater(lastSession(t.fake))
      await t.tell()
    }
  })

  test('a draft that nobody pays for within a day no longer waits', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    await t.advance(25)
    await t.tell()
    const unpaid = await now(draft)
    expect(unpaid.status).toBe('DRAFT')
    expect(unpaid.payment).toBeUndefined()
  })

  test('the same key is answered with the same session', async () => {
    const draft = await draftOf(developer)
    const first = await t.fund(developer, draft, 'press-1')
    const count = sessions().length
    expect((await t.fund(developer, draft, 'press-1')).body.payment).toEqual(first.body.payment)
    expect(sessions()).toHaveLength(count)
  })

  test('an answer that was lost makes no second session', async () => {
    const draft = await draftOf(developer)
    const count = sessions().length
    t.fake.faults.ask('POST /v1/checkout/sessions', 'lose-answer', 2)
    expect((await t.fund(developer, draft)).body.payment).toMatchObject({ status: 'PENDING', checkoutUrl: null })
    await t.advance(0.01)
    expect((await now(draft)).payment?.checkoutUrl).toMatch(/^https:\/\/checkout\.stripe\.com\//)
    expect(sessions()).toHaveLength(count + 1)
  })
})

describe('events', () => {
  test('that come twice, shuffled and three days late pay once', async () => {
    const drafts = [await draftOf(developer), await draftOf(developer), await draftOf(developer)]
    const events: string[] = []
    for (const draft of drafts) {
      await t.fund(developer, draft)
      t.fake.pay(lastSession(t.fake))
    }
    const send = (body: string, headers: Record<string, string>) => {
      events.push(body)
      return t.post(body, headers['stripe-signature'] ?? '')
    }
    t.fake.webhooks.configure({ secret: 'whsec_of_the_tests', send, repeated: 1, late: 0.7, shuffle: true })
    for (let hours = 0; hours < 80; hours += 8) {
      await t.tell()
      await t.advance(8)
    }
    for (const draft of drafts) {
      expect((await now(draft)).status).toBe('PENDING_APPROVAL')
      const payments = await t.look('select from payments where campaign_id = $1', [draft.id])
      expect(payments).toHaveLength(1)
    }
    const ids = events.map(body => (JSON.parse(body) as { id: string }).id)
    expect(ids.length).toBeGreaterThan(new Set(ids).size)
    const kept = await t.look(`select event_id from provider_events where provider = 'stripe' and error is not null`)
    expect(kept).toEqual([])
    t.fake.webhooks.configure(asUsual())
  })

  test('without a signature, with another secret or too old are refused and not kept', async () => {
    const { createHmac } = await import('node:crypto')
    const body = JSON.stringify({
      id: 'evt_forged',
      type: 'checkout.session.completed',
      data: { object: { id: 'cs_1' } },
    })
    const seconds = Math.floor(t.fake.nowMs() / 1000)
    const signed = (secret: string, at: number) =>
      `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
    for (const signature of [
      '',
      'nonsense',
      signed('whsec_other', seconds),
      signed('whsec_of_the_tests', seconds - 301),
    ]) {
      expect(await t.post(body, signature)).toBe(400)
    }
    expect(await t.look(`select from provider_events where event_id = 'evt_forged'`)).toEqual([])
    expect(await t.post(body, signed('whsec_of_the_tests', seconds - 290))).toBe(200)
    expect(await t.post(body, signed('whsec_of_the_tests', seconds), '/webhooks/stripe')).toBe(200)
    expect(await t.post(`${body}${' '.repeat(300_000)}`, signed('whsec_of_the_tests', seconds))).toBe(413)
  })

  test('webhooks, looks, the sweep and the browser’s return at the same time pay once', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    t.fake.pay(lastSession(t.fake))
    const told: [string, string][] = []
    t.fake.webhooks.configure({
      secret: 'whsec_of_the_tests',
      send: async (body, headers) => {
        told.push([body, headers['stripe-signature'] ?? ''])
        return 200
      },
    })
    await t.fake.webhooks.deliver()
    t.fake.webhooks.configure(asUsual())
    const [charge] = await t.look<{ id: string }>('select id from charges where campaign_id = $1', [draft.id])
    const { sweepStripeEvents } = await import('./sweep.ts')
    const { workOffEvents } = await import('../providerEvents.ts')
    const { carryOut } = await import('../calls.ts')
    const statuses = await Promise.all([
      ...Array.from({ length: 25 }, () => told.map(([body, signature]) => t.post(body, signature))).flat(),
      ...Array.from({ length: 10 }, () => carryOut(charge!.id).then(() => 200)),
      ...Array.from({ length: 10 }, () => now(draft).then(() => 200)),
      ...Array.from({ length: 3 }, () => workOffEvents.run({}).then(() => 200)),
      sweepStripeEvents.run({}).then(() => 200),
    ])
    expect(new Set(statuses)).toEqual(new Set([200]))
    await t.settle()
    expect((await now(draft)).status).toBe('PENDING_APPROVAL')
    expect(await t.look('select from payments where campaign_id = $1', [draft.id])).toHaveLength(1)
    const posted = await t.look(`select from transfers where business_key like 'fund-%:' || $1`, [charge!.id])
    expect(posted).toHaveLength(2)
  })

  test('that no webhook delivered are found by the daily sweep', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    t.fake.pay(lastSession(t.fake))
    t.fake.webhooks.lose()
    // The hourly look would find it as well, but this test is about the sweep.
    await t.look(`delete from pgboss.job where name = 'ledger.ask-again'`)
    const { sweepStripeEvents } = await import('./sweep.ts')
    await sweepStripeEvents.run({})
    await t.settle()
    expect((await now(draft)).status).toBe('PENDING_APPROVAL')
  })
})

describe('a payment that is no longer wanted', () => {
  const edited = { payPerTesterCents: 1200 }

  test('is ended by an edit, a cancellation and a second fund', async () => {
    const [first, second, third] = [await draftOf(developer), await draftOf(developer), await draftOf(developer)]
    await t.fund(developer, first)
    const ofFirst = lastSession(t.fake)
    await developer.call('PATCH', `/campaigns/${first.id}`, edited)
    await t.fund(developer, second)
    const ofSecond = lastSession(t.fake)
    await developer.call('POST', `/campaigns/${second.id}/cancel`)
    await t.fund(developer, third)
    const ofThird = lastSession(t.fake)
    const again = await t.fund(developer, third)
    expect(again.body.payment?.checkoutUrl).toContain(lastSession(t.fake))
    await t.settle()
    for (const id of [ofFirst, ofSecond, ofThird]) expect(t.fake.objectOf(id)?.status).toBe('expired')
    t.fake.pay(lastSession(t.fake))
    await t.tell()
    expect((await now(third)).status).toBe('PENDING_APPROVAL')
    expect((await now(first)).payment).toBeUndefined()
  })

  test('goes back completely if it is paid before the job could end it', async () => {
    const draft = await draftOf(developer)
    await t.fund(developer, draft)
    const session = lastSession(t.fake)
    await developer.call('PATCH', `/campaigns/${draft.id}`, edited)
    t.fake.pay(session)
    await t.tell()
    await t.settle()
    expect((await now(draft)).status).toBe('DRAFT')
    const [refund] = t.fake.all('refund')
    expect(refund).toMatchObject({ amount: draft.totalCostCents, status: 'succeeded' })
    const [part] = await t.look<{ status: string }>(
      'select part.status from refund_parts part join payments p on p.id = part.payment_id where p.campaign_id = $1',
      [draft.id],
    )
    expect(part?.status).toBe('COMPLETED')
  })

  test('is found and closed, not sent again, if it is ended after 23 hours', async () => {
    const draft = await draftOf(developer)
    t.fake.faults.ask('POST /v1/checkout/sessions', 'lose-answer', 2)
    await t.fund(developer, draft)
    const sent = t.fake.callsOf('POST /v1/checkout/sessions').length
    await sentEarlier(draft, 24)
    await developer.call('PATCH', `/campaigns/${draft.id}`, edited)
    await t.settle()
    expect(sessions()[0]).toMatchObject({ status: 'expired' })
    expect(t.fake.callsOf('POST /v1/checkout/sessions')).toHaveLength(sent)
  })

  test('goes back completely, once, if it is paid after look-ups did not find it, however often it is reported', async () => {
    const draft = await draftOf(developer)
    t.fake.faults.ask('POST /v1/checkout/sessions', 'lose-answer', 2)
    await t.fund(developer, draft)
    // The look-up does not search that far back.
    await sentEarlier(draft, 48)
    await t.advance(1)
    expect((await now(draft)).payment).toBeUndefined()
    const intent = t.fake.payUnbooked(lastSession(t.fake))
    const before = t.fake.all('refund').length
    t.fake.webhooks.configure({ ...asUsual(), repeated: 1 })
    await t.tell()
    expect(t.fake.all('refund')).toHaveLength(before)
    t.fake.bookPayment(intent)
    await t.tell()
    await t.tell()
    expect(t.fake.all('refund')).toHaveLength(before + 1)
    expect(t.fake.all('refund')[0]).toMatchObject({ amount: draft.totalCostCents, status: 'succeeded' })
    expect(await now(draft)).toMatchObject({ status: 'DRAFT', fundedCents: 0 })
    expect(await compareWithProvider({ inFull: false })).toMatchObject({ offCents: 0 })
  })

  test('cannot be paid if it was ended before it was made at Stripe', async () => {
    const draft = await draftOf(developer)
    const count = sessions().length
    t.fake.faults.ask('POST /v1/checkout/sessions', 'cut', 2)
    await t.fund(developer, draft)
    await developer.call('PATCH', `/campaigns/${draft.id}`, edited)
    await t.settle()
    expect(
      sessions()
        .slice(0, -count || undefined)
        .every(({ status }) => status === 'expired'),
    ).toBe(true)
    expect((await now(draft)).payment).toBeUndefined()
  })
})

afterEach(async () => {
  expect(await runChecks(async query => ({ rows: await t.look(query) }))).toEqual([])
})
