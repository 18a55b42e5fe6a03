/**
 * Events at Stripe after a restore about charges that the copy does not know: banks dispute them and send refunds back, and
 * accounts send payouts back. Everything is booked, nobody is paid twice, and an admin sees what they have to take care of.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../../campaigns/contract.ts'
import type { Needs } from '../../../dashboards/contract.ts'
import { transact } from '../../../kit/server/db.ts'
import type { Operations } from '../../../operations/contract.ts'
import { draftOf, type Person } from '../../../testing/app.ts'
import { brokenChecks } from '../../../testing/observed.ts'
import { lastSession, startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { intentsOf, metadataOf, refundsOf, sumOf } from '../../../testing/stripe/moves.ts'
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
import { compareMovements } from '../comparing.ts'
import { voidLostCharges } from '../lostMovements.ts'
import { compare, reconcile } from '../reconciling.ts'
import { resume } from '../resuming.ts'
import { stripeEventHandlers } from './events.ts'
import { bookStripeFees } from './fees.ts'
import { stripe } from './provider.ts'
import { sweepStripeEvents } from './sweep.ts'

let t: StripeApp
let developer: Person
let admin: Person
/** Refunded by the original. */
let unused: Campaign
let used: Campaign
/** The original was paid for these. */
const drafts: Campaign[] = []
let open: string
let payout: string

const intentOf = (campaign: Campaign) => intentsOf(t.fake, campaign)[0]!.id
const givenBackOf = (campaign: Campaign) =>
  refundsOf(t.fake, intentOf(campaign)).filter(({ status }) => status === 'succeeded')
const backOf = (campaign: Campaign) => sumOf(givenBackOf(campaign))
const chargeOf = (campaign: Campaign) => metadataOf(t.fake.objectOf(intentOf(campaign)))['charge']!
const lostDisputes = () =>
  t.look<{ status: string; covered: number }>(
    `select status, covered_cents::int as covered from lost_disputes order by id`,
  )
const needs = async (kind: string) =>
  (await admin.call<Needs>('GET', '/dashboard/needs')).body.needs.filter(each => each.kind === kind)
/** The entry that the need links to. */
const inOperations = async () =>
  (await admin.call<Operations>('GET', '/admin/operations')).body.money.find(({ kind }) => kind === 'LOST_DISPUTES')
const owedByDevelopers = async () => {
  const [row] = await t.look<{ cents: number }>(
    `select coalesce(sum(case when d.kind = 'DISPUTES_RECEIVABLE' then amount_cents else -amount_cents end), 0)::int as cents
      from transfers join accounts d on d.id = debit_account_id join accounts c on c.id = credit_account_id
      where 'DISPUTES_RECEIVABLE' in (c.kind, d.kind)`,
  )
  return row!.cents
}
/** Stripe's news is sent, handled, handled once more, and settled. */
const toldTwice = async () => {
  await t.tell()
  await t.look(`update provider_events set processed_at = null where type ~ '^(charge.dispute|refund|transfer)'`)
  await t.advance(0.1)
}
/** Handles Stripe's event directly. Moving the clock would run the hourly job as well. */
const failed = async (refund: string) => {
  t.fake.failRefund(refund)
  await transact(await stripeEventHandlers['refund.failed']!({ data: { object: t.fake.objectOf(refund) } }))
}
const agrees = async () => {
  expect(await t.look('select type, error from provider_events where processed_at is null')).toEqual([])
  expect(await brokenChecks()).toEqual([])
  expect(await offCents()).toBe(0)
  expect((await compareMovements(stripe)).filter(({ where }) => where !== 'ON_ITS_WAY')).toEqual([])
  expect(await t.look('select * from money_breaches')).toEqual([])
}

beforeAll(async () => {
  t = await startStripeApp({}, { env })
  developer = await t.signUp('DEVELOPER')
  admin = await t.signUp('ADMIN')
  const { tester } = await t.earner(developer, admin, 9000)
  ;({ campaign: unused } = await t.paid(developer))
  ;({ campaign: used } = await t.paid(developer))
  // Makes sure that Stripe holds enough to cover everything.
  await t.paid(developer, { payPerTesterCents: 20_000 })
  for (let i = 0; i < 6; i++) drafts.push(await draftOf(developer))
  t.fake.takeFee(130)
  await bookStripeFees()
  const original = t.databaseUrl
  await t.leave()
  const copy = await copyOf(original)

  t = await startOn(t, original)
  developer = await t.signIn(developer.user.email)
  await t.advance(1)
  t.fake.takeFee(70)
  await bookStripeFees()
  payout = await withdraw(await t.signIn(tester.user.email), 9000)
  await cancel(developer, unused.id)
  await cancel(developer, used.id)
  for (const each of drafts.slice(0, 5)) {
    await t.fund(developer, each)
    t.fake.pay(lastSession(t.fake))
  }
  await t.tell()
  await cancel(developer, drafts[3]!.id)
  await t.fund(developer, drafts[5]!)
  open = lastSession(t.fake)
  t.fake.payLater(open)
  await t.settle()
  t.fake.openDispute(intentOf(drafts[0]!))
  await t.leave()
  t = await restored(t, copy)
  developer = await t.signIn(developer.user.email)
  admin = await t.signIn(admin.user.email)
  // The suspension keeps the copy from booking the original's payouts.
  await t.look(`update users set suspended_at = now(), suspension_reason = 'x' where id = $1`, [tester.user.id])
  await reconcile(history())
  expect(await resume(how())).toMatchObject({ lost: 9 })
})
afterAll(() => t.stop())

describe('a dispute of a charge that nobody here knows of', () => {
  test('is listed for an admin, and the charge is not given back while it is open', async () => {
    await sweepStripeEvents.run({})
    await t.advance(2)
    await toldTwice()
    expect(await lostDisputes()).toEqual([{ status: 'OPEN', covered: 0 }])
    expect(await needs('LOST_DISPUTES')).toMatchObject([{ count: 1 }])
    expect(await inOperations()).toMatchObject({ count: 1, amountCents: drafts[0]!.totalCostCents })
    expect(backOf(drafts[0]!)).toBe(0)
    await agrees()
  })

  test('that is lost has taken what would have gone back', async () => {
    t.fake.closeDispute(t.fake.all('dispute')[0]!.id, 'lost')
    await toldTwice()
    await t.advance(2)
    expect(await lostDisputes()).toEqual([{ status: 'LOST', covered: drafts[0]!.totalCostCents }])
    expect(await needs('LOST_DISPUTES')).toEqual([])
    expect(await inOperations()).toMatchObject({ count: 0 })
    expect([backOf(drafts[0]!), await owedByDevelopers()]).toEqual([0, 0])
    await agrees()
    expect(await compareMovements(stripe)).toEqual([])
  })

  test('that is won after all lets the charge go back', async () => {
    t.fake.closeDispute(t.fake.all('dispute')[0]!.id, 'won')
    await toldTwice()
    await t.advance(2)
    expect(await lostDisputes()).toEqual([{ status: 'WON', covered: 0 }])
    expect(backOf(drafts[0]!)).toBe(drafts[0]!.totalCostCents)
    await agrees()
    expect(await compareMovements(stripe)).toEqual([])
  })

  test('that is lost after its charge went back is owed to the platform until it is won after all', async () => {
    const [, back] = drafts as [Campaign, Campaign]
    expect(backOf(back)).toBe(back.totalCostCents)
    const id = t.fake.openDispute(intentOf(back), { amount: 1000 })
    await toldTwice()
    await agrees()
    t.fake.closeDispute(id, 'lost')
    await toldTwice()
    expect(await owedByDevelopers()).toBe(1000)
    await agrees()
    t.fake.closeDispute(id, 'won')
    await toldTwice()
    expect(await owedByDevelopers()).toBe(0)
    await agrees()
    expect(backOf(back)).toBe(back.totalCostCents)
  })

  test('that is reported before its payment books the payment first', async () => {
    t.fake.settlePayment(open, 'succeeded')
    const id = t.fake.openDispute(intentOf(drafts[5]!))
    const effect = await stripeEventHandlers['charge.dispute.created']!({ data: { object: { id } } })
    await transact(effect)
    expect(await t.look('select kind from lost_movements where id = $1', [chargeOf(drafts[5]!)])).toEqual([
      { kind: 'CHARGE' },
    ])
    expect((await lostDisputes()).at(-1)).toEqual({ status: 'OPEN', covered: 0 })
    t.fake.closeDispute(id, 'won')
    await toldTwice()
    await t.advance(2)
    expect(backOf(drafts[5]!)).toBe(drafts[5]!.totalCostCents)
    await agrees()
  })
})

describe('a refund from before the restore that comes back', () => {
  test('is not deducted from the next one', async () => {
    t.fake.failRefund(givenBackOf(unused)[0]!.id)
    await toldTwice()
    await agrees()
    expect(await t.look('select id from lost_returns')).toEqual([])
    await cancel(developer, unused.id)
    await t.advance(0.1)
    expect(backOf(unused)).toBe(unused.totalCostCents)
    await agrees()
  })

  test('that was deducted is shown to admins and paid again, once, even if the answer is lost', async () => {
    await cancel(developer, used.id)
    await t.advance(0.1)
    expect(backOf(used)).toBe(used.totalCostCents)
    await failed(givenBackOf(used)[0]!.id)
    await agrees()
    expect(await needs('REFUNDS_STUCK')).toMatchObject([{ count: 1 }])
    t.fake.faults.ask('POST /v1/refunds', 'lose-answer', 2)
    await expect(voidLostCharges.run({})).rejects.toThrow('1 of 1 failed')
    await agrees()
    await t.advance(30)
    await Promise.all([voidLostCharges.run({}), voidLostCharges.run({})])
    expect(backOf(used)).toBe(used.totalCostCents)
    expect(await needs('REFUNDS_STUCK')).toEqual([])
    // The news that the first copy got comes again.
    await toldTwice()
    expect(await t.look('select id from lost_returns')).toEqual([])
    await agrees()
  })

  test('may come back repeatedly', async () => {
    t.fake.failRefund(givenBackOf(used)[0]!.id)
    await toldTwice()
    await t.advance(2)
    expect(backOf(used)).toBe(used.totalCostCents)
    await agrees()
  })

  test('of a charge that nobody knows lets the charge be given back again', async () => {
    const lost = drafts[3]!
    await failed(givenBackOf(lost)[0]!.id)
    expect(
      await t.look(
        'select returned_at is not null as returned, booked_at as booked from lost_movements where id = $1',
        [chargeOf(lost)],
      ),
    ).toEqual([{ returned: true, booked: null }])
    expect(await needs('REFUNDS_STUCK')).toMatchObject([{ count: 1 }])
    await agrees()
    await toldTwice()
    await t.advance(2)
    expect(backOf(lost)).toBe(lost.totalCostCents)
    expect(await needs('REFUNDS_STUCK')).toEqual([])
    await agrees()
  })
})

test('a payout from before the restore that comes back before it was booked is deducted from nobody', async () => {
  const [transfer] = t.fake.all('transfer').filter(each => metadataOf(each)['withdrawal'] === payout)
  t.fake.reverseTransfer(transfer!.id)
  await toldTwice()
  expect(await t.look('select id from lost_movements where id = $1', [payout])).toEqual([])
  await agrees()
})

test('in the end nothing is left to compare', async () => {
  await t.advance(8)
  expect(await compareMovements(stripe)).toEqual([])
  expect(await compare(history())).toEqual([])
})
