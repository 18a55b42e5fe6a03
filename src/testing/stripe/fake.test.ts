/** The real SDK talks to the fake: each test shows one behavior of Stripe's that its documentation describes. */
import Stripe from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { dayMs, type FakeOptions, hourMs, type StripeFake, startStripeFake } from './fake.ts'

let fake: StripeFake
const running: StripeFake[] = []

const begin = async (options: FakeOptions = {}) => {
  fake = await startStripeFake({ pendingDays: 0, ...options })
  running.push(fake)
  return new Stripe(fake.secretKey, { ...fake.address, maxNetworkRetries: 0, timeout: 5000 })
}

afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})

const sessionOf = (stripe: Stripe, cents = 5000) =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: cents, product_data: { name: 'Tests' } } }],
    success_url: 'https://example.test/back?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://example.test/back',
    metadata: { payment: 'p1' },
    payment_intent_data: { metadata: { payment: 'p1' }, transfer_group: 'campaign_1' },
  })

const paid = async (stripe: Stripe, cents = 5000) => fake.pay((await sessionOf(stripe, cents)).id)

const accountOf = async (stripe: Stripe) =>
  stripe.v2.core.accounts.create({
    contact_email: 'tester@example.test',
    dashboard: 'express',
    identity: { country: 'DE' },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
    configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
    include: ['configuration.recipient', 'requirements', 'identity'],
  })

const readyAccount = async (stripe: Stripe) => {
  const { id } = await accountOf(stripe)
  fake.onboard(id)
  return id
}

const failure = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => {
      throw new Error('it was not refused')
    },
    (reason: unknown) => reason,
  )
  const { type, code, statusCode, message } = error as Stripe.errors.StripeError
  return { type, code, statusCode, message }
}

describe('payments', () => {
  test('a paid session has its charge, fee and events; the money waits until it is available', async () => {
    const stripe = await begin({ pendingDays: 2 })
    const session = await sessionOf(stripe)
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 5000,
      payment_intent: null,
    })
    expect(session.url).toMatch(/^https:\/\/checkout\.stripe\.com\//)
    const intentId = fake.pay(session.id)
    const seen = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge.balance_transaction'],
    })
    expect(seen).toMatchObject({ status: 'complete', payment_status: 'paid' })
    expect(seen.payment_intent).toMatchObject({
      id: intentId,
      metadata: { payment: 'p1' },
      latest_charge: { status: 'succeeded', balance_transaction: { amount: 5000, fee: 175, net: 4825 } },
    })
    expect(await stripe.balance.retrieve()).toMatchObject({ available: [{ amount: 0 }], pending: [{ amount: 4825 }] })
    fake.advance(2 * dayMs)
    expect(await stripe.balance.retrieve()).toMatchObject({ available: [{ amount: 4825 }], pending: [{ amount: 0 }] })
    const { data: events } = await stripe.events.list({ types: ['checkout.session.completed'] })
    expect(events.map(({ data }) => data.object)).toMatchObject([{ id: session.id, payment_status: 'paid' }])
  })

  test('an expired session is no longer open, and a paid one cannot be expired', async () => {
    const stripe = await begin()
    const [first, second, third] = [await sessionOf(stripe), await sessionOf(stripe), await sessionOf(stripe)]
    expect(await stripe.checkout.sessions.expire(first.id)).toMatchObject({ status: 'expired', url: null })
    expect(() => fake.pay(first.id)).toThrow(/expired/)
    fake.pay(second.id)
    expect(await failure(stripe.checkout.sessions.expire(second.id))).toMatchObject({ statusCode: 400 })
    fake.advance(dayMs)
    expect(await stripe.checkout.sessions.retrieve(third.id)).toMatchObject({ status: 'expired' })
  })

  test('a declined card leaves the session open; the outcome of a slow method is known days later', async () => {
    const stripe = await begin()
    const session = await sessionOf(stripe)
    fake.declineCard(session.id)
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
    })
    fake.payLater(session.id)
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
    })
    fake.settlePayment(session.id, 'succeeded')
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' })
  })

  test('requests that do not fit the document are refused, and their keys can be used again', async () => {
    const stripe = await begin()
    const wrong = { amount: 1, currency: 'usd', destination: 'acct_1', surprise: 'yes' }
    const refused = await failure(stripe.transfers.create(wrong, { idempotencyKey: 'k1' }))
    expect(refused).toMatchObject({ statusCode: 400, message: 'Received unknown parameter: surprise' })
    expect(await failure(stripe.rawRequest('POST', '/v1/transfers', { amount: 1, currency: 'usd' }))).toMatchObject({
      message: 'Missing required param: destination.',
    })
    expect(await failure(stripe.rawRequest('GET', '/v1/customers'))).toMatchObject({ statusCode: 404 })
    const account = await readyAccount(stripe)
    await paid(stripe)
    const made = await stripe.transfers.create(
      { amount: 1, currency: 'usd', destination: account },
      { idempotencyKey: 'k1' },
    )
    expect(made.amount).toBe(1)
    const stranger = new Stripe('sk_test_other', { ...fake.address, maxNetworkRetries: 0 })
    expect(await failure(stranger.balance.retrieve())).toMatchObject({ statusCode: 401 })
  })
})

describe('keys', () => {
  test('the same request with a key is carried out once, until the key is forgotten after 24 hours', async () => {
    const stripe = await begin()
    const payment_intent = await paid(stripe)
    const refund = () => stripe.refunds.create({ payment_intent, amount: 100 }, { idempotencyKey: 'r1' })
    const first = await refund()
    fake.advance(24 * hourMs - 1)
    expect((await refund()).id).toBe(first.id)
    fake.advance(1)
    expect((await refund()).id).not.toBe(first.id)
  })

  test('different parameters with a used key are refused, and so is the key while its first request is under way', async () => {
    const stripe = await begin()
    const payment_intent = await paid(stripe)
    const refund = (amount: number) => stripe.refunds.create({ payment_intent, amount }, { idempotencyKey: 'r1' })
    const hold = fake.faults.hold('POST /v1/refunds')
    const first = refund(100)
    await expect.poll(hold.held).toBe(1)
    expect(await failure(refund(100))).toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    })
    hold.release()
    await first
    expect(await failure(refund(200))).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })
    expect(fake.all('refund')).toHaveLength(1)
  })

  test('errors are replayed, even a 500, but not a 429', async () => {
    const stripe = await begin()
    const destination = await readyAccount(stripe)
    const transfer = (idempotencyKey: string) =>
      stripe.transfers.create({ amount: 1000, currency: 'usd', destination }, { idempotencyKey })
    expect(await failure(transfer('t1'))).toMatchObject({ code: 'balance_insufficient', statusCode: 400 })
    await paid(stripe)
    expect(await failure(transfer('t1'))).toMatchObject({ code: 'balance_insufficient' })
    fake.faults.ask('POST /v1/transfers', '500')
    expect(await failure(transfer('t2'))).toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
    expect(await failure(transfer('t2'))).toMatchObject({ statusCode: 500 })
    fake.faults.ask('POST /v1/transfers', '429')
    expect(await failure(transfer('t3'))).toMatchObject({ statusCode: 429, type: 'StripeRateLimitError' })
    expect(fake.all('transfer')).toHaveLength(0)
    await transfer('t3')
    expect(fake.all('transfer')).toHaveLength(1)
  })

  test('a request whose answer was lost was carried out: the same key returns its result', async () => {
    const stripe = await begin()
    const destination = await readyAccount(stripe)
    await paid(stripe)
    const transfer = () =>
      stripe.transfers.create(
        { amount: 1000, currency: 'usd', destination, transfer_group: 'w1' },
        { idempotencyKey: 't1' },
      )
    // When the connection was cut, the SDK itself repeats the request once, with the same key.
    fake.faults.ask('POST /v1/transfers', 'lose-answer', 2)
    expect(await failure(transfer())).toMatchObject({ type: 'StripeConnectionError' })
    fake.faults.ask('POST /v1/transfers', 'cut', 2)
    expect(await failure(transfer())).toMatchObject({ type: 'StripeConnectionError' })
    const { id } = await transfer()
    const { data } = await stripe.transfers.list({ transfer_group: 'w1' })
    expect(data.map(one => one.id)).toEqual([id])
    expect(fake.availableCents()).toBe(4825 - 1000)
  })

  test('an account is created once per key, and a request of v2 that failed is carried out anew', async () => {
    const stripe = await begin()
    const make = (country: string) =>
      stripe.v2.core.accounts.create(
        { identity: { country }, dashboard: 'express' },
        { idempotencyKey: `a-${country}` },
      )
    expect((await make('DE')).id).toBe((await make('DE')).id)
    fake.faults.ask('POST /v2/core/accounts', '500')
    expect(await failure(make('PL'))).toMatchObject({ statusCode: 500 })
    expect((await make('PL')).object).toBe('v2.core.account')
  })
})

describe('transfers and refunds', () => {
  test('an account can receive transfers once nothing is missing any more', async () => {
    const stripe = await begin()
    await paid(stripe)
    const account = await accountOf(stripe)
    expect(account.requirements?.entries?.map(({ description }) => description)).toContain('external_account')
    const transfer = () => stripe.transfers.create({ amount: 1000, currency: 'usd', destination: account.id })
    expect(await failure(transfer())).toMatchObject({ code: 'insufficient_capabilities_for_transfer' })
    const link = await stripe.v2.core.accountLinks.create({
      account: account.id,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: { refresh_url: 'https://example.test/a', return_url: 'https://example.test/b' },
      },
    })
    expect(link.url).toMatch(/^https:\/\/connect\.stripe\.com\//)
    fake.onboard(account.id, 1)
    expect(await failure(transfer())).toMatchObject({ code: 'insufficient_capabilities_for_transfer' })
    fake.onboard(account.id)
    const now = await stripe.v2.core.accounts.retrieve(account.id, {
      include: ['configuration.recipient', 'requirements'],
    })
    expect(now.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status).toBe('active')
    expect(now.requirements?.entries).toEqual([])
    const { id } = await transfer()
    fake.reverseTransfer(id)
    expect(await stripe.transfers.retrieve(id)).toMatchObject({ reversed: true, amount_reversed: 1000 })
  })

  test('pending money cannot be spent: transfers and refunds are refused until it is available', async () => {
    const stripe = await begin({ pendingDays: 3 })
    const payment_intent = await paid(stripe)
    const destination = await readyAccount(stripe)
    const refund = () => stripe.refunds.create({ payment_intent, amount: 1000 })
    expect(await failure(stripe.transfers.create({ amount: 1000, currency: 'usd', destination }))).toMatchObject({
      code: 'balance_insufficient',
    })
    expect(await failure(refund())).toMatchObject({ code: 'balance_insufficient' })
    fake.advance(3 * dayMs)
    expect(await refund()).toMatchObject({ status: 'succeeded' })
    expect(await failure(stripe.refunds.create({ payment_intent, amount: 4001 }))).toMatchObject({ statusCode: 400 })
  })

  test('where refunds wait for the balance, they are paid once it suffices, and may fail days later', async () => {
    const stripe = await begin({ pendingDays: 3, uncoveredRefunds: 'pending' })
    const payment_intent = await paid(stripe)
    await stripe.balance.retrieve()
    const { id, status } = await stripe.refunds.create({ payment_intent, amount: 1000 })
    expect(status).toBe('pending')
    fake.advance(3 * dayMs)
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'succeeded' })
    fake.failRefund(id)
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed' })
    expect(fake.availableCents()).toBe(4825)
  })

  test('a dispute takes the money and a fee, and a won one returns the money', async () => {
    const stripe = await begin()
    const payment_intent = await paid(stripe)
    const id = fake.openDispute(payment_intent)
    expect(fake.availableCents()).toBe(4825 - 5000 - 1500)
    expect(await failure(stripe.refunds.create({ payment_intent }))).toMatchObject({ code: 'charge_disputed' })
    fake.closeDispute(id, 'won')
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'won', amount: 5000 })
    expect(fake.availableCents()).toBe(4825 - 1500)
  })

  test('a payout of the platform’s own money leaves the balance, and returns to it when the payout fails', async () => {
    const stripe = await begin()
    await paid(stripe)
    const { id } = await stripe.payouts.create({ amount: 4000, currency: 'usd' })
    expect(fake.availableCents()).toBe(825)
    fake.settlePayout(id, 'failed')
    expect(await stripe.payouts.retrieve(id)).toMatchObject({ status: 'failed' })
    expect(fake.availableCents()).toBe(4825)
  })
})

describe('lists and webhooks', () => {
  test('lists continue after an id, and can be limited to a time range', async () => {
    const stripe = await begin()
    const ids: string[] = []
    for (let day = 0; day < 5; day++) {
      ids.unshift((await sessionOf(stripe)).id)
      fake.advance(dayMs / 2)
    }
    const first = await stripe.checkout.sessions.list({ limit: 2 })
    expect(first).toMatchObject({ has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] })
    const rest = await stripe.checkout.sessions.list({ limit: 100, starting_after: ids[1]! })
    expect(rest.data.map(({ id }) => id)).toEqual(ids.slice(2))
    const since = Math.floor((fake.nowMs() - dayMs) / 1000)
    const newest = await stripe.checkout.sessions.list({ created: { gte: since } })
    expect(newest.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const all: string[] = []
    for await (const { id } of stripe.checkout.sessions.list({ limit: 2 })) all.push(id)
    expect(all).toEqual(ids)
  })

  type Heard = { id: string; type: string; at: number }

  const webhookRun = async (seed: number, statuses: readonly number[] = []): Promise<Heard[]> => {
    const stripe = await begin({ seed })
    const heard: Heard[] = []
    const answers = [...statuses]
    fake.webhooks.configure({
      secret: 'whsec_1',
      repeated: 0.3,
      late: 0.5,
      shuffle: true,
      send: async (body, headers) => {
        const now = fake.nowMs()
        const event = stripe.webhooks.constructEvent(body, headers['stripe-signature']!, 'whsec_1', 300, undefined, now)
        heard.push({ id: event.id, type: event.type, at: now })
        return answers.shift() ?? 200
      },
    })
    for (let time = 0; time < 5; time++) await paid(stripe)
    for (let hour = 0; hour < 80; hour++) {
      await fake.webhooks.deliver()
      fake.advance(hourMs)
    }
    return heard
  }

  test('each event is sent at least once and signed; some twice, late, and out of order; the same ones for the same seed', async () => {
    const heard = await webhookRun(7)
    const happened = fake.all('event').toReversed()
    expect(new Set(heard.map(({ id }) => id))).toEqual(new Set(happened.map(({ id }) => id)))
    expect(heard.length).toBeGreaterThan(happened.length)
    expect(heard.map(({ id }) => id)).not.toEqual(happened.map(({ id }) => id))
    const begun = heard[0]!.at
    expect(heard.some(({ at }) => at - begun > dayMs)).toBe(true)
    expect(heard.every(({ at }) => at - begun <= 3 * dayMs + hourMs)).toBe(true)
    expect(await webhookRun(7)).toEqual(heard)
    expect(await webhookRun(8)).not.toEqual(heard)
  })

  test('an event that was not acknowledged is sent again', async () => {
    const heard = await webhookRun(7, [500, 500])
    const [first] = heard
    expect(heard.filter(({ id }) => id === first!.id).length).toBeGreaterThanOrEqual(2)
  })

  test('random faults are the same for the same seed, and nothing is done twice with one key', async () => {
    const run = async () => {
      const stripe = await begin({ seed: 3 })
      const destination = await readyAccount(stripe)
      await paid(stripe, 100_000)
      fake.faults.byChance({ 'lose-answer': 0.3, cut: 0.2, '429': 0.1 })
      for (let number = 0; number < 10; number++) {
        const transfer = () =>
          stripe.transfers.create({ amount: 1000, currency: 'usd', destination }, { idempotencyKey: `t${number}` })
        for (let time = 0; time < 20; time++) if (await transfer().catch(() => undefined)) break
      }
      return fake.callsOf('POST /v1/transfers').map(({ key, status, replayed }) => ({ key, status, replayed }))
    }
    const first = await run()
    expect(fake.all('transfer')).toHaveLength(10)
    expect(first.length).toBeGreaterThan(10)
    expect(await run()).toEqual(first)
  })
})

describe('pages', () => {
  test('a person pays, is declined, and is sent back in a browser', async () => {
    const stripe = await begin({ ownPages: true })
    const session = await sessionOf(stripe)
    const press = async (value: string) =>
      fetch(session.url!, { method: 'POST', body: new URLSearchParams({ press: value }), redirect: 'manual' })
    expect(await (await fetch(session.url!)).text()).toContain('Pay with a declined card')
    await press('decline')
    const back = await press('pay')
    expect(back.headers.get('location')).toBe(`https://example.test/back?session=${session.id}`)
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' })
  })
})
