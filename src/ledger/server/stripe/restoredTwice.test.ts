/**
 * An installation with Stripe is restored again: first the same backup once more, and then a newer one, which knows what the
 * earlier copies took for lost. Nobody is paid or refunded twice, no charge is kept, and nothing is booked twice.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { brokenChecks } from '../../../testing/observed.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { intentsOf, refundsOf, sumOf, transfersOf } from '../../../testing/stripe/moves.ts'
import {
  cancel,
  copyOf,
  env,
  history,
  how,
  offCents,
  restored,
  startOn,
  withdraw,
} from '../../../testing/stripe/restored.ts'
import type { Balance } from '../../contract.ts'
import { compareMovements } from '../comparing.ts'
import { compare, type Finding, reconcile } from '../reconciling.ts'
import { resume } from '../resuming.ts'
import { stripe } from './provider.ts'
import { sweepStripeEvents } from './sweep.ts'

let t: StripeApp
let developer: Person
let admin: Person
let tester: Person
/** Cancelled by the original. */
let cancelled: Campaign
/** The original gave back a sixth of it, the first copy two more seats, and the rest followed later. */
let shrunk: Campaign
/** The same, but without the original's part. */
let shrunkLater: Campaign
/** A draft for which the original was paid. */
let draft: Campaign
/** A draft for which the first copy was paid after the newer backup. */
let draftLater: Campaign
/** Paid and cancelled in the first copy; its refund came back. */
let returned: Campaign
/** Paid in the first copy. */
let paidThere: Campaign
let first: string
let same: string
let newer: string
const payouts: string[] = []

/** What Stripe received for a campaign, and what it has given back. */
const paidAndBack = (campaign: Campaign) => {
  const intents = intentsOf(t.fake, campaign)
  const back = intents.flatMap(({ id }) => refundsOf(t.fake, id)).filter(({ status }) => status === 'succeeded')
  return [sumOf(intents), sumOf(back)]
}
const balance = async () => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
const stateOf = async ({ id }: Campaign) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.status
const statusesOf = (ids: readonly string[]) =>
  t.look<{ status: string }>('select status from withdrawals where id = any($1)', [ids])
const asks = async ({ id }: Campaign, testersRequired: number) => {
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'Another number of testers, please.' })
  expect((await developer.call('PATCH', `/campaigns/${id}`, { testersRequired })).status).toBe(200)
}
const again = async () => {
  ;[developer, admin, tester] = [
    await t.signIn(developer.user.email),
    await t.signIn(admin.user.email),
    await t.signIn(tester.user.email),
  ]
}
const restoredFrom = async (url: string) => {
  await t.leave()
  t = await restored(t, url)
  await again()
}
const goOn = async () => {
  const { findings } = await reconcile(history())
  await resume(how())
  await t.advance(2)
  await t.advance(2)
  return findings
}
const found = (findings: readonly Finding[], kind: Finding['kind']) =>
  findings
    .filter(each => each.kind === kind)
    .map(({ what, of, amountCents }) => [what, of, amountCents] as const)
    .toSorted((one, other) => one.join().localeCompare(other.join()))
const sorted = (all: readonly (readonly [string, string, number])[]) =>
  all.toSorted((one, other) => one.join().localeCompare(other.join()))
const paymentOf = async ({ id }: Campaign) =>
  (await t.look<{ id: string }>('select id from payments where campaign_id = $1', [id]))[0]!.id

const allAgrees = async () => {
  await sweepStripeEvents.run({})
  await t.advance(2)
  await t.advance(8)
  expect(await t.look('select type, error from provider_events where processed_at is null')).toEqual([])
  expect(await brokenChecks()).toEqual([])
  expect(await offCents()).toBe(0)
  expect(await compareMovements(stripe)).toEqual([])
  expect(await compare(history())).toEqual([])
}

beforeAll(async () => {
  t = await startStripeApp({}, { env })
  developer = await t.signUp('DEVELOPER')
  admin = await t.signUp('ADMIN')
  tester = (await t.earner(developer, admin, 9000)).tester
  ;({ campaign: cancelled } = await t.paid(developer))
  ;({ campaign: shrunk } = await t.paid(developer, { testersRequired: 6 }))
  ;({ campaign: shrunkLater } = await t.paid(developer, { testersRequired: 6 }))
  // Makes sure that Stripe holds enough to cover everything.
  await t.paid(developer, { payPerTesterCents: 20_000 })
  draft = await draftOf(developer)
  draftLater = await draftOf(developer)
  const original = t.databaseUrl
  await t.leave()
  first = await copyOf(original)
  same = await copyOf(original)

  t = await startOn(t, original)
  await again()
  await t.advance(1)
  payouts.push(await withdraw(tester, 3000))
  await cancel(developer, cancelled.id)
  await asks(shrunk, 5)
  await t.fund(developer, draft)
  t.fake.pay(lastSession(t.fake))
  await t.settle()
  await restoredFrom(first)
})
afterAll(() => t.stop())

describe('the first copy', () => {
  test('continues, and is backed up with refunds that no job has started', async () => {
    const seat = shrunk.totalCostCents / 6
    const [payment, other] = [await paymentOf(shrunk), await paymentOf(cancelled)]
    const findings = await goOn()
    expect(found(findings, 'LOST_REFUND')).toEqual(
      sorted([
        ['REFUND', payment, seat],
        ['REFUND', other, cancelled.totalCostCents],
      ]),
    )
    expect(paidAndBack(draft)).toEqual([draft.totalCostCents, draft.totalCostCents])
    await cancel(developer, cancelled.id)
    ;({ campaign: returned } = await t.paid(developer))
    await cancel(developer, returned.id)
    ;({ campaign: paidThere } = await t.paid(developer))
    await allAgrees()
    await asks(shrunk, 3)
    await asks(shrunkLater, 4)
    await t.leave()
    newer = await copyOf(first)
    t = await startOn(t, first)
    await again()
  })

  test('then pays out, refunds and is paid', async () => {
    await t.settle()
    await cancel(developer, shrunk.id)
    await cancel(developer, shrunkLater.id)
    payouts.push(await withdraw(tester, 2000))
    await t.advance(0.1)
    expect(paidAndBack(shrunk)).toEqual([shrunk.totalCostCents, shrunk.totalCostCents])
    expect(paidAndBack(shrunkLater)).toEqual([shrunkLater.totalCostCents, shrunkLater.totalCostCents])
    await t.fund(developer, draftLater)
    t.fake.pay(lastSession(t.fake))
    await allAgrees()
    const [intent] = intentsOf(t.fake, returned)
    t.fake.failRefund(t.fake.all('refund').find(each => each['payment_intent'] === intent!.id)!.id)
  })
})

describe('the same backup, restored again', () => {
  beforeAll(() => restoredFrom(same))

  test('lists what the original and the first copy did, each with its amount', async () => {
    const [payment, other, third] = [await paymentOf(shrunk), await paymentOf(cancelled), await paymentOf(shrunkLater)]
    const seat = shrunk.totalCostCents / 6
    const findings = await goOn()
    expect(found(findings, 'ARRIVED')).toEqual([])
    expect(found(findings, 'LOST_PAYOUT')).toEqual(
      sorted([
        ['PAYOUT', tester.user.id, 3000],
        ['PAYOUT', tester.user.id, 2000],
      ]),
    )
    expect(found(findings, 'LOST_REFUND')).toEqual(
      sorted([
        ['REFUND', payment, seat],
        // The original had given back one of three seats.
        ['REFUND', payment, 2 * seat],
        ['REFUND', payment, 3 * seat],
        ['REFUND', other, cancelled.totalCostCents],
        ['REFUND', third, 2 * seat],
        ['REFUND', third, 4 * seat],
      ]),
    )
    expect(found(findings, 'LOST_CHARGE')).toEqual(
      sorted([
        // The first copy gave it back.
        ['CHARGE', draft.id, 0],
        ['CHARGE', draftLater.id, draftLater.totalCostCents],
        // What the bank returned does not count as given back.
        ['CHARGE', returned.id, returned.totalCostCents],
        ['CHARGE', paidThere.id, paidThere.totalCostCents],
      ]),
    )
  })

  test('pays nobody twice, and books each payout once', async () => {
    expect(await balance()).toBe(4000)
    expect(payouts.map(id => transfersOf(t.fake, id).length)).toEqual([1, 1])
    payouts.push(await withdraw(tester, 4000))
    await t.advance(0.1)
    expect(await balance()).toBe(0)
    expect(await statusesOf(payouts)).toEqual(payouts.map(() => ({ status: 'COMPLETED' })))
    expect(payouts.map(id => transfersOf(t.fake, id).length)).toEqual([1, 1, 1])
  })

  test('refunds nothing twice', async () => {
    for (const each of [cancelled, shrunk, shrunkLater]) expect((await cancel(developer, each.id)).status).toBe(200)
    await t.advance(0.1)
    for (const each of [cancelled, shrunk, shrunkLater]) {
      expect(await stateOf(each)).toBe('CANCELLED')
      expect(paidAndBack(each)).toEqual([each.totalCostCents, each.totalCostCents])
    }
  })

  test('gives each lost charge back, once', async () => {
    for (const each of [draft, draftLater, returned, paidThere])
      expect(paidAndBack(each)).toEqual([each.totalCostCents, each.totalCostCents])
    await allAgrees()
  })
})

describe('then the newer backup', () => {
  beforeAll(() => restoredFrom(newer))

  test('knows what had been on its way, and takes money that the older copy gave back for refunds', async () => {
    const [payment, third] = [await paymentOf(shrunk), await paymentOf(shrunkLater)]
    const [fourth, fifth] = [await paymentOf(returned), await paymentOf(paidThere)]
    const seat = shrunk.totalCostCents / 6
    const findings = await goOn()
    expect(found(findings, 'ARRIVED')).toEqual(
      sorted([
        ['REFUND', payment, 3 * seat],
        ['REFUND', third, 2 * seat],
        ['REFUND', fourth, returned.totalCostCents],
      ]),
    )
    expect(found(findings, 'LOST_REFUND')).toEqual(
      sorted([
        ['REFUND', payment, 3 * seat],
        ['REFUND', third, 4 * seat],
        ['REFUND', fourth, returned.totalCostCents],
        ['REFUND', fifth, paidThere.totalCostCents],
      ]),
    )
    expect(found(findings, 'LOST_PAYOUT')).toEqual(
      sorted([
        ['PAYOUT', tester.user.id, 2000],
        ['PAYOUT', tester.user.id, 4000],
      ]),
    )
    expect(found(findings, 'LOST_CHARGE')).toEqual([['CHARGE', draftLater.id, 0]])
  })

  test('pays nobody twice, and books each payout once', async () => {
    expect(await balance()).toBe(0)
    expect(await statusesOf(payouts)).toEqual(payouts.map(() => ({ status: 'COMPLETED' })))
    expect(payouts.map(id => transfersOf(t.fake, id).length)).toEqual([1, 1, 1])
  })

  test('finishes the refunds that it has as on their way, and refunds nothing twice', async () => {
    for (const each of [shrunk, shrunkLater, paidThere]) expect((await cancel(developer, each.id)).status).toBe(200)
    await allAgrees()
    for (const each of [cancelled, shrunk, shrunkLater, draft, draftLater, returned, paidThere])
      expect(paidAndBack(each)).toEqual([each.totalCostCents, each.totalCostCents])
    expect(await t.look(`select id from refund_parts where status <> 'COMPLETED'`)).toEqual([])
  })

  test('lets the draft whose charge was given back be paid for again', async () => {
    await t.fund(developer, draftLater)
    t.fake.pay(lastSession(t.fake))
    await t.tell()
    expect(await stateOf(draftLater)).toBe('PENDING_APPROVAL')
    await allAgrees()
  })
})
