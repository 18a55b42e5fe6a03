/** `npm run admin -- reset-second-factor EMAIL`, for users who have lost every factor. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '../../audit/contract.ts'
import type { UserProfile } from '../../people/contract.ts'
import { password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { moduleAt } from '../../testing/processes.ts'
import { overtaken } from '../../testing/races.ts'
import { addPasskey, addTotp, codeOf } from '../../testing/secondFactor.ts'
import { resetSecondFactor } from './secondFactorReset.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

const run = promisify(execFile)
const reset = (email: string) =>
  run(process.execPath, [...moduleAt('scripts/admin.ts'), 'reset-second-factor', email], {
    env: { PATH: process.env.PATH, DATABASE_URL: t.databaseUrl },
  }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
  )

const login = (email: string) => t.call('POST', '/auth/login', { body: { email, password } })
const log = async () => (await admin.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log')).body.data

beforeAll(async () => {
  await admin.call('GET', '/users/me')
})

test('removes every factor, ends all sessions, is audited, and is reported to the user by email', async () => {
  const person = await t.signUp('TESTER')
  await addTotp(person)
  await addPasskey(person)
  expect((await login(person.user.email)).status).toBe(401)
  expect(await reset(person.user.email.toUpperCase())).toMatchObject({
    code: 0,
    said: expect.stringContaining('no longer has a second factor'),
  })
  const after = await login(person.user.email)
  expect(after.status).toBe(200)
  expect((await t.call('POST', '/auth/refresh', { body: { refreshToken: person.refreshToken } })).status).toBe(401)
  expect((await log())[0]).toMatchObject({
    admin: null,
    action: 'user.reset-second-factor',
    subjectType: 'user',
    subjectId: person.user.id,
  })
  const { body: profile } = await admin.call<UserProfile>('GET', `/admin/users/${person.user.id}`)
  expect(profile.adminActions).toMatchObject([{ action: 'user.reset-second-factor', adminName: null }])
  await t.advance(0)
  const mails = await t.look<{ subject: string }>(
    `select subject from notifications where user_id = $1 order by id desc limit 1`,
    [person.user.id],
  )
  expect(mails).toEqual([{ subject: 'Your second factor was reset' }])
  expect(
    await t.look(`select from pgboss.job where state <> 'completed' and name = 'notifications.send-mail'`),
  ).toEqual([])
})

test('waits for a factor that is being added, and removes it as well', async () => {
  const person = await t.signUp('TESTER')
  const { body } = await person.call<{ secret: string }>('POST', '/users/me/second-factor/totp', {
    currentPassword: password,
  })
  const [confirmed, removed] = await overtaken(
    t,
    { rows: 'select from sessions where user_id = $1', values: [person.user.id] },
    () => person.call('POST', '/users/me/second-factor/totp/confirm', { code: codeOf(body.secret) }),
    () => resetSecondFactor(person.user.email),
  )
  expect([confirmed.status, removed]).toEqual([200, true])
  expect((await login(person.user.email)).status).toBe(200)
  expect((await log())[0]).toMatchObject({ action: 'user.reset-second-factor', subjectId: person.user.id })
})

test('changes nothing for a user without a factor, and is refused for an unknown user', async () => {
  const person = await t.signUp('TESTER')
  const before = await log()
  expect(await reset(person.user.email)).toMatchObject({
    code: 0,
    said: `${person.user.email} has no second factor.\n`,
  })
  expect(await reset('nobody@example.test')).toEqual({ code: 1, said: 'User not found.\n' })
  expect(await reset('not an address')).toMatchObject({ code: 1 })
  expect((await person.call('GET', '/users/me')).status).toBe(200)
  expect(await log()).toEqual(before)
})
