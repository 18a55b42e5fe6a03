/** One's own profile: what can be changed and what cannot, and the pause of payouts after a new payment method. */
import { describe, expect, test, vi } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import { sql, transact } from '../../kit/server/db.ts'
import { password, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { User } from '../contract.ts'
import { payoutPauseHours } from '../rules.ts'
import { storedTimeZone } from './timeZones.ts'

const t = testApp()
const person = signedUp(t, 'TESTER')

/** Includes the password, which a new payment method requires. */
const change = (fields: object, who = person) =>
  who.call<User & ErrorBody>('PATCH', '/users/me', { ...fields, currentPassword: password })
const whoWaits = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
const pausedUntil = async (who: Person) => (await me(who)).payoutsPausedUntil
const me = async (who = person) => (await who.call<User>('GET', '/users/me')).body

test('name, country, time zone and payment method can each be changed alone', async () => {
  for (const fields of [
    { name: 'Ann Other' },
    { country: 'FR' },
    { timeZone: 'Asia/Tokyo' },
    { paymentMethod: 'payout@example.test' },
    { country: null },
  ]) {
    const before = await me()
    const { status, body } = await change(fields)
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        ...fields,
        payoutsPausedUntil: body.payoutsPausedUntil,
        payoutsPausedBecause: body.payoutsPausedBecause,
      },
    ])
    expect(await me()).toEqual(body)
  }
})

test('a time zone is stored under a name that means the same zone to the database', async () => {
  const stored = async (timeZone: string) => (await change({ timeZone })).body.timeZone
  // PostgreSQL does not know VST, and takes IST for Israel's time.
  expect(await Promise.all([stored('VST'), stored('IST')])).toEqual(['Asia/Saigon', 'Asia/Calcutta'])
  expect(await stored('asia/tokyo')).toBe('Asia/Tokyo')
  for (const timeZone of Intl.supportedValuesOf('timeZone'))
    expect(await storedTimeZone(timeZone)).toSatisfy(name => name === timeZone || name === undefined)
  const all = [...Intl.supportedValuesOf('timeZone'), 'EST', 'AET', 'US/Pacific-New', 'Canada/East-Saskatchewan']
  const names = (await Promise.all(all.map(storedTimeZone))).filter(name => name !== undefined)
  expect(names.length).toBeGreaterThan(400)
  expect(
    await t.look('select count(now() at time zone name)::int as read from unnest($1::text[]) name', [names]),
  ).toEqual([{ read: names.length }])
})

test('fields that are not sent stay as they are', async () => {
  const before = await me()
  expect((await change({})).body).toEqual(before)
})

test.each([
  [{ name: '' }, 'name', 'Full name is required'],
  [{ name: 'x'.repeat(101) }, 'name', 'Full name may have at most 100 characters'],
  [{ name: null }, 'name', 'Full name is required'],
  [{ country: 'Germany' }, 'country', 'Choose a country from the list'],
  [{ timeZone: 'Nowhere' }, 'timeZone', 'Time zone must be a name such as Europe/Berlin'],
  [{ paymentMethod: 'my bank' }, 'paymentMethod', 'Enter a valid email address'],
])('%j is refused at its field', async (fields, field, message) => {
  const before = await me()
  expect(await change(fields)).toMatchObject({ status: 400, body: { message, fields: { [field]: message } } })
  expect(await me()).toEqual(before)
})

test('role, balance, status, email, id and confirmation cannot be set by sending them', async () => {
  const other = await t.signUp('TESTER')
  const [before] = await t.look('select * from users where id = $1', [other.user.id])
  const fields = {
    id: person.user.id,
    role: 'ADMIN',
    email: 'admin@example.test',
    balanceCents: 100_000,
    status: 'ACTIVE',
    isVerified: true,
    emailVerifiedAt: '2020-01-01T00:00:00Z',
    suspendedAt: null,
    passwordHash: 'x',
    password: 'another',
    pendingEmail: 'pending@example.test',
    payoutsPausedBecause: null,
    createdAt: '2000-01-01T00:00:00.000Z',
    payoutsPausedUntil: null,
    mailRefusal: null,
    paymentMethodChangedAt: '2000-01-01T00:00:00.000Z',
  }
  expect((await change(fields, other)).status).toBe(200)
  expect(await t.look('select * from users where id = $1', [other.user.id])).toEqual([before])
  expect((await other.call('GET', '/admin/campaigns/pending')).status).toBe(403)
  expect((await other.call<{ balanceCents: number }>('GET', '/testers/balance')).body.balanceCents).toBe(0)
})

test('two concurrent changes are both kept', async () => {
  const other = await t.signUp('DEVELOPER')
  const { id } = other.user
  const later = await transact(async tx => {
    await tx.rows(sql`select from users where id = ${id} for update`)
    const waiting = change({ country: 'NL' }, other)
    await vi.waitFor(async () => expect(await t.look(whoWaits)).toHaveLength(1))
    await tx.run(sql`update users set name = 'Both' where id = ${id}`)
    return { waiting }
  })
  expect((await later.waiting).body).toMatchObject({ name: 'Both', country: 'NL' })
})

describe('the payment method', () => {
  test('is the account’s email until another one is set, and again after null', async () => {
    const other = await t.signUp('TESTER')
    expect((await me(other)).paymentMethod).toBe(other.user.email)
    expect((await change({ paymentMethod: ' New@Example.TEST ' }, other)).body.paymentMethod).toBe('new@example.test')
    expect((await change({ paymentMethod: null }, other)).body.paymentMethod).toBe(other.user.email)
  })

  test('pauses payouts for 24 hours when it changes', async () => {
    const other = await t.signUp('TESTER')
    const { body, headers } = await change({ paymentMethod: 'new@example.test' }, other)
    const hours = (Date.parse(body.payoutsPausedUntil!) - Date.parse(String(headers['x-server-time']))) / 3_600_000
    expect(hours).toBeCloseTo(payoutPauseHours, 2)
    const refused = await other.call('POST', '/testers/withdraw', { amountCents: 1000 })
    expect(refused).toMatchObject({ status: 409, body: { code: 'PAYOUT_METHOD_PAUSED' } })
    await t.advance(payoutPauseHours)
    expect(await pausedUntil(other)).toBeNull()
    expect((await other.call('POST', '/testers/withdraw', { amountCents: 1000 })).body.code).toBe(
      'INSUFFICIENT_BALANCE',
    )
  })

  test('going back to the account’s own email counts as a change', async () => {
    const other = await t.signUp('TESTER')
    await change({ paymentMethod: 'new@example.test' }, other)
    await t.advance(payoutPauseHours)
    await change({ paymentMethod: null }, other)
    expect(await pausedUntil(other)).not.toBeNull()
  })

  test('sending the current one changes nothing and pauses nothing', async () => {
    const other = await t.signUp('TESTER')
    await change({ paymentMethod: other.user.email.toUpperCase() }, other)
    await change({ paymentMethod: null }, other)
    expect(await pausedUntil(other)).toBeNull()
    await change({ paymentMethod: 'new@example.test' }, other)
    await t.advance(payoutPauseHours)
    await change({ paymentMethod: 'NEW@example.test', name: 'Still me' }, other)
    expect(await pausedUntil(other)).toBeNull()
  })

  test('a refused change pauses nothing', async () => {
    const other = await t.signUp('TESTER')
    await change({ paymentMethod: 'new@example.test', timeZone: 'Nowhere' }, other)
    expect(await me(other)).toMatchObject({ paymentMethod: other.user.email, payoutsPausedUntil: null })
  })
})
