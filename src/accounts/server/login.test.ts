import pLimit from 'p-limit'
import { describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import { createApp } from '../../app/server/app.ts'
import { readEnv } from '../../app/server/env.ts'
import { password } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import type { Session } from '../contract.ts'
import { loginLimits } from '../rules.ts'

const t = testApp({ RATE_LIMIT: 'on' })
/** Each call comes from a different IP address, unless a test says otherwise. */
let addresses = 0

const account = async () => (await t.signUp('TESTER')).user.email

const login = async (
  email: unknown,
  secret: unknown,
  {
    from = `10.0.${++addresses >> 8}.${addresses & 255}`,
    headers = {},
    device,
  }: { from?: string; headers?: Record<string, string>; device?: string } = {},
) => {
  const reply = await t.app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    remoteAddress: from,
    headers,
    payload: { email, password: secret, deviceFingerprint: device },
  })
  return { status: reply.statusCode, body: reply.json<Session & ErrorBody>(), headers: reply.headers }
}

test('signing in returns both tokens and the user, whatever the case of the email address', async () => {
  const email = await account()
  const { status, body } = await login(` ${email.toUpperCase()} `, password)
  expect(status).toBe(200)
  expect(Object.keys(body).toSorted()).toEqual(['accessToken', 'refreshToken', 'user'])
  expect(body.user.email).toBe(email)
})

test.each([
  [undefined, password, 'Email is required'],
  ['', password, 'Email is required'],
  ['ann@example.test', undefined, 'Password is required'],
  ['ann@example.test', '', 'Password is required'],
])('a missing email or password is reported: %j %j', async (email, secret, message) => {
  expect(await login(email, secret)).toMatchObject({ status: 400, body: { message } })
})

test('an unknown address and a wrong password get the same answer', async () => {
  const { requestId: _a, ...wrong } = (await login(await account(), 'not it')).body
  const { requestId: _b, ...unknown } = (await login('nobody@example.test', 'not it')).body
  expect(unknown).toEqual({ statusCode: 401, code: 'WRONG_CREDENTIALS', message: 'Email or password is incorrect.' })
  expect(wrong).toEqual(unknown)
})

test('a password is compared exactly: case, spaces and length count', async () => {
  const email = await account()
  for (const secret of [password.toUpperCase(), ` ${password}`, `${password} `, password.slice(0, -1)]) {
    expect((await login(email, secret)).status).toBe(401)
  }
})

/** The server lets 64 sign-ins wait. */
const asManyAsWait = pLimit(60)

describe('guessing is limited', () => {
  const { perAccount, perAddress, windowMinutes, knownDays } = loginLimits

  test('a suspended account’s right password is never counted as wrong', async () => {
    const email = await account()
    await t.look(`update users set suspended_at = created_at, suspension_reason = 'Sold it.' where email = $1`, [email])
    for (let turn = 0; turn <= perAccount; turn++)
      expect(await login(email, password)).toMatchObject({ status: 403, body: { code: 'SUSPENDED' } })
    expect(await t.look('select from login_failures where email = $1', [email])).toEqual([])
  })

  test('after 10 wrong passwords from unknown devices, these have to wait, even with the right password', async () => {
    const email = await account()
    for (let guess = 0; guess < perAccount; guess++) expect((await login(email, `guess ${guess}`)).status).toBe(401)
    const refused = await login(email, password)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS', message: 'Too many failed sign-ins. Try again in 15 minutes.' },
      headers: { 'retry-after': String(windowMinutes * 60) },
    })
    expect((await login(await account(), password)).status).toBe(200)
    await t.advance((windowMinutes + 1) / 60)
    expect((await login(email, password)).status).toBe(200)
  })

  /** An account that signed in at 198.51.100.1 on `phone`, and whose budget for unknown devices strangers have used up. */
  const besieged = async () => {
    const email = await account()
    await login(email, password, { from: '198.51.100.1', device: 'phone' })
    for (let guess = 0; guess < perAccount; guess++) await login(email, `guess ${guess}`)
    expect((await login(email, password)).status).toBe(429)
    return email
  }

  test('strangers’ guesses do not lock out the devices and addresses from which the account has signed in', async () => {
    const email = await besieged()
    expect((await login(email, password, { from: '198.51.100.1' })).status).toBe(200)
    expect((await login(email, password, { device: 'phone' })).status).toBe(200)
    expect((await login(email, password, { device: 'another phone' })).status).toBe(429)
    expect((await login(email, password, { device: '' })).status).toBe(429)
    // The owner's sign-ins there have not given the strangers new guesses.
    expect((await login(email, password)).status).toBe(429)
  })

  test('each known device and address has 10 guesses of its own, which others do not use up', async () => {
    const email = await account()
    const known = [
      { from: '198.51.100.1', device: 'phone' },
      { from: '198.51.100.2', device: 'laptop' },
    ]
    for (const source of known) await login(email, password, source)
    for (let guess = 0; guess < perAccount; guess++) {
      expect((await login(email, 'x', { device: 'phone' })).status).toBe(401)
      expect((await login(email, 'x', { from: '198.51.100.2' })).status).toBe(401)
    }
    expect((await login(email, password, { device: 'phone', from: '198.51.100.1' })).status).toBe(429)
    expect((await login(email, password, { from: '198.51.100.2' })).status).toBe(429)
    expect((await login(email, password, { device: 'laptop' })).status).toBe(200)
    expect((await login(email, password, { from: '198.51.100.1' })).status).toBe(200)
  })

  test('of 30 concurrent guesses from one known device, 10 are checked', async () => {
    const email = await account()
    await login(email, password, { device: 'phone' })
    const guesses = Array.from({ length: 30 }, () => login(email, 'x', { device: 'phone' }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter(status => status === 401)).toHaveLength(perAccount)
  })

  test('a device and a network are known for 90 days after a sign-in there, and only to that account', async () => {
    const [email, other] = [await besieged(), await account()]
    await t.advance(knownDays * 24 - 1)
    for (let guess = 0; guess < perAccount; guess++) await login(email, 'x')
    expect((await login(email, 'x', { device: 'phone' })).status).toBe(401)
    await t.advance(2)
    for (let guess = 0; guess < perAccount; guess++) await login(email, 'x')
    expect((await login(email, password, { device: 'phone' })).status).toBe(429)
    expect((await login(email, password, { from: '198.51.100.1' })).status).toBe(429)
    for (let guess = 0; guess < perAccount; guess++) await login(other, 'x')
    expect((await login(other, password, { device: 'phone', from: '198.51.100.1' })).status).toBe(429)
  })

  test('an IPv6 network counts as one address, however many of its addresses are used', async () => {
    const guesses = Array.from(
      { length: perAddress },
      (_, guess) => () => login(`prey${guess}@example.test`, 'x', { from: `2001:db8:0:7::${guess.toString(16)}` }),
    )
    await Promise.all(guesses.map(asManyAsWait))
    expect((await login(await account(), password, { from: '2001:db8:0:7:ffff::1' })).status).toBe(429)
    expect((await login(await account(), password, { from: '2001:db8:0:8::1' })).status).toBe(200)
  })

  test('an IPv6 network is known as a whole once the account has signed in from one of its addresses', async () => {
    const email = await account()
    await login(email, password, { from: '2001:db8:0:9::1' })
    for (let guess = 0; guess < perAccount; guess++) await login(email, `guess ${guess}`)
    expect((await login(email, password, { from: '2001:db8:0:a::2' })).status).toBe(429)
    expect((await login(email, password, { from: '2001:db8:0:9::2' })).status).toBe(200)
  })

  test('guesses are limited in the same way for an account that does not exist', async () => {
    for (let guess = 0; guess < perAccount; guess++) expect((await login('ghost@example.test', 'x')).status).toBe(401)
    expect((await login('ghost@example.test', 'x')).status).toBe(429)
  })

  test.each([0, perAccount - 1])(
    'of 30 concurrent guesses, after %i others, no more than 10 in all are checked',
    async before => {
      const email = await account()
      for (let guess = 0; guess < before; guess++) await login(email, `guess ${guess}`)
      const answers = await Promise.all(Array.from({ length: 30 }, (_, guess) => login(email, `another ${guess}`)))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter(status => status === 401)).toHaveLength(perAccount - before)
      expect(statuses.filter(status => status === 429)).toHaveLength(30 - perAccount + before)
    },
  )

  test('of the guesses that one address makes at many accounts at once, no more than 100 are checked', async () => {
    const guesses = Array.from(
      { length: perAddress + 20 },
      (_, guess) => () => login(`victim${guess}@example.test`, 'x', { from: '192.0.2.1' }),
    )
    const statuses = (await Promise.all(guesses.map(asManyAsWait))).map(({ status }) => status)
    expect(statuses.filter(status => status === 401)).toHaveLength(perAddress)
    expect((await login(await account(), password, { from: '192.0.2.1' })).status).toBe(429)
    expect((await login(await account(), password, { from: '192.0.2.2' })).status).toBe(200)
    // A forged header does not make it another address.
    const forged = { from: '192.0.2.1', headers: { 'x-forwarded-for': '203.0.113.7' } }
    expect((await login(await account(), password, forged)).status).toBe(429)
  })

  test('signing in clears the account’s failures, and nobody else’s', async () => {
    const [mine, other] = [await account(), await account()]
    for (let guess = 0; guess < perAccount - 1; guess++) await Promise.all([login(mine, 'x'), login(other, 'x')])
    expect((await login(mine, password)).status).toBe(200)
    for (let guess = 0; guess < perAccount; guess++) expect((await login(mine, 'x')).status).toBe(401)
    expect((await login(mine, 'x')).status).toBe(429)
    expect((await login(other, 'x')).status).toBe(401)
    expect((await login(other, password)).status).toBe(429)
  })
})

describe('behind a proxy', () => {
  const failsBehind = async (forwarded: string) => {
    const behind = await createApp(readEnv({ TRUST_PROXY: '1', LOG_LEVEL: 'silent' }))
    const email = await account()
    const { statusCode } = await behind.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      remoteAddress: '10.9.9.9',
      headers: { 'x-forwarded-for': forwarded },
      payload: { email, password: 'not it' },
    })
    await behind.close()
    expect(statusCode).toBe(401)
    return t.look('select ip from login_failures where email = $1', [email])
  }

  test('the address that the proxy saw counts, whatever the caller put before it', async () => {
    expect(await failsBehind('198.51.100.66, 203.0.113.7')).toEqual([{ ip: '203.0.113.7' }])
  })

  test.each(['x'.repeat(6000), 'unknown', '1.2.3', "'; --", '٣.1.1.1', '\u0001'])(
    'a header without a valid address (%.20s) is ignored, and causes no error',
    async forwarded => {
      expect(await failsBehind(forwarded)).toEqual([{ ip: '10.9.9.9' }])
    },
  )
})
