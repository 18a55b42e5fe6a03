import { describe, expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import type { Session, User } from '../contract.ts'

const t = testApp({}, { hashesForReal: true })

const person = { email: 'ann@example.test', password: 'secret', name: 'Ann', role: 'TESTER' }
const register = <T = Session>(body: Record<string, unknown>) => t.call<T>('POST', '/auth/register', { body })
const refusal = async (change: Record<string, unknown>) => {
  const { status, body } = await register<{ message: string; fields: Record<string, string> }>({ ...person, ...change })
  return { status, message: body.message, fields: body.fields }
}
const users = (email: string) => t.look<{ id: string }>('select id from users where email = $1', [email])

test('registering returns both tokens and the user, and signs in', async () => {
  const { status, body } = await register({
    ...person,
    email: ' Fresh@Example.TEST ',
    country: 'DE',
    timeZone: 'Europe/Berlin',
  })
  expect(status).toBe(201)
  expect(Object.keys(body).toSorted()).toEqual(['accessToken', 'refreshToken', 'user'])
  expect(body.user).toMatchObject({
    email: 'fresh@example.test',
    name: 'Ann',
    role: 'TESTER',
    country: 'DE',
    timeZone: 'Europe/Berlin',
    paymentMethod: 'fresh@example.test',
    payoutsPausedUntil: null,
    mailRefusal: null,
  })
  expect((await t.call<User>('GET', '/users/me', { token: body.accessToken })).body).toEqual(body.user)
})

describe('missing and invalid fields are refused in the specification’s words', () => {
  test.each([
    ['email', undefined, 'Email is required'],
    ['email', '   ', 'Email is required'],
    ['email', 'ann', 'Enter a valid email address'],
    ['email', 'ann@', 'Enter a valid email address'],
    ['email', 'a nn@example.test', 'Enter a valid email address'],
    // Deleted accounts get such addresses, so nobody may register with one in advance.
    ['email', 'deleted-1@deleted.invalid', 'Enter a valid email address'],
    ['email', `${'a'.repeat(250)}@example.test`, 'Email may have at most 254 characters'],
    ['password', undefined, 'Password is required'],
    ['password', 'five5', 'Password must be at least 6 characters'],
    ['password', 'x'.repeat(201), 'Password may have at most 200 characters'],
    ['name', undefined, 'Full name is required'],
    ['name', '  ', 'Full name is required'],
    ['name', 'x'.repeat(101), 'Full name may have at most 100 characters'],
    ['role', 'ADMIN', 'Account type must be TESTER or DEVELOPER'],
    ['role', 'admin', 'Account type must be TESTER or DEVELOPER'],
    ['role', ['TESTER', 'ADMIN'], 'Account type must be TESTER or DEVELOPER'],
    ['country', 'Atlantis', 'Choose a country from the list'],
    ['timeZone', 'Mars/Base', 'Time zone must be a name such as Europe/Berlin'],
  ])('%s %j: %s', async (field, value, message) => {
    const before = await t.look('select id from users')
    expect(await refusal({ [field]: value })).toEqual({ status: 400, message, fields: { [field]: message } })
    expect(await t.look('select id from users')).toEqual(before)
  })
})

test('a password of exactly 6 characters is accepted, and one of 200', async () => {
  expect((await register({ ...person, email: 'six@example.test', password: 'sixsix' })).status).toBe(201)
  expect((await register({ ...person, email: 'long@example.test', password: 'x'.repeat(200) })).status).toBe(201)
})

test('an account without a given role becomes a tester’s', async () => {
  const { role: _, ...rest } = person
  expect((await register({ ...rest, email: 'default@example.test' })).body.user.role).toBe('TESTER')
})

test('an address can be registered once, whatever its case', async () => {
  expect((await register({ ...person, email: 'once@example.test' })).status).toBe(201)
  for (const email of ['once@example.test', 'ONCE@example.test', ' Once@Example.Test']) {
    const message = 'An account with this email already exists.'
    expect(await refusal({ email, password: 'another' })).toEqual({ status: 409, message, fields: { email: message } })
  }
  expect(await users('once@example.test')).toHaveLength(1)
  expect(
    (await t.call('POST', '/auth/login', { body: { email: 'once@example.test', password: 'another' } })).status,
  ).toBe(401)
})

test('of 16 concurrent registrations with one address, exactly one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      register({ ...person, email: index % 2 ? 'race@example.test' : 'RACE@example.test', name: `Racer ${index}` }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array.from({ length: 15 }, () => 409),
  ])
  const [user, ...more] = await users('race@example.test')
  expect(more).toEqual([])
  expect(await t.look('select id from sessions where user_id = $1', [user!.id])).toHaveLength(1)
})

test('fields that users must not set cannot be set by sending them', async () => {
  const { body } = await register({
    ...person,
    email: 'greedy@example.test',
    id: '00000000-0000-4000-8000-000000000001',
    balanceCents: 1_000_000,
    isVerified: true,
    emailVerifiedAt: '2020-01-01T00:00:00Z',
    status: 'ACTIVE',
    paymentMethod: 'thief@example.test',
    passwordHash: 'x',
    createdAt: '2000-01-01T00:00:00.000Z',
  })
  expect(body.user.id).not.toBe('00000000-0000-4000-8000-000000000001')
  expect(body.user.createdAt > '2020').toBe(true)
  expect(body.user.paymentMethod).toBe('greedy@example.test')
  const balance = await t.call<{ balanceCents: number }>('GET', '/testers/balance', { token: body.accessToken })
  expect(balance.body.balanceCents).toBe(0)
})

test('a password is stored as an argon2id hash and never shown', async () => {
  const { body } = await register({ ...person, email: 'hash@example.test', password: 'open sesame' })
  const [row] = await t.look<{ hash: string }>(
    "select password_hash as hash from users where email = 'hash@example.test'",
  )
  expect(row!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(JSON.stringify(body)).not.toMatch(/argon2|open sesame|password/i)
})
