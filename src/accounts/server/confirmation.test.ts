/** Confirming an email address without a mail server: the email is written to a file, and nothing waits for the confirmation. */
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { paidTester, password, type Person } from '../../testing/app.ts'
import { confirmationSubject as subject, tokensFor } from '../../testing/emailedLinks.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Session, User } from '../contract.ts'
import { linkHours, linkLimits, loginLimits } from '../rules.ts'

const t = testApp({ RATE_LIMIT: 'on' })
const admin = signedUp(t, 'ADMIN')

const me = async (person: Person) => (await person.call<User>('GET', '/users/me')).body
const verify = (token: unknown, secret: unknown = password) =>
  t.call<{ email: string; fields?: object }>('POST', '/auth/verify-email', { body: { token, password: secret } })
const sendAgain = (person: Person) => person.call('POST', '/users/me/verify-email')
const linksTo = async (person: Person) => {
  await t.advance(0)
  return tokensFor(t, person.user.email, subject)
}
const onlyLinkTo = async (person: Person) => {
  const [token, ...more] = await linksTo(person)
  expect(more).toEqual([])
  return token!
}
const refused = {
  status: 400,
  body: { code: 'INVALID_INPUT', fields: { token: expect.stringContaining('no longer works') } },
}

describe('the link', () => {
  test('emailed at registration confirms the address once', async () => {
    const person = await t.signUp('TESTER')
    expect(person.user).toMatchObject({ emailVerifiedAt: null, mustConfirmEmail: false })
    const token = await onlyLinkTo(person)
    expect((await me(person)).emailVerifiedAt).toBeNull()
    expect(await verify(token)).toMatchObject({ status: 200, body: { email: person.user.email } })
    expect((await me(person)).emailVerifiedAt).not.toBeNull()
    expect(await verify(token)).toMatchObject(refused)
  })

  test('takes effect once when it is used many times at the same moment', async () => {
    const token = await onlyLinkTo(await t.signUp('TESTER'))
    expect(tally(await inParallel(10, () => verify(token)))).toEqual({ 200: 1, 400: 9 })
  })

  test('is not used up by opening it', async () => {
    const person = await t.signUp('TESTER')
    const token = await onlyLinkTo(person)
    for (const path of ['/api/v1/auth/verify-email', '/verify-email'])
      await t.app.inject({ method: 'GET', url: `${path}?token=${token}&password=${encodeURIComponent(password)}` })
    expect((await me(person)).emailVerifiedAt).toBeNull()
    expect((await verify(token)).status).toBe(200)
  })

  test(`works for ${linkHours.CONFIRM_EMAIL} hours`, async () => {
    const [early, late] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const [inTime, tooLate] = [await onlyLinkTo(early), await onlyLinkTo(late)]
    await t.advance(linkHours.CONFIRM_EMAIL - 0.01)
    expect((await verify(inTime)).status).toBe(200)
    await t.advance(0.01)
    expect(await verify(tooLate)).toMatchObject(refused)
    expect((await me(late)).emailVerifiedAt).toBeNull()
  })

  test.each([undefined, '', 'made-up', 'x'.repeat(201), 7])('a token of %j is refused at its field', async token => {
    expect(await verify(token)).toMatchObject({ status: 400, body: { fields: { token: expect.any(String) } } })
  })

  test('is stored nowhere in the database, neither in the tables nor in the job queues', async () => {
    const person = await t.signUp('TESTER')
    const token = await onlyLinkTo(person)
    const tables = await t.look<{
      name: string
    }>(`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
      from pg_tables where schemaname in ('public', 'pgboss')`)
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      const holders = await t.look(`select from ${name} t where t::text like '%' || $1 || '%'`, [token])
      expect([name, holders.length]).toEqual([name, 0])
    }
  })

  test('does not work as a link for anything else', async () => {
    const person = await t.signUp('TESTER')
    const token = await onlyLinkTo(person)
    const reset = { token, password: 'another horse' }
    expect(await t.call('POST', '/auth/reset-password', { body: reset })).toMatchObject(refused)
    expect(await t.call('POST', '/auth/undo-email-change', { body: { token } })).toMatchObject(refused)
    expect((await verify(token)).status).toBe(200)
  })
})

describe('reading the emails of an address does not prove owning the account', () => {
  const confirmHere = (person: Person, token: string) =>
    person.call<User & { code: string }>('POST', '/users/me/email/confirm', { token })

  test.each([
    [undefined, 'Enter your account’s password'],
    ['', 'Enter your account’s password'],
    ['not it', 'That is not the password for this account.'],
  ])('the link with the password %j confirms nothing, and can still be used', async (secret, message) => {
    const person = await t.signUp('TESTER')
    const token = await onlyLinkTo(person)
    // Built here, because the default value of `verify`'s parameter would replace undefined.
    const body = { token, password: secret }
    expect(await t.call('POST', '/auth/verify-email', { body })).toMatchObject({
      status: 400,
      body: { fields: { password: message } },
    })
    expect((await me(person)).emailVerifiedAt).toBeNull()
    expect((await verify(token)).status).toBe(200)
  })

  test('in a session of the account no password is needed', async () => {
    const person = await t.signUp('TESTER')
    const token = await onlyLinkTo(person)
    const { status, body } = await confirmHere(person, token)
    expect([status, body.email]).toEqual([200, person.user.email])
    expect(body.emailVerifiedAt).not.toBeNull()
    expect(await confirmHere(person, token)).toMatchObject(refused)
  })

  test('a session of another account cannot use the link', async () => {
    const [person, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const token = await onlyLinkTo(person)
    expect(await confirmHere(other, token)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect([(await me(person)).emailVerifiedAt, (await me(other)).emailVerifiedAt]).toEqual([null, null])
    expect((await verify(token)).status).toBe(200)
  })

  test('a password that is changed at the same moment is no longer accepted', async () => {
    const person = await t.signUp('TESTER')
    const token = await onlyLinkTo(person)
    const row = { rows: 'select from users where id = $1', values: [person.user.id] }
    const [changed, confirmed] = await overtaken(
      t,
      row,
      () => person.call('POST', '/users/me/password', { currentPassword: password, newPassword: 'another horse' }),
      () => verify(token),
    )
    expect([changed.status, confirmed.status, confirmed.body.fields]).toEqual([
      204,
      400,
      { password: 'That is not the password for this account.' },
    ])
    expect(await t.look('select email_verified_at as at from users where id = $1', [person.user.id])).toEqual([
      { at: null },
    ])
  })

  test('the link does not allow guessing the password', async () => {
    const person = await t.signUp('TESTER')
    const token = await onlyLinkTo(person)
    for (let guess = 0; guess < loginLimits.perAccount; guess++)
      expect((await verify(token, `guess ${guess}`)).status).toBe(400)
    expect((await verify(token)).status).toBe(429)
    expect((await me(person)).emailVerifiedAt).toBeNull()
  })

  test('the right password at the link is not counted as a failed sign-in, and clears the wrong ones before it', async () => {
    const person = await t.signUp('TESTER')
    const token = await onlyLinkTo(person)
    expect((await verify(token, 'a guess')).status).toBe(400)
    expect((await verify(token)).status).toBe(200)
    const counted = 'select cleared from login_failures where email = $1'
    expect(await t.look(counted, [person.user.email])).toEqual([{ cleared: true }])
  })
})

describe('requesting another confirmation link', () => {
  test('sends a second link, and the first one still works', async () => {
    const person = await t.signUp('TESTER')
    expect((await sendAgain(person)).status).toBe(204)
    const tokens = await linksTo(person)
    expect(new Set(tokens).size).toBe(2)
    expect((await verify(tokens[0])).status).toBe(200)
    expect(await verify(tokens[1])).toMatchObject(refused)
    expect(await sendAgain(person)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  })

  test(`is refused after exactly ${linkLimits.perAccount} links within the hour, even if they are requested at once`, async () => {
    const person = await t.signUp('TESTER')
    // Registering sent the first one.
    const replies = await inParallel(6, () => sendAgain(person))
    expect(tally(replies)).toEqual({ 204: linkLimits.perAccount - 1, 429: 7 - linkLimits.perAccount })
    expect(replies.find(reply => reply.status === 429)!.headers['retry-after']).toBe('3600')
    expect(await linksTo(person)).toHaveLength(linkLimits.perAccount)
    await t.advance(1)
    expect((await sendAgain(person)).status).toBe(204)
  })
})

test('the email does not contain the name, which a stranger may have chosen', async () => {
  const person = await t.signUp('TESTER', { name: 'Call 555-0100 to win' })
  await t.advance(0)
  const files = await readdir(t.mailFolder)
  const sources = await Promise.all(files.map(file => readFile(`${t.mailFolder}/${file}`, 'utf8')))
  expect(sources.some(source => source.includes(person.user.email))).toBe(true)
  expect(sources.filter(source => source.includes('555-0100'))).toEqual([])
})

test('without a mail server nothing waits for a confirmation, whatever the settings say', async () => {
  await admin.call('PATCH', '/admin/settings', { confirmedEmailRequired: true })
  const developer = await t.signUp('DEVELOPER')
  const tester = await paidTester(t, developer, admin, 2000)
  expect((await me(tester)).emailVerifiedAt).toBeNull()
  expect((await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })).status).toBe(201)
})

test('an admin’s address is confirmed from the beginning', async () => {
  const { body } = await t.call<Session>('POST', '/auth/login', {
    body: { email: admin.user.email, password: 'correct horse' },
  })
  expect(body.user.emailVerifiedAt).not.toBeNull()
})
