/** No developer holds more drafts at a time than the settings allow, not even when they are created in the same moment. */
import { afterEach, expect, test } from 'vitest'
import { campaignInput, password, type Person } from '../../testing/app.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Campaign } from '../contract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const allow = (draftsPerDeveloper: number) => admin.call('PATCH', '/admin/settings', { draftsPerDeveloper })
afterEach(() => allow(100))

const create = (developer: Person, key?: string) => developer.call<Campaign>('POST', '/campaigns', campaignInput, key)

test('of many drafts in the same moment exactly as many are created as are allowed; the rest is told why', async () => {
  await allow(4)
  const developer = await t.signUp('DEVELOPER')
  const answers = await inParallel(10, () => create(developer))
  expect(tally(answers)).toEqual({ 201: 4, 409: 6 })
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'LIMIT_REACHED',
    message: 'You have reached the limit of 4 drafts. Pay for or cancel one before you create another.',
  })
})

test('a draft that is paid for or cancelled makes room; a repeated request needs none', async () => {
  await allow(2)
  const developer = await t.signUp('DEVELOPER')
  const [paid, cancelled] = [await create(developer, 'first'), await create(developer)]
  expect((await create(developer)).status).toBe(409)
  expect(await create(developer, 'first')).toMatchObject({ status: 201, body: { id: paid.body.id } })
  await developer.call('POST', `/campaigns/${paid.body.id}/fund`, { amountCents: paid.body.totalCostCents })
  await developer.call('POST', `/campaigns/${cancelled.body.id}/cancel`)
  expect(tally(await inParallel(3, () => create(developer)))).toEqual({ 201: 2, 409: 1 })
})

test('another developer’s drafts do not count', async () => {
  await allow(1)
  expect((await create(await t.signUp('DEVELOPER'))).status).toBe(201)
  expect((await create(await t.signUp('DEVELOPER'))).status).toBe(201)
})

test('a draft can be paid whatever is on its way for others, and not while its own payment is', async () => {
  const developer = await t.signUp('DEVELOPER')
  const [own, other] = [(await create(developer)).body, (await create(developer)).body]
  const paysBy = (paymentMethod: string) =>
    developer.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
  const fund = ({ id, totalCostCents }: Campaign) =>
    developer.call('POST', `/campaigns/${id}/fund`, { amountCents: totalCostCents })
  const actionsOf = async ({ id }: Campaign) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.actions
  await paysBy('slow@example.test')
  await fund(other)
  expect([await actionsOf(other), await actionsOf(own)]).toEqual([
    expect.not.arrayContaining(['fund']),
    expect.arrayContaining(['fund']),
  ])
  // An edit ends the payment, whatever the provider still does with it.
  expect((await developer.call('PATCH', `/campaigns/${other.id}`, { title: 'Edited' })).status).toBe(200)
  expect(await actionsOf(other)).toContain('fund')
})
