/** A join with an idempotency key takes the seat and claims the key in one statement, and neither without the other. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { device, liveCampaign, type Person } from '../../testing/app.ts'
import { connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { untilWaiting } from '../../testing/races.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let holder: pg.Client
let observer: pg.Client
beforeAll(async () => {
  holder = await connectBeside(t)
  observer = await connectBeside(t)
})
afterAll(() => Promise.all([holder.end(), observer.end()]))

const join = (person: Person, campaignId: string, key: string) =>
  person.call<{ id: string }>('POST', `/testers/campaigns/${campaignId}/join`, { deviceInfo: device }, key)

const keysOf = ({ user }: Person) =>
  t.look<{ key: string; subject_id: string }>('select key, subject_id from idempotency_keys where user_id = $1', [
    user.id,
  ])
const testsOf = ({ user }: Person) =>
  t.look<{ id: string }>('select id from participations where tester_id = $1', [user.id])

test('if the server stopped before it stored its answer, a repeat gets the same answer', async () => {
  const { id } = await liveCampaign(developer, admin)
  const [person, key] = [await t.signUp('TESTER'), randomUUID()]
  const first = await join(person, id, key)
  expect(first.status).toBe(201)
  expect(await keysOf(person)).toEqual([{ key, subject_id: first.body.id }])
  await t.look('update idempotency_keys set reply = null where key = $1', [key])
  expect(await join(person, id, key)).toMatchObject({ status: 201, body: first.body })
  expect(await testsOf(person)).toHaveLength(1)
})

test('a join that gets no seat claims no key, so that it can be repeated once there is one', async () => {
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1 })
  const [other, person, key] = [await t.signUp('TESTER'), await t.signUp('TESTER'), randomUUID()]
  const seat = await join(other, id, randomUUID())
  expect(await join(person, id, key)).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_FULL' } })
  expect(await keysOf(person)).toEqual([])
  expect((await other.call('POST', `/testers/campaign-testers/${seat.body.id}/leave`)).status).toBe(200)
  expect((await join(person, id, key)).status).toBe(201)
})

test('a key of another request takes no seat', async () => {
  const [one, another] = [await liveCampaign(developer, admin), await liveCampaign(developer, admin)]
  const [person, key] = [await t.signUp('TESTER'), randomUUID()]
  expect((await join(person, one.id, key)).status).toBe(201)
  expect(await join(person, another.id, key)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  expect(await testsOf(person)).toHaveLength(1)
  const [{ seats_taken: taken } = { seats_taken: NaN }] = await t.look<{ seats_taken: number }>(
    'select seats_taken from campaigns where id = $1',
    [another.id],
  )
  expect(taken).toBe(0)
})

test('while another transaction is claiming the key, the campaign is not locked', async () => {
  const { id } = await liveCampaign(developer, admin)
  const [person, other, key] = [await t.signUp('TESTER'), await t.signUp('TESTER'), randomUUID()]
  await holder.query('begin')
  await holder.query(
    `insert into idempotency_keys (user_id, key, request_hash, subject_id, created_at) values ($1, $2, '', $1, now())`,
    [person.user.id, key],
  )
  const waiting = join(person, id, key)
  await untilWaiting(observer, 1, waiting)
  expect((await join(other, id, randomUUID())).status).toBe(201)
  await holder.query('rollback')
  expect((await waiting).status).toBe(201)
  expect(await testsOf(person)).toHaveLength(1)
})
