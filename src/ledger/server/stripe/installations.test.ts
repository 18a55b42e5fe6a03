/**
 * Two installations share one Stripe account by mistake: neither claims what the other did, gives it back, or stores what Stripe
 * reports about it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { brokenChecks } from '../../../testing/observed.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { command, metadataOf, refundsOf } from '../../../testing/stripe/moves.ts'
import { cancel, env, history, how, offCents, on, withdraw } from '../../../testing/stripe/restored.ts'
import { compareMovements } from '../comparing.ts'
import { voidLostCharges } from '../lostMovements.ts'
import type { Asked } from '../provider.ts'
import { reconcile } from '../reconciling.ts'
import { resume } from '../resuming.ts'
import { stripeOrThrow } from './client.ts'
import { marked } from './installation.ts'
import { stripe } from './provider.ts'
import { sweepStripeEvents } from './sweep.ts'

let t: StripeApp
let other: string
let theirs: { intent: string; open: string }
let developer: Person
let tester: Person
let ours: Campaign

beforeAll(async () => {
  t = await startStripeApp({}, { env })
  other = stripeOrThrow().installation
  const stranger = await t.signUp('DEVELOPER')
  const { tester: paid } = await t.earner(stranger, await t.signUp('ADMIN'), 9000)
  await withdraw(paid, 3000)
  const { intent } = await t.paid(stranger)
  await cancel(stranger, (await t.paid(stranger)).campaign.id)
  await t.fund(stranger, await draftOf(stranger))
  const open = lastSession(t.fake)
  t.fake.payLater(open)
  await t.tell()
  theirs = { intent, open }
  const { fake } = t
  await t.leave()

  t = await startStripeApp({}, { env, fake })
  developer = await t.signUp('DEVELOPER')
  tester = (await t.earner(developer, await t.signUp('ADMIN'), 5000)).tester
  ;({ campaign: ours } = await t.paid(developer))
  await on(
    t.databaseUrl,
    `insert into job_pauses (id, reason, note, paused_at) values (gen_random_uuid(), 'RESTORED', 'Restored', now())`,
  )
})
afterAll(() => t.stop())

test('everything that is made at Stripe carries the id of its installation', () => {
  const made = ['POST /v1/checkout/sessions', 'POST /v1/transfers', 'POST /v1/refunds', 'POST /v2/core/accounts']
  for (const name of made)
    expect(t.fake.callsOf(name).map(({ params }) => metadataOf(params)['installation'])).toContain(other)
  for (const { params, status } of t.fake.calls.filter(({ name }) => made.includes(name)))
    expect([status, metadataOf(params)['installation']]).toEqual([200, expect.stringMatching(/^[\da-f-]{36}$/)])
  const intents = t.fake.all('payment_intent').map(each => metadataOf(each)['installation'])
  expect(new Set(intents)).toEqual(new Set([other, stripeOrThrow().installation]))
})

test('a restored copy of one installation lists nothing of the other, and refunds none of its charges', async () => {
  const { found } = await reconcile(history())
  expect(found).toMatchObject({ ARRIVED: 0, LOST_PAYOUT: 0, LOST_REFUND: 0, LOST_CHARGE: 0, UNKNOWN: 0, DIFFERS: 0 })
  // What the other installation does meanwhile holds nobody up.
  expect(found.movements).toBe(2)
  expect(await resume(how())).toMatchObject({ lost: 0 })
  await voidLostCharges.run({})
  expect(refundsOf(t.fake, theirs.intent)).toEqual([])
  expect(await t.look('select id from lost_movements')).toEqual([])
})

test('events of the other installation are answered with 200, and neither stored nor booked', async () => {
  const before = await t.look('select event_id from provider_events order by id')
  t.fake.settlePayment(theirs.open, 'succeeded')
  const [transfer] = t.fake.all('transfer').filter(each => metadataOf(each)['installation'] === other)
  t.fake.reverseTransfer(transfer!.id)
  const told = await t.tell()
  expect(told.length).toBeGreaterThan(3)
  expect(new Set(told)).toEqual(new Set([200]))
  await sweepStripeEvents.run({})
  await t.advance(2)
  expect(await t.look('select event_id from provider_events order by id')).toEqual(before)
  expect(refundsOf(t.fake, String(t.fake.objectOf(theirs.open)!['payment_intent']))).toEqual([])
  expect(await t.look('select id from lost_movements')).toEqual([])
})

test('a stored event of the other installation is not booked either', async () => {
  const { installation } = stripeOrThrow()
  stripeOrThrow().installation = other
  await sweepStripeEvents.run({})
  stripeOrThrow().installation = installation
  const waiting = () => t.look('select type, error from provider_events where processed_at is null')
  expect(await waiting()).not.toEqual([])
  await t.advance(2)
  expect(await waiting()).toEqual([])
  expect(refundsOf(t.fake, String(t.fake.objectOf(theirs.open)!['payment_intent']))).toEqual([])
  expect(await t.look('select id from lost_movements')).toEqual([])
})

test('a dispute of the other installation is handled without a trace', async () => {
  t.fake.openDispute(theirs.intent)
  expect(new Set(await t.tell())).toEqual(new Set([200]))
  await t.advance(1)
  expect(await t.look('select id from disputes')).toEqual([])
  expect(await t.look('select type, error from provider_events where processed_at is null')).toEqual([])
})

describe('an object of another installation that names a subject of ours, as after a copy got its own id', () => {
  const id = '019e8a00-0000-7000-8000-00000000000a'
  const asked = (more: Partial<Asked> = {}): Asked => ({
    key: id,
    subjectId: id,
    of: tester.user.id,
    amountCents: 100,
    counterparty: '',
    begunAt: '2020-01-01T00:00:00.000Z',
    sentAt: '2020-01-01T00:00:00.000Z',
    mayBeMade: true,
    earlierCents: 0,
    ...more,
  })
  const refusal = 'is about something of ours, and was made by another installation'

  test('counts neither as done nor as unsent: a payout', async () => {
    const { id: transfer } = await stripeOrThrow().api.transfers.create({
      amount: 100,
      currency: 'usd',
      destination: String(t.fake.all('transfer')[0]!['destination']),
      transfer_group: `withdrawal_${id}`,
      metadata: marked({ installation: other }, { withdrawal: id, call: id }),
    })
    await expect(stripe.lookUp('PAYOUT', asked())).rejects.toThrow(`${transfer} at Stripe ${refusal}`)
    t.fake.reverseTransfer(transfer)
  })

  test('counts neither as done nor as unsent: a charge', async () => {
    const subjectId = metadataOf(t.fake.objectOf(theirs.open))['charge']!
    await expect(stripe.lookUp('CHARGE', asked({ subjectId }))).rejects.toThrow(`${theirs.open} at Stripe ${refusal}`)
  })

  test('counts neither as done nor as unsent: a refund', async () => {
    const [payment] = await t.look<{ id: string; reference: string }>(
      `select p.id, c.reference from payments p join provider_calls c on c.subject_id = p.id where campaign_id = $1`,
      [ours.id],
    )
    const { id: refund } = await stripeOrThrow().api.refunds.create({
      payment_intent: payment!.reference,
      amount: 100,
      metadata: marked({ installation: other }, { part: id, call: id }),
    })
    await expect(stripe.lookUp('REFUND', asked({ of: payment!.id }))).rejects.toThrow(`${refund} at Stripe ${refusal}`)
    t.fake.failRefund(refund)
  })

  test('is not given back: a charge from before a restore', async () => {
    await t.look(
      `insert into lost_movements (id, kind, of_id, amount_cents, at, provider, fee_cents, reference, refund_key)
        values ($1, 'CHARGE', $1, 100, now(), 'stripe', 0, $2, 'x')`,
      [id, t.fake.objectOf(theirs.open)!['payment_intent']],
    )
    await expect(voidLostCharges.run({})).rejects.toThrow('1 of 1 failed')
    expect(refundsOf(t.fake, String(t.fake.objectOf(theirs.open)!['payment_intent']))).toEqual([])
    await t.look('delete from lost_movements where id = $1', [id])
  })
})

test('reconcile lists the other installation as one line, with what it has moved', async () => {
  const found = await compareMovements(stripe)
  const off = await offCents()
  expect(off).not.toBe(0)
  expect(found).toMatchObject([{ where: 'ELSEWHERE', kind: 'ELSEWHERE', id: other, thereCents: off, hereCents: 0 }])
  const { said, code } = await command(t, 'reconcile')
  expect(code).toBe(3)
  expect(said).toMatch(
    new RegExp(`Moved by another installation on the same account.*: 1\n +ELSEWHERE +${other} .* \\d+ movements\n`),
  )
})

test('the shared balance does not fit the books of either, so withdrawals stop and everything else continues', async () => {
  const waits = await withdraw(tester, 2000)
  // A difference is a breach only if it is seen again and again for five minutes.
  for (let look = 0; look < 4; look++) await t.advance(2 / 60)
  expect(await t.look('select status from withdrawals where id = $1', [waits])).toEqual([{ status: 'PENDING' }])
  expect(t.fake.all('transfer').filter(each => each['transfer_group'] === `withdrawal_${waits}`)).toEqual([])
  expect(await tester.call('POST', '/testers/withdraw', { amountCents: 2000 })).toMatchObject({ status: 503 })
  expect((await cancel(developer, ours.id)).status).toBe(200)
  await t.settle()
  expect((await developer.call<Campaign>('GET', `/campaigns/${ours.id}`)).body.status).toBe('CANCELLED')
  expect(await brokenChecks()).toEqual([])
})
