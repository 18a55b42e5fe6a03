/**
 * A developer pays again for what is in escrow: testers are covered at all times, and no cent is paid or given back twice
 * (settle_charge of a charge that renews).
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { transact } from '../../kit/server/db.ts'
import { carryOut } from './calls.ts'
import type { Transaction } from '../contract.ts'
import { disputeChanged } from './disputes.ts'
import type { Notification } from '../../notifications/contract.ts'
import { draftOf, joinedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { begunCharge } from '../../testing/begunCharge.ts'
import { type Crashes, prepareCrashes } from '../../testing/crashes.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { EscrowCase } from '../../campaigns/escrowContract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
let crashes: Crashes
beforeAll(async () => {
  crashes = await prepareCrashes(t)
})
afterAll(() => crashes.stop())
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const reason = 'The bank lets us hold it for 90 days only.'

type Asked = { developer: Person; id: string }

const paysBy = (developer: Person, paymentMethod: string) =>
  developer.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
const due = (id: string) => t.look('update campaigns set escrow_due_at = $2 where id = $1', [id, clock.now()])
const decide = (id: string, action: string) =>
  admin.call<EscrowCase & { message: string }>('POST', `/admin/escrow/${id}/${action}`, { reason })
/** A running campaign with three seats whose developer is asked to renew the payment, and then pays with this method. */
const asked = async (paymentMethod?: string): Promise<Asked> => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await liveCampaign(developer, admin)
  await due(id)
  await decide(id, 'renew')
  if (paymentMethod !== undefined) await paysBy(developer, paymentMethod)
  return { developer, id }
}
const campaignOf = async ({ developer, id }: Asked) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const renew = ({ developer, id }: Asked, amountCents = 3450, key?: string) =>
  developer.call<Campaign & { message: string }>('POST', `/campaigns/${id}/renew`, { amountCents }, key)
const linesOf = async ({ developer }: Asked) =>
  (await developer.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body.data
    .map(({ type, status, amountCents }) => `${type} ${status} ${amountCents}`)
    .toSorted()
/** What each payment took in and gave back, oldest first. */
const paymentsOf = async ({ id }: Asked) =>
  (
    await t.look<{ paid: number; back: number }>(
      `select amount_cents::int as paid, coalesce((select sum(amount_cents) from refund_parts where payment_id = p.id), 0)::int as back
        from payments p where campaign_id = $1 and status = 'COMPLETED' order by seq`,
      [id],
    )
  ).map(({ paid, back }) => [paid, back])
const heldOf = async ({ id }: Asked) =>
  (
    await t.look<{ cents: number }>(
      `select sum(balance_cents)::int as cents from accounts where owner_id = $1 and kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE')`,
      [id],
    )
  )[0]!.cents
const isAsked = async (of: Asked) => (await campaignOf(of)).renewal !== null
/** A tester in the campaign whose proof waits for a review. */
const proofOf = async ({ id }: Asked) => {
  const { id: testId } = await joinedBy(await t.signUp('TESTER'), id)
  await t.look(
    `update participations set status = 'SUBMITTED', proof_text = 'Each day.', proof_submitted_at = joined_at where id = $1`,
    [testId],
  )
  return testId
}
const verify = ({ developer }: Asked, testId: string) => developer.call('POST', `/campaign-testers/${testId}/verify`)
/** Lets the payment of a slow method arrive. */
const arrives = () => t.advance(1)

test('the new payment is in escrow since it was made, and needs an admin 80 days later', async () => {
  const of = await asked()
  await t.look(`update campaigns set escrow_since = escrow_since - interval '80 days' where id = $1`, [of.id])
  const before = clock.now()
  await renew(of)
  const [held] = await t.look<{ since: string; days: number }>(
    `select escrow_since as since, extract(epoch from escrow_due_at - escrow_since)::int / 86400 as days from campaigns where id = $1`,
    [of.id],
  )
  expect([held!.since >= before, held!.days]).toEqual([true, 80])
  await arrives()
})

test('a request to renew only tells the developer; once paid, the new payment is in escrow and the old one goes back', async () => {
  const of = await asked()
  expect(await heldOf(of)).toBe(3450)
  expect((await campaignOf(of)).renewal).toMatchObject({ amountCents: 3450 })
  const [notice] = (await of.developer.call<Notification[]>('GET', '/users/me/notifications')).body
  expect(notice).toMatchObject({
    subject: 'New payment needed: Try our notes app',
    text: expect.stringContaining(reason) as string,
  })
  const wrong = await renew(of, 3449)
  expect([wrong.status, wrong.body.message]).toEqual([422, 'The amount must be the $34.50 (3450 cents) now in escrow.'])
  const { status, body } = await renew(of)
  expect([status, body.status, body.renewal, body.fundedCents + body.feeCents]).toEqual([200, 'LIVE', null, 3450])
  expect([await paymentsOf(of), await heldOf(of)]).toEqual([
    [
      [3450, 3450],
      [3450, 0],
    ],
    3450,
  ])
  await arrives()
  expect(await linesOf(of)).toEqual([
    'CREDIT COMPLETED 3450',
    'DEBIT COMPLETED 3000',
    'DEBIT COMPLETED 3000',
    'FEE COMPLETED 450',
    'FEE COMPLETED 450',
  ])
  expect((await admin.call<EscrowCase[]>('GET', '/admin/escrow')).body.map(({ id }) => id)).not.toContain(of.id)
  expect((await renew(of)).body.message).toBe('You have not been asked for a new payment for this campaign.')
  // Later refunds come from what remains of both payments.
  await of.developer.call('POST', `/campaigns/${of.id}/cancel`)
  expect(await paymentsOf(of)).toEqual([
    [3450, 3450],
    [3450, 3450],
  ])
})

test('only what is in escrow is renewed, even if a tester is paid from it while the payment is on its way', async () => {
  const of = await asked('slow@example.test')
  const [before, meanwhile] = [await proofOf(of), await proofOf(of)]
  await verify(of, before)
  expect((await campaignOf(of)).renewal?.amountCents).toBe(2300)
  expect((await renew(of, 2300)).body).toMatchObject({ renewal: {}, payment: { status: 'PENDING', amountCents: 2300 } })
  await verify(of, meanwhile)
  expect(await heldOf(of)).toBe(1150)
  await arrives()
  expect([await heldOf(of), await isAsked(of)]).toEqual([1150, false])
  expect(await paymentsOf(of)).toEqual([
    [3450, 2300],
    [2300, 0],
  ])
})

test.each([
  ['a seat is closed', (of: Asked) => of.developer.call('POST', `/campaigns/${of.id}/close-seat`), 2300, true],
  ['an admin extends instead', (of: Asked) => decide(of.id, 'extend'), 3450, false],
  ['the developer cancels', (of: Asked) => of.developer.call('POST', `/campaigns/${of.id}/cancel`), 0, false],
  [
    'the title changes',
    (of: Asked) => of.developer.call('PATCH', `/campaigns/${of.id}`, { title: 'Other' }),
    3450,
    true,
  ],
])(
  '%s while the payment is on its way: it goes back completely, and nothing else moves',
  async (_, happens, held, stays) => {
    const of = await asked('slow@example.test')
    await renew(of)
    expect((await happens(of)).status).toBe(200)
    await arrives()
    expect([await heldOf(of), await isAsked(of)]).toEqual([held, stays])
    expect((await paymentsOf(of)).at(-1)).toEqual([3450, 3450])
  },
)

test('while a payment that has become too large goes back, the smaller one is already taken', async () => {
  const of = await asked('slow@example.test')
  await renew(of)
  await of.developer.call('POST', `/campaigns/${of.id}/close-seat`)
  await paysBy(of.developer, 'good@example.test')
  expect((await renew(of, 2300)).body).toMatchObject({ renewal: null })
  await arrives()
  expect([await heldOf(of), await isAsked(of)]).toEqual([2300, false])
  expect((await paymentsOf(of)).toSorted((a, b) => a[0]! - b[0]!)).toEqual([
    [2300, 0],
    [3450, 3450],
    [3450, 3450],
  ])
})

test.each([
  ['nothing', { title: 'Try our notes app' }],
  ['the description', { description: 'Write three notes a day, and look for them again.' }],
  ['the link', { distributionLink: 'https://play.google.com/apps/testing/com.example.other' }],
])('an edit that changes %s leaves the payment on its way: it arrives', async (_, change) => {
  const of = await asked('slow@example.test')
  await renew(of)
  expect((await of.developer.call('PATCH', `/campaigns/${of.id}`, change)).status).toBe(200)
  await arrives()
  expect([await heldOf(of), await isAsked(of)]).toEqual([3450, false])
})

test('if a dispute of the old payment is opened meanwhile, the new one goes back, and nobody is asked while it is open', async () => {
  const of = await asked('slow@example.test')
  await renew(of)
  const [payment] = await t.look<{ id: string }>(
    `select id from payments where campaign_id = $1 and status = 'COMPLETED'`,
    [of.id],
  )
  const news = { provider: 'test', reference: of.id, paymentId: payment!.id, amountCents: 3450, reason: 'Fraudulent.' }
  await transact(tx => disputeChanged(tx, { ...news, status: 'OPEN', at: clock.now() }))
  await arrives()
  expect([await heldOf(of), await isAsked(of), (await renew(of)).status]).toEqual([3450, false, 409])
  expect(await paymentsOf(of)).toEqual([
    [3450, 0],
    [3450, 3450],
  ])
})

test('a declined renewal moves nothing, and can be tried again', async () => {
  const of = await asked('decline@example.test')
  expect((await renew(of)).status).toBe(402)
  expect([await heldOf(of), await isAsked(of), await paymentsOf(of)]).toEqual([3450, true, [[3450, 0]]])
  await paysBy(of.developer, 'good@example.test')
  expect((await renew(of)).status).toBe(200)
})

test('nobody can renew a payment without being asked, or for another developer’s campaign', async () => {
  const of = await asked()
  const other = await t.signUp('DEVELOPER')
  expect((await renew({ ...of, developer: other })).status).toBe(404)
  const { id } = await draftOf(other)
  expect((await renew({ developer: other, id })).status).toBe(409)
  expect((await decide(of.id, 'renew')).body.message).toBe('The developer has already been asked for a new payment.')
})

describe('at the same time', () => {
  test('of 30 payments one is accepted', async () => {
    const of = await asked()
    const replies = await inParallel(30, () => renew(of))
    const { 200: paid } = tally(replies)
    expect([paid, await paymentsOf(of)]).toEqual([
      1,
      [
        [3450, 3450],
        [3450, 0],
      ],
    ])
  })

  test('payments with one key are paid once, and get the same answer', async () => {
    const of = await asked()
    const replies = await inParallel(5, () => renew(of, 3450, `renewal-${of.id}`))
    expect(tally(replies)).toEqual({ 200: 5 })
    expect(await paymentsOf(of)).toEqual([
      [3450, 3450],
      [3450, 0],
    ])
  })

  test('a tester is paid from escrow before the payment begins: the amount no longer fits, and the payment is refused', async () => {
    const of = await asked()
    const testId = await proofOf(of)
    const [verified, refused] = await overtaken(
      t,
      { rows: 'select from campaigns where id = $1', values: [of.id] },
      () => admin.call('POST', `/campaign-testers/${testId}/verify`),
      () => renew(of),
    )
    expect([verified.status, refused.status, refused.body.message]).toEqual([
      200,
      422,
      'The amount must be the $23.00 (2300 cents) now in escrow.',
    ])
    expect(await paymentsOf(of)).toEqual([[3450, 0]])
  })

  test('a cancellation comes before the payment begins: the payment is refused', async () => {
    const of = await asked()
    const replies = await overtaken(
      t,
      { rows: 'select from campaigns where id = $1', values: [of.id] },
      () => of.developer.call('POST', `/campaigns/${of.id}/cancel`),
      () => renew(of),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 409])
    expect(await paymentsOf(of)).toEqual([[3450, 3450]])
  })
})

describe('if the process dies', () => {
  test('once the payment is recorded, the job continues it, and it is charged and refunded once', async () => {
    const of = await asked()
    await begunCharge(of.developer, of.id, 3450)
    expect([await heldOf(of), await isAsked(of)]).toEqual([3450, true])
    await arrives()
    expect([await paymentsOf(of), await isAsked(of)]).toEqual([
      [
        [3450, 3450],
        [3450, 0],
      ],
      false,
    ])
  })

  test('while it is booked, however often, everything is there once or not at all', async () => {
    const of = await asked()
    const { subjectId } = await begunCharge(of.developer, of.id, 3450)
    const died = await crashes.crashAt('select from charges where id = $1', [subjectId], () =>
      carryOut(subjectId).catch((error: unknown) => error),
    )
    expect(died).toBeInstanceOf(Error)
    expect([await brokenChecks(), await paymentsOf(of), await isAsked(of)]).toEqual([[], [[3450, 0]], true])
    await inParallel(5, () => carryOut(subjectId))
    expect(await paymentsOf(of)).toEqual([
      [3450, 3450],
      [3450, 0],
    ])
  })
})
