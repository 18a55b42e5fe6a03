/** Two servers on one database: both hear when a session ends. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Person } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import { type OtherServer, startOtherServer } from '../../testing/processes.ts'

const jwtSecret = 'one secret that both of the servers know'
const t = testApp({ JWT_SECRET: jwtSecret }, { onError: () => undefined })
let other: OtherServer
const start = () => startOtherServer(t, { JWT_SECRET: jwtSecret, LOG_LEVEL: 'silent' })

beforeAll(async () => {
  other = await start()
})
afterAll(() => other.stop())

const here = async (token: string) => (await t.call('GET', '/users/me', { token })).status
const there = async (token: string, server = other) =>
  (await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })).status
const post = async (path: string, body: unknown, token = '') =>
  fetch(`${other.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

const logout = (person: Person) => t.call('POST', '/auth/logout', { token: person.accessToken })
/** The news is not awaited by any request, so this asks again until it has arrived. */
const soon = (status: () => Promise<number>) =>
  vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 10_000, interval: 5 })

test('a session that is signed out on one server ends on the other too', async () => {
  const person = await t.signUp('TESTER')
  expect(await there(person.accessToken)).toBe(200)
  await logout(person)
  await soon(() => there(person.accessToken))
})

test('a token that is reused on one server ends its family on the other too', async () => {
  const person = await t.signUp('TESTER')
  const fresh = (await (await post('/auth/refresh', { refreshToken: person.refreshToken })).json()) as Person
  expect(await here(fresh.accessToken)).toBe(200)
  expect((await post('/auth/refresh', { refreshToken: person.refreshToken })).status).toBe(401)
  await soon(() => here(fresh.accessToken))
  await soon(() => here(person.accessToken))
})

test('a server that starts later knows the sessions that have ended', async () => {
  const person = await t.signUp('TESTER')
  await logout(person)
  const late = await start()
  expect(await there(person.accessToken, late)).toBe(401)
  await late.stop()
})

test('a server whose listening connection was cut reads what it missed', async () => {
  const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const cut = await t.look(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'fieldtest sessions'",
  )
  expect(cut.length).toBeGreaterThanOrEqual(2)
  await logout(first)
  await soon(() => there(first.accessToken))
  await logout(second)
  await soon(() => there(second.accessToken))
})

test('of two servers, only one accepts a refresh token', async () => {
  for (let round = 0; round < 5; round++) {
    const { refreshToken } = await t.signUp('TESTER')
    const statuses = await Promise.all([
      t.call('POST', '/auth/refresh', { body: { refreshToken } }).then(({ status }) => status),
      post('/auth/refresh', { refreshToken }).then(({ status }) => status),
    ])
    expect(statuses.toSorted()).toEqual([200, 401])
  }
})
