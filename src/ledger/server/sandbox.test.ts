/** Payment methods with documented test values behave like real life: no money is lost, and none moves twice. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { draftOf, paidTester, password, type Person } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Balance, PaymentSummary, Transaction, Withdrawal } from '../contract.ts'
import { sandboxMovements } from './sandboxFile.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const payingBy = async (paymentMethod: string) => {
  const developer = await t.signUp('DEVELOPER')
  await developer.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
  const { id } = await draftOf(developer)
  return { developer, id }
}
const fund = (developer: Person, id: string, key?: string) =>
  developer.call<Campaign & { message?: string }>('POST', `/campaigns/${id}/fund`, { amountCents: 3450 }, key)
const campaignOf = async (developer: Person, id: string) =>
  (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const movesOf = async (campaignId: string) => {
  const all = [...(await (await sandboxMovements()).all()).values()]
  const charges = all.filter(({ of }) => of === campaignId).map(({ id }) => id)
  return all.filter(({ id, of }) => charges.includes(id) || charges.includes(of)).map(({ kind }) => kind)
}
const onTheWayOf = async (person: Person) =>
  (await person.call<PaymentSummary>('GET', '/users/me/payments/summary')).body.paymentsOnTheWay!
const linesOf = async (person: Person) =>
  (await person.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body.data
    .map(({ type, status, amountCents }) => `${type} ${status} ${amountCents}`)
    .toSorted()

const onItsWay = { status: 'PENDING', amountCents: 3450, checkoutUrl: null }

describe('a slow charge', () => {
  test('is reported as on its way at once, and again under its key, and is paid later', async () => {
    const { developer, id } = await payingBy('slow@example.test')
    const first = await fund(developer, id, 'slow')
    expect(first).toMatchObject({ status: 200, body: { status: 'DRAFT', fundedCents: 0, payment: onItsWay } })
    const waiting = await campaignOf(developer, id)
    expect(waiting.payment).toEqual(onItsWay)
    expect(waiting.actions).toEqual(['update', 'cancel'])
    const { body: listed } = await developer.call<Campaign[]>('GET', '/campaigns')
    expect(listed.map(({ actions }) => actions)).toEqual([['update', 'cancel']])
    expect(await onTheWayOf(developer)).toMatchObject([
      { campaign: { id }, amountCents: 3450, isUnfinished: false, goesBack: false },
    ])
    expect(await linesOf(developer)).toEqual([])
    expect((await fund(developer, id, 'other')).status).toBe(409)
    await t.advance(1)
    const paid = await campaignOf(developer, id)
    expect(paid).toMatchObject({ status: 'PENDING_APPROVAL', fundedCents: 3000 })
    expect(paid.payment).toBeUndefined()
    expect(await onTheWayOf(developer)).toEqual([])
    expect((await fund(developer, id, 'slow')).body).toEqual(first.body)
    expect(await movesOf(id)).toEqual(['CHARGE'])
  })

  test.each([
    ['an edit', (d: Person, id: string) => d.call('PATCH', `/campaigns/${id}`, { payPerTesterCents: 2000 }), 'DRAFT'],
    ['a cancellation', (d: Person, id: string) => d.call('POST', `/campaigns/${id}/cancel`), 'CANCELLED'],
  ])('goes back in full when %s came first', async (_what, change, status) => {
    const { developer, id } = await payingBy('slow@example.test')
    await fund(developer, id)
    expect((await change(developer, id)).status).toBe(200)
    expect((await campaignOf(developer, id)).payment).toBeUndefined()
    expect(await onTheWayOf(developer)).toMatchObject([{ campaign: { id }, amountCents: 3450, goesBack: true }])
    await t.advance(1)
    expect(await campaignOf(developer, id)).toMatchObject({ status, fundedCents: 0, feeCents: 0 })
    expect(await movesOf(id)).toEqual(['CHARGE', 'REFUND'])
    expect(await linesOf(developer)).toEqual(['CREDIT COMPLETED 3450', 'DEBIT COMPLETED 3000', 'FEE COMPLETED 450'])
    const [refund] = await t.look<{ id: string }>('select id from refunds where campaign_id = $1', [id])
    expect((await developer.call('GET', `/users/me/refunds/${refund!.id}`)).body).toMatchObject({
      testersPayCents: 3000,
      feeCents: 450,
      totalCents: 3450,
    })
  })

  test('that an edit has ended does not block the next payment', async () => {
    const { developer, id } = await payingBy('slow@example.test')
    await fund(developer, id)
    await developer.call('PATCH', `/campaigns/${id}`, { title: 'Another title' })
    await developer.call('PATCH', '/users/me', { paymentMethod: null, currentPassword: password })
    expect((await fund(developer, id)).body.status).toBe('PENDING_APPROVAL')
    await t.advance(1)
    expect((await movesOf(id)).toSorted()).toEqual(['CHARGE', 'CHARGE', 'REFUND'])
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'PENDING_APPROVAL', fundedCents: 3000 })
  })
})

test('a charge that is refused later moves nothing, and the campaign can be paid for again', async () => {
  const { developer, id } = await payingBy('later@example.test')
  expect((await fund(developer, id, 'later')).body.payment).toEqual(onItsWay)
  await t.advance(1)
  const draft = await campaignOf(developer, id)
  expect(draft).toMatchObject({ status: 'DRAFT', outstandingCents: 3450 })
  expect(draft.payment).toBeUndefined()
  expect(await linesOf(developer)).toEqual(['DEBIT FAILED 3450'])
  await developer.call('PATCH', '/users/me', { paymentMethod: null, currentPassword: password })
  expect((await fund(developer, id, 'again')).body.status).toBe('PENDING_APPROVAL')
})

test('a charge whose answer was lost is on its way until the provider is asked again, and is made once', async () => {
  const { developer, id } = await payingBy('lost@example.test')
  expect((await fund(developer, id)).body).toMatchObject({ status: 'DRAFT', payment: onItsWay })
  expect(await movesOf(id)).toEqual(['CHARGE'])
  await t.advance(1)
  expect(await campaignOf(developer, id)).toMatchObject({ status: 'PENDING_APPROVAL', fundedCents: 3000 })
  expect(await movesOf(id)).toEqual(['CHARGE'])
})

describe('a charge without an answer', () => {
  /** One that was sent so long ago when somebody asks again. */
  const askedAgainAfter = async (hours: number) => {
    const { developer, id } = await payingBy('slow@example.test')
    await fund(developer, id)
    await t.look(
      `update provider_calls set sent_at = sent_at - make_interval(hours => $2)
        where subject_id = (select id from charges where campaign_id = $1)`,
      [id, hours - 1],
    )
    await t.advance(1)
    return { developer, id }
  }

  test('for 23 hours is looked up, and not sent again: its key is about to expire', async () => {
    const { developer, id } = await askedAgainAfter(23)
    expect(await movesOf(id)).toEqual([])
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'DRAFT', fundedCents: 0 })
    expect(await linesOf(developer)).toEqual([])
  })

  test('for 22 hours is sent again under its key', async () => {
    const { developer, id } = await askedAgainAfter(22)
    expect(await movesOf(id)).toEqual(['CHARGE'])
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'PENDING_APPROVAL', fundedCents: 3000 })
  })
})

test('a charge that was made by a server that died is looked up a day later, and recorded everywhere', async () => {
  const { developer, id } = await payingBy('lost@example.test')
  await fund(developer, id)
  await t.look('delete from sandbox_movements where request_id = (select id from charges where campaign_id = $1)', [id])
  await t.look(
    `update provider_calls set sent_at = sent_at - interval '24 hours' where subject_id = (select id from charges where campaign_id = $1)`,
    [id],
  )
  await t.advance(1)
  expect(await campaignOf(developer, id)).toMatchObject({ status: 'PENDING_APPROVAL', fundedCents: 3000 })
  expect(await movesOf(id)).toEqual(['CHARGE'])
})

describe('a payout', () => {
  const developer = signedUp(t, 'DEVELOPER')
  const asked = async (paymentMethod: string) => {
    const tester = await paidTester(t, developer, admin, 1500)
    await tester.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
    await t.advance(24)
    const { body } = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1500 })
    expect(body.status).toBe('PENDING')
    return tester
  }
  const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body

  test.each([
    ['slow', 0, ['CREDIT COMPLETED 1500', 'PAYOUT COMPLETED 1500']],
    ['lost', 0, ['CREDIT COMPLETED 1500', 'PAYOUT COMPLETED 1500']],
    ['later', 1500, ['CREDIT COMPLETED 1500', 'CREDIT REFUNDED 1500', 'PAYOUT FAILED 1500']],
    ['decline', 1500, ['CREDIT COMPLETED 1500', 'CREDIT REFUNDED 1500', 'PAYOUT FAILED 1500']],
  ])('to a method with the value %s ends with a balance of %i', async (value, balanceCents, lines) => {
    const tester = await asked(`${value}+me@example.test`)
    await t.advance(1)
    // Asks again for what was on its way, or whose answer was lost.
    await t.advance(1)
    expect(await balanceOf(tester)).toMatchObject({ balanceCents, onTheWayCents: 0 })
    expect(await linesOf(tester)).toEqual(lines)
  })

  test('that comes back after two days returns to the balance, with the reason, once', async () => {
    const tester = await asked('returned@example.test')
    await t.advance(1)
    expect(await balanceOf(tester)).toMatchObject({ balanceCents: 0, onTheWayCents: 0 })
    await t.advance(48)
    expect((await balanceOf(tester)).balanceCents).toBe(1500)
    expect(await linesOf(tester)).toEqual(['CREDIT COMPLETED 1500', 'CREDIT REFUNDED 1500', 'PAYOUT FAILED 1500'])
    await t.advance(48)
    expect((await balanceOf(tester)).balanceCents).toBe(1500)
    expect(await (await sandboxMovements()).balanceCents()).toBe(
      (
        await t.look<{ cents: number }>(`select -(sum(case when credit_account_id = account_of('PROVIDER_CASH', null)
        then amount_cents else -amount_cents end))::int as cents from transfers
        where account_of('PROVIDER_CASH', null) in (credit_account_id, debit_account_id)`)
      )[0]!.cents,
    )
  })
})
