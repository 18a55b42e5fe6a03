/** How one hears of each kind of event: in the product, by email at once, in a digest, never. */
import { expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import { transact } from '../../kit/server/db.ts'
import { type Person, password } from '../../testing/app.ts'
import { confirmationSubject } from '../../testing/emailedLinks.ts'
import { emailsOf } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Notification, NotificationChoice } from '../contract.ts'
import { type Delivery, topics, topicsOf } from '../topics.ts'
import { emailExamples } from '../../testing/emailExamples.ts'
import type { EmailKind } from './emails.ts'
import { notice, notifyMany } from './notifications.ts'
import { matters } from './topics.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

type Choices = { choices: NotificationChoice[] }
const at = '/users/me/notification-choices'
const choose = (who: Person, choices: unknown) => who.call<Choices>('PUT', at, { choices })
const write = (to: Person, subject: string) =>
  admin.call('POST', `/admin/users/${to.user.id}/message`, { subject, message: 'Text' })
const told = async (who: Person) =>
  (await who.call<Notification[]>('GET', '/users/me/notifications')).body.map(({ subject }) => subject)
const mailed = async (who: Person) =>
  (await emailsOf(t)).filter(line => line.startsWith(`${who.user.email}: `)).map(line => line.split(': ')[1])

test('whoever has chosen nothing is told at once by email, of all that their role hears of', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { body } = await developer.call<Choices>('GET', at)
  expect(body.choices.map(({ topic }) => topic)).toEqual(topicsOf('DEVELOPER'))
  expect(new Set(body.choices.map(({ delivery }) => delivery))).toEqual(new Set(['AT_ONCE']))
})

test.each<[Delivery, boolean, boolean]>([
  ['AT_ONCE', true, true],
  ['IN_APP', true, false],
  ['DAILY', true, false],
  ['WEEKLY', true, false],
  // Addressed to them alone, so that it must not vanish.
  ['NEVER', true, false],
])('%s: shown in the product: %s, emailed at once: %s', async (delivery, shown, emailed) => {
  const person = await t.signUp('TESTER')
  await choose(person, [{ topic: 'MESSAGES', delivery }])
  const { body } = await write(person, 'As chosen')
  expect(body).toEqual({ sentTo: emailed ? person.user.email : null })
  await t.advance(0)
  expect([(await told(person)).includes('As chosen'), (await mailed(person)).includes('As chosen')]).toEqual([
    shown,
    emailed,
  ])
})

test('security, withdrawals and payment methods are emailed whatever was chosen', async () => {
  const person = await t.signUp('TESTER')
  await t.look('update users set email_verified_at = now() where id = $1', [person.user.id])
  await choose(
    person,
    topicsOf('TESTER').map(topic => ({ topic, delivery: 'NEVER' })),
  )
  const always = (Object.keys(matters) as EmailKind[]).filter(kind => matters[kind].topic === null)
  await transact(tx =>
    notifyMany(
      tx,
      always.map(kind => notice(person.user.id, kind, emailExamples[kind] as never)),
    ),
  )
  await person.call('PATCH', '/users/me', { paymentMethod: 'other@example.test', currentPassword: password })
  await t.advance(0)
  // The link that confirms an address is sent with every account.
  const subjects = (await told(person)).filter(subject => subject !== confirmationSubject)
  expect(await mailed(person)).toHaveLength(subjects.length)
  expect(await mailed(person)).toContain('Your payment method was changed')
  expect(
    always.filter(kind => /PASSWORD|EMAIL|FACTOR|WITHDRAWAL|PAYMENT|SIGNED|DEVICE/.test(kind)).length,
  ).toBeGreaterThan(15)
})

test('choosing twice is choosing once, and a kind that is not named goes back to email at once', async () => {
  const person = await t.signUp('DEVELOPER')
  const chosen = [{ topic: 'PROOFS', delivery: 'WEEKLY' }]
  const first = await choose(person, chosen)
  expect((await choose(person, chosen)).body).toEqual(first.body)
  expect((await person.call<Choices>('GET', at)).body).toEqual(first.body)
  expect(first.body.choices).toContainEqual({ topic: 'PROOFS', delivery: 'WEEKLY' })
  const { body } = await choose(person, [])
  expect(new Set(body.choices.map(({ delivery }) => delivery))).toEqual(new Set(['AT_ONCE']))
})

test.each([
  ['a kind that does not exist', [{ topic: 'EVERYTHING', delivery: 'NEVER' }]],
  ['a way that does not exist', [{ topic: 'PROOFS', delivery: 'BY_PIGEON' }]],
  [
    'a kind twice',
    [
      { topic: 'PROOFS', delivery: 'NEVER' },
      { topic: 'PROOFS', delivery: 'DAILY' },
    ],
  ],
  ['a kind of another role', [{ topic: 'CHECK_INS', delivery: 'NEVER' }]],
  ['security', [{ topic: 'SECURITY', delivery: 'NEVER' }]],
])('refused: %s', async (_, choices) => {
  const person = await t.signUp('DEVELOPER')
  const { status, body } = await choose(person, choices)
  expect([status, Object.keys((body as unknown as ErrorBody).fields ?? {})[0]]).toEqual([
    400,
    expect.stringMatching(/^choices\b/),
  ])
})

test('what an admin writes stays in the app: to never hear of it is no choice, and one from before counts as that', async () => {
  const person = await t.signUp('TESTER')
  const { body } = await choose(person, [{ topic: 'MESSAGES', delivery: 'NEVER' }])
  expect(body.choices).toContainEqual({ topic: 'MESSAGES', delivery: 'IN_APP' })
  await t.look(`update notification_choices set delivery = 'NEVER' where user_id = $1 and topic = 'MESSAGES'`, [
    person.user.id,
  ])
  expect((await person.call<Choices>('GET', at)).body).toEqual(body)
  await write(person, 'Kept')
  expect(await told(person)).toContain('Kept')
})

test('nobody’s choice changes what another hears', async () => {
  const [one, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await choose(one, [{ topic: 'MESSAGES', delivery: 'NEVER' }])
  await write(other, 'For the other')
  await t.advance(0)
  expect(await mailed(other)).toContain('For the other')
})

test('each kind that has a topic is of a topic that somebody can choose', () => {
  const chosen = new Set(Object.values(matters).flatMap(({ topic }) => topic ?? []))
  expect([...chosen].toSorted()).toEqual([...topics].toSorted())
})
