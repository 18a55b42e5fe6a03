import { describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import { createApp } from '../../app/server/app.ts'
import { readEnv } from '../../app/server/env.ts'
import { password } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import type { Session } from '../contract.ts'
import { loginLimits } from '../rules.ts'

const t = testApp({ RATE_LIMIT: 'on' })
/** Every caller has an address of its own, unless a test says otherwise. */
let addresses = 0

const account = async () => (await t.signUp('TESTER')).user.email

const login = async (
  email: unknown,
  secret: unknown,
  { from = `10.0.${++addresses >> 8}.${addresses & 255}`, headers = {} } = {},
) => {
  const reply = await t.app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    remoteAddress: from,
    headers,
    payload: { email, password: secret },
  })
  return { status: reply.statusCode, body: reply.json<Session & ErrorBody>(), headers: reply.headers }
}

test('signing in answers with both tokens and the user; the address may be written in any case', async () => {
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
])('without an email or a password it says so: %j %j', async (email, secret, message) => {
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

describe('guessing is limited', () => {
  const { perAccount, perAddress, windowMinutes } = loginLimits

  test('after 10 wrong passwords an account waits, even for the right one and from elsewhere', async () => {
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

  test('an account that does not exist waits just the same', async () => {
    for (let guess = 0; guess < perAccount; guess++) expect((await login('ghost@example.test', 'x')).status).toBe(401)
    expect((await login('ghost@example.test', 'x')).status).toBe(429)
  })

  test.each([0, perAccount - 1])(
    'of 30 guesses at once, after %i, no more than 10 in all are looked at',
    async before => {
      const email = await account()
      for (let guess = 0; guess < before; guess++) await login(email, `guess ${guess}`)
      const answers = await Promise.all(Array.from({ length: 30 }, (_, guess) => login(email, `another ${guess}`)))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter(status => status === 401)).toHaveLength(perAccount - before)
      expect(statuses.filter(status => status === 429)).toHaveLength(30 - perAccount + before)
    },
  )

  test('of the guesses that one address makes at many accounts at once, no more than 100 are looked at', async () => {
    const guesses = Array.from({ length: perAddress + 20 }, (_, guess) =>
      login(`victim${guess}@example.test`, 'x', { from: '192.0.2.1' }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter(status => status === 401)).toHaveLength(perAddress)
    expect((await login(await account(), password, { from: '192.0.2.1' })).status).toBe(429)
    expect((await login(await account(), password, { from: '192.0.2.2' })).status).toBe(200)
    // A made-up header does not make another address of it.
    const forged = { from: '192.0.2.1', headers: { 'x-forwarded-for': '203.0.113.7' } }
    expect((await login(await account(), password, forged)).status).toBe(429)
  })

  test('signing in takes the account’s failures back, and nobody else’s', async () => {
    const [mine, other] = [await account(), await account()]
    for (let guess = 0; guess < perAccount - 1; guess++) await Promise.all([login(mine, 'x'), login(other, 'x')])
    expect((await login(mine, password)).status).toBe(200)
    for (let guess = 0; guess < perAccount; guess++) expect((await login(mine, 'x')).status).toBe(401)
    expect((await login(mine, 'x')).status).toBe(429)
    expect((await login(other, 'x')).status).toBe(401)
    expect((await login(other, password)).status).toBe(429)
  })
})

test('behind a proxy the address that the proxy saw counts, whatever the caller wrote before it', async () => {
  const behind = await createApp(readEnv({ TRUST_PROXY: '1', LOG_LEVEL: 'silent' }))
  const email = await account()
  await behind.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    remoteAddress: '10.9.9.9',
    headers: { 'x-forwarded-for': '198.51.100.66, 203.0.113.7' },
    payload: { email, password: 'not it' },
  })
  await behind.close()
  expect(await t.look('select ip from login_failures where email = $1', [email])).toEqual([{ ip: '203.0.113.7' }])
})
