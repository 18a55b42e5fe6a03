/** A developer's statement and its receipts: exact sums, traceable to their lines, of oneself alone. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { draftOf, fundedBy, liveCampaign, paidTester, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { brokenChecks } from '../../testing/observed.ts'
import type { Payment, PaymentSummary, Refund, Transaction } from '../contract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

type Page = { data: Transaction[]; total: number }

const linesOf = async (person: Person, query = ''): Promise<Page> =>
  (await person.call<Page>('GET', `/users/me/transactions?limit=100${query}`)).body

const summaryOf = async (person: Person): Promise<PaymentSummary> =>
  (await person.call<PaymentSummary>('GET', '/users/me/payments/summary')).body

const sum = ({ data }: Page) => data.reduce((cents, { amountCents }) => cents + amountCents, 0)

test('each figure of the payments is the sum of the lines that its filter shows, before and after a refund arrives', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id, totalCostCents } = await liveCampaign(developer, admin)
  await fundedBy(developer)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  const expectTraceable = async () => {
    const summary = await summaryOf(developer)
    expect(summary).toEqual({
      paidInCents: sum(await linesOf(developer, '&type=DEBIT,FEE&status=COMPLETED')),
      feeCents: sum(await linesOf(developer, '&type=FEE&status=COMPLETED')),
      refundedCents: sum(await linesOf(developer, '&type=CREDIT&status=COMPLETED')),
      onTheWayBackCents: sum(await linesOf(developer, '&type=CREDIT&status=PENDING')),
    })
    return summary
  }
  const fees = { paidInCents: 2 * totalCostCents, feeCents: 900 }
  expect(await expectTraceable()).toEqual({ ...fees, refundedCents: 0, onTheWayBackCents: totalCostCents })
  await t.advance(1)
  expect(await expectTraceable()).toEqual({ ...fees, refundedCents: totalCostCents, onTheWayBackCents: 0 })
})

test('a filter counts and pages what it shows, and a campaign’s money is its own', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await fundedBy(developer)
  await fundedBy(developer)
  expect((await linesOf(developer)).total).toBe(4)
  const ofOne = await linesOf(developer, `&campaignId=${id}`)
  expect(ofOne).toMatchObject({ total: 2, data: [{ campaign: { id } }, { campaign: { id } }] })
  const fees = (await developer.call<Page>('GET', '/users/me/transactions?type=FEE&limit=1')).body
  expect(fees).toMatchObject({ total: 2, data: [{ type: 'FEE' }] })
  const other = await t.signUp('DEVELOPER')
  expect(await linesOf(other, `&campaignId=${id}`)).toMatchObject({ total: 0, data: [] })
  for (const wrong of ['type=GIFT', 'type=DEBIT,', 'status=GONE', 'campaignId=7']) {
    const { status } = await developer.call('GET', `/users/me/transactions?${wrong}`)
    expect([wrong, status]).toEqual([wrong, 400])
  }
})

test('a receipt adds up, and nobody else can read it', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id, title, totalCostCents } = await fundedBy(developer)
  const [line] = (await linesOf(developer)).data
  const path = `/users/me/payments/${line?.paymentId}`
  const { body } = await developer.call<Payment>('GET', path)
  expect(body).toMatchObject({
    status: 'COMPLETED',
    campaign: { id, title },
    developer: { name: developer.user.name, email: developer.user.email },
    testersPayCents: 3000,
    feeCents: 450,
    totalCents: totalCostCents,
    paymentMethod: developer.user.email,
    failureReason: null,
  })
  const other = await t.signUp('DEVELOPER')
  expect((await other.call('GET', path)).status).toBe(404)
})

test('a credit note says what came back of which part, and whether it has arrived; nobody else can read it', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id, title, totalCostCents } = await fundedBy(developer)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  const lines = (await linesOf(developer)).data
  expect(lines.map(({ type, paymentId, refundId }) => [type, paymentId !== null, refundId !== null])).toEqual([
    ['CREDIT', false, true],
    ['FEE', true, false],
    ['DEBIT', true, false],
  ])
  const path = `/users/me/refunds/${lines[0]?.refundId}`
  const before = (await developer.call<Refund>('GET', path)).body
  expect(before).toMatchObject({
    id: lines[0]?.refundId,
    status: 'PENDING',
    settledAt: null,
    campaign: { id, title },
    developer: { name: developer.user.name, email: developer.user.email },
    testersPayCents: 3000,
    feeCents: 450,
    totalCents: totalCostCents,
    paymentMethod: developer.user.email,
  })
  await t.advance(1)
  const after = (await developer.call<Refund>('GET', path)).body
  expect(after).toEqual({ ...before, status: 'COMPLETED', settledAt: expect.any(String) as string })
  const other = await t.signUp('DEVELOPER')
  expect((await other.call('GET', path)).status).toBe(404)
  expect((await developer.call('GET', `/users/me/refunds/${lines[1]?.paymentId}`)).status).toBe(404)
})

test('a refund goes to the method that was charged before it, although another was charged since; its note says so', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await fundedBy(developer)
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'Fewer testers, please.' })
  await developer.call('PATCH', `/campaigns/${id}`, { testersRequired: 2 })
  await t.advance(0.0001)
  await developer.call('PATCH', '/users/me', { paymentMethod: 'second@example.test' })
  const { body } = await developer.call<{ outstandingCents: number }>('PATCH', `/campaigns/${id}`, {
    testersRequired: 6,
  })
  await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: body.outstandingCents })
  const [{ refundId } = { refundId: null }] = (await linesOf(developer, '&type=CREDIT')).data
  await t.advance(1)
  const asked = await t.look<{ counterparty: string }>(
    'select counterparty from sandbox_movements where request_id = $1',
    [refundId],
  )
  const note = (await developer.call<Refund>('GET', `/users/me/refunds/${refundId}`)).body
  expect([asked[0]?.counterparty, note.paymentMethod]).toEqual([developer.user.email, developer.user.email])
  // One seat of three at $10, with its fee.
  expect(note).toMatchObject({ testersPayCents: 1000, feeCents: 150, totalCents: 1150 })
})

test('a refund goes to the payment method that was charged, whatever the profile says by then', async () => {
  const developer = await t.signUp('DEVELOPER')
  await developer.call('PATCH', '/users/me', { paymentMethod: 'charged@example.test' })
  const { id } = await fundedBy(developer)
  await developer.call('PATCH', '/users/me', { paymentMethod: 'newer@example.test' })
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await t.advance(1)
  const asked = await t.look<{ counterparty: string }>(
    `select m.counterparty from sandbox_movements m join refunds r on r.id = m.request_id where r.campaign_id = $1`,
    [id],
  )
  expect(asked).toEqual([{ counterparty: 'charged@example.test' }])
  expect(await brokenChecks()).toEqual([])
})

test('a refund that was asked for before the payment, and waited for it, is paid like any other', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await fundedBy(developer)
  // The cancellation read the clock first, and got the campaign's row after the payment.
  await t.look(
    'select cancel_campaign($1, $2, created_at - interval $$1 second$$) from payments where campaign_id = $1',
    [id, randomUUID()],
  )
  // Its job went unnoticed here; the net below it pays.
  await t.advance(25)
  const [refund] = await t.look<{ status: string; counterparty: string }>(
    'select r.status, m.counterparty from refunds r left join sandbox_movements m on m.request_id = r.id where r.campaign_id = $1',
    [id],
  )
  expect(refund).toEqual({ status: 'COMPLETED', counterparty: developer.user.email })
})

test('after two payments it goes to the method of the later one', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await fundedBy(developer)
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'More testers, please.' })
  await developer.call('PATCH', '/users/me', { paymentMethod: 'second@example.test' })
  const { body } = await developer.call<{ outstandingCents: number }>('PATCH', `/campaigns/${id}`, {
    testersRequired: 6,
  })
  await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: body.outstandingCents })
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await t.advance(1)
  const asked = await t.look<{ counterparty: string }>(
    `select m.counterparty from sandbox_movements m join refunds r on r.id = m.request_id where r.campaign_id = $1`,
    [id],
  )
  expect(asked).toEqual([{ counterparty: 'second@example.test' }])
})

test('a declined charge and a failed payout say why; what went well says nothing', async () => {
  const poor = await t.signUp('DEVELOPER')
  await poor.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test' })
  const draft = await draftOf(poor)
  await poor.call('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.totalCostCents })
  const [declined] = (await linesOf(poor)).data
  expect(declined).toMatchObject({ type: 'DEBIT', status: 'FAILED' })
  expect(declined?.failureReason).toContain('declined')
  const { body: receipt } = await poor.call<Payment>('GET', `/users/me/payments/${declined?.paymentId}`)
  expect(receipt).toMatchObject({ status: 'FAILED', testersPayCents: 0, feeCents: 0, totalCents: draft.totalCostCents })
  expect((await summaryOf(poor)).paidInCents).toBe(0)

  const developer = await t.signUp('DEVELOPER')
  const tester = await paidTester(t, developer, admin, 2000)
  await tester.call('PATCH', '/users/me', { paymentMethod: 'decline+me@example.test' })
  await t.advance(25)
  await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })
  await t.advance(1)
  const [returned, failed, earned] = (await linesOf(tester)).data
  expect(failed).toMatchObject({ type: 'PAYOUT', status: 'FAILED', paymentId: null })
  expect(failed?.failureReason).toContain('declines this payment method')
  expect([returned, earned].map(line => line?.failureReason)).toEqual([null, null])
})
