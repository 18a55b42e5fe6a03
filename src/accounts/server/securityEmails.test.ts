/** Changes that a thief would make require the password, and are reported to the account's owner in the product and by email. */
import { describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import { password, type Person } from '../../testing/app.ts'
import { tokensFor } from '../../testing/emailedLinks.ts'
import { emailsOf } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import { addPasskey, addTotp, firstStep, secondStep } from '../../testing/secondFactor.ts'
import type { Notification } from '../../notifications/contract.ts'
import { screenOf } from '../../notifications/about.ts'
import { clock } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import type { Session, SessionInfo } from '../contract.ts'
import { factorLimits } from '../secondFactorRules.ts'
import { resetSecondFactor } from './secondFactorReset.ts'

const t = testApp()
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'

/** Subjects, oldest first; the product and the emails say the same. */
const toldTo = async (person: Person, address = person.user.email) => {
  await t.advance(0)
  const { body } = await person.call<Notification[]>('GET', '/users/me/notifications')
  const subjects = body.map(({ subject }) => subject).toSorted()
  const mailed = (await emailsOf(t)).filter(email => email.startsWith(`${address}: `))
  const warnings = mailed.map(email => email.slice(address.length + 2))
  expect(warnings.toSorted()).toEqual(subjects)
  for (const { about } of body) expect(about && screenOf(about)).toBe(paths.settings)
  return subjects
}
const setMethod = (person: Person, body: object) => person.call<ErrorBody>('PATCH', '/users/me', body)
const login = (email: string, more: object = {}, userAgent = chrome) =>
  t.call<Session>('POST', '/auth/login', { body: { email, password, ...more }, headers: { 'user-agent': userAgent } })
const sessionsOf = async (person: Person) => (await person.call<SessionInfo[]>('GET', '/users/me/sessions')).body

describe('a new payment method', () => {
  test('is reported, but only if it really changes', async () => {
    const person = await t.signUp('TESTER')
    await setMethod(person, { name: 'Another Name' })
    expect(await toldTo(person)).toEqual([])
    await setMethod(person, { paymentMethod: 'pay@example.test', currentPassword: password })
    expect(await toldTo(person)).toEqual(['Your payment method was changed'])
  })

  test.each([undefined, '', 'not it'])(
    'with the password %j is refused at its field, and changes nothing',
    async secret => {
      const person = await t.signUp('TESTER')
      const body = { name: 'Half Done', paymentMethod: 'thief@example.test', currentPassword: secret }
      const { status, body: said } = await setMethod(person, body)
      expect([status, Object.keys(said.fields ?? {})]).toEqual([400, ['currentPassword']])
      expect((await person.call('DELETE', '/users/me/other-sessions', body)).status).toBe(400)
      expect((await person.call('GET', '/users/me')).body).toMatchObject({
        name: person.user.name,
        paymentMethod: person.user.email,
      })
      expect(await toldTo(person)).toEqual([])
    },
  )

  test('requires no password if it stays the same', async () => {
    const person = await t.signUp('TESTER')
    for (const same of [{ paymentMethod: null }, { paymentMethod: person.user.email.toUpperCase() }, { name: 'Me' }])
      expect((await setMethod(person, same)).status).toBe(200)
    await setMethod(person, { paymentMethod: 'pay@example.test', currentPassword: password })
    expect((await setMethod(person, { paymentMethod: 'pay@example.test', country: 'DE' })).status).toBe(200)
    expect((await setMethod(person, { paymentMethod: null })).status).toBe(400)
    // A form that was filled in before the method changed must not change it back without the password.
    const [changed, stale] = await overtaken(
      t,
      { rows: 'select from users where id = $1', values: [person.user.id] },
      () => setMethod(person, { paymentMethod: 'new@example.test', currentPassword: password }),
      () => setMethod(person, { paymentMethod: 'pay@example.test' }),
    )
    expect([changed.status, stale]).toEqual([200, expect.objectContaining({ status: 400 })])
  })
})

test('a new password is reported', async () => {
  const person = await t.signUp('DEVELOPER')
  await person.call('POST', '/users/me/password', { currentPassword: password, newPassword: 'another horse' })
  expect(await toldTo(person)).toEqual(['Your password was changed'])
})

describe('a sign-in', () => {
  test('from an unknown device is reported once, with the device', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'at home' })
    await login(person.user.email, { deviceFingerprint: 'at home' })
    expect(await toldTo(person)).toEqual([])
    await login(person.user.email, { deviceFingerprint: 'elsewhere' })
    await login(person.user.email, { deviceFingerprint: 'elsewhere' })
    expect(await toldTo(person)).toEqual(['New sign-in: Chrome on Windows'])
  })

  test('without a device name is recognized by its browser and address', async () => {
    const person = await t.signUp('TESTER')
    await t.signIn(person.user.email)
    expect(await toldTo(person)).toEqual([])
    await login(person.user.email)
    await login(person.user.email, { deviceFingerprint: 'named now' })
    expect(await toldTo(person)).toEqual(['New sign-in: Chrome on Windows'])
  })

  test('without a device name at another address is reported, even from the same browser', async () => {
    const person = await t.signUp('TESTER')
    await login(person.user.email)
    const elsewhere = await t.app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      remoteAddress: '198.51.100.9',
      headers: { 'user-agent': chrome },
      payload: { email: person.user.email, password },
    })
    expect(elsewhere.statusCode).toBe(200)
    const said = 'New sign-in: Chrome on Windows'
    expect(await toldTo(person)).toEqual([said, said])
  })

  test('from a device that was last used 90 days ago is reported again', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'at home' })
    await t.advance(24 * 90 + 1)
    const { body } = await login(person.user.email, { deviceFingerprint: 'at home' })
    const later = {
      ...person,
      call: ((method, path) => t.call(method, path, { token: body.accessToken })) as Person['call'],
    }
    expect(await toldTo(later)).toEqual(['New sign-in: Chrome on Windows'])
  })
})

describe('ending another session', () => {
  test('is reported with its device, unlike one’s own logout', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'at home' })
    await login(person.user.email, { deviceFingerprint: 'at home' })
    const [other] = (await sessionsOf(person)).filter(({ current }) => !current)
    expect((await person.call('DELETE', `/users/me/sessions/${other!.id}`, { currentPassword: password })).status).toBe(
      204,
    )
    const second = await login(person.user.email, { deviceFingerprint: 'at home' })
    await t.call('POST', '/auth/logout', { token: second.body.accessToken })
    expect(await toldTo(person)).toEqual(['Signed out: Chrome on Windows'])
  })

  test('is not reported if it had expired, and refuses what is left of its access token all the same', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'at home' })
    const { body } = await login(person.user.email, { deviceFingerprint: 'at home' })
    const [other] = (await sessionsOf(person)).filter(({ current }) => !current)
    await t.look('update sessions set expires_at = $2 where id = $1', [other!.id, clock.now()])
    const end = () => person.call('DELETE', `/users/me/sessions/${other!.id}`, { currentPassword: password })
    expect([(await end()).status, (await end()).status]).toEqual([204, 404])
    expect((await t.call('GET', '/users/me', { token: body.accessToken })).status).toBe(401)
    expect(await toldTo(person)).toEqual([])
  })

  test('together with all others is reported once, with their number', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'at home' })
    const others = []
    for (let session = 0; session < 3; session++)
      others.push((await login(person.user.email, { deviceFingerprint: 'at home' })).body)
    const end = () => person.call('DELETE', '/users/me/other-sessions', { currentPassword: password })
    expect(await end()).toMatchObject({ status: 200, body: { ended: 3 } })
    expect(await sessionsOf(person)).toMatchObject([{ current: true }])
    for (const { accessToken } of others)
      expect((await t.call('GET', '/users/me', { token: accessToken })).status).toBe(401)
    expect((await end()).body).toEqual({ ended: 0 })
    expect(await toldTo(person)).toEqual(['Signed out of 3 other sessions'])
  })

  test('does not count a session that had expired', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'at home' })
    await login(person.user.email, { deviceFingerprint: 'at home' })
    await t.look(`update sessions set expires_at = now() - interval '9 years' where user_id = $1 and id <> $2`, [
      person.user.id,
      (await sessionsOf(person)).find(({ current }) => current)!.id,
    ])
    const { body } = await person.call('DELETE', '/users/me/other-sessions', { currentPassword: password })
    expect([body, await toldTo(person)]).toEqual([{ ended: 0 }, []])
  })

  test.each([[undefined], [{}], [{ currentPassword: '' }], [{ currentPassword: 'not it' }]])(
    'is refused with the body %j, and the error names the field',
    async body => {
      const person = await t.signUp('TESTER')
      await t.signIn(person.user.email)
      const [other] = (await sessionsOf(person)).filter(({ current }) => !current)
      const { status, body: said } = await person.call<ErrorBody>('DELETE', `/users/me/sessions/${other!.id}`, body)
      expect([status, Object.keys(said.fields ?? {})]).toEqual([400, ['currentPassword']])
      expect(await sessionsOf(person)).toHaveLength(2)
    },
  )

  test('because its refresh token was used twice is reported', async () => {
    const person = await t.signUp('TESTER')
    const { body } = await login(person.user.email)
    const refresh = () => t.call('POST', '/auth/refresh', { body: { refreshToken: body.refreshToken } })
    expect([(await refresh()).status, (await refresh()).status]).toEqual([200, 401])
    expect(await toldTo(person)).toEqual(['New sign-in: Chrome on Windows', 'Signed out: Chrome on Windows'])
  })
})

describe('while a change of address can be undone', () => {
  const moved = async (address: string) => {
    const person = await t.signUp('TESTER')
    await person.call('POST', '/users/me/email', { email: address, currentPassword: password })
    await t.advance(0)
    const [token] = await tokensFor(t, address, 'Confirm your new email address')
    await t.call('POST', '/auth/verify-email', { body: { token, password } })
    return person
  }

  test('warnings also go to the old address', async () => {
    const address = 'moved@example.test'
    const person = await moved(address)
    await setMethod(person, { paymentMethod: 'thief@example.test', currentPassword: password })
    await t.advance(0)
    const subject = 'Your payment method was changed'
    const told = async () =>
      (await emailsOf(t)).filter(
        email => email.endsWith(subject) && [address, person.user.email].includes(email.split(':')[0]!),
      )
    // The new address gets it twice, because it was also the payment method for a while.
    expect(await told()).toEqual([
      `${address}: ${subject}`,
      `${address}: ${subject}`,
      `${person.user.email}: ${subject}`,
    ])
    await t.advance(72)
    await setMethod(person, { paymentMethod: 'other@example.test', currentPassword: password })
    await t.advance(0)
    expect((await told()).filter(email => email.startsWith(person.user.email))).toHaveLength(1)
  })

  test('the old address is warned of everything that happens to the second factor', async () => {
    const address = 'away@example.test'
    const person = await moved(address)
    await addTotp(person)
    const { id } = await addPasskey(person)
    const renewed = await person.call<{ recoveryCodes: string[] }>('POST', '/users/me/second-factor/recovery-codes')
    const guessed = await firstStep(t, address)
    for (let wrong = 0; wrong < factorLimits.wrongAnswers; wrong++)
      await secondStep(t, { challenge: guessed.challenge, code: '000000' })
    const { challenge } = await firstStep(t, address)
    expect((await secondStep(t, { challenge, code: renewed.body.recoveryCodes[0] })).status).toBe(200)
    expect((await person.call('DELETE', `/users/me/passkeys/${id}`)).status).toBe(204)
    expect((await person.call('DELETE', '/users/me/second-factor/totp')).status).toBe(204)
    await addTotp(person)
    expect(await resetSecondFactor(address)).toBe(true)
    await t.advance(0)
    const told = (await emailsOf(t)).filter(email => email.startsWith(`${person.user.email}: `))
    const subjects = told.map(email => email.slice(person.user.email.length + 2))
    // Subjects with quotation marks are encoded.
    for (const subject of [
      /Added.* authenticator app/,
      /Added.*passkey/,
      /New recovery codes/,
      /Wrong codes at sign-in/,
      /A recovery code was used/,
      /Removed.*passkey/,
      /Removed.* authenticator app/,
      /Your second factor was reset/,
    ])
      expect(subjects).toContainEqual(expect.stringMatching(subject))
  })
})
