/** Suspending a user ends every session at once; who can be suspended, and how often (product.md §5, §7). */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { password, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { type OtherServer, startOtherServer } from '../../testing/processes.ts'
import { inParallel, emailsOf, tally } from '../../testing/observed.ts'
import type { UserProfile } from '../contract.ts'

const jwtSecret = 'one secret that both of the servers know'
const reason = 'Several accounts on one device.'
const t = testApp({ JWT_SECRET: jwtSecret })
const admin = signedUp(t, 'ADMIN')

const ban = (who: Person, by = admin) =>
  by.call<UserProfile & { code?: string }>('POST', `/admin/users/${who.user.id}/ban`, { reason })
const unban = (who: Person) =>
  admin.call<UserProfile>('POST', `/admin/users/${who.user.id}/unban`, { reason: 'A family.' })
const signInAs = ({ user }: Person, secret = password) =>
  t.call<{ accessToken?: string }>('POST', '/auth/login', { body: { email: user.email, password: secret } })
const meStatus = async (token: string) => (await t.call('GET', '/users/me', { token })).status
const auditOf = (who: Person) =>
  t.look<{ action: string; facts: object }>('select action, facts from audit_log where subject_id = $1 order by id', [
    who.user.id,
  ])
const liveSessionsOf = async (who: Person) =>
  (await t.look('select id from sessions where user_id = $1 and ended_at is null', [who.user.id])).length

describe('a suspended user', () => {
  test('is signed out at once: every session ends with its access and refresh tokens', async () => {
    const person = await t.signUp('TESTER')
    const phone = await t.signIn(person.user.email)
    expect((await ban(person)).body).toMatchObject({ status: 'SUSPENDED', suspension: { reason } })
    expect([await meStatus(person.accessToken), await meStatus(phone.accessToken)]).toEqual([401, 401])
    expect(await liveSessionsOf(person)).toBe(0)
  })

  test('gets the reason when an open tab refreshes, and when signing in, but only with the right password', async () => {
    const person = await t.signUp('TESTER')
    await ban(person)
    const told = { status: 403, body: { code: 'SUSPENDED', message: `Your account is suspended: ${reason}` } }
    expect(await t.call('POST', '/auth/refresh', { body: { refreshToken: person.refreshToken } })).toMatchObject(told)
    expect(await signInAs(person)).toMatchObject(told)
    expect(await signInAs(person, 'not it')).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
    expect(await liveSessionsOf(person)).toBe(0)
  })

  test('keeps no session opened at the same moment', async () => {
    for (let round = 0; round < 6; round++) {
      const person = await t.signUp('TESTER')
      const [tries] = await Promise.all([inParallel(4, () => signInAs(person)), ban(person)])
      expect(await liveSessionsOf(person)).toBe(0)
      for (const { body } of tries) if (body.accessToken) expect(await meStatus(body.accessToken)).toBe(401)
    }
  })

  test('is notified by email and in the product', async () => {
    const person = await t.signUp('TESTER')
    await ban(person)
    await unban(person)
    await t.advance(0)
    const emails = (await emailsOf(t)).filter(email => email.startsWith(person.user.email))
    expect(emails).toEqual([
      `${person.user.email}: Your account is restored`,
      `${person.user.email}: Your account is suspended`,
    ])
  })
})

describe('on another server', () => {
  let other: OtherServer
  beforeAll(async () => {
    other = await startOtherServer(t, {
      JWT_SECRET: jwtSecret,
      LOG_LEVEL: 'silent',
    })
  })
  afterAll(() => other.stop())

  test('the access token of a suspended user stops working within a second', async () => {
    const person = await t.signUp('DEVELOPER')
    const there = async () =>
      (await fetch(`${other.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${person.accessToken}` } }))
        .status
    expect(await there()).toBe(200)
    await ban(person)
    await vi.waitFor(async () => expect(await there()).toBe(401), { timeout: 1000, interval: 5 })
  })
})

describe('suspending', () => {
  test('is refused for admins, for oneself too', async () => {
    const colleague = await t.signUp('ADMIN')
    for (const who of [colleague, admin]) {
      expect(await ban(who)).toMatchObject({ status: 409, body: { message: 'Admins cannot be suspended.' } })
      expect((await auditOf(who)).map(({ action }) => action)).toEqual(['admin.create'])
    }
    expect((await admin.call('GET', '/users/me')).status).toBe(200)
  })

  test('takes effect once: a second or concurrent request is refused with 409, and one entry is in the audit log', async () => {
    const person = await t.signUp('TESTER')
    expect(tally(await inParallel(10, () => ban(person)))).toEqual({ 200: 1, 409: 9 })
    expect(await auditOf(person)).toEqual([{ action: 'user.ban', facts: { reason } }])
    expect(tally(await inParallel(10, () => unban(person)))).toEqual({ 200: 1, 409: 9 })
    expect(await auditOf(person)).toEqual([
      { action: 'user.ban', facts: { reason } },
      { action: 'user.unban', facts: { reason: 'A family.' } },
    ])
    expect((await unban(person)).status).toBe(409)
    expect((await signInAs(person)).status).toBe(200)
  })

  test('requires a reason, and is refused with 404 for an unknown user', async () => {
    const person = await t.signUp('TESTER')
    const noReason = await admin.call('POST', `/admin/users/${person.user.id}/ban`, { reason: '  ' })
    expect(noReason).toMatchObject({ status: 400, body: { fields: { reason: 'Reason is required' } } })
    expect((await admin.call('POST', '/admin/users/019e8a00-0000-7000-8000-000000000000/ban', { reason })).status).toBe(
      404,
    )
  })
})
