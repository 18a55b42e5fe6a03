/** Who may call what: walks every endpoint of the tables with every kind of caller. */
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { type Role, roles } from '../../kit/roles.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import { testApp } from '../../testing/prologue.ts'
import { type Fixtures, fixturesOf } from '../../testing/fixtures.ts'
import { everyStep, everyRow, pathOf, type Step } from '../../testing/walk.ts'
import { hasEnded } from '../../kit/server/endedSessions.ts'
import { readAccessToken, signAccessToken } from '../../kit/server/session.ts'
import { templateOf } from './openapi/document.ts'

const secret = 'the secret of the walk through every endpoint'
const seconds = () => Math.floor(clock.nowMs() / 1000)

const t = testApp({ JWT_SECRET: secret })
let fixtures: Fixtures
let tokens: Record<string, string | undefined>

type Claims = { sub?: string; role?: string; sid?: string }
const signed = (claims: Claims, { alg = 'HS256', key = secret, lifeSeconds = 900 } = {}) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg, typ: 'at+jwt' })
    .setIssuer('fieldtest')
    .setAudience('fieldtest-api')
    .setIssuedAt(seconds() - 1)
    .setExpirationTime(seconds() + lifeSeconds)
    .sign(new TextEncoder().encode(key))

const unsigned = (claims: Claims) =>
  [
    { alg: 'none', typ: 'at+jwt' },
    { ...claims, iss: 'fieldtest', aud: 'fieldtest-api', iat: seconds(), exp: seconds() + 900 },
  ]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
    .concat('.')

beforeAll(async () => {
  fixtures = await fixturesOf(t)
  const left = await t.signUp('ADMIN')
  await left.call('POST', '/auth/logout')
  const claims = { sub: fixtures.people.ADMIN.user.id, role: 'ADMIN', sid: randomUUID() }
  tokens = {
    nothing: undefined,
    garbage: 'not.a.token',
    expired: await signed(claims, { lifeSeconds: -1 }),
    'signed with another key': await signed(claims, { key: 'another secret of at least the same length' }),
    'of another algorithm': await signed(claims, { alg: 'HS512' }),
    unsigned: unsigned(claims),
    'of a role that does not exist': await signed({ ...claims, role: 'ROOT' }),
    'of no session': await signed({ sub: claims.sub, role: 'ADMIN' }),
    'of a session that was logged out': left.accessToken,
  }
})

/** A token for that person, with a session that the walk cannot end. */
const tokenOf = (role: Role) => signAccessToken({ id: fixtures.people[role].user.id, role, sessionId: randomUUID() })

/**
 * Calls as somebody with that role. The database does not know the session, and such a session is refused while notifications are
 * late (decision 006), as on a busy machine; so the call is repeated once they arrive.
 */
const callAs = async (role: Role, step: Step, path: string) => {
  const reply = await call(step, path, await tokenOf(role))
  if (reply.status !== 401) return reply
  await expect.poll(() => hasEnded(randomUUID()), { timeout: 20_000 }).toBe(false)
  return call(step, path, await tokenOf(role))
}

const call = async (step: Step, path: string, token?: string) => {
  const { method } = step.endpoint
  const reply = await t.call<ErrorBody>(method, path, { token, body: step.body })
  return { ...reply, what: `${method} ${path}` }
}

const nowhere = (step: Step) => pathOf(step, randomUUID())

const closed = everyStep.filter(({ endpoint }) => endpoint.access !== 'PUBLIC')
const open = everyStep.filter(({ endpoint }) => endpoint.access === 'PUBLIC')

test('the walk covers every endpoint of the API', async () => {
  const { body } = await t.call<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json')
  const served = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  const walked = everyStep.map(({ endpoint }) => `${endpoint.method} ${templateOf(endpoint.path)}`)
  // The test clock exists only in tests, and production refuses it (env.test.ts).
  expect(served.toSorted()).toEqual([...walked, 'POST /test-clock'].toSorted())
})

test('each token that must be refused differs from a valid one in a single respect', async () => {
  const good = await signed({ sub: fixtures.people.ADMIN.user.id, role: 'ADMIN', sid: randomUUID() })
  expect(await readAccessToken(good)).toMatchObject({ role: 'ADMIN' })
  expect((await t.call('GET', '/users/me', { token: good })).status).toBe(200)
})

test('nobody gets in without a valid token: 401 everywhere, and nothing changes', async () => {
  const before = await everyRow(t)
  for (const step of closed) {
    for (const [kind, token] of Object.entries(tokens)) {
      const { status, body, headers, what } = await call(step, fixtures.foreignPath(step), token)
      expect({ what, kind, status, code: body.code }).toEqual({ what, kind, status: 401, code: 'UNAUTHENTICATED' })
      expect(headers['www-authenticate']).toBe('Bearer')
    }
    const valid = await tokenOf(step.allowed[0]!)
    for (const authorization of [
      'Basic YTpi',
      'Bearer',
      'Bearer ',
      valid.slice(1),
      valid,
      `Basic ${valid}`,
      `Token ${valid}`,
    ]) {
      const { status } = await t.call(step.endpoint.method, fixtures.foreignPath(step), { headers: { authorization } })
      expect(status, `${step.name} with "${authorization.slice(0, 8)}"`).toBe(401)
    }
  }
  expect(await everyRow(t)).toEqual(before)
})

test('a role that the table does not list gets 403 everywhere, and nothing changes', async () => {
  const before = await everyRow(t)
  let refused = 0
  for (const step of closed) {
    for (const role of roles.filter(each => !step.allowed.includes(each))) {
      const { status, body, what } = await callAs(role, step, fixtures.foreignPath(step))
      expect({ what, role, status, code: body.code }).toEqual({ what, role, status: 403, code: 'FORBIDDEN' })
      expect(body.message).toMatch(/^Only (developers|testers|admins)( and \w+)? can do this\.$/)
      refused++
    }
  }
  expect(refused).toBeGreaterThan(20)
  expect(await everyRow(t)).toEqual(before)
})

test('a role that the table lists is admitted everywhere', async () => {
  for (const step of closed) {
    for (const role of step.allowed) {
      const { status, what, body } = await callAs(role, step, nowhere(step))
      expect(`${what} ${JSON.stringify(body)}`).not.toMatch(/argon2|password_?hash|token_?hash/i)
      expect([401, 403], `${role} ${what}`).not.toContain(status)
      expect(status, `${role} ${what}`).toBeLessThan(500)
    }
  }
})

test('a public endpoint ignores tokens', async () => {
  for (const { endpoint, name } of open) {
    const answers = new Set<number>()
    for (const token of [...Object.values(tokens), ...(await Promise.all(roles.map(tokenOf)))]) {
      answers.add((await t.call(endpoint.method, endpoint.path, { token, body: {} })).status)
    }
    expect([name, ...answers]).toEqual([name, endpoint.method === 'GET' ? 200 : 400])
  }
})

const expectHidden = async (step: Step, role: Role) => {
  const before = await everyRow(t)
  const foreign = await callAs(role, step, fixtures.foreignPath(step))
  expect(await everyRow(t)).toEqual(before)
  const missing = await callAs(role, step, nowhere(step))
  expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  const { requestId, ...rest } = foreign.body
  expect(requestId).toBe(foreign.headers['x-request-id'])
  expect({ ...missing.body, requestId: undefined }).toEqual({ ...rest, requestId: undefined })
}

describe('somebody else’s object cannot be distinguished from one that does not exist', () => {
  const withId = closed.filter(({ noun }) => noun !== null)
  // Admins may see everything (product.md §2 and §10).
  const cases = withId.flatMap(step =>
    step.allowed.filter(role => role !== 'ADMIN').map(role => [step.name, role, step] as const),
  )

  test('there are such endpoints for every kind of object', () => {
    expect(new Set(withId.map(({ noun }) => noun))).toEqual(new Set(fixtures.foreignNouns))
  })

  test.each(cases)('%s as %s: the same 404, and nothing changes', (_name, role, step) => expectHidden(step, role))
})

test('an admin, too, gets 404 for an id that does not exist', async () => {
  for (const step of closed.filter(({ noun, allowed }) => noun !== null && allowed.includes('ADMIN'))) {
    const { status, body, what } = await callAs('ADMIN', step, nowhere(step))
    expect({ what, status, code: body.code }).toEqual({ what, status: 404, code: 'NOT_FOUND' })
  }
})

test('a malformed id is not found, whoever asks', async () => {
  const malformed = closed.filter(({ noun }) => noun !== null)
  expect(malformed.length).toBeGreaterThan(10)
  for (const step of malformed) {
    for (const id of ['1', 'not-an-id', '00000000-0000-0000-0000-00000000000g']) {
      const { status, body, what } = await callAs(step.allowed[0]!, step, pathOf(step, id))
      expect({ what, status, code: body.code }).toEqual({ what, status: 404, code: 'NOT_FOUND' })
    }
  }
})
