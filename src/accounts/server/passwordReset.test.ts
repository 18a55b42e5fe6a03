/** A forgotten password without a mail server: the email is written to a file, and the link works for every account. */
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { paidTester, password, type Person } from '../../testing/app.ts'
import { confirmationSubject, partOf, tokensFor } from '../../testing/emailedLinks.ts'
import { emailsOf, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { addTotp, codeOf, secondStep } from '../../testing/secondFactor.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import type { User } from '../contract.ts'
import { sendResetLink } from './passwordReset.ts'
import { linkHours, linkLimits, loginLimits, pauseHours } from '../rules.ts'

const t = testApp({ RATE_LIMIT: 'on' })
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')

let callers = 0
/** Each call comes from a different address unless a test says otherwise, because requests are limited per caller. */
const forgot = (email: unknown, remoteAddress = `10.0.${Math.trunc(++callers / 250)}.${callers % 250}`) =>
  t.app
    .inject({
      method: 'POST',
      url: '/api/v1/auth/forgot-password',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ email }),
      remoteAddress,
    })
    .then(({ statusCode: status, body, headers }) => ({ status, body, headers }))
const linksTo = async (email: string) => {
  await t.advance(0)
  return tokensFor(t, email, 'Reset your password')
}
const linkFor = async (email: string) => {
  expect((await forgot(email)).status).toBe(204)
  return (await linksTo(email)).at(-1)!
}
const reset = (token: unknown, fresh: unknown = 'battery staple') =>
  t.call<{ email: string; newAccount: boolean }>('POST', '/auth/reset-password', { body: { token, password: fresh } })
const login = async (email: string, secret: string) =>
  (await t.call('POST', '/auth/login', { body: { email, password: secret } })).status
const isSignedIn = async (token: string) => (await t.call('GET', '/users/me', { token })).status === 200
const me = async (person: Person) => (await person.call<User>('GET', '/users/me')).body
const refused = { status: 400, body: { fields: { token: expect.stringContaining('no longer works') } } }

describe('requesting a link', () => {
  test('gets the same answer, after the same work, for every address', async () => {
    const known = await t.signUp('TESTER')
    const doneFor = async (email: string) => {
      const queued = "select name, state from pgboss.job where name like 'accounts.%'"
      const before = (await t.look(queued)).length
      const { status, body, headers } = await forgot(email)
      const rows = (await t.look<{ n: number }>('select count(*)::int as n from email_links'))[0]!.n
      return {
        status,
        body,
        names: Object.keys(headers).toSorted(),
        jobs: (await t.look(queued)).length - before,
        rows,
      }
    }
    expect(await doneFor(known.user.email)).toEqual(await doneFor('nobody@example.test'))
    expect(await linksTo(known.user.email)).toHaveLength(1)
    expect((await emailsOf(t)).filter(email => email.startsWith('nobody@'))).toEqual([])
  })

  test(`sends at most ${linkLimits.perAccount} links an hour to an address, without saying so`, async () => {
    const { user } = await t.signUp('TESTER')
    const made = async () => {
      await t.advance(0)
      const links = "select id from email_links where user_id = $1 and purpose = 'RESET_PASSWORD'"
      return (await t.look(links, [user.id])).length
    }
    const replies = await inParallel(6, () => forgot(user.email))
    expect(tally(replies)).toEqual({ 204: 6 })
    expect(await made()).toBe(linkLimits.perAccount)
    await t.advance(1)
    await forgot(user.email)
    expect(await made()).toBe(linkLimits.perAccount + 1)
  })

  test(`is refused to a caller after ${linkLimits.perCaller} requests within the hour, for known and unknown addresses`, async () => {
    const { user } = await t.signUp('TESTER')
    const emails = [user.email, 'nobody@example.test']
    const replies = await inParallel(14, index => forgot(emails[index % 2], '10.9.9.9'))
    expect(tally(replies)).toEqual({ 204: linkLimits.perCaller, 429: 4 })
    expect(replies.find(reply => reply.status === 429)!.headers['retry-after']).toBe('3600')
    expect((await forgot(user.email, '10.9.9.8')).status).toBe(204)
    await t.advance(1)
    expect((await forgot(user.email, '10.9.9.9')).status).toBe(204)
  })

  test.each([undefined, '', 'ann', 'a nn@example.test'])('%j is refused at its field', async email => {
    const { status, body } = await forgot(email)
    expect([status, JSON.parse(body).fields]).toEqual([400, { email: expect.any(String) }])
  })
})

describe('the link', () => {
  test('sets the password, ends all sessions and notifies the user', async () => {
    const here = await t.signUp('TESTER')
    const there = await t.signIn(here.user.email)
    const token = await linkFor(here.user.email)
    expect(await isSignedIn(here.accessToken)).toBe(true)
    const { status, body } = await reset(token)
    expect({ status, body }).toEqual({ status: 200, body: { email: here.user.email, newAccount: false } })
    expect([await isSignedIn(here.accessToken), await isSignedIn(there.accessToken)]).toEqual([false, false])
    expect([await login(here.user.email, password), await login(here.user.email, 'battery staple')]).toEqual([401, 200])
    await t.advance(0)
    expect(await emailsOf(t)).toContain(`${here.user.email}: Your password was changed`)
    // Only whoever can withdraw is told that withdrawals wait.
    const owner = await t.signUp('DEVELOPER')
    expect((await reset(await linkFor(owner.user.email))).status).toBe(200)
    const saysSo = async ({ user }: Person) =>
      t.look(
        `select text ilike '%withdraw%' as waits from notifications where user_id = $1 and kind = 'PASSWORD_CHANGED'`,
        [user.id],
      )
    expect([await saysSo(here), await saysSo(owner)]).toEqual([[{ waits: true }], [{ waits: false }]])
  })

  test('does not announce a new account, because without a mail server every account is kept', async () => {
    const { user } = await t.signUp('TESTER')
    await linkFor(user.email)
    const files = await readdir(t.mailFolder)
    const emails = await Promise.all(files.map(file => readFile(`${t.mailFolder}/${file}`, 'utf8')))
    const [email] = emails.filter(source => source.includes(user.email) && source.includes('Reset your password'))
    expect(partOf(email!, 'text/plain')).toContain('Choose a new password for your Fieldtest account')
    expect(partOf(email!, 'text/plain')).not.toContain('new, empty account')
  })

  test('works once, even if it is used many times at once', async () => {
    const { user } = await t.signUp('TESTER')
    const token = await linkFor(user.email)
    expect(tally(await inParallel(5, () => reset(token)))).toEqual({ 200: 1, 400: 4 })
    expect(await reset(token, 'a third horse')).toMatchObject(refused)
    expect(await login(user.email, 'battery staple')).toBe(200)
  })

  test('voids older ones when it is made, even if an older one’s job runs again', async () => {
    const { user } = await t.signUp('TESTER')
    const older = await linkFor(user.email)
    const newer = await linkFor(user.email)
    const [{ id } = { id: '' }] = await t.look<{ id: string }>(
      "select id from email_links where user_id = $1 and purpose = 'RESET_PASSWORD' order by seq limit 1",
      [user.id],
    )
    await sendResetLink.run({ linkId: id, email: user.email, limited: true })
    expect(await reset(older)).toMatchObject(refused)
    expect((await reset(newer)).status).toBe(200)
  })

  test('voids none of another kind when it is made, because anybody can ask for it', async () => {
    const { user } = await t.signUp('TESTER')
    await t.advance(0)
    const [token] = await tokensFor(t, user.email, confirmationSubject)
    await linkFor(user.email)
    const confirmed = await t.call('POST', '/auth/verify-email', { body: { token, password } })
    expect(confirmed.status).toBe(200)
  })

  test(`works for ${linkHours.RESET_PASSWORD} hour`, async () => {
    const { user } = await t.signUp('TESTER')
    const token = await linkFor(user.email)
    await t.advance(linkHours.RESET_PASSWORD)
    expect(await reset(token)).toMatchObject(refused)
    expect(await login(user.email, password)).toBe(200)
  })

  test('is void after a password change', async () => {
    const person = await t.signUp('TESTER')
    const token = await linkFor(person.user.email)
    await person.call('POST', '/users/me/password', { currentPassword: password, newPassword: 'another horse' })
    expect(await reset(token)).toMatchObject(refused)
  })

  test('no longer works when the account has moved to another address', async () => {
    const { user } = await t.signUp('TESTER')
    const token = await linkFor(user.email)
    await t.look('update users set email = $2 where id = $1', [user.id, `new-${user.email}`])
    expect(await reset(token)).toMatchObject(refused)
    expect(await login(`new-${user.email}`, password)).toBe(200)
  })

  test('is void after the account is deleted', async () => {
    const person = await t.signUp('TESTER')
    const token = await linkFor(person.user.email)
    expect((await person.call('DELETE', '/users/me', { password })).status).toBe(204)
    expect(await reset(token)).toMatchObject(refused)
  })

  test('is not used up by a password that is refused', async () => {
    const { user } = await t.signUp('TESTER')
    const token = await linkFor(user.email)
    expect(await reset(token, 'short')).toMatchObject({
      status: 400,
      body: { fields: { password: 'Password must be at least 6 characters' } },
    })
    expect((await reset(token)).status).toBe(200)
  })

  test('does not set a weak password for an admin, nor for anybody with the setting refuse', async () => {
    const weak = { status: 400, body: { fields: { password: expect.stringContaining('most common passwords') } } }
    const boss = await t.signUp('ADMIN')
    const { user: tester } = await t.signUp('TESTER')
    const [ofBoss, ofTester] = [await linkFor(boss.user.email), await linkFor(tester.email)]
    expect(await reset(ofBoss, '123456')).toMatchObject(weak)
    const set = (weakPasswords: string) => admin.call('PATCH', '/admin/settings', { weakPasswords })
    await set('refuse')
    try {
      expect(await reset(ofTester, '123456')).toMatchObject(weak)
    } finally {
      await set('warn')
    }
    expect([await login(boss.user.email, password), await login(tester.email, password)]).toEqual([200, 200])
    expect((await reset(ofBoss)).status).toBe(200)
    expect((await reset(ofTester, '123456')).status).toBe(200)
  })

  test(`pauses withdrawals for ${pauseHours.PASSWORD_RESET} hours, and the profile says why`, async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    await reset(await linkFor(tester.user.email))
    const again = await t.signIn(tester.user.email, 'battery staple')
    expect(await me(again)).toMatchObject({ payoutsPausedBecause: 'PASSWORD_RESET' })
    expect(await again.call('POST', '/testers/withdraw', { amountCents: 1000 })).toMatchObject({
      status: 409,
      body: { code: 'PAYOUT_METHOD_PAUSED', message: expect.stringContaining('password was reset') },
    })
    await t.advance(pauseHours.PASSWORD_RESET)
    expect(await me(again)).toMatchObject({ payoutsPausedUntil: null, payoutsPausedBecause: null })
    expect((await again.call('POST', '/testers/withdraw', { amountCents: 1000 })).status).toBe(201)
  })

  test('lets the user sign in even if strangers have used up the guesses', async () => {
    const { user } = await t.signUp('TESTER')
    for (let guess = 0; guess < loginLimits.perAccount; guess++) await login(user.email, `guess ${guess}`)
    expect(await login(user.email, password)).toBe(429)
    await reset(await linkFor(user.email))
    expect(await login(user.email, 'battery staple')).toBe(200)
  })

  test('leaves the second factor in force', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    expect((await reset(await linkFor(person.user.email))).status).toBe(200)
    const body = { email: person.user.email, password: 'battery staple' }
    const asked = await t.call<ErrorBody>('POST', '/auth/login', { body })
    expect(asked).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } })
    expect(await secondStep(t, { challenge: asked.body.challenge, code: codeOf(secret) })).toMatchObject({
      status: 200,
    })
  })

  test('does not lift a suspension', async () => {
    const { user } = await t.signUp('TESTER')
    await admin.call('POST', `/admin/users/${user.id}/ban`, { reason: 'Two accounts on one device.' })
    expect((await reset(await linkFor(user.email))).status).toBe(200)
    expect(await login(user.email, 'battery staple')).toBe(403)
  })
})

test('links are deleted a month after they expired', async () => {
  await t.advance(24 * 34)
  expect(await t.look("select from email_links where purpose <> 'CONFIRM_EMAIL'")).toEqual([])
})
