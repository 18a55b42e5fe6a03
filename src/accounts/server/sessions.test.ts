/** Staying signed in, and what ends it (product.md §5). */
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import { password, type Person } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Session, Tokens } from '../contract.ts'

const t = testApp()

type Refreshed = Tokens & ErrorBody
const refresh = (refreshToken: unknown) => t.call<Refreshed>('POST', '/auth/refresh', { body: { refreshToken } })
const isSignedIn = async (token: string) => (await t.call('GET', '/users/me', { token })).status === 200
const ended = { status: 401, body: { code: 'UNAUTHENTICATED', message: 'Your session has ended. Sign in again.' } }
const endReason = async ({ user }: Session) =>
  (
    await t.look<{ reason: string | null }>('select end_reason as reason from sessions where user_id = $1', [user.id])
  )[0]!.reason

const logout = (token: string, body?: unknown) => t.call('POST', '/auth/logout', { token, body })
const minutes = (count: number) => count / 60
const signedIn = (): Promise<Person> => t.signUp('TESTER')

test('of what a browser says of itself, the first 400 characters are kept', async () => {
  const { user } = await signedIn()
  const headers = { 'user-agent': `${'x'.repeat(400)}y` }
  expect((await t.call('POST', '/auth/login', { body: { email: user.email, password }, headers })).status).toBe(200)
  expect(
    await t.look('select user_agent as agent from sessions where user_id = $1 order by created_at desc limit 1', [
      user.id,
    ]),
  ).toEqual([{ agent: 'x'.repeat(400) }])
})

describe('refreshing', () => {
  test('returns two new tokens, and nothing else', async () => {
    const person = await signedIn()
    const { status, body } = await refresh(person.refreshToken)
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(['accessToken', 'refreshToken'])
    expect(body.refreshToken).not.toBe(person.refreshToken)
    expect(await isSignedIn(body.accessToken)).toBe(true)
    expect((await refresh(body.refreshToken)).status).toBe(200)
  })

  test('without a token is refused in the specification’s words', async () => {
    for (const none of [undefined, '', null]) {
      expect(await refresh(none)).toMatchObject({ status: 400, body: { message: 'No refresh token available' } })
    }
  })

  test('is refused with a made-up token or an access token', async () => {
    const person = await signedIn()
    for (const made of ['made-up', 'x'.repeat(201), 'x'.repeat(2_000)]) expect(await refresh(made)).toMatchObject(ended)
    expect((await refresh(person.accessToken)).status).toBeGreaterThanOrEqual(400)
    expect((await t.call('GET', '/users/me', { token: person.refreshToken })).status).toBe(401)
    expect(await endReason(person)).toBeNull()
  })

  test('only the hash of a refresh token is stored', async () => {
    const { refreshToken } = await signedIn()
    const rows = await t.look<{ row: string }>('select t::text as row from refresh_tokens t')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(refreshToken)
  })

  test('reusing a refresh token ends the whole family, including its access tokens', async () => {
    const person = await signedIn()
    const second = (await refresh(person.refreshToken)).body
    const third = (await refresh(second.refreshToken)).body
    expect(await refresh(person.refreshToken)).toMatchObject(ended)
    for (const token of [person.accessToken, second.accessToken, third.accessToken])
      expect(await isSignedIn(token)).toBe(false)
    expect(await refresh(third.refreshToken)).toMatchObject(ended)
    expect(await endReason(person)).toBe('TOKEN_REUSED')
  })

  test('after a suspension, the current token is told the reason, and a used one is not', async () => {
    const [person, admin] = [await signedIn(), await t.signUp('ADMIN')]
    const { body } = await refresh(person.refreshToken)
    const reason = 'Two accounts on one device.'
    expect((await admin.call('POST', `/admin/users/${person.user.id}/ban`, { reason })).status).toBe(200)
    expect(await refresh(person.refreshToken)).toMatchObject(ended)
    const last = await refresh(body.refreshToken)
    expect([last.body.code, last.body.message]).toEqual(['SUSPENDED', expect.stringContaining(reason)])
  })

  test('the user’s other sessions continue', async () => {
    const person = await signedIn()
    const elsewhere = await t.signIn(person.user.email)
    await refresh(person.refreshToken)
    await refresh(person.refreshToken)
    expect(await isSignedIn(person.accessToken)).toBe(false)
    expect(await isSignedIn(elsewhere.accessToken)).toBe(true)
    expect((await refresh(elsewhere.refreshToken)).status).toBe(200)
  })

  test('of 10 concurrent uses of one token, one succeeds, and the family ends because two callers hold the token', async () => {
    const person = await signedIn()
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(person.refreshToken)))
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    for (const { status } of answers.filter(answer => !winners.includes(answer))) expect(status).toBe(401)
    expect(await isSignedIn(winners[0]!.body.accessToken)).toBe(false)
    expect(await refresh(winners[0]!.body.refreshToken)).toMatchObject(ended)
    expect(await endReason(person)).toBe('TOKEN_REUSED')
  })
})

describe('an attempt whose answer was lost', () => {
  const attempt = 'attempt-of-this-page-1'
  const tryAs = (refreshToken: string, name?: string) =>
    t.call<Refreshed>('POST', '/auth/refresh', { body: { refreshToken, attempt: name } })

  test('gets the same refresh token when it is repeated, even at once, and the session continues', async () => {
    const person = await signedIn()
    const replies = await Promise.all(Array.from({ length: 5 }, () => tryAs(person.refreshToken, attempt)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const [next, ...more] = new Set(replies.map(({ body }) => body.refreshToken))
    expect(more).toEqual([])
    await t.advance(24)
    const late = await tryAs(person.refreshToken, attempt)
    expect(late.body.refreshToken).toBe(next)
    expect(await isSignedIn(late.body.accessToken)).toBe(true)
    expect((await refresh(next)).status).toBe(200)
    expect(await endReason(person)).toBeNull()
  })

  test.each([
    ['another attempt', 'attempt-of-a-thief-22'],
    ['no attempt', undefined],
  ])('is not confused with a copy: the used token with %s ends the family', async (_which, other) => {
    const person = await signedIn()
    const { body } = await tryAs(person.refreshToken, attempt)
    expect(await tryAs(person.refreshToken, other)).toMatchObject(ended)
    expect(await refresh(body.refreshToken)).toMatchObject(ended)
    expect(await endReason(person)).toBe('TOKEN_REUSED')
  })

  test('cannot be repeated once its answer has been used; that ends the family', async () => {
    const person = await signedIn()
    const { body } = await tryAs(person.refreshToken, attempt)
    expect((await refresh(body.refreshToken)).status).toBe(200)
    expect(await tryAs(person.refreshToken, attempt)).toMatchObject(ended)
    expect(await endReason(person)).toBe('TOKEN_REUSED')
  })

  test('does not restore a session that has ended', async () => {
    const person = await signedIn()
    const { body } = await tryAs(person.refreshToken, attempt)
    await logout(body.accessToken)
    expect(await tryAs(person.refreshToken, attempt)).toMatchObject(ended)
  })

  test('does not revalidate a token that was used without an attempt', async () => {
    const person = await signedIn()
    await refresh(person.refreshToken)
    expect(await tryAs(person.refreshToken, attempt)).toMatchObject(ended)
  })
})

describe('the clock', () => {
  test('ends an access token after 15 minutes', async () => {
    const { accessToken } = await signedIn()
    const { iat, exp } = decodeJwt(accessToken)
    expect(exp! - iat!).toBe(15 * 60)
    await t.advance(minutes(14))
    expect(await isSignedIn(accessToken)).toBe(true)
    await t.advance(minutes(1))
    expect(await isSignedIn(accessToken)).toBe(false)
  })

  test('ends a refresh token after 30 days', async () => {
    const [early, late] = [await signedIn(), await signedIn()]
    await t.advance(30 * 24 - 1)
    expect((await refresh(early.refreshToken)).status).toBe(200)
    await t.advance(1)
    expect(await refresh(late.refreshToken)).toMatchObject(ended)
  })

  test('counts 30 days from the last use, so a user who comes back every month stays signed in', async () => {
    let { refreshToken } = await signedIn()
    for (let month = 0; month < 3; month++) {
      await t.advance(29 * 24)
      const { status, body } = await refresh(refreshToken)
      expect(status).toBe(200)
      refreshToken = body.refreshToken
    }
  })

  test('ends the family 90 days after the sign-in, however often it was used', async () => {
    const person = await signedIn()
    let { refreshToken } = person
    for (const days of [29, 29, 29, 2]) {
      await t.advance(days * 24)
      refreshToken = (await refresh(refreshToken)).body.refreshToken
    }
    const [ends] = await t.look<{ days: string }>(
      `select extract(day from s.expires_at - s.created_at) as days from sessions s where user_id = $1`,
      [person.user.id],
    )
    expect(Number(ends!.days)).toBe(90)
    await t.advance(23)
    const { body } = await refresh(refreshToken)
    await t.advance(1)
    expect(await refresh(body.refreshToken)).toMatchObject(ended)
    expect((await t.signIn(person.user.email)).user.id).toBe(person.user.id)
  })

  test('does not let a used token count as merely expired: for 30 days, reusing it ends the family', async () => {
    const person = await signedIn()
    const second = (await refresh(person.refreshToken)).body
    await t.advance(29 * 24)
    expect((await refresh(person.refreshToken)).status).toBe(401)
    expect(await refresh(second.refreshToken)).toMatchObject(ended)
  })
})

describe('signing out', () => {
  test('ends the session at once, with its access and refresh tokens', async () => {
    const person = await signedIn()
    const { status, body } = await logout(person.accessToken, { userId: person.user.id })
    expect([status, body]).toEqual([204, undefined])
    expect(await isSignedIn(person.accessToken)).toBe(false)
    expect(await refresh(person.refreshToken)).toMatchObject(ended)
    expect(await endReason(person)).toBe('LOGOUT')
  })

  test('needs no body', async () => {
    const { accessToken } = await signedIn()
    expect((await logout(accessToken)).status).toBe(204)
    expect(await isSignedIn(accessToken)).toBe(false)
  })

  test('with another user’s userId ends one’s own session and not theirs', async () => {
    const [me, victim] = [await signedIn(), await signedIn()]
    expect((await logout(me.accessToken, { userId: victim.user.id })).status).toBe(204)
    expect(await isSignedIn(me.accessToken)).toBe(false)
    expect(await isSignedIn(victim.accessToken)).toBe(true)
    expect((await refresh(victim.refreshToken)).status).toBe(200)
  })

  test('leaves the user’s other sessions alone', async () => {
    const here = await signedIn()
    const there = await t.signIn(here.user.email)
    await logout(here.accessToken)
    expect(await isSignedIn(there.accessToken)).toBe(true)
  })

  test('concurrently with a refresh leaves no valid token', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await signedIn()
      const [, refreshed] = await Promise.all([logout(person.accessToken), refresh(person.refreshToken)])
      expect(await isSignedIn(person.accessToken)).toBe(false)
      if (refreshed.status !== 200) continue
      expect(await isSignedIn(refreshed.body.accessToken)).toBe(false)
      expect((await refresh(refreshed.body.refreshToken)).status).toBe(401)
    }
  })
})

test('signing out everywhere ends all of one’s own sessions, including this one, and nobody else’s', async () => {
  const [here, other] = [await signedIn(), await signedIn()]
  const there = await t.signIn(here.user.email)
  expect((await t.call('DELETE', '/users/me/sessions', { token: here.accessToken })).status).toBe(204)
  for (const session of [here, there]) {
    expect(await isSignedIn(session.accessToken)).toBe(false)
    expect(await refresh(session.refreshToken)).toMatchObject(ended)
  }
  expect(await endReason(here)).toBe('ENDED_BY_USER')
  expect(await isSignedIn(other.accessToken)).toBe(true)
  expect((await t.call('DELETE', '/users/me/sessions', { token: here.accessToken })).status).toBe(401)
})

test('a sign-in opens no session if the password changes after it was checked', async () => {
  const person = await t.signUp('TESTER')
  const row = { rows: 'select from users where id = $1', values: [person.user.id] }
  const change = { currentPassword: password, newPassword: 'another horse' }
  const [changed, login] = await overtaken(
    t,
    row,
    () => person.call('POST', '/users/me/password', change),
    () => t.call('POST', '/auth/login', { body: { email: person.user.email, password } }),
  )
  expect([changed.status, login.status]).toEqual([204, 401])
})
