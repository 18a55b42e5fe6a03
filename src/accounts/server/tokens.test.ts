/** An access token is valid only if this API signed it with its secret. */
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { useJwtSecret } from '../../kit/server/session.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Tokens } from '../contract.ts'

const [secret, previous] = ['the secret of today, 32 characters', 'the secret of yesterday, 32 or more']
const t = testApp({ JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previous })
const person = signedUp(t, 'TESTER')

const status = async (token: string) => (await t.call('GET', '/users/me', { token })).status

type Change = { key?: string; header?: object; claims?: Record<string, unknown> }

/** The person's own token, signed again with one change. */
const forged = ({ key = secret, header = {}, claims = {} }: Change) => {
  const given = Object.entries({ ...decodeJwt(person.accessToken), ...claims }).filter(([, value]) => value !== null)
  return new SignJWT(Object.fromEntries(given))
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .sign(new TextEncoder().encode(key))
}

test('a token names its type, its issuer and its audience', () => {
  expect(decodeProtectedHeader(person.accessToken)).toEqual({ alg: 'HS256', typ: 'at+jwt' })
  expect(decodeJwt(person.accessToken)).toMatchObject({
    iss: 'fieldtest',
    aud: 'fieldtest-api',
    sub: person.user.id,
    role: 'TESTER',
  })
})

test('an unchanged copy is accepted, so the tokens below are refused for their change alone', async () => {
  expect(await status(await forged({}))).toBe(200)
  // The name of the scheme is the same in any case (RFC 9110 §11.1).
  const lower = { authorization: `bearer ${person.accessToken}` }
  expect((await t.app.inject({ url: '/api/v1/users/me', headers: lower })).statusCode).toBe(200)
})

const past = () => Math.floor(clock.nowMs() / 1000) - 1

test.each<[string, () => Change]>([
  ['of another issuer', () => ({ claims: { iss: 'elsewhere' } })],
  ['without an issuer', () => ({ claims: { iss: null } })],
  ['for another audience', () => ({ claims: { aud: 'another-api' } })],
  ['without an audience', () => ({ claims: { aud: null } })],
  ['of another type', () => ({ header: { typ: 'JWT' } })],
  ['without a type', () => ({ header: { typ: undefined } })],
  ['of another algorithm', () => ({ header: { alg: 'HS512' }, key: secret.repeat(2) })],
  ['of another secret', () => ({ key: 'a secret that this server never had' })],
  ['that has expired', () => ({ claims: { exp: past() } })],
  ['without an end', () => ({ claims: { exp: null } })],
  ['without a session', () => ({ claims: { sid: null } })],
  ['of a role that is none', () => ({ claims: { role: 'OWNER' } })],
])('a token %s is refused', async (_name, change) => {
  expect(await status(await forged(change()))).toBe(401)
})

test('a token without a signature is refused', async () => {
  const [, claims] = person.accessToken.split('.')
  const header = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
  expect(await status(`${header}.${claims}.`)).toBe(401)
  expect(await status(`${header}.${claims}`)).toBe(401)
})

test('the previous secret verifies what it signed, and signs nothing new', async () => {
  expect(await status(await forged({ key: previous }))).toBe(200)
  const { accessToken } = await t.signIn(person.user.email)
  const signature = async (key: string) => {
    const [header, claims] = accessToken.split('.')
    const made = await crypto.subtle.importKey('raw', Buffer.from(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ])
    return Buffer.from(await crypto.subtle.sign('HMAC', made, Buffer.from(`${header}.${claims}`))).toString('base64url')
  }
  expect(accessToken.endsWith(await signature(secret))).toBe(true)
  expect(accessToken.endsWith(await signature(previous))).toBe(false)
})

describe('an attempt whose answer was lost while servers were restarted with a new secret', () => {
  const attempt = 'attempt-of-this-page-1'
  const refresh = (refreshToken: string, name?: string) =>
    t.call<Tokens>('POST', '/auth/refresh', { body: { refreshToken, attempt: name } })
  const endReasons = (userId: string) =>
    t.look('select end_reason as reason from sessions where user_id = $1', [userId])
  afterEach(() => useJwtSecret(secret, previous))

  const servers = { 'with the new secret': [secret, previous], 'with the old secret': [previous, secret] } as const

  test.each([
    ['with the old secret', 'with the new secret'],
    ['with the new secret', 'with the old secret'],
  ] as const)('gets the reply of a server %s again from one %s', async (first, then) => {
    const somebody = await t.signUp('TESTER')
    useJwtSecret(...servers[first])
    const { body: lost } = await refresh(somebody.refreshToken, attempt)
    useJwtSecret(...servers[then])
    const again = await refresh(somebody.refreshToken, attempt)
    expect(again).toMatchObject({ status: 200, body: { refreshToken: lost.refreshToken } })
    expect((await refresh(lost.refreshToken, 'attempt-of-this-page-2')).status).toBe(200)
    expect(await endReasons(somebody.user.id)).toEqual([{ reason: null }])
    // Once the answer has been used, the attempt cannot be repeated, whichever secret signed it.
    expect((await refresh(somebody.refreshToken, attempt)).status).toBe(401)
    expect(await endReasons(somebody.user.id)).toEqual([{ reason: 'TOKEN_REUSED' }])
  })

  test('under another name ends the family', async () => {
    const somebody = await t.signUp('TESTER')
    useJwtSecret(previous)
    await refresh(somebody.refreshToken, attempt)
    useJwtSecret(secret, previous)
    expect((await refresh(somebody.refreshToken, 'attempt-of-a-thief-22')).status).toBe(401)
    expect(await endReasons(somebody.user.id)).toEqual([{ reason: 'TOKEN_REUSED' }])
  })
})
