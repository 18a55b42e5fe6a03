/** Weak passwords: testers and developers may set them with a warning, but not where more is at stake. */
import { afterEach, expect, test } from 'vitest'
import { password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { createAdmin } from './accounts.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const set = (weakPasswords: string) => admin.call('PATCH', '/admin/settings', { weakPasswords })
afterEach(() => set('warn'))

let people = 0
const register = (secret: string) =>
  t.call<{ fields?: Record<string, string> }>('POST', '/auth/register', {
    body: { email: `new${++people}@example.test`, password: secret, name: 'Ann Lee', role: 'TESTER' },
  })
const common = 'This is one of the 10,000 most common passwords. Choose another one.'

test('a tester’s weak password is accepted while the setting says warn', async () => {
  for (const weak of ['123456', 'aaaaaa', 'annlee']) expect((await register(weak)).status).toBe(201)
})

test('with the setting refuse it is refused for everybody, with an explanation at its field', async () => {
  const person = await t.signUp('TESTER')
  await set('refuse')
  expect(await register('123456')).toMatchObject({ status: 400, body: { fields: { password: common } } })
  expect((await register('aaaaaa')).body.fields).toEqual({
    password: 'This password repeats one character. Choose another one.',
  })
  expect((await register('annlee')).body.fields).toEqual({
    password: 'This password is made up of your name or email address. Choose another one.',
  })
  expect((await register(password)).status).toBe(201)
  const change = await person.call('POST', '/users/me/password', {
    currentPassword: password,
    newPassword: 'Password1',
  })
  expect(change).toMatchObject({ status: 400, body: { fields: { newPassword: common } } })
  expect((await t.signIn(person.user.email)).user.id).toBe(person.user.id)
})

test('an admin’s weak password is refused, whatever the setting says', async () => {
  const change = { currentPassword: password, newPassword: 'letmein' }
  const refused = await admin.call('POST', '/users/me/password', change)
  expect(refused).toMatchObject({ status: 400, body: { fields: { newPassword: common } } })
  await expect(createAdmin({ email: 'boss@example.test', password: '123456', name: 'Boss' })).rejects.toThrow(common)
  const tester = await t.signUp('TESTER')
  expect((await tester.call('POST', '/users/me/password', change)).status).toBe(204)
})
