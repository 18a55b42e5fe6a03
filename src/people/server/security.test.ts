import { expect, test } from 'vitest'
import { autocommit } from '../../kit/server/db.ts'
import { testApp } from '../../testing/prologue.ts'
import { hoursAfter } from '../../kit/clock.ts'
import { loginLimits } from '../../accounts/rules.ts'
import type { SecurityReport } from '../contract.ts'
import { sessionsInUse } from './queries.ts'

const t = testApp({ RATE_LIMIT: 'on' })

test('the security report lists failed logins, locked accounts until they are unlocked, and open sessions', async () => {
  const [admin, victim, gone] = [await t.signUp('ADMIN'), await t.signUp('TESTER'), await t.signUp('TESTER')]
  await gone.call('POST', '/auth/logout')
  const report = async () => (await admin.call<SecurityReport>('GET', '/admin/security')).body
  for (let guess = 0; guess < 11; guess++) {
    await t.call('POST', '/auth/login', { body: { email: victim.user.email, password: `guess ${guess}` } })
  }
  const now = await report()
  expect(now.failedLogins.map(failure => failure.email)).toEqual(Array.from({ length: 10 }, () => victim.user.email))
  expect(now.lockedAccounts).toMatchObject([{ email: victim.user.email, lockedFor: 'KNOWN_DEVICE', failures: 10 }])
  // The first of them is the first that no longer counts.
  expect(now.lockedAccounts[0]!.until).toBe(hoursAfter(now.failedLogins.at(-1)!.at, loginLimits.windowMinutes / 60))
  expect(now.sessions.map(session => session.user.email).toSorted()).toEqual(
    [admin.user.email, victim.user.email].toSorted(),
  )
  await t.advance(0.26)
  expect((await report()).lockedAccounts).toEqual([])
  expect((await t.signIn(victim.user.email)).accessToken).toBeTypeOf('string')
})

test('failures before a successful login stay in the report, and successes leave none; failures are deleted by age', async () => {
  const [admin, victim] = [await t.signUp('ADMIN'), await t.signUp('TESTER')]
  const { email } = victim.user
  const failed = async () =>
    (await admin.call<SecurityReport>('GET', '/admin/security')).body.failedLogins.filter(each => each.email === email)
  const guess = (password: string) => t.call('POST', '/auth/login', { body: { email, password } })
  for (let wrong = 0; wrong < 9; wrong++) expect((await guess(`guess ${wrong}`)).status).toBe(401)
  // Concurrent successes must not deadlock.
  const right = await Promise.all(Array.from({ length: 4 }, () => t.signIn(email)))
  expect(right.every(({ accessToken }) => accessToken !== '')).toBe(true)
  expect(await failed()).toHaveLength(9)
  expect((await guess('once more')).status).toBe(401)
  expect(await failed()).toHaveLength(10)
  const report = (await admin.call<SecurityReport>('GET', '/admin/security')).body
  expect(report.lockedAccounts.filter(locked => locked.email === email)).toEqual([])
  // Three months have at most 92 days.
  await t.advance(93 * 24)
  expect(await t.look('select from login_failures where email = $1', [email])).toEqual([])
})

test('an unknown email, which may be a password, is not shown, but locked accounts are', async () => {
  const [admin, victim] = [await t.signUp('ADMIN'), await t.signUp('TESTER')]
  const { email } = victim.user
  const stranger = { method: 'POST', url: '/api/v1/auth/login', remoteAddress: '192.0.2.1' } as const
  for (let guess = 0; guess < 10; guess++) {
    await t.app.inject({ ...stranger, payload: { email, password: 'a guess' } })
    await t.app.inject({ ...stranger, payload: { email: 'my secret password', password: 'me@example.test' } })
    await victim.call('DELETE', '/users/me', { password: 'a typo' })
  }
  const { body } = await admin.call<SecurityReport>('GET', '/admin/security')
  expect(body.failedLogins.slice(0, 3).map(failure => failure.email)).toEqual([email, null, email])
  expect(JSON.stringify(body)).not.toContain('my secret')
  expect(body.lockedAccounts.slice(0, 2)).toMatchObject([
    { email, lockedFor: 'OWN_PASSWORD', failures: 10 },
    { email, lockedFor: 'UNKNOWN_DEVICES', failures: 10 },
  ])
})

test('a session counts as open until it expires, and no longer', async () => {
  const { user } = await t.signUp('TESTER')
  const [{ at } = { at: '' }] = await t.look<{ at: string }>(
    'select expires_at as at from sessions where user_id = $1',
    [user.id],
  )
  const isOpen = async (now: string) => (await sessionsInUse(autocommit, now)).some(one => one.user.id === user.id)
  expect([await isOpen(new Date(Date.parse(at) - 1).toISOString()), await isOpen(at)]).toEqual([true, false])
})
