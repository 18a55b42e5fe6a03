/** Two servers on one database look like one to callers: limits, clock and schedules. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loginLimits } from '../../accounts/rules.ts'
import { clock } from '../../kit/clock.ts'
import { password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { type OtherServer, startOtherServer } from '../../testing/processes.ts'
import { requestsPerMinute } from './app.ts'

const shared = {
  JWT_SECRET: 'one secret that both of the servers know',
  RATE_LIMIT: 'on',
  REGISTRATIONS_PER_HOUR: '4',
  FIELDTEST_TEST_CLOCK: '1',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'silent',
}
const t = testApp(shared)
const person = signedUp(t, 'TESTER')
const start = (env: Record<string, string> = {}) => startOtherServer(t, { ...shared, ...env })
let other: OtherServer
beforeAll(async () => {
  other = await start()
})
afterAll(() => other.stop())

type Call = (path: string, from: string, body?: unknown) => Promise<{ status: number; date?: string }>

const here: Call = async (url, from, body) => {
  const headers = { 'x-forwarded-for': from }
  const post = { method: 'POST', payload: JSON.stringify(body) } as const
  const reply = await t.app.inject({
    url,
    ...(body !== undefined ? post : {}),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  })
  return { status: reply.statusCode }
}
const there: Call = async (path, from, body) => {
  const reply = await fetch(other.url + path, {
    headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  await reply.arrayBuffer()
  return { status: reply.status }
}
const patient = { timeout: 20_000, interval: 20 }

describe('limits', () => {
  const asked = async (call: Call, from: string) => (await call('/api/v1/pricing', from)).status
  const counted = (network: string) =>
    t.look<{ minute: number; requests: number }>('select minute, requests from request_counts where network = $1', [
      network,
    ])

  test('a network that has used up its requests on one server is refused on the other, long before it has used them up there', async () => {
    const minute = () => Math.floor((clock.nowMs() - clock.offsetMs()) / 60_000)
    const network = '192.0.2.1'
    const small = requestsPerMinute / 20
    // Counts begin anew every minute, so the test starts over if a minute ends meanwhile.
    for (let began = -1; began !== minute();) {
      began = minute()
      let letThrough = 0
      while ((await asked(here, network)) === 200) letThrough += 1
      expect(letThrough).toBeLessThanOrEqual(requestsPerMinute)
      for (let request = 0; request < small; request++) await asked(there, network)
      let more = 0
      await vi.waitFor(async () => {
        more += 1
        if (began === minute()) expect(await asked(there, network)).toBe(429)
      }, patient)
      expect(small + more).toBeLessThan(requestsPerMinute)
    }
  })

  test('a network that has used up its requests still gets the page’s files and the health answers', async () => {
    const network = '192.0.2.9'
    await vi.waitFor(async () => {
      for (let request = 0; request < requestsPerMinute / 2; request++) await asked(here, network)
      expect(await asked(here, network)).toBe(429)
      expect((await here('/assets/of-no-build.js', network)).status).toBe(404)
      for (const question of ['live', 'ready']) expect((await here(`/health/${question}`, network)).status).toBe(200)
    }, patient)
  })

  test('a network that makes few requests costs no statement', async () => {
    const busy = '192.0.2.3'
    for (let request = 0; request < 20; request++) await asked(here, '192.0.2.2')
    // By the time the busy network is shared, the other one would have been, too.
    await vi.waitFor(async () => {
      for (let request = 0; request < requestsPerMinute / 20; request++) await asked(here, busy)
      expect((await counted(busy)).length).toBeGreaterThan(0)
    }, patient)
    expect(await counted('192.0.2.2')).toEqual([])
  })

  test('wrong passwords count together, whichever server they were tried on', async () => {
    const guess = (call: Call) =>
      call('/api/v1/auth/login', '192.0.2.4', {
        email: person.user.email,
        password: 'a guess',
        deviceFingerprint: 'new',
      })
    for (let tried = 0; tried < loginLimits.perAccount; tried++)
      expect((await guess(tried % 2 ? here : there)).status).toBe(401)
    expect([(await guess(here)).status, (await guess(there)).status]).toEqual([429, 429])
  })

  test('registrations from one network count together', async () => {
    const register = async (call: Call, number: number) => {
      const body = { email: `new${number}@example.test`, password, name: 'New', role: 'TESTER' }
      return (await call('/api/v1/auth/register', '192.0.2.5', body)).status
    }
    const answers = []
    for (let number = 0; number < 6; number++) answers.push(await register(number % 2 ? here : there, number))
    expect(answers).toEqual([201, 201, 201, 201, 429, 429])
  })
})

describe('the test clock', () => {
  const timeThere = async () => {
    const reply = await fetch(`${other.url}/api/v1/test-clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"advanceHours":0}',
    })
    return Date.parse(((await reply.json()) as { now: string }).now)
  }
  const hourMs = 3_600_000
  const signedIn = async (server: OtherServer) => {
    const headers = { authorization: `Bearer ${person.accessToken}` }
    return (await fetch(`${server.url}/api/v1/users/me`, { headers })).status
  }

  test('moves on the other server when moved here, and is the same on one that starts later', async () => {
    expect(await signedIn(other)).toBe(200)
    await t.advance(1)
    // The token has expired there, although only the clock changed.
    await expect.poll(() => signedIn(other), patient).toBe(401)
    const late = await start()
    expect(await signedIn(late)).toBe(401)
    await late.stop()
  })

  test('moves by the sum when both servers move it at once', async () => {
    const before = clock.nowMs()
    await Promise.all([
      t.advance(2),
      fetch(`${other.url}/api/v1/test-clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"advanceHours":3}',
      }),
    ])
    expect(await timeThere()).toBeGreaterThanOrEqual(before + 5 * hourMs)
    await expect.poll(() => clock.nowMs(), patient).toBeGreaterThanOrEqual(before + 5 * hourMs)
    expect(clock.nowMs()).toBeLessThan(before + 6 * hourMs)
  })
})

test('what a schedule makes due runs once, however many servers look for it', async () => {
  // The first server creates the schedules.
  const servers = [await start({ WORK: '1' })]
  const looked = () => t.look<{ looked: boolean }>('select cron_on is not null as looked from pgboss.version')
  for (let number = 0; number < 2; number++) {
    // Makes the next server look for due jobs as it starts.
    await t.look('update pgboss.version set cron_on = null')
    servers.push(await start({ WORK: '1' }))
    await expect.poll(looked, patient).toEqual([{ looked: true }])
  }
  type Run = { name: string; due: number; runs: number }
  const runs = () =>
    t.look<Run>(`select due.name, due.times as due, (select count(*)::int from pgboss.job j where j.name = due.name) as runs
      from (select data->>'name' as name, count(distinct singleton_on)::int as times
        from pgboss.job where name = '__pgboss__send-it' group by 1 having bool_and(state = 'completed')) due`)
  await vi.waitFor(async () => expect((await runs()).length).toBeGreaterThan(2), patient)
  for (const server of servers) await server.stop()
  for (const { name, due, runs: times } of await runs()) expect({ name, times }).toEqual({ name, times: due })
})
