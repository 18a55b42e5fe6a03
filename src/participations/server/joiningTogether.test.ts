/** Joins of different campaigns at the same time are made several by one statement, and are answered as if each were alone. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { poolOf } from '../../kit/server/connections.ts'
import { device, joinedBy, liveCampaign, type Person, playEmailOf } from '../../testing/app.ts'
import { brokenChecks, connectBeside, inParallel, tally } from '../../testing/observed.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { untilWaiting } from '../../testing/races.ts'

const t = testApp()
// Each may have eight payments under way.
const developers = allSignedUp(t, 'DEVELOPER', 3)
const admin = signedUp(t, 'ADMIN')
const count = 24
const testers = allSignedUp(t, 'TESTER', count)
let beside: pg.Client
let observer: pg.Client
beforeAll(async () => {
  beside = await connectBeside(t)
  observer = await connectBeside(t)
})
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
  await Promise.all([beside.end(), observer.end()])
})

type Body = { id: string; code?: string; campaign?: { id: string; title: string } }
type Options = { key?: string; playEmail?: string; more?: Record<string, unknown> }
const join = (person: Person, campaignId: string, { key, playEmail, more }: Options = {}) =>
  person.call<Body>(
    'POST',
    `/testers/campaigns/${campaignId}/join`,
    { deviceInfo: device, ...(playEmail !== undefined && { playEmail, consent: true }), ...more },
    key,
  )

const campaigns = (terms: (at: number) => Record<string, unknown> = () => ({})) =>
  inParallel(count, at => liveCampaign(developers[at % 3]!, admin, { title: `Campaign ${at}`, ...terms(at) }))

const testsIn = (ids: readonly string[]) =>
  t.look<{ campaign_id: string; tester_id: string }>(
    'select campaign_id, tester_id from participations where campaign_id = any($1)',
    [ids],
  )

/** How many connections the work takes from the pool, one after the other. */
const connectionsFor = async (work: () => Promise<unknown>) => {
  let taken = 0
  const take = () => {
    taken++
  }
  poolOf('writes').on('acquire', take)
  await work()
  poolOf('writes').off('acquire', take)
  return taken
}

test('each tester gets the seat they asked for, with the terms of its campaign, and the answer that they read later', async () => {
  const live = await campaigns(at => ({ durationDays: at % 2 ? 14 : 3, payPerTesterCents: 1000 + at }))
  const devices = testers.map((_, at) => ({
    ...device,
    model: `Model ${at}`,
    ...(at % 3 === 0 && { osVersion: '13.1' }),
  }))
  let answers: Awaited<ReturnType<typeof join>>[] = []
  const taken = await connectionsFor(async () => {
    answers = await Promise.all(
      testers.map((person, at) => join(person, live[at]!.id, { more: { deviceInfo: devices[at] } })),
    )
  })
  expect(taken).toBeLessThan(8)
  for (const [at, { status, body }] of answers.entries()) {
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        campaign: expect.objectContaining({ id: live[at]!.id, title: `Campaign ${at}` }) as unknown,
        payoutAmountCents: 1000 + at,
        deviceInfo: expect.objectContaining(devices[at]!) as unknown,
      }),
    ])
    expect((await testers[at]!.call('GET', `/testers/campaign-testers/${body.id}`)).body).toEqual(body)
  }
})

test('whoever may not join is told why, and the others get their seats', async () => {
  const live = await campaigns(at => ({
    testersRequired: 1,
    ...(at === 3 && { platform: 'ios' }),
    ...(at === 5 && { filters: { minAndroidVersion: '15' } }),
    ...(at === 6 && { accessMode: 'EMAIL_LIST' }),
  }))
  await joinedBy(testers[8]!, live[7]!.id)
  await joinedBy(testers[9]!, live[9]!.id)
  await t.look(`update users set suspended_at = now(), suspension_reason = 'Copied screenshots' where id = $1`, [
    testers[11]!.user.id,
  ])
  await t.look('update campaigns set disputed_since = now() where id = $1', [live[12]!.id])
  onTestFinished(async () => {
    await t.look('update campaigns set disputed_since = null where id = $1', [live[12]!.id])
    await t.look('update users set suspended_at = null, suspension_reason = null where id = $1', [testers[11]!.user.id])
  })
  const answers = await Promise.all(testers.map((person, at) => join(person, live[at]!.id)))
  const refused = answers.flatMap(({ status, body }, at) => (status === 201 ? [] : [[at, body.code]]))
  expect(refused).toEqual([
    [3, 'DEVICE_DOES_NOT_FIT'],
    [5, 'DEVICE_DOES_NOT_FIT'],
    [6, 'INVALID_INPUT'],
    [7, 'CAMPAIGN_FULL'],
    [9, 'ALREADY_JOINED'],
    [11, 'SUSPENDED'],
    [12, 'WRONG_STATE'],
  ])
  const seated = await testsIn(live.map(({ id }) => id))
  expect(seated).toHaveLength(count - refused.length + 2)
})

test('keys are claimed with the seats, and answers stored, several by one statement', async () => {
  const live = await campaigns()
  const taken = await connectionsFor(() =>
    Promise.all(testers.map((person, at) => join(person, live[at]!.id, { key: randomUUID() }))),
  )
  expect(await testsIn(live.map(({ id }) => id))).toHaveLength(count)
  expect(taken).toBeLessThan(16)
})

test('with keys, a repeat gets the same answer, and a key of another request takes no seat from anybody', async () => {
  const live = await campaigns()
  const keys = testers.map(() => randomUUID())
  const earlier = await liveCampaign(developers[0]!, admin)
  await join(testers[4]!, earlier.id, { key: keys[4]! })
  const all = () => Promise.all(testers.map((person, at) => join(person, live[at]!.id, { key: keys[at]! })))
  const first = await all()
  expect(tally(first)).toEqual({ 201: count - 1, 422: 1 })
  expect(first[4]!.body.code).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(await all()).toEqual(
    first.map(
      ({ status, body }) =>
        expect.objectContaining({ status, body: status === 201 ? body : expect.anything() }) as unknown,
    ),
  )
  expect(await testsIn(live.map(({ id }) => id))).toHaveLength(count - 1)
  const kept = await t.look('select from idempotency_keys where key = any($1) and reply is not null', [keys])
  expect(kept).toHaveLength(count)
})

test('a campaign and a tester that somebody else has locked hold up nobody else', async () => {
  const live = await campaigns()
  await beside.query('begin')
  await beside.query('select from campaigns where id = $1 for update', [live[10]!.id])
  await beside.query('select from users where id = $1 for update', [testers[15]!.user.id])
  const joins = testers.map((person, at) => join(person, live[at]!.id))
  const held = joins.filter((_, at) => at === 10 || at === 15)
  const others = await Promise.all(joins.filter((_, at) => at !== 10 && at !== 15))
  expect(tally(others)).toEqual({ 201: count - 2 })
  await untilWaiting(observer, 2, Promise.all(held))
  expect(await testsIn(live.map(({ id }) => id))).toHaveLength(count - 2)
  await beside.query('rollback')
  expect(tally(await Promise.all(held))).toEqual({ 201: 2 })
})

test('each address of a campaign with a tester list is kept with its own test', async () => {
  const live = await campaigns(at => ({ accessMode: at % 2 ? 'EMAIL_LIST' : 'OPEN_LINK' }))
  const answers = await Promise.all(
    testers.map((person, at) => join(person, live[at]!.id, { playEmail: playEmailOf(person) })),
  )
  expect(tally(answers)).toEqual({ 201: count })
  const kept = await t.look<{ id: string; tester: string }>(
    'select participation_id as id, tester_id as tester from play_addresses where participation_id = any($1)',
    [answers.map(({ body }) => body.id)],
  )
  const wanted = answers.flatMap(({ body }, at) => (at % 2 ? [{ id: body.id, tester: testers[at]!.user.id }] : []))
  expect(kept.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  const own = await Promise.all(
    testers.map((person, at) =>
      person.call<{ playEmail: string }>('GET', `/testers/campaigns/${live[at]!.id}/join-form`),
    ),
  )
  expect(own.map(({ body }) => body.playEmail)).toEqual(
    testers.map((person, at) => (at % 2 ? playEmailOf(person) : null)),
  )
})
