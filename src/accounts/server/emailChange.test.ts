/**
 * Moving to another email address: the request, the confirmation at the new address, and the pause of withdrawals. Undoing it is
 * tested in emailChangeUndo.test.ts.
 */
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import { paidTester, password, type Person } from '../../testing/app.ts'
import { tokensFor } from '../../testing/emailedLinks.ts'
import { emailsOf, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { User } from '../contract.ts'
import { linkHours, linkLimits, pauseHours } from '../rules.ts'

const t = testApp({ RATE_LIMIT: 'on' })
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')

let addresses = 0
const newAddress = () => `moved${++addresses}@example.test`
const ask = (person: Person, email: unknown, currentPassword: unknown = password) =>
  person.call<User & ErrorBody>('POST', '/users/me/email', { email, currentPassword })
const me = async (person: Person) => (await person.call<User>('GET', '/users/me')).body
const linkIn = async (address: string, subject: string) => {
  await t.advance(0)
  return (await tokensFor(t, address, subject))[0]!
}
const confirmLink = (address: string) => linkIn(address, 'Confirm your new email address')
const verify = (token: unknown) => t.call<ErrorBody>('POST', '/auth/verify-email', { body: { token, password } })
const login = async (email: string, secret = password) =>
  (await t.call('POST', '/auth/login', { body: { email, password: secret } })).status
const withdraw = (person: Person) => person.call('POST', '/testers/withdraw', { amountCents: 1000 })
const refused = { status: 400, body: { fields: { token: expect.stringContaining('no longer works') } } }

/** Requests and confirms the change. */
const move = async (person: Person, email = newAddress()) => {
  expect((await ask(person, email)).status).toBe(200)
  expect((await verify(await confirmLink(email))).status).toBe(200)
  return email
}

describe('a request', () => {
  test('changes nothing until the link at the new address is used', async () => {
    const person = await t.signUp('TESTER')
    const email = newAddress()
    const { status, body } = await ask(person, ` ${email.toUpperCase()} `)
    expect([status, body.email, body.pendingEmail]).toEqual([200, person.user.email, email])
    const token = await confirmLink(email)
    expect(await me(person)).toMatchObject({ email: person.user.email, payoutsPausedUntil: null })
    expect(await verify(token)).toMatchObject({ status: 200, body: { email } })
    expect(await me(person)).toMatchObject({ email, pendingEmail: null, emailVerifiedAt: expect.any(String) })
    expect([await login(person.user.email), await login(email)]).toEqual([401, 200])
    expect(await verify(token)).toMatchObject(refused)
  })

  test('does not give the account to someone who reads the emails of a mistyped address', async () => {
    const person = await t.signUp('TESTER')
    const mistyped = newAddress()
    await ask(person, mistyped)
    const token = await confirmLink(mistyped)
    const guessed = await t.call('POST', '/auth/verify-email', { body: { token, password: 'a guess' } })
    expect(guessed).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } })
    const stranger = await t.signUp('TESTER')
    expect((await stranger.call('POST', '/users/me/email/confirm', { token })).status).toBe(409)
    expect((await me(person)).email).toBe(person.user.email)
  })

  test('does not tell the new address whose account it is, because it may be mistyped', async () => {
    const person = await t.signUp('TESTER', { name: 'Penelope Unmistakable' })
    await t.look('update users set email_verified_at = now() where id = $1', [person.user.id])
    const mistyped = newAddress()
    await ask(person, mistyped)
    await t.advance(0)
    const files = await readdir(t.mailFolder)
    const emails = await Promise.all(files.map(file => readFile(`${t.mailFolder}/${file}`, 'utf8')))
    const [email, ...more] = emails.filter(source => /^To: .*$/m.exec(source)?.[0].includes(mistyped))
    expect([email, more]).toEqual([expect.stringContaining('Confirm your new email address'), []])
    expect(email).not.toContain('Penelope')
  })

  test.each([
    ['moved@example.test', undefined, 'currentPassword', 'Enter your current password'],
    ['moved@example.test', '', 'currentPassword', 'Enter your current password'],
    ['moved@example.test', 'not it', 'currentPassword', 'The current password is not correct.'],
    [undefined, password, 'email', 'Email is required'],
    ['moved', password, 'email', 'Enter a valid email address'],
  ])('%j with the password %j is refused at %s', async (email, currentPassword, field, message) => {
    const person = await t.signUp('TESTER')
    const { status, body } = await person.call('POST', '/users/me/email', { email, currentPassword })
    expect([status, body.fields]).toEqual([400, { [field]: message }])
    expect((await me(person)).pendingEmail).toBeNull()
  })

  test('is refused for one’s own address and for one that is taken', async () => {
    const person = await t.signUp('TESTER')
    expect(await ask(person, person.user.email)).toMatchObject({
      status: 400,
      body: { fields: { email: 'This is already your email address.' } },
    })
    expect(await ask(person, developer.user.email)).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
  })

  test(`can be confirmed for ${linkHours.CHANGE_EMAIL} hours, and is then forgotten`, async () => {
    const person = await t.signUp('TESTER')
    const email = newAddress()
    await ask(person, email)
    const token = await confirmLink(email)
    await t.advance(linkHours.CHANGE_EMAIL)
    expect(await verify(token)).toMatchObject(refused)
    expect(await me(person)).toMatchObject({ email: person.user.email, pendingEmail: null })
  })

  test('replaces the previous one, and cancelling it voids its link', async () => {
    const person = await t.signUp('TESTER')
    const [first, second] = [newAddress(), newAddress()]
    await ask(person, first)
    const firstLink = await confirmLink(first)
    expect((await ask(person, second)).body.pendingEmail).toBe(second)
    expect(await verify(firstLink)).toMatchObject(refused)
    const secondLink = await confirmLink(second)
    expect((await person.call<User>('DELETE', '/users/me/email')).body.pendingEmail).toBeNull()
    expect(await verify(secondLink)).toMatchObject(refused)
    expect((await me(person)).email).toBe(person.user.email)
    // One that is replaced before its email was sent is not sent at all.
    await t.advance(1)
    const [third, fourth] = [newAddress(), newAddress()]
    for (const email of [third, fourth]) expect((await ask(person, email)).status).toBe(200)
    expect([await confirmLink(third), await confirmLink(fourth)]).toEqual([undefined, expect.any(String)])
  })

  test.each([
    [
      'the password is changed',
      (person: Person) =>
        person.call('POST', '/users/me/password', { currentPassword: password, newPassword: 'battery staple' }),
    ],
    ['all sessions are signed out', (person: Person) => person.call('DELETE', '/users/me/sessions')],
    [
      'the password is reset',
      async ({ user: { email } }: Person) => {
        await t.call('POST', '/auth/forgot-password', { body: { email } })
        const token = await linkIn(email, 'Reset your password')
        return t.call('POST', '/auth/reset-password', { body: { token, password: 'battery staple' } })
      },
    ],
  ])('is forgotten when %s, because a thief may have made it', async (_when, defend) => {
    const person = await t.signUp('TESTER')
    const email = newAddress()
    await ask(person, email)
    const token = await confirmLink(email)
    expect([200, 204]).toContain((await defend(person)).status)
    expect(await verify(token)).toMatchObject(refused)
  })

  test(`is refused after ${linkLimits.perAccount} within the hour, even if they are made at once`, async () => {
    const person = await t.signUp('TESTER')
    const replies = await inParallel(5, () => ask(person, newAddress()))
    expect(tally(replies)).toEqual({ 200: linkLimits.perAccount, 429: 5 - linkLimits.perAccount })
  })

  test('of two users who request the same address, the first to use their link gets it', async () => {
    const [one, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const email = newAddress()
    await ask(one, email)
    await ask(other, email)
    await t.advance(0)
    const tokens = await tokensFor(t, email, 'Confirm your new email address')
    expect(tally(await inParallel(2, index => verify(tokens[index])))).toEqual({ 200: 1, 409: 1 })
    expect([(await me(one)).email, (await me(other)).email].filter(address => address === email)).toHaveLength(1)
  })
})

describe('a new address', () => {
  test('cannot be taken with an older link while another user who had it since can still go back to it', async () => {
    const [one, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const email = newAddress()
    await ask(one, email)
    const token = await confirmLink(email)
    await ask(other, email)
    await t.advance(0)
    const tokens = await tokensFor(t, email, 'Confirm your new email address')
    expect((await verify(tokens.find(each => each !== token))).status).toBe(200)
    await move(other)
    expect(await verify(token)).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    expect((await me(one)).email).toBe(one.user.email)
  })

  test('that was already the payment method counts as the default one, which follows the next change', async () => {
    const person = await t.signUp('TESTER')
    const email = newAddress()
    await person.call('PATCH', '/users/me', { paymentMethod: email, currentPassword: password })
    await move(person, email)
    const next = await move(person)
    expect((await me(person)).paymentMethod).toBe(next)
  })

  test(`pauses withdrawals for ${pauseHours.EMAIL_CHANGED} hours, and the profile says why`, async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    await move(tester)
    expect(await me(tester)).toMatchObject({ payoutsPausedBecause: 'EMAIL_CHANGED' })
    expect(await withdraw(tester)).toMatchObject({
      status: 409,
      body: { code: 'PAYOUT_METHOD_PAUSED', message: expect.stringContaining('email address changed') },
    })
    await t.advance(pauseHours.EMAIL_CHANGED - 0.1)
    expect((await withdraw(tester)).status).toBe(409)
    await t.advance(0.1)
    expect(await me(tester)).toMatchObject({ payoutsPausedUntil: null, payoutsPausedBecause: null })
    expect((await withdraw(tester)).status).toBe(201)
  })

  test('does not shorten a longer pause of withdrawals', async () => {
    const tester = await t.signUp('TESTER')
    const until = hoursAfter(clock.now(), pauseHours.EMAIL_CHANGED + 1)
    const pause = `update users set payouts_paused_until = $2, payouts_paused_because = 'PASSWORD_RESET' where id = $1`
    await t.look(pause, [tester.user.id, until])
    await move(tester)
    expect(await me(tester)).toMatchObject({ payoutsPausedUntil: until, payoutsPausedBecause: 'PASSWORD_RESET' })
  })

  test('becomes the payment method unless the user has set one', async () => {
    const [without, withOwn] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await withOwn.call('PATCH', '/users/me', { paymentMethod: 'pay@example.test', currentPassword: password })
    const changedAt = async ({ user }: Person) =>
      (
        await t.look<{ at: Date | null }>('select payment_method_changed_at as at from users where id = $1', [user.id])
      )[0]!.at
    const before = await changedAt(withOwn)
    const [one, other] = [await move(without), await move(withOwn)]
    expect([(await me(without)).paymentMethod, (await me(withOwn)).paymentMethod]).toEqual([one, 'pay@example.test'])
    expect([await changedAt(without), await changedAt(withOwn)]).toEqual([expect.anything(), before])
    await t.advance(0)
    const told = (await emailsOf(t)).filter(email => email.includes('payment method'))
    expect(told.filter(email => email.startsWith(one))).toHaveLength(1)
    expect(told.filter(email => email.startsWith(other))).toEqual([])
  })

  test('voids the password reset links in the old mailbox', async () => {
    const person = await t.signUp('TESTER')
    await t.call('POST', '/auth/forgot-password', { body: { email: person.user.email } })
    const token = await linkIn(person.user.email, 'Reset your password')
    const asked = `select used_at from email_links where user_id = $1 and purpose = 'RESET_PASSWORD'`
    expect(await t.look(asked, [person.user.id])).toEqual([{ used_at: null }])
    await move(person)
    expect(await t.look(asked, [person.user.id])).toEqual([{ used_at: expect.anything() }])
    expect(await t.call('POST', '/auth/reset-password', { body: { token, password: 'stolen horse' } })).toMatchObject(
      refused,
    )
  })

  test('keeps others from registering the old one while the change can be undone', async () => {
    const person = await t.signUp('TESTER')
    await move(person)
    const registration = { email: person.user.email, password, name: 'Thief', role: 'TESTER' }
    const register = () => t.call<ErrorBody>('POST', '/auth/register', { body: registration })
    expect(await register()).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    const other = await t.signUp('TESTER')
    expect(await ask(other, person.user.email)).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    await t.advance(linkHours.UNDO_EMAIL_CHANGE)
    expect((await register()).status).toBe(201)
  })
})

test('deleting the account erases its former and its requested addresses', async () => {
  const person = await t.signUp('TESTER')
  await move(person)
  const asked = newAddress()
  await ask(person, asked)
  expect((await person.call('DELETE', '/users/me', { password })).status).toBe(204)
  expect(await t.look('select from email_links where user_id = $1', [person.user.id])).toEqual([])
})
