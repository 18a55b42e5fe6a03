/**
 * A restored copy of an installation with Stripe: what the original did later is booked or given back, and nobody is paid twice.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import { autocommit } from '../../../kit/server/db.ts'
import { openPause } from '../../../kit/server/pauses.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { brokenChecks } from '../../../testing/observed.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { command, intentsOf, refundsOf, sumOf, transfersOf } from '../../../testing/stripe/moves.ts'
import {
  cancel,
  copyOf,
  env,
  history,
  how,
  offCents,
  on,
  restored,
  startOn,
  withdraw,
} from '../../../testing/stripe/restored.ts'
import type { Balance } from '../../contract.ts'
import { compareMovements } from '../comparing.ts'
import { voidLostCharges } from '../lostMovements.ts'
import { compare, reconcile } from '../reconciling.ts'
import { resume } from '../resuming.ts'
import { stripeOrThrow } from './client.ts'
import { marked } from './installation.ts'
import { stripe } from './provider.ts'
import { sweepStripeEvents } from './sweep.ts'

const refusal = () =>
  resume(how()).then(
    () => 'resumed',
    (error: Error) => error.message,
  )
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents

describe('what the original did after the backup and the copy does not know', () => {
  let t: StripeApp
  let developer: Person
  let paid: Person
  let moved: Person
  let poor: Person
  let cancelled: Campaign
  let running: Campaign
  let lost: { draft: Campaign; intent: string }
  let givenBack: { draft: Campaign; intent: string }
  let open: string
  let copy: string
  const ids = { paid: '', moved: '', poor: '' }

  const intentOf = (campaign: Campaign) => intentsOf(t.fake, campaign)[0]!.id
  const givenBackOf = (intent: string) => refundsOf(t.fake, intent).filter(({ status }) => status !== 'failed')
  const backOf = (intent: string) => sumOf(givenBackOf(intent))
  const run = (name: string, more: Record<string, string | undefined> = {}) =>
    command({ fake: t.fake, databaseUrl: copy }, name, { ENCRYPTION_KEY: env.ENCRYPTION_KEY, ...more })

  beforeAll(async () => {
    t = await startStripeApp({}, { env })
    developer = await t.signUp('DEVELOPER')
    const admin = await t.signUp('ADMIN')
    paid = (await t.earner(developer, admin, 9000)).tester
    moved = (await t.earner(developer, admin, 9000)).tester
    poor = (await t.earner(developer, admin, 9000)).tester
    await withdraw(poor, 9000)
    await t.settle()
    ;({ campaign: cancelled } = await t.paid(developer))
    ;({ campaign: running } = await t.paid(developer))
    await admin.call('POST', `/admin/campaigns/${running.id}/approve`)
    await developer.call('POST', `/campaigns/${running.id}/start`)
    const draft = await draftOf(developer)
    const original = t.databaseUrl
    await t.leave()
    copy = await copyOf(original)

    t = await startOn(t, original)
    const [again, others] = [await t.signIn(developer.user.email), await t.signIn(admin.user.email)]
    await t.advance(1)
    ids.paid = await withdraw(await t.signIn(paid.user.email), 3000)
    ids.moved = await withdraw(await t.signIn(moved.user.email), 4000)
    const { campaign } = await t.paid(again, { testersRequired: 1, payPerTesterCents: 5000, durationDays: 1 })
    await others.call('POST', `/admin/campaigns/${campaign.id}/approve`)
    await t.settle()
    await cancel(again, cancelled.id)
    await again.call('POST', `/campaigns/${running.id}/close-seat`)
    await t.fund(again, draft)
    t.fake.pay(lastSession(t.fake))
    lost = { draft, intent: intentOf(draft) }
    const { campaign: back } = await t.paid(again)
    await cancel(again, back.id)
    givenBack = { draft: back, intent: intentOf(back) }
    await t.fund(again, await draftOf(again))
    open = lastSession(t.fake)
    t.fake.payLater(open)
    await t.settle()
    expect(transfersOf(t.fake, ids.paid)).toHaveLength(1)
    // Paid to a tester who has nothing left in the copy.
    ids.poor = '019e8a00-0000-7000-8000-00000000000a'
    await stripeOrThrow().api.transfers.create({
      amount: 700,
      currency: 'usd',
      destination: String(t.fake.all('transfer').find(each => each['amount'] === 9000)!['destination']),
      transfer_group: `withdrawal_${ids.poor}`,
      metadata: marked(stripeOrThrow(), { withdrawal: ids.poor, call: ids.poor }),
    })
    await t.leave()
    await on(copy, `delete from payout_accounts where user_id = '${moved.user.id}'`)
    t = await restored(t, copy)
    ;[developer, paid, moved, poor] = [
      await t.signIn(developer.user.email),
      await t.signIn(paid.user.email),
      await t.signIn(moved.user.email),
      await t.signIn(poor.user.email),
    ]
  })
  afterAll(() => t.stop())

  test('blocks resuming until it was compared with Stripe, and without Stripe’s keys', async () => {
    expect(await refusal()).toBe(
      'This copy has not been compared with Stripe yet. Run `npm run reconcile`, and then `npm run resume`.',
    )
    const { said, code } = await run('resume')
    expect([said, code]).toEqual([expect.stringContaining('has not been compared with Stripe yet'), 1])
    const file = { provider: 'sandbox', path: 'x', all: async () => new Map(), givenBack: async () => 0 } as const
    await reconcile(file)
    await expect(resume({ ...how(), history: file, acceptDifferences: true })).rejects.toThrow(
      'set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET',
    )
    expect(await refusal()).toContain('has not been compared with Stripe yet')
  })

  test('is listed by the command, with what will happen to each movement, as often as it is run', async () => {
    const first = await run('reconcile')
    expect(first.code).toBe(2)
    expect(first.said).toContain('Payouts unknown to this database: 3, $77.00')
    expect(first.said).toContain(ids.moved)
    expect(first.said).toContain('Refunds unknown to this database: 3,')
    expect(first.said).toContain('is refunded at Stripe within an hour after the jobs resume')
    expect(first.said).toContain('Recorded. Run `npm run resume` to resume the jobs.')
    expect(await run('reconcile')).toEqual(first)
    const { found } = await reconcile(history())
    expect(found).toMatchObject({
      ARRIVED: 0,
      LOST_PAYOUT: 3,
      LOST_REFUND: 3,
      LOST_CHARGE: 3,
      UNKNOWN: 0,
      DIFFERS: 0,
      provider: 'stripe',
    })
  })

  test('leaves nothing to go back of a charge that the original gave back', async () => {
    const charges = (await compare(history())).filter(({ kind }) => kind === 'LOST_CHARGE')
    expect(charges.find(({ of }) => of === givenBack.draft.id)).toMatchObject({ amountCents: 0 })
    expect(charges.find(({ of }) => of === lost.draft.id)).toMatchObject({ amountCents: lost.draft.totalCostCents })
  })

  test('blocks resuming if Stripe has moved money since', async () => {
    const { id } = await stripeOrThrow().api.transfers.create({
      amount: 100,
      currency: 'usd',
      destination: String(t.fake.all('transfer')[0]!['destination']),
      metadata: marked(stripeOrThrow(), { withdrawal: '019e8a00-0000-7000-8000-00000000000b' }),
    })
    expect(await refusal()).toContain('The provider has moved money since')
    t.fake.reverseTransfer(id)
    // Nothing remains of it, so nothing has to be booked.
    expect((await reconcile(history())).found).toMatchObject({ LOST_PAYOUT: 3 })
  })

  test('is recorded when jobs resume, and from then on the books agree with Stripe', async () => {
    expect(await resume(how())).toMatchObject({ lost: 9 })
    expect(await openPause(autocommit)).toBeUndefined()
    expect(await offCents()).toBe(0)
    expect(await brokenChecks()).toEqual([])
    expect(await compareMovements(stripe)).toEqual([])
    expect(await compare(history())).toEqual([])
  })

  test('a lost charge goes back completely, once, even if the answer is lost, the job runs twice and Stripe forgets the key', async () => {
    t.fake.faults.ask('POST /v1/refunds', 'lose-answer', 2)
    await expect(voidLostCharges.run({})).rejects.toThrow('1 of 3 failed')
    expect(backOf(lost.intent)).toBe(lost.draft.totalCostCents)
    expect(await offCents()).toBe(0)
    await t.advance(30)
    await Promise.all([voidLostCharges.run({}), voidLostCharges.run({})])
    expect(backOf(lost.intent)).toBe(lost.draft.totalCostCents)
    expect(givenBackOf(lost.intent)).toHaveLength(1)
    expect(givenBackOf(givenBack.intent)).toHaveLength(1)
    expect(
      await t.look(`select count(*)::int as left from lost_movements where kind = 'CHARGE' and booked_at is null`),
    ).toEqual([{ left: 0 }])
    expect(await offCents()).toBe(0)
    expect(await compareMovements(stripe)).toEqual([])
  })

  test('a lost payout is booked under its own id, and not paid again', async () => {
    await t.advance(0.1)
    expect([await balanceOf(paid), await balanceOf(moved)]).toEqual([6000, 5000])
    expect([ids.paid, ids.moved, ids.poor].map(id => transfersOf(t.fake, id).length)).toEqual([1, 1, 1])
    const booked = await t.look(
      'select id, status, destination from withdrawals where id = any($1) order by amount_cents',
      [[ids.paid, ids.moved, ids.poor]],
    )
    expect(booked).toEqual([
      { id: ids.paid, status: 'COMPLETED', destination: 'Stripe payout account, Germany' },
      { id: ids.moved, status: 'COMPLETED', destination: 'Stripe payout account' },
    ])
    // The rest can be withdrawn.
    expect((await paid.call('POST', '/testers/withdraw', { amountCents: 6000 })).status).toBe(201)
    await t.settle()
    expect(await balanceOf(paid)).toBe(0)
  })

  test('a lost payout that the balance does not cover waits for it', async () => {
    expect(await poor.call('POST', '/testers/withdraw', { amountCents: 2000 })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('$7.00 was paid out to you before we restored our data') as string },
    })
  })

  test('a lost refund is deducted when the campaign is cancelled again', async () => {
    const intent = intentOf(cancelled)
    expect(backOf(intent)).toBe(cancelled.totalCostCents)
    expect((await cancel(developer, cancelled.id)).status).toBe(200)
    await t.advance(0.1)
    expect(givenBackOf(intent)).toHaveLength(1)
    expect((await developer.call<Campaign>('GET', `/campaigns/${cancelled.id}`)).body.status).toBe('CANCELLED')
    expect(await offCents()).toBe(0)
  })

  test('a lost partial refund is deducted as well, and Stripe is asked only for the rest', async () => {
    const intent = intentOf(running)
    const seat = running.totalCostCents / 3
    expect(backOf(intent)).toBe(seat)
    expect((await cancel(developer, running.id)).status).toBe(200)
    await t.advance(0.1)
    expect(givenBackOf(intent).map(({ amount }) => amount)).toEqual([running.totalCostCents - seat, seat])
    expect((await developer.call<Campaign>('GET', `/campaigns/${running.id}`)).body).toMatchObject({
      status: 'CANCELLED',
      fundedCents: 0,
    })
    expect(await offCents()).toBe(0)
    // After another restore, each refund is known with its total.
    expect(await compare(history())).toEqual([])
  })

  test('a refund of a lost charge that the bank returns is retried under another key, reported once or twice', async () => {
    t.fake.failRefund(givenBackOf(lost.intent)[0]!.id)
    // Everything that the original was told comes again at once.
    await t.tell()
    await t.look(`update provider_events set processed_at = null where type like 'refund.%'`)
    await t.advance(2)
    expect(givenBackOf(lost.intent)).toHaveLength(1)
    await t.tell()
    await t.look(`update provider_events set processed_at = null where type like 'refund.%'`)
    await t.advance(2)
    expect(givenBackOf(lost.intent)).toHaveLength(1)
    expect(backOf(lost.intent)).toBe(lost.draft.totalCostCents)
    expect(await offCents()).toBe(0)
  })

  test('a payment made only now on a page of the original goes back as well', async () => {
    t.fake.settlePayment(open, 'succeeded')
    await t.tell()
    await t.advance(2)
    expect(backOf(String(t.fake.objectOf(open)!['payment_intent']))).toBe(t.fake.objectOf(open)!['amount_total'])
    expect(await offCents()).toBe(0)
  })

  test('the draft that was paid in the original can be paid again', async () => {
    await t.fund(developer, lost.draft)
    t.fake.pay(lastSession(t.fake))
    await t.tell()
    expect((await developer.call<Campaign>('GET', `/campaigns/${lost.draft.id}`)).body.status).toBe('PENDING_APPROVAL')
  })

  test('the books balance, and Stripe knows nothing that they do not', async () => {
    await sweepStripeEvents.run({})
    await t.advance(2)
    expect(await brokenChecks()).toEqual([])
    expect(await offCents()).toBe(0)
    expect(await compareMovements(stripe)).toEqual([])
    expect(await compare(history())).toEqual([])
    expect(await t.look(`select type, error from provider_events where processed_at is null`)).toEqual([])
  })
})

test('a lost charge has not gone back before Stripe has paid its refund', async () => {
  let t = await startStripeApp({ pendingDays: 30, uncoveredRefunds: 'pending' }, { env })
  const developer = await t.signUp('DEVELOPER')
  // Stripe keeps its fee when a charge goes back; another charge covers it.
  await t.fund(developer, await draftOf(developer))
  t.fake.pay(lastSession(t.fake))
  const draft = await draftOf(developer)
  const original = t.databaseUrl
  await t.leave()
  const copy = await copyOf(original)
  t = await startOn(t, original)
  await t.fund(await t.signIn(developer.user.email), draft)
  t.fake.pay(lastSession(t.fake))
  await t.leave()
  t = await restored(t, copy)
  await reconcile(history())
  await resume(how())
  const back = () => t.look(`select booked_at is not null as back from lost_movements`)
  await voidLostCharges.run({})
  await voidLostCharges.run({})
  expect(t.fake.all('refund').map(({ status }) => status)).toEqual(['pending'])
  expect(await back()).toEqual([{ back: false }])
  expect(await offCents()).toBe(0)
  await t.advance(30 * 24)
  expect(t.fake.all('refund').map(({ status }) => status)).toEqual(['succeeded'])
  expect(await back()).toEqual([{ back: true }])
  expect(await offCents()).toBe(0)
  expect(await compareMovements(stripe)).toEqual([])
  expect(await brokenChecks()).toEqual([])
  await t.stop()
})
