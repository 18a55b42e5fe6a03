/** What of Stripe's events is stored, and for how long. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { draftOf, password, type Person } from '../../../testing/app.ts'
import { runChecks } from '../../../testing/checks.ts'
import { startStripeApp, type StripeApp } from '../../../testing/stripe/app.ts'
import { stripeOrThrow } from './client.ts'
import { takeStripeEvent } from './inbox.ts'

let t: StripeApp

beforeAll(async () => {
  t = await startStripeApp()
})
afterAll(() => t.stop())
afterEach(async () => {
  expect(await runChecks(async query => ({ rows: await t.look(query) }))).toEqual([])
})

const isStored = async (word: string) =>
  (await t.look('select from provider_events where payload::text like $1 limit 1', [`%${word}%`])).length > 0
const isNamed = ({ user }: Person) => isStored(user.email)

test('stored events name nobody, also those that arrive once the payer has left', async () => {
  const leaving = await t.signUp('DEVELOPER')
  const draft = await draftOf(leaving)
  await t.fund(leaving, draft)
  await leaving.call('POST', `/campaigns/${draft.id}/cancel`)
  await t.settle()
  expect((await leaving.call('DELETE', '/users/me', { password })).status).toBe(204)
  expect(await isStored(draft.id)).toBe(false)
  await t.tell()
  expect([await isStored(draft.id), await isNamed(leaving), await isStored('@')]).toEqual([true, false, false])
})

test('of an object that somebody else made on the account only the id is stored, since its metadata may name people', async () => {
  const object = { id: 're_by_hand', metadata: { customer: 'ada@example.test' } }
  await takeStripeEvent(stripeOrThrow(), { id: 'evt_by_hand', type: 'refund.updated', data: { object } })
  await t.settle()
  expect([await isStored(object.id), await isStored(object.metadata.customer)]).toEqual([true, false])
})

test('events that an earlier release stored in full name nobody after 90 days, or once the payer has left, and are not handled again', async () => {
  const stays = await t.signUp('DEVELOPER')
  const leaves = await t.signUp('DEVELOPER')
  const paid = await t.paid(stays)
  const { campaign } = await t.paid(leaves)
  for (const [person, { id }] of [
    [stays, paid.campaign],
    [leaves, campaign],
  ] as const)
    await t.look(
      `update provider_events set payload = jsonb_set(payload, '{data,object,customer_email}', to_jsonb($1::text))
        where payload -> 'data' -> 'object' -> 'metadata' ->> 'campaign' = $2`,
      [person.user.email, id],
    )
  expect([await isNamed(stays), await isNamed(leaves)]).toEqual([true, true])
  await leaves.call('POST', `/campaigns/${campaign.id}/cancel`)
  await t.settle()
  await t.tell()
  expect((await leaves.call('DELETE', '/users/me', { password })).status).toBe(204)
  expect([await isNamed(stays), await isNamed(leaves)]).toEqual([true, false])
  await t.advance(24 * 91)
  expect(await isNamed(stays)).toBe(false)
  expect(await t.look(`select from provider_events where processed_at is null`)).toEqual([])
})
