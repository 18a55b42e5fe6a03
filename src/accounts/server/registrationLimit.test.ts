/** Nobody can flood the product with accounts, or hold up everybody's sign-ins by registering. */
import { afterEach, expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import { createApp } from '../../app/server/app.ts'
import { readEnv } from '../../app/server/env.ts'
import { atOnce, inParallel, tally } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'

const t = testApp({ RATE_LIMIT: 'on', REGISTRATIONS_PER_HOUR: '3' }, { hashesForReal: true })
afterEach(() => t.look('delete from hourly_calls'))

let people = 0
const register = async (from: string, more: Record<string, unknown> = {}, app = t.app) => {
  const person = {
    email: `new${++people}@example.test`,
    password: 'correct horse',
    name: 'New',
    role: 'TESTER',
    ...more,
  }
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/register',
    remoteAddress: from,
    payload: person,
  })
  return { status: reply.statusCode, body: reply.json<ErrorBody>(), headers: reply.headers }
}

test('one network can register as often an hour as the setting says, and is told when it can again', async () => {
  for (let place = 0; place < 3; place++) expect((await register('192.0.2.1')).status).toBe(201)
  await t.advance(0.5)
  const refused = await register('192.0.2.1')
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'TOO_MANY_REQUESTS', message: 'Too many registrations from your network. Try again in an hour.' },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1700)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(1800)
  expect((await register('192.0.2.2')).status).toBe(201)
  await t.advance(0.5)
  expect((await register('192.0.2.1')).status).toBe(201)
})

test('the limit is exact for concurrent requests; a taken email counts, an invalid form does not', async () => {
  const email = 'taken@example.test'
  expect((await register('192.0.2.3', { email: 'nonsense' })).status).toBe(400)
  expect((await register('192.0.2.3', { email })).status).toBe(201)
  expect((await register('192.0.2.3', { email })).status).toBe(409)
  expect(tally(await inParallel(5, () => register('192.0.2.3')))).toEqual({ 201: 1, 429: 4 })
})

test('an IPv6 /64 counts as one network', async () => {
  for (let place = 0; place < 3; place++) await register(`2001:db8:0:1::${place}`)
  expect((await register('2001:db8:0:1:a:b:c:d')).status).toBe(429)
  expect((await register('2001:db8:0:2::1')).status).toBe(201)
})

test('a crowd that registers is told to try again, uses up nothing, and others can still sign in', async () => {
  const settings = { RATE_LIMIT: 'on', REGISTRATIONS_PER_HOUR: '200', LOG_LEVEL: 'silent', FIELDTEST_TEST_CLOCK: '1' }
  const crowded = await createApp(readEnv(settings))
  const { user } = await t.signUp('DEVELOPER')
  let registered = 0
  const crowd = atOnce(100, async () => {
    const reply = await register('192.0.2.6', {}, crowded)
    registered++
    return reply
  })
  const signIn = { method: 'POST', url: '/api/v1/auth/login' } as const
  const { statusCode } = await crowded.inject({ ...signIn, payload: { email: user.email, password: 'correct horse' } })
  expect(statusCode).toBe(200)
  expect(registered).toBeLessThan(100)
  const answers = await crowd
  const { 201: taken = 0, 503: refused = 0 } = tally(answers)
  expect([taken > 0, refused > 0, taken + refused]).toEqual([true, true, 100])
  const busy = answers.find(({ status }) => status === 503)!
  expect(busy.body.message).toBe('Too many people are registering right now. Try again in a moment.')
  expect(busy.headers['retry-after']).toBe('2')
  expect(await t.look("select calls from hourly_calls where caller = '192.0.2.6'")).toEqual([{ calls: taken }])
  await crowded.close()
})

test('with RATE_LIMIT=off nothing is counted', async () => {
  const open = await createApp(readEnv({ RATE_LIMIT: 'off', REGISTRATIONS_PER_HOUR: '1', LOG_LEVEL: 'silent' }))
  expect([(await register('192.0.2.7', {}, open)).status, (await register('192.0.2.7', {}, open)).status]).toEqual([
    201, 201,
  ])
  await open.close()
})
