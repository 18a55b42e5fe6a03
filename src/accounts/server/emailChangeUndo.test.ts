/** Taking an account back through its former address: nothing that a thief set up meanwhile stays in force. */
import { describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import { paidTester, password, type Person } from '../../testing/app.ts'
import { tokensFor } from '../../testing/emailedLinks.ts'
import { emailsOf, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { addPasskey, addTotp, codeOf, firstStep, secondStep } from '../../testing/secondFactor.ts'
import type { SecondFactors } from '../secondFactorContract.ts'
import type { UndoneEmailChange, User } from '../contract.ts'
import { linkHours } from '../rules.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')

let addresses = 0
const newAddress = () => `moved${++addresses}@example.test`
const ask = (person: Person, email: string, currentPassword = password) =>
  person.call<User & ErrorBody>('POST', '/users/me/email', { email, currentPassword })
const me = async (person: Person) => (await person.call<User>('GET', '/users/me')).body
const linksIn = async (address: string, subject: string) => {
  await t.advance(0)
  return tokensFor(t, address, subject)
}
const linkIn = async (address: string, subject: string) => (await linksIn(address, subject))[0]!
const stopLink = (address: string) => linkIn(address, 'Your email address is about to change')
const undoLink = (address: string) => linkIn(address, 'Your email address was changed')
const newPasswordLink = (address: string) => linkIn(address, 'Choose a new password')
const confirm = async (person: Person, email: string) =>
  person.call('POST', '/users/me/email/confirm', { token: await linkIn(email, 'Confirm your new email address') })
const undo = (token: unknown) =>
  t.call<UndoneEmailChange & ErrorBody>('POST', '/auth/undo-email-change', { body: { token } })
const login = async (email: string, secret = password) =>
  (await t.call('POST', '/auth/login', { body: { email, password: secret } })).status
const reset = (token: string, fresh: string) =>
  t.call('POST', '/auth/reset-password', { body: { token, password: fresh } })
const refused = { status: 400, body: { fields: { token: expect.stringContaining('no longer works') } } }
const told = async (address: string) => {
  await t.advance(0)
  return (await emailsOf(t)).filter(email => email.startsWith(`${address}: `)).map(email => email.split(': ')[1])
}

/** Requests and confirms the change. */
const move = async (person: Person, { email = newAddress(), secret = password } = {}) => {
  expect((await ask(person, email, secret)).status).toBe(200)
  expect((await confirm(person, email)).status).toBe(200)
  return email
}

describe('undoing a change', () => {
  test('restores the old address, ends all sessions, and keeps withdrawals paused', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { email } = tester.user
    const moved = await move(tester)
    const token = await undoLink(email)
    expect(await undo(token)).toMatchObject({ status: 200, body: { email, moved: true, removedFactors: 0 } })
    expect((await t.call('GET', '/users/me', { token: tester.accessToken })).status).toBe(401)
    expect((await reset(await newPasswordLink(email), 'battery staple')).status).toBe(200)
    expect([await login(moved, 'battery staple'), await login(email, 'battery staple')]).toEqual([401, 200])
    const again = await t.signIn(email, 'battery staple')
    expect(await me(again)).toMatchObject({ email, paymentMethod: email })
    expect((await again.call('POST', '/testers/withdraw', { amountCents: 1000 })).status).toBe(409)
    expect(await undo(token)).toMatchObject(refused)
    expect(await told(email)).toContain('Your email address is back')
  })

  test('leaves no password valid, neither the old one nor the thief’s', async () => {
    const person = await t.signUp('TESTER')
    const { email } = person.user
    await move(person)
    await person.call('POST', '/users/me/password', { currentPassword: password, newPassword: 'stolen horse' })
    expect((await undo(await undoLink(email))).status).toBe(200)
    expect([await login(email), await login(email, 'stolen horse')]).toEqual([401, 401])
    const [{ hash }] = (await t.look<{ hash: string }>('select password_hash as hash from users where id = $1', [
      person.user.id,
    ])) as [{ hash: string }]
    expect(hash).toMatch(/^\$argon2id\$/)
  })

  test('removes the factors that were set up after the request, and no others', async () => {
    const person = await t.signUp('TESTER')
    const { email } = person.user
    const { passkey } = await addPasskey(person)
    await ask(person, newAddress())
    const stop = await stopLink(email)
    await addPasskey(person)
    const begun = await person.call<{ secret: string }>('POST', '/users/me/second-factor/totp', {})
    const confirmed = await person.call('POST', '/users/me/second-factor/totp/confirm', {
      code: codeOf(begun.body.secret),
    })
    expect(confirmed.status).toBe(200)
    await person.call('POST', '/users/me/second-factor/recovery-codes')
    expect((await undo(stop)).body).toEqual({ email, moved: false, removedFactors: 2 })
    await reset(await newPasswordLink(email), password)
    const { challenge } = await firstStep(t, email)
    const back = await secondStep(t, { challenge, assertion: passkey.assert(challenge) })
    expect(back.status).toBe(200)
    const left = await t.call<SecondFactors>('GET', '/users/me/second-factor', { token: back.body.accessToken })
    expect(left.body).toMatchObject({ passkeys: [{ name: 'Phone' }], totp: null, recoveryCodesLeft: 0 })
  })

  test('removes an app that was set up before but confirmed after the change, and the recovery codes with the last factor', async () => {
    const person = await t.signUp('TESTER')
    const { email } = person.user
    const begun = await person.call<{ secret: string }>('POST', '/users/me/second-factor/totp', {
      currentPassword: password,
    })
    await move(person)
    await person.call('POST', '/users/me/second-factor/totp/confirm', { code: codeOf(begun.body.secret) })
    expect((await undo(await undoLink(email))).body.removedFactors).toBe(1)
    await reset(await newPasswordLink(email), 'battery staple')
    const again = await t.signIn(email, 'battery staple')
    const left = await again.call<SecondFactors>('GET', '/users/me/second-factor')
    expect(left.body).toMatchObject({ inForce: false, recoveryCodesLeft: 0 })
  })

  test('keeps a factor from before the change', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    await move(person)
    expect((await undo(await undoLink(person.user.email))).body.removedFactors).toBe(0)
    await reset(await newPasswordLink(person.user.email), password)
    const { challenge } = await firstStep(t, person.user.email)
    expect((await secondStep(t, { challenge, code: codeOf(secret) })).status).toBe(200)
  })

  test('before the account has moved resets the payment method and pauses payouts', async () => {
    const person = await t.signUp('TESTER')
    const { email } = person.user
    await person.call('PATCH', '/users/me', { paymentMethod: 'thief@example.test', currentPassword: password })
    await ask(person, newAddress())
    await t.advance(23)
    expect((await undo(await stopLink(email))).body).toMatchObject({ moved: false })
    await reset(await newPasswordLink(email), 'battery staple')
    const again = await t.signIn(email, 'battery staple')
    expect((await me(again)).paymentMethod).toBe(email)
    expect((await me(again)).payoutsPausedUntil).not.toBeNull()
  })

  test('resets a payment method set meanwhile to the old address, and notifies the address that is left', async () => {
    const person = await t.signUp('TESTER')
    const thiefs = await move(person)
    await person.call('PATCH', '/users/me', { paymentMethod: 'thief@example.test', currentPassword: password })
    await undo(await undoLink(person.user.email))
    await reset(await newPasswordLink(person.user.email), 'battery staple')
    const again = await t.signIn(person.user.email, 'battery staple')
    expect((await me(again)).paymentMethod).toBe(person.user.email)
    expect(await told(thiefs)).toContain('Your account no longer uses this email address')
  })

  test(`is possible for ${linkHours.UNDO_EMAIL_CHANGE} hours`, async () => {
    const person = await t.signUp('TESTER')
    const moved = await move(person)
    const token = await undoLink(person.user.email)
    await t.advance(linkHours.UNDO_EMAIL_CHANGE)
    expect(await undo(token)).toMatchObject(refused)
    expect(await login(moved)).toBe(200)
  })

  test('happens once, even if the link is used many times at once', async () => {
    const person = await t.signUp('TESTER')
    await move(person)
    const token = await undoLink(person.user.email)
    expect(tally(await inParallel(5, () => undo(token)))).toEqual({ 200: 1, 400: 4 })
    expect(await linksIn(person.user.email, 'Choose a new password')).toHaveLength(1)
  })
})

describe('a second change while the first can be undone', () => {
  /** The owner's address, and then the thief's first and second one. */
  const movedTwice = async () => {
    const person = await t.signUp('TESTER')
    const first = await move(person)
    return { person, email: person.user.email, first, second: await move(person) }
  }

  test('is reported to the first address when it is requested and when it happens, with another link that works', async () => {
    const { person, email } = await movedTwice()
    // Two links work at that address now, and each later warning comes there once.
    const paymentMethod = { paymentMethod: newAddress(), currentPassword: password }
    expect((await person.call('PATCH', '/users/me', paymentMethod)).status).toBe(200)
    expect((await told(email)).filter(subject => subject === 'Your payment method was changed')).toHaveLength(1)
    expect(await told(email)).toEqual(
      expect.arrayContaining(['Email address change requested', 'Your email address was changed']),
    )
    expect(await linksIn(email, 'Your email address was changed')).toHaveLength(2)
  })

  test('can be undone from the first address with either link, after which the second address’s link has no effect', async () => {
    for (const which of [0, 1]) {
      const { email, first, second } = await movedTwice()
      const [owners, thiefs] = [(await linksIn(email, 'Your email address was changed'))[which]!, await undoLink(first)]
      expect((await undo(owners)).body).toMatchObject({ email, moved: true })
      expect(await undo(thiefs)).toMatchObject(refused)
      for (const left of [first, second])
        expect(await told(left)).toContain('Your account no longer uses this email address')
      expect((await reset(await newPasswordLink(email), 'battery staple')).status).toBe(200)
      // The void link neither has the second address warned any more, nor keeps it from anybody.
      const back = await t.signIn(email, 'battery staple')
      const before = await told(first)
      const paymentMethod = { paymentMethod: newAddress(), currentPassword: 'battery staple' }
      expect((await back.call('PATCH', '/users/me', paymentMethod)).status).toBe(200)
      expect(await told(first)).toEqual(before)
      const newcomer = { email: first, password, name: 'Somebody Else', role: 'TESTER' }
      expect((await t.call('POST', '/auth/register', { body: newcomer })).status).toBe(201)
    }
  })

  test('can be undone from the first address even after the thief undid it', async () => {
    const { email, first } = await movedTwice()
    expect((await undo(await undoLink(first))).body).toMatchObject({ email: first })
    expect((await undo(await undoLink(email))).body).toMatchObject({ email })
  })

  test('back to the first address voids the links of the second', async () => {
    const person = await t.signUp('TESTER')
    const thiefs = await move(person)
    await move(person, { email: person.user.email })
    expect(await linksIn(thiefs, 'Your email address was changed')).toEqual([])
    expect(await undo(await stopLink(thiefs))).toMatchObject(refused)
    expect(await told(thiefs)).toContain('Your account no longer uses this email address')
    expect(await login(person.user.email)).toBe(200)
  })
})

describe('a request for a change', () => {
  test('is reported at once to the current address, with a link that stops it', async () => {
    const person = await t.signUp('TESTER')
    const { email } = person.user
    const wanted = newAddress()
    await ask(person, wanted)
    expect(await undo(await stopLink(email))).toMatchObject({ status: 200, body: { email, moved: false } })
    expect((await t.call('GET', '/users/me', { token: person.accessToken })).status).toBe(401)
    expect(await login(email)).toBe(401)
    const body = { token: await linkIn(wanted, 'Confirm your new email address'), password }
    expect(await t.call('POST', '/auth/verify-email', { body })).toMatchObject(refused)
    await reset(await newPasswordLink(email), 'battery staple')
    const again = await t.signIn(email, 'battery staple')
    expect(await me(again)).toMatchObject({ email, payoutsPausedBecause: 'PASSWORD_RESET' })
    expect(await told(email)).toContain('Your email address stays as it is')
  })

  test('can be undone with that link even after the account has moved', async () => {
    const person = await t.signUp('TESTER')
    await move(person)
    expect((await undo(await stopLink(person.user.email))).body).toMatchObject({
      email: person.user.email,
      moved: true,
    })
    expect(await undo(await undoLink(person.user.email))).toMatchObject(refused)
  })
})
