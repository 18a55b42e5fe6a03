import { expect, test } from 'vitest'
import { draftOf, password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks, tally } from '../../testing/observed.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Transaction } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const fund = (id: string, amountCents = 3450, key?: string, person = developer) =>
  person.call<Campaign & { code?: string; message?: string }>('POST', `/campaigns/${id}/fund`, { amountCents }, key)
const paymentsOf = (campaignId: string) =>
  t.look<{ status: string; amount_cents: number }>('select status, amount_cents from payments where campaign_id = $1', [
    campaignId,
  ])
const once = [{ status: 'COMPLETED', amount_cents: 3450 }]

test('20 equal requests with one key at once fund once, and all 20 get the same answer', async () => {
  const { id } = await draftOf(developer)
  const replies = await inParallel(20, () => fund(id, 3450, 'once'))
  expect(tally(replies)).toEqual({ 200: 20 })
  for (const { body } of replies) expect(body).toEqual(replies[0]!.body)
  expect(replies[0]!.body).toMatchObject({ status: 'PENDING_APPROVAL', fundedCents: 3000, feeCents: 450 })
  expect(await paymentsOf(id)).toEqual(once)
})

test('the same key gets the first answer again, even if the campaign has changed since', async () => {
  const { id } = await draftOf(developer)
  const first = await fund(id, 3450, 'again')
  await developer.call('POST', `/campaigns/${id}/cancel`)
  expect((await fund(id, 3450, 'again')).body).toEqual(first.body)
  expect(await paymentsOf(id)).toEqual(once)
})

test('the same key with another body, another campaign or another call is refused with 422, and nothing moves', async () => {
  const [first, second] = [await draftOf(developer), await draftOf(developer)]
  await fund(first.id, 3450, 'mine')
  for (const reused of [
    fund(first.id, 3451, 'mine'),
    fund(second.id, 3450, 'mine'),
    developer.call('POST', `/campaigns/${first.id}/cancel`, undefined, 'mine'),
  ]) {
    expect(await reused).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  }
  expect(await paymentsOf(second.id)).toEqual([])
  expect(await paymentsOf(first.id)).toEqual(once)
})

test('the same key of another developer is a different key', async () => {
  const other = await t.signUp('DEVELOPER')
  const [mine, theirs] = [await draftOf(developer), await draftOf(other)]
  expect((await fund(mine.id, 3450, 'shared')).status).toBe(200)
  expect((await fund(theirs.id, 3450, 'shared', other)).status).toBe(200)
})

test('a refusal leaves no key behind, so the right amount is accepted under the same key', async () => {
  const { id } = await draftOf(developer)
  expect((await fund(id, 1, 'corrected')).status).toBe(422)
  expect((await fund(id, 3450, 'corrected')).status).toBe(200)
})

test('20 requests without a key at once fund once, and 19 are told that it is done', async () => {
  const { id } = await draftOf(developer)
  const replies = await inParallel(20, () => fund(id))
  expect(tally(replies)).toEqual({ 200: 1, 409: 19 })
  expect(await paymentsOf(id)).toEqual(once)
})

test('20 requests with 20 keys at once fund once', async () => {
  const { id } = await draftOf(developer)
  expect(tally(await inParallel(20, index => fund(id, 3450, `key-${index}`)))).toEqual({ 200: 1, 409: 19 })
  expect(await paymentsOf(id)).toEqual(once)
})

test.each(['', 'with space', 'ä', 'k'.repeat(256)])('%j is no key', async key => {
  const { id } = await draftOf(developer)
  expect((await fund(id, 3450, key)).status).toBe(400)
  expect(await paymentsOf(id)).toEqual([])
})

test('a declined payment is 402, is recorded as FAILED, moves nothing, and the next method is charged', async () => {
  const { id } = await draftOf(developer)
  await developer.call('PATCH', '/users/me', { paymentMethod: 'decline+card@example.test', currentPassword: password })
  const declined = await fund(id, 3450)
  expect(declined).toMatchObject({ status: 402, body: { code: 'PAYMENT_DECLINED' } })
  expect(declined.body.message).toContain('declined')
  expect(await paymentsOf(id)).toEqual([{ status: 'FAILED', amount_cents: 3450 }])
  expect((await developer.call<Campaign>('GET', `/campaigns/${id}`)).body).toMatchObject({
    status: 'DRAFT',
    fundedCents: 0,
    outstandingCents: 3450,
    declinedPayment: { amountCents: 3450, reason: declined.body.message },
  })
  const { body } = await developer.call<{ data: Transaction[] }>('GET', '/users/me/transactions?limit=1')
  expect(body.data[0]).toMatchObject({ type: 'DEBIT', status: 'FAILED', amountCents: 3450, campaign: { id } })
  const phases = `select phase, sum(amount_cents)::int as cents from transfers where campaign_id = $1 group by 1 order by 1`
  expect(await t.look(phases, [id])).toEqual([
    { phase: 'PENDING', cents: 3450 },
    { phase: 'VOID', cents: 3450 },
  ])

  await developer.call('PATCH', '/users/me', { paymentMethod: null, currentPassword: password })
  expect((await fund(id, 3450)).status).toBe(200)
  expect((await paymentsOf(id)).map(payment => payment.status).toSorted()).toEqual(['COMPLETED', 'FAILED'])
})

test('why the latest payment was declined is said until another one is on its way or made', async () => {
  const payer = await t.signUp('DEVELOPER')
  const { id } = await draftOf(payer)
  const payWith = async (paymentMethod: string | null) => {
    await payer.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
    await fund(id, 3450, paymentMethod ?? 'own', payer)
    const { declinedPayment, payment } = (await payer.call<Campaign>('GET', `/campaigns/${id}`)).body
    return [declinedPayment?.amountCents, payment?.amountCents]
  }
  expect(await payWith('decline+card@example.test')).toEqual([3450, undefined])
  expect(await payWith('slow+card@example.test')).toEqual([undefined, 3450])
  // The slow one arrives. Edited after a rejection, the campaign needs more money, and its last payment was not declined.
  await t.advance(1)
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'The link opens another app.' })
  await payer.call('PATCH', `/campaigns/${id}`, { testersRequired: 4 })
  const { body } = await payer.call<Campaign>('GET', `/campaigns/${id}`)
  expect(body).toMatchObject({ status: 'DRAFT', outstandingCents: 1150 })
  expect(body.declinedPayment).toBeUndefined()
})

test('a declined payment is requested once per key: repeating it gets the same refusal, at once or later, even with another method', async () => {
  const poor = await t.signUp('DEVELOPER')
  const { id } = await draftOf(poor)
  await poor.call('PATCH', '/users/me', { paymentMethod: 'decline+card@example.test', currentPassword: password })
  const atOnce = await inParallel(5, () => fund(id, 3450, 'declined', poor))
  expect(tally(atOnce)).toEqual({ 402: 5 })
  await poor.call('PATCH', '/users/me', { paymentMethod: null, currentPassword: password })
  const later = await fund(id, 3450, 'declined', poor)
  expect(later.status).toBe(402)
  for (const { body } of atOnce) expect(body).toEqual(later.body)
  const { data } = (await poor.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body
  expect(data).toMatchObject([{ type: 'DEBIT', status: 'FAILED' }])
  expect(await paymentsOf(id)).toEqual([{ status: 'FAILED', amount_cents: 3450 }])
  expect(await fund(id, 3451, 'declined', poor)).toMatchObject({
    status: 422,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  expect((await fund(id, 3450, 'another', poor)).status).toBe(200)
})

test('"decline" elsewhere in a payment method declines nothing', async () => {
  const { id } = await draftOf(developer)
  await developer.call('PATCH', '/users/me', { paymentMethod: 'declined@decline.test', currentPassword: password })
  expect((await fund(id)).status).toBe(200)
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
