/** Emails are turned off by the link in one of them: by POST alone, without signing in, and by nobody else. */
import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DomainError } from '../../kit/errors.ts'
import { autocommit } from '../../kit/server/db.ts'
import { useLinkSecret } from '../../kit/server/linkTokens.ts'
import { mailServer } from '../../testing/mailServer.ts'
import { partOf } from '../../testing/emailedLinks.ts'
import { type Person, password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { EmailTopic, NotificationChoice } from '../contract.ts'
import { sendMail } from './notifications.ts'
import { unsubscribe } from './unsubscribe.ts'
import { unsubscribeToken } from './unsubscribeTokens.ts'

const mail = mailServer()
const t = testApp(() => ({ SMTP_URL: mail.url(), PUBLIC_URL: 'https://fieldtest.test' }))
const admin = signedUp(t, 'ADMIN')

const write = (to: Person, subject: string) =>
  admin.call('POST', `/admin/users/${to.user.id}/message`, { subject, message: 'Text' })

/** The sources of the emails to somebody with this subject. */
const mailsTo = async (person: Person, subject: string) => {
  await t.advance(0)
  return mail.received
    .filter(one => one.to === person.user.email && one.subject === subject)
    .map(({ source }) => source)
}
const headerOf = (source: string) =>
  /^List-Unsubscribe:\s+<(.*)>\r?$/m.exec(source.replaceAll(/\r\n[ \t]+/g, ' '))?.[1] ?? ''
const deliveryOf = async (person: Person, topic = 'MESSAGES') =>
  (await person.call<{ choices: NotificationChoice[] }>('GET', '/users/me/notification-choices')).body.choices.find(
    choice => choice.topic === topic,
  )?.delivery
const choose = (person: Person, delivery: string) =>
  person.call('PUT', '/users/me/notification-choices', { choices: [{ topic: 'MESSAGES', delivery }] })

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const oneClick = (address: string, payload = 'List-Unsubscribe=One-Click', headers: Record<string, string> = form) =>
  t.app.inject({ method: 'POST', url: address.replace('https://fieldtest.test', ''), headers, payload })
const api = <T>(path: string, body: object) => t.call<T>('POST', path, { body })
const tokenOf = (person: Person) => unsubscribeToken(autocommit, person.user.id, 'MESSAGES')

test('an email that can be turned off has both headers and a link at its foot; a press of the mail program turns off its kind alone', async () => {
  const person = await t.signUp('TESTER')
  await write(person, 'First')
  const [source = ''] = await mailsTo(person, 'First')
  expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  const address = headerOf(source)
  expect(address).toMatch(/^https:\/\/fieldtest\.test\/unsubscribe\?token=\S+$/)
  for (const type of ['text/plain', 'text/html'] as const)
    expect(partOf(source, type)).toContain(address.replace('?token', '#token'))

  expect((await oneClick(address)).statusCode).toBe(200)
  expect([await deliveryOf(person), await deliveryOf(person, 'REVIEWS')]).toEqual(['IN_APP', 'AT_ONCE'])
  await write(person, 'Second')
  expect(await mailsTo(person, 'Second')).toEqual([])
  // Again is the same.
  expect((await oneClick(address)).statusCode).toBe(200)
  expect(await deliveryOf(person)).toBe('IN_APP')
})

test('a form of the other kind that the RFC allows works as well', async () => {
  const person = await t.signUp('TESTER')
  const boundary = 'b0undary'
  const payload = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const reply = await oneClick(`/unsubscribe?token=${await tokenOf(person)}`, payload, headers)
  expect([reply.statusCode, await deliveryOf(person)]).toEqual([200, 'IN_APP'])
})

test('opening the link changes nothing', async () => {
  const person = await t.signUp('TESTER')
  const token = await tokenOf(person)
  await t.app.inject({ method: 'GET', url: `/unsubscribe?token=${token}` })
  await t.app.inject({ method: 'HEAD', url: `/unsubscribe?token=${token}` })
  // A post that is not what a mail program sends does not, either.
  expect((await oneClick(`/unsubscribe?token=${token}`, 'a=b')).statusCode).toBe(400)
  expect(await deliveryOf(person)).toBe('AT_ONCE')
})

test.each(['AT_ONCE', 'DAILY', 'WEEKLY'])('who had chosen %s and turns it on again has that again', async delivery => {
  const person = await t.signUp('TESTER')
  await choose(person, delivery)
  const token = await tokenOf(person)
  expect((await api<EmailTopic>('/unsubscribe', { token, emails: false })).body).toEqual({
    title: 'Messages from our team',
    digest: false,
    emails: false,
  })
  expect(await deliveryOf(person)).toBe('IN_APP')
  expect((await api<EmailTopic>('/unsubscribe', { token, emails: true })).body.emails).toBe(true)
  expect(await deliveryOf(person)).toBe(delivery)
})

test('who turns it off twice and saves other choices in between still has the former choice again', async () => {
  const person = await t.signUp('TESTER')
  await choose(person, 'DAILY')
  const token = await tokenOf(person)
  for (let press = 0; press < 2; press++) await api('/unsubscribe', { token, emails: false })
  // The form of the settings sends every choice.
  await choose(person, 'IN_APP')
  await api('/unsubscribe', { token, emails: true })
  expect(await deliveryOf(person)).toBe('DAILY')
})

test('turning it on again does not undo what was chosen since', async () => {
  const person = await t.signUp('TESTER')
  const token = await tokenOf(person)
  await api('/unsubscribe', { token, emails: false })
  await choose(person, 'WEEKLY')
  await api('/unsubscribe', { token, emails: true })
  expect(await deliveryOf(person)).toBe('WEEKLY')
})

test('a digest’s link turns off what is in that digest, and back on, and nobody else’s', async () => {
  const [person, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await choose(other, 'DAILY')
  await person.call('PUT', '/users/me/notification-choices', {
    choices: [
      { topic: 'REVIEWS', delivery: 'DAILY' },
      { topic: 'SEATS', delivery: 'DAILY' },
      { topic: 'MESSAGES', delivery: 'WEEKLY' },
    ],
  })
  const all = async () =>
    Promise.all(['REVIEWS', 'SEATS', 'MESSAGES', 'RETESTS'].map(topic => deliveryOf(person, topic)))
  const token = await unsubscribeToken(autocommit, person.user.id, 'DAILY')
  await api('/unsubscribe', { token, emails: false })
  expect(await all()).toEqual(['IN_APP', 'IN_APP', 'WEEKLY', 'AT_ONCE'])
  expect(await deliveryOf(other)).toBe('DAILY')
  await api('/unsubscribe', { token: await unsubscribeToken(autocommit, other.user.id, 'DAILY'), emails: false })
  await api('/unsubscribe', { token, emails: true })
  expect(await all()).toEqual(['DAILY', 'DAILY', 'WEEKLY', 'AT_ONCE'])
  expect(await deliveryOf(other)).toBe('IN_APP')
})

test('what waits for a digest is not sent once its link has turned the digest off', async () => {
  const [person, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  for (const who of [person, other]) {
    await choose(who, 'DAILY')
    await write(who, 'Waits')
  }
  const token = await unsubscribeToken(autocommit, person.user.id, 'DAILY')
  expect((await api('/unsubscribe', { token, emails: false })).status).toBe(200)
  await t.advance(24)
  const digests = [await mailsTo(person, 'Your daily digest'), await mailsTo(other, 'Your daily digest')]
  expect(digests).toEqual([[], [expect.stringContaining('Waits')]])
})

test('emails about the account cannot be turned off, and say so by having no link', async () => {
  const person = await t.signUp('TESTER')
  await person.call('PATCH', '/users/me', { paymentMethod: 'other@example.test', currentPassword: password })
  const [source = ''] = await mailsTo(person, 'Your payment method was changed')
  expect(source).not.toBe('')
  expect(source.toLowerCase()).not.toContain('unsubscribe')
})

test('every change of a token is refused alike, also for somebody who does not exist', async () => {
  const [person, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const token = await tokenOf(person)
  const [id, scope, signed] = token.split('.') as [string, string, string]
  const last = signed.slice(0, -1)
  const forged = [
    '',
    'x',
    `${other.user.id}.${scope}.${signed}`,
    `${id}.REVIEWS.${signed}`,
    `${id}.DAILY.${signed}`,
    `${id}.SECURITY.${signed}`,
    `${id}.${scope}.${last}${signed.endsWith('A') ? 'B' : 'A'}`,
    `${id}.${scope}.${last}`,
    `${id}.${scope}.${signed}=`,
    `${id.toUpperCase()}.${scope}.${signed}`,
    `${id}.${scope}.${'A'.repeat(24)}`,
    `${id}.${scope}.`,
    `${id}.__proto__.${signed}`,
    `019e8a00-0000-7000-8000-000000000000.${scope}.${signed}`,
    `${token}\u0000`,
    `${token} `,
    `' or 1=1 --`,
  ].filter(one => one !== token)
  const replies = await Promise.all(forged.map(one => api('/unsubscribe', { token: one, emails: false })))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400]))
  const said = replies.map(({ body }) => (body as { message: string }).message)
  expect(new Set(said.slice(0, -3)).size).toBe(1)
  const posts = await Promise.all(forged.map(one => oneClick(`/unsubscribe?token=${encodeURIComponent(one)}`)))
  expect(new Set(posts.map(({ statusCode }) => statusCode))).toEqual(new Set([400]))
  expect([await deliveryOf(person), await deliveryOf(other)]).toEqual(['AT_ONCE', 'AT_ONCE'])
})

test('a token opens nothing else', async () => {
  const token = await tokenOf(await t.signUp('TESTER'))
  for (const path of ['/auth/reset-password', '/auth/verify-email', '/auth/undo-email-change'])
    expect((await api(path, { token, password: 'another horse battery' })).status).toBeGreaterThanOrEqual(400)
  const asSession = await t.app.inject({ url: '/api/v1/users/me', headers: { authorization: `Bearer ${token}` } })
  expect(asSession.statusCode).toBe(401)
})

test('a link outlives the server’s secrets and a new signing key, and ends with its own key', async () => {
  const person = await t.signUp('TESTER')
  const token = await tokenOf(person)
  useLinkSecret('another secret of the server, as after a rotation')
  await t.look(`insert into unsubscribe_keys (key) values ('\\x${'ab'.repeat(32)}')`)
  expect(await tokenOf(person)).not.toBe(token)
  expect((await api('/unsubscribe', { token, emails: false })).status).toBe(200)
  expect(await deliveryOf(person)).toBe('IN_APP')
  await t.look('delete from unsubscribe_keys where id = (select min(id) from unsubscribe_keys)')
  expect((await api('/unsubscribe', { token, emails: true })).status).toBe(400)
})

test('the link of an account that is gone is answered like any other', async () => {
  const person = await t.signUp('TESTER')
  const token = await tokenOf(person)
  await person.call('DELETE', '/users/me', { password })
  expect((await api<EmailTopic>('/unsubscribe', { token, emails: false })).body.emails).toBe(false)
  expect(await t.look('select from notification_choices where user_id = $1', [person.user.id])).toEqual([])
})

test('wrong tokens of one network are limited by the hour, right ones of a mail program’s servers are not', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => t.signUp('TESTER')))
  const tokens = await Promise.all(people.map(tokenOf))
  const caller = { ip: '198.51.100.7', userAgent: '', requestId: '', wantsEvents: false, lastEventId: null }
  const use = (token: string) => unsubscribe({ token, emails: false }, caller, { limited: true })
  const outcomes: string[] = []
  for (let guess = 0; guess < 40; guess++)
    await use(`guess${guess}`).catch((error: unknown) => outcomes.push((error as DomainError).code))
  expect(outcomes).toEqual([...Array<string>(30).fill('INVALID_INPUT'), ...Array<string>(10).fill('TOO_MANY_REQUESTS')])
  for (const token of tokens) for (let again = 0; again < 8; again++) await use(token)
  expect(await Promise.all(people.map(one => deliveryOf(one)))).toEqual(people.map(() => 'IN_APP'))
  // One person's own links are limited as well, from wherever they are used.
  await t.look('update hourly_calls set calls = 99 where caller = $1', [people[0]!.user.id])
  await use(tokens[0]!)
  await expect(use(tokens[0]!)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await use(tokens[1]!)
})

test('an email about what only a newer server knows goes out, with a general reason and its link', async () => {
  const person = await t.signUp('TESTER')
  const notificationId = randomUUIDv7()
  await t.look(
    `insert into notifications (id, user_id, kind, topic, subject, text, delivery, created_at)
     values ($1, $2, 'SOMETHING_NEW', 'SOMETHING_NEW', 'News', 'It is new.', 'AT_ONCE', now())`,
    [notificationId, person.user.id],
  )
  await sendMail.run({ notificationId })
  const [source = ''] = await mailsTo(person, 'News')
  const html = partOf(source, 'text/html')
  expect(html).toContain('You get this email because of your notification settings.')
  expect(html).toContain(headerOf(source).replace('?token', '#token'))

  // The newer release has told the table of its topic; this one turns it off and on again.
  await t.look('alter table notification_choices drop constraint notification_choices_topic_check')
  const token = new URL(headerOf(source)).searchParams.get('token')
  const turned = async (emails: boolean) => {
    const { status, body } = await t.call<EmailTopic>('POST', '/unsubscribe', { body: { token, emails } })
    const [kept] = await t.look<{ delivery: string }>(
      `select delivery from notification_choices where user_id = $1 and topic = 'SOMETHING_NEW'`,
      [person.user.id],
    )
    return [status, body.title, kept?.delivery]
  }
  expect(await turned(false)).toEqual([200, 'Other news', 'IN_APP'])
  expect(await turned(true)).toEqual([200, 'Other news', 'AT_ONCE'])
})
