import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../app/testing/app.ts'
import type { SecurityReport } from '../usersContract.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ RATE_LIMIT: 'on' })
})
afterAll(() => t.stop())

test('the security report names failed logins, locked accounts until they open, and sessions in use', async () => {
  const [admin, victim, gone] = [await t.signUp('ADMIN'), await t.signUp('TESTER'), await t.signUp('TESTER')]
  await gone.call('POST', '/auth/logout')
  const report = async () => (await admin.call<SecurityReport>('GET', '/admin/security')).body
  for (let guess = 0; guess < 11; guess++) {
    await t.call('POST', '/auth/login', { body: { email: victim.user.email, password: `guess ${guess}` } })
  }
  const now = await report()
  expect(now.failedLogins.map(failure => failure.email)).toEqual(Array.from({ length: 10 }, () => victim.user.email))
  expect(now.lockedAccounts).toMatchObject([{ email: victim.user.email, failures: 10 }])
  expect(now.sessions.map(session => session.user.email).toSorted()).toEqual(
    [admin.user.email, victim.user.email].toSorted(),
  )
  await t.advance(0.26)
  expect((await report()).lockedAccounts).toEqual([])
  expect((await t.signIn(victim.user.email)).accessToken).toBeTypeOf('string')
})
