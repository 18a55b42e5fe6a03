import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import type { User } from '../../accounts/contract.ts'
import type { Needs } from '../../dashboards/contract.ts'
import type { Operations } from '../../operations/contract.ts'
import type { SecurityReport, UserProfile } from '../../people/contract.ts'
import { fundedBy, password, type Person } from '../../testing/app.ts'
import { partOf, tokenIn } from '../../testing/emailedLinks.ts'
import { inParallel } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

/** A real SMTP server on loopback that can refuse emails for a while. */
type Received = { to: string[]; source: string }
const received: Received[] = []
/** The Message-IDs of what was refused after its text. */
const refusedIds: (string | undefined)[] = []
let refusals = 0
let refuseWith = 451
let refusalText = '5.1.1 No such mailbox'
/** What the server answers to RCPT TO of these addresses. */
const refusedAddresses = new Map<string, number>()
/** Emails whose connection breaks before, or after, their text was read; no answer is given. */
const drops: ('BEFORE_TEXT' | 'AFTER_TEXT')[] = []
const dropAll = () => {
  for (const { _socket } of (smtp as unknown as { connections: Set<{ _socket: Socket }> }).connections)
    _socket.destroy()
}
/** What the server answers to MAIL FROM, as one that is greylisting does. */
let greylisted = 0
const idOf = (source: string) => /^Message-ID: (<\S+>)/im.exec(source)?.[1]

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onMailFrom: (_address, _session, answer) => {
    if (greylisted === 0) return answer()
    greylisted--
    return answer(Object.assign(new Error('4.7.1 Greylisted, come back later'), { responseCode: 451 }))
  },
  onRcptTo: ({ address }, _session, answer) => {
    const responseCode = refusedAddresses.get(address)
    if (responseCode === undefined) return answer()
    return answer(Object.assign(new Error(refusalText), { responseCode }))
  },
  onData: (stream, session, answer) => {
    if (drops[0] === 'BEFORE_TEXT') {
      drops.shift()
      stream.resume()
      return dropAll()
    }
    void text(stream).then(source => {
      if (drops.shift() === 'AFTER_TEXT') {
        refusedIds.push(idOf(source))
        return dropAll()
      }
      if (refusals > 0) {
        refusals--
        refusedIds.push(idOf(source))
        return answer(Object.assign(new Error('not now'), { responseCode: refuseWith }))
      }
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
      return answer()
    })
  },
})

// Stopped last: hooks after the tests run in the reverse order.
beforeAll(async () => {
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
})
afterAll(() => new Promise<void>(resolve => smtp.close(resolve)))

const t = testApp(() => ({
  SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
  MAIL_FROM: 'Fieldtest <hello@fieldtest.test>',
  PUBLIC_URL: 'https://fieldtest.test/',
}))
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

// What registering sends is on its way before the first test.
beforeEach(async () => {
  greylisted = 0
  refusals = 0
  refusalText = '5.1.1 No such mailbox'
  refusedAddresses.clear()
  await t.advance(0)
  await t.look('delete from mail_trouble')
  received.length = 0
  refusedIds.length = 0
  refuseWith = 451
})

const approveOne = async (title: string) => {
  const { id } = await fundedBy(developer, { title })
  await admin.call('POST', `/admin/campaigns/${id}/approve`)
  return id
}
/** Below our name in the text. */
const linkOf = (source: string | undefined) => /^Fieldtest\r\n(\S+)\r$/m.exec(partOf(source ?? '', 'text/plain'))?.[1]

test('an approval reaches its developer through SMTP, with our sender and its subject', async () => {
  await approveOne('Łódź trams')
  await t.advance(0)
  expect(received).toHaveLength(1)
  expect(received[0]?.to).toEqual([developer.user.email])
  expect(received[0]?.source).toContain('From: Fieldtest <hello@fieldtest.test>')
  expect(received[0]?.source).toMatch(/^Subject: =\?UTF-8\?/m)
})

test('whoever registers with a stranger’s address sends that stranger neither a text of their own nor warnings without end', async () => {
  const person = await t.signUp('TESTER', { name: 'Buy cheap pills at pills.example' })
  await t.advance(0)
  received.length = 0
  for (let i = 0; i < 12; i++) {
    const change = { paymentMethod: `pay${i}@example.test`, currentPassword: password }
    expect((await person.call('PATCH', '/users/me', change)).status).toBe(200)
  }
  await t.advance(0)
  const toThem = () => received.filter(({ to }) => to.includes(person.user.email))
  expect(toThem()).toHaveLength(10)
  for (const { source } of toThem()) expect(source).not.toContain('pills')
  // Of an earlier hour none counts.
  await t.advance(1.1)
  await person.call('PATCH', '/users/me', { paymentMethod: 'later@example.test', currentPassword: password })
  await t.advance(0)
  expect(toThem()).toHaveLength(11)
  await t.look('update users set email_verified_at = now() where id = $1', [person.user.id])
  await person.call('PATCH', '/users/me', { paymentMethod: 'last@example.test', currentPassword: password })
  await t.advance(0)
  expect(toThem()).toHaveLength(12)
  expect(partOf(toThem().at(-1)!.source, 'text/plain')).toContain('Hello Buy cheap pills')
})

test('an email leads to what it is about, or else to the dashboard', async () => {
  const id = await approveOne('Linked')
  await t.advance(0)
  expect(linkOf(received[0]?.source)).toBe(`https://fieldtest.test${paths.campaign(id)}`)
  await admin.call('POST', `/admin/users/${developer.user.id}/message`, { subject: 'Hello', message: 'Text' })
  await t.advance(0)
  expect(linkOf(received[1]?.source)).toBe('https://fieldtest.test/dashboard')
})

test.each([451, 552])(
  'an email that the server answers with %i is sent later, once, with the same Message-ID',
  async code => {
    refusals = 1
    refuseWith = code
    await approveOne('Second try')
    await t.advance(0)
    expect(received).toHaveLength(0)
    await t.advance(1)
    await t.advance(1)
    expect(received).toHaveLength(1)
    const id = idOf(received[0]?.source ?? '')
    expect(id).toMatch(/^<[0-9a-f-]{36}@fieldtest>$/)
    expect(refusedIds).toEqual([id])
  },
)

test.each(['BEFORE_TEXT', 'AFTER_TEXT'] as const)(
  'an email whose connection is dropped (%s) arrives, once, with the same Message-ID',
  async when => {
    drops.push(when)
    await approveOne('Dropped')
    await t.advance(0)
    // Before the text was taken, the connection is opened anew at once; afterwards the job tries again.
    expect([drops.length, received.length]).toEqual([0, when === 'BEFORE_TEXT' ? 1 : 0])
    await t.advance(1)
    await t.advance(1)
    expect(received).toHaveLength(1)
    for (const refused of refusedIds) expect(idOf(received[0]?.source ?? '')).toBe(refused)
    expect((await developer.call<User>('GET', '/users/me')).body.mailRefusal).toBeNull()
  },
)

test('a server that greylists gets the email again, and nobody is told of a refusal', async () => {
  greylisted = 2
  await approveOne('Greylisted')
  await t.advance(0)
  expect(received).toHaveLength(0)
  for (let hour = 0; hour < 3; hour++) await t.advance(1)
  expect(received).toHaveLength(1)
  expect((await developer.call<User>('GET', '/users/me')).body.mailRefusal).toBeNull()
})

const write = (to: Person, subject: string) =>
  admin.call('POST', `/admin/users/${to.user.id}/message`, { subject, message: 'Text' })
const refusalOf = async (person: Person) => (await person.call<User>('GET', '/users/me')).body.mailRefusal
/** Registered, and with the email about that already received. */
const newcomers = async (count: number) => {
  const people = await inParallel(count, () => t.signUp('TESTER'))
  await t.advance(0)
  received.length = 0
  return people
}
const recipients = () => received.map(({ to }) => String(to[0])).toSorted()

test('of many emails at once the refused ones are repeated, and no other', async () => {
  const people = await newcomers(12)
  refusals = 3
  for (const person of people) await write(person, 'One of many')
  await t.advance(0)
  expect(received).toHaveLength(9)
  await t.advance(1)
  expect(recipients()).toEqual(people.map(({ user }) => user.email).toSorted())
})

test('an address that is refused for good is not tried again, and the profile says what the server answered', async () => {
  const [gone, other] = (await newcomers(2)) as [Person, Person]
  refusedAddresses.set(gone.user.email, 550)
  await write(gone, 'To nobody')
  await write(other, 'To somebody')
  await t.advance(0)
  expect(await refusalOf(gone)).toBe('550 5.1.1 No such mailbox')
  expect(await refusalOf(other)).toBeNull()
  // Admins see it at the user and among all of them.
  const { body } = await admin.call<UserProfile>('GET', `/admin/users/${gone.user.id}`)
  expect(body.mailRefusal).toBe('550 5.1.1 No such mailbox')
  const { refusedEmails } = (await admin.call<SecurityReport>('GET', '/admin/security')).body
  expect(refusedEmails.map(({ user, answer }) => [user.email, answer])).toEqual([
    [gone.user.email, '550 5.1.1 No such mailbox'],
  ])
  refusedAddresses.clear()
  await t.advance(24)
  expect(recipients()).toEqual([other.user.email])

  // The next email arrives, and the notice goes.
  await write(gone, 'Hello again')
  await t.advance(0)
  expect(recipients()).toEqual([gone.user.email, other.user.email].toSorted())
  expect(await refusalOf(gone)).toBeNull()
})

test('an email that the mail server took is not sent again when the refusal before it cannot be forgotten', async () => {
  const [person] = (await newcomers(1)) as [Person]
  await write(person, 'Once')
  await t.look('alter table mail_refusals rename to mail_refusals_elsewhere')
  await t.advance(0)
  await t.look('alter table mail_refusals_elsewhere rename to mail_refusals')
  for (let hour = 0; hour < 2; hour++) await t.advance(1)
  expect(recipients()).toEqual([person.user.email])
})

test('an address that is refused for now is tried again, and the profile says nothing', async () => {
  const [busy] = (await newcomers(1)) as [Person]
  refusedAddresses.set(busy.user.email, 450)
  await write(busy, 'Later')
  await t.advance(0)
  expect([received.length, await refusalOf(busy)]).toEqual([0, null])
  refusedAddresses.clear()
  await t.advance(1)
  expect(recipients()).toEqual([busy.user.email])
})

test('a deleted account leaves no refusal behind', async () => {
  const [gone] = (await newcomers(1)) as [Person]
  refusedAddresses.set(gone.user.email, 550)
  await write(gone, 'To nobody')
  await t.advance(0)
  expect((await gone.call('DELETE', '/users/me', { password })).status).toBe(204)
  expect(await t.look('select from mail_refusals')).toEqual([])
})

test('nor does one that had moved to another address leave a refusal of its former address', async () => {
  const [mover] = (await newcomers(1)) as [Person]
  const email = 'moved-away@example.test'
  refusedAddresses.set(mover.user.email, 550)
  expect((await mover.call('POST', '/users/me/email', { email, currentPassword: password })).status).toBe(200)
  await t.advance(0)
  const token = tokenIn(received.find(({ to }) => to.includes(email))?.source)
  expect((await t.call('POST', '/auth/verify-email', { body: { token, password } })).status).toBe(200)
  await t.advance(0)
  const refused = () => t.look('select address from mail_refusals')
  expect(await refused()).toEqual([{ address: mover.user.email }])
  expect((await mover.call('DELETE', '/users/me', { password })).status).toBe(204)
  expect(await refused()).toEqual([])
})

test('admins see that no email goes out, since when, why, and how many wait, until one does', async () => {
  const [person] = (await newcomers(1)) as [Person]
  const seen = async () => {
    const { mailTrouble } = (await admin.call<Operations>('GET', '/admin/operations')).body
    const { needs } = (await admin.call<Needs>('GET', '/dashboard/needs')).body
    return [mailTrouble, needs.some(({ kind }) => kind === 'MAIL_FAILS')] as const
  }
  // An address that is refused alone is no trouble.
  refusedAddresses.set(person.user.email, 450)
  await write(person, 'Full mailbox')
  await t.advance(0)
  expect(await seen()).toEqual([null, false])
  greylisted = 1000
  await t.advance(1)
  // Nor is a mail server that has just begun to fail.
  expect(await seen()).toEqual([null, false])
  await t.advance(0.5)
  const [trouble, needed] = await seen()
  expect(trouble).toMatchObject({ reason: expect.stringContaining('come back later'), waiting: 1 })
  expect(needed).toBe(true)
  // Nothing is known to be wrong once all that failed was given up.
  await t.look(
    `update pgboss.job set state = 'failed' where state < 'active' and data ->> 'mailId' is not null or state = 'retry'`,
  )
  expect(await seen()).toEqual([null, false])
  await t.look(`update pgboss.job set state = 'retry' where state = 'failed'`)
  greylisted = 0
  refusedAddresses.clear()
  await t.advance(6)
  expect(recipients()).toContain(person.user.email)
  expect(await seen()).toEqual([null, false])
})

test.each([
  '5.7.1 Relaying denied',
  '5.4.5 Daily user sending limit exceeded',
  'Sender address rejected: daily sending limit reached',
])('“%s” is such a trouble, and says nothing of the address', async answer => {
  const [person] = (await newcomers(1)) as [Person]
  refusalText = answer
  refusedAddresses.set(person.user.email, 550)
  await write(person, 'Not relayed')
  await t.advance(0)
  await t.advance(0.5)
  const { mailTrouble } = (await admin.call<Operations>('GET', '/admin/operations')).body
  expect(mailTrouble).toMatchObject({ reason: expect.stringContaining(answer), waiting: 1 })
  expect(await t.look('select from mail_refusals where address = $1', [person.user.email])).toEqual([])
  refusalText = '5.1.1 No such mailbox'
  refusedAddresses.clear()
  await t.advance(6)
  expect(recipients()).toContain(person.user.email)
})

test.each(['5.2.2 The mailbox of relay@example.test is over quota', 'No such user <relay@example.test>'])(
  '“%s” is about the address alone',
  async answer => {
    const [person] = (await newcomers(1)) as [Person]
    refusalText = answer
    refusedAddresses.set(person.user.email, 552)
    await write(person, 'Not there')
    await t.advance(0)
    refusalText = '5.1.1 No such mailbox'
    refusedAddresses.clear()
    await t.advance(0.5)
    expect((await admin.call<Operations>('GET', '/admin/operations')).body.mailTrouble).toBeNull()
    expect(await t.look('select from mail_refusals where address = $1', [person.user.email])).toHaveLength(1)
  },
)

const troubleNow = async () => (await admin.call<Operations>('GET', '/admin/operations')).body.mailTrouble
const refusalsOf = (people: readonly Person[]) =>
  t.look('select from mail_refusals where address = any($1)', [people.map(({ user }) => user.email)])

test.each(['an address', 'a text'])(
  'a server that refuses %s of everybody, for good and in no words of ours, is such a trouble after five in a row',
  async what => {
    const people = await newcomers(7)
    if (what === 'a text') {
      refusals = 1000
      refuseWith = 554
    } else {
      refusalText = 'Go away'
      for (const { user } of people) refusedAddresses.set(user.email, 550)
    }
    for (const person of people) await write(person, 'To everybody')
    await t.advance(0)
    await t.advance(0.5)
    // Nor is any more of them taken for an address that is gone.
    const taken = what === 'a text' ? 0 : 4
    expect(await refusalsOf(people)).toHaveLength(taken)
    expect(await troubleNow()).toMatchObject({ server: hostname(), waiting: 7 - taken })
    refusals = 0
    refusedAddresses.clear()
    await t.advance(6)
    expect(recipients()).toHaveLength(7 - taken)
    expect(await troubleNow()).toBeNull()
  },
)

test.each(['5.1.1 No such mailbox', '5.1.10 The domain takes no email', '5.2.2 Over quota', 'User unknown'])(
  'any number of addresses that the mail server calls dead, “%s”, are no trouble',
  async answer => {
    const people = await newcomers(7)
    const [last] = await newcomers(1)
    refusalText = answer
    for (const { user } of people) refusedAddresses.set(user.email, 550)
    for (const person of people) await write(person, 'To nobody')
    await write(last!, 'Mailbox full')
    refusedAddresses.set(last!.user.email, 450)
    await t.advance(0)
    await t.advance(0.5)
    expect(await refusalsOf(people)).toHaveLength(7)
    expect(await t.look('select from mail_trouble')).toEqual([])
    refusedAddresses.clear()
    await t.advance(6)
    expect(recipients()).toEqual([last!.user.email])
  },
)

test('addresses that are refused in no words of ours, but hours apart, are no trouble', async () => {
  const people = await newcomers(5)
  refusalText = 'Go away'
  for (const person of people) {
    refusedAddresses.set(person.user.email, 550)
    await write(person, 'To nobody')
    await t.advance(0)
    if (person === people[3]) await t.advance(8)
  }
  expect(await refusalsOf(people)).toHaveLength(5)
  expect(await t.look('select from mail_trouble')).toEqual([])
})

test('five addresses that are refused in turn with others are no trouble', async () => {
  const people = await newcomers(5)
  refusalText = 'Go away'
  for (const person of people) {
    refusedAddresses.set(person.user.email, 550)
    await write(person, 'To nobody')
    await write(developer, 'To somebody')
    await t.advance(0)
  }
  refusedAddresses.clear()
  expect(await refusalsOf(people)).toHaveLength(5)
})

test('a server whose emails fail is named while another sends its own, until it has not failed for an hour', async () => {
  const [waiting, other] = (await newcomers(2)) as [Person, Person]
  refusedAddresses.set(waiting.user.email, 450)
  await write(waiting, 'Waits')
  await t.look(
    `insert into mail_trouble (server, since, last_at, reason) select 'web-2', $1::timestamptz - interval '1 day', $1, 'Wrong password'`,
    [clock.now()],
  )
  await write(other, 'Goes out')
  await t.advance(0)
  expect(recipients()).toEqual([other.user.email])
  expect(await troubleNow()).toMatchObject({ server: 'web-2', reason: 'Wrong password', waiting: 1 })
  await t.advance(2)
  await write(other, 'Goes out, too')
  await t.advance(0)
  expect(await troubleNow()).toBeNull()
  refusedAddresses.clear()
  await t.advance(6)
  expect(recipients()).toContain(waiting.user.email)
})

test('what failed days ago is not counted with what begins to fail now', async () => {
  const [person] = (await newcomers(1)) as [Person]
  await t.look(
    `insert into mail_trouble (server, since, last_at, reason)
      values ($1, $2::timestamptz - interval '3 days', $2::timestamptz - interval '2 days', 'Given up')`,
    [hostname(), clock.now()],
  )
  greylisted = 1
  await write(person, 'Later')
  await t.advance(0)
  expect(received).toEqual([])
  expect(await troubleNow()).toBeNull()
  await t.advance(1)
  expect(recipients()).toEqual([person.user.email])
})

test('an address that cannot even be given to the mail server is no trouble', async () => {
  const [person] = (await newcomers(1)) as [Person]
  await t.look('update users set email = $2 where id = $1', [person.user.id, '<>'])
  await write(person, 'To nobody')
  await t.advance(0)
  await t.advance(0.5)
  expect(received).toEqual([])
  expect(await t.look('select server from mail_trouble')).toEqual([])
  await t.look('update users set email = $2 where id = $1', [person.user.id, person.user.email])
  await t.advance(6)
  expect(recipients()).toEqual([person.user.email])
})
