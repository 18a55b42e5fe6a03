/** A developer's statement and receipts: exact sums, traceable to their lines, and only the developer's own. */
import { expect, test } from 'vitest'
import { draftOf, fundedBy, liveCampaign, paidTester, type Person, password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Balance, Payment, PaymentSummary, Refund, Transaction } from '../contract.ts'

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
      paymentsOnTheWay: [],
    })
    return summary
  }
  const fees = { paidInCents: 2 * totalCostCents, feeCents: 900, paymentsOnTheWay: [] }
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
  // The line of the pay carries the whole payment, so that a screen can show one line.
  expect(lines.map(({ paymentCents }) => paymentCents)).toEqual([null, null, totalCostCents])
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
    parts: [{ paymentId: lines[1]?.paymentId, paymentMethod: developer.user.email, amountCents: totalCostCents }],
  })
  await t.advance(1)
  const after = (await developer.call<Refund>('GET', path)).body
  const settledAt = expect.any(String) as string
  const parts = before.parts.map(part => ({ ...part, settledAt }))
  expect(after).toEqual({ ...before, status: 'COMPLETED', settledAt, parts })
  const other = await t.signUp('DEVELOPER')
  expect((await other.call('GET', path)).status).toBe(404)
  expect((await developer.call('GET', `/users/me/refunds/${lines[1]?.paymentId}`)).status).toBe(404)
})

test('a declined charge and a failed payout say why; successful ones have no reason', async () => {
  const poor = await t.signUp('DEVELOPER')
  await poor.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
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
  await tester.call('PATCH', '/users/me', { paymentMethod: 'decline+me@example.test', currentPassword: password })
  await t.advance(25)
  await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })
  await t.advance(1)
  const [returned, failed, earned] = (await linesOf(tester)).data
  expect(failed).toMatchObject({ type: 'PAYOUT', status: 'FAILED', paymentId: null })
  expect(failed?.failureReason).toContain('declines this payment method')
  expect([returned, earned].map(line => line?.failureReason)).toEqual([null, null])
})

test('the balance comes with the ten newest lines', async () => {
  const tester = await t.signUp('TESTER')
  await t.look(
    `insert into transactions (user_id, type, status, amount_cents, description, created_at)
      select $1, 'CREDIT', 'COMPLETED', n, 'Verified test', now() + n * interval '1 second' from generate_series(1, 12) n`,
    [tester.user.id],
  )
  const { recentTransactions } = (await tester.call<Balance>('GET', '/testers/balance')).body
  expect(recentTransactions.map(({ amountCents }) => amountCents)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
})
