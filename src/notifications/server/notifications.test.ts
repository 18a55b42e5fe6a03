/** In-app notifications: paged, marked as read once, and visible to their recipient only. */
import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { partOf } from '../../testing/emailedLinks.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Notification } from '../contract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

const sendMessages = async (to: Person, count: number) => {
  for (let number = 1; number <= count; number++) {
    await admin.call('POST', `/admin/users/${to.user.id}/message`, { subject: `Message ${number}`, message: 'Text' })
  }
}
const notificationsOf = async (who: Person, query = '') =>
  who.call<Notification[]>('GET', `/users/me/notifications${query}`)
const subjects = async (who: Person) => (await notificationsOf(who)).body.map(each => each.subject)
const unread = async (who: Person) => (await notificationsOf(who)).body.filter(each => each.readAt === null).length
const read = (who: Person, body?: unknown) => who.call<{ marked: number }>('POST', '/users/me/notifications/read', body)

test('the newest come first, page by page', async () => {
  const person = await t.signUp('TESTER')
  await sendMessages(person, 5)
  const first = await notificationsOf(person, '?limit=2')
  expect(first.body.map(each => each.subject)).toEqual(['Message 5', 'Message 4'])
  const cursor = /cursor=([^&>]+)/.exec(String(first.headers['link']))?.[1]
  const next = await notificationsOf(person, `?limit=3&cursor=${cursor}`)
  expect(next.body.map(each => each.subject)).toEqual(['Message 3', 'Message 2', 'Message 1'])
  expect(next.headers['link']).toBeUndefined()
})

test('the newest says how many are unread, also beyond its page, and counts no more than 100', async () => {
  const person = await t.signUp('TESTER')
  const counts = async (query: string) => (await notificationsOf(person, query)).body.map(each => each.unreadCount)
  await sendMessages(person, 4)
  const [newest, next] = (await notificationsOf(person)).body
  await read(person, { ids: [newest!.id, next!.id] })
  expect(await counts('?limit=2')).toEqual([2, undefined])
  expect(await counts(`?limit=2&cursor=${next!.id}`)).toEqual([undefined, undefined])
  await t.look(
    `insert into notifications (id, user_id, subject, text, created_at)
     select gen_random_uuid(), $1, 'Another', 'Text', now() from generate_series(1, 120)`,
    [person.user.id],
  )
  expect((await counts('?limit=1'))[0]).toBe(100)
  await read(person)
  expect(await counts('?limit=1')).toEqual([0])
})

test('nobody sees or marks another user’s notifications', async () => {
  const [person, stranger] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await sendMessages(person, 2)
  const [newest] = (await notificationsOf(person)).body
  expect(await subjects(stranger)).toEqual([])
  expect((await read(stranger, { ids: [newest!.id] })).body).toEqual({ marked: 0 })
  expect((await read(stranger)).body).toEqual({ marked: 0 })
  expect(await unread(person)).toBe(2)
})

test('the given notifications are marked as read, or all; a read one keeps its time', async () => {
  const person = await t.signUp('DEVELOPER')
  await sendMessages(person, 3)
  const [newest] = (await notificationsOf(person)).body
  expect((await read(person, { ids: [newest!.id] })).body).toEqual({ marked: 1 })
  const readAt = (await notificationsOf(person)).body[0]!.readAt
  await t.advance(1)
  expect((await read(person, { ids: [newest!.id] })).body).toEqual({ marked: 0 })
  expect((await read(person)).body).toEqual({ marked: 2 })
  expect((await notificationsOf(person)).body[0]!.readAt).toBe(readAt)
  expect(await unread(person)).toBe(0)
})

test('a moment is told in the time zone of who reads it, in the product and by email', async () => {
  const [person, developer] = [await t.signUp('TESTER', { timeZone: 'Asia/Kolkata' }), await t.signUp('DEVELOPER')]
  const { id } = await liveCampaign(developer, admin, { title: 'Zoned', testersRequired: 1 })
  await joinedBy(person, id)
  await t.advance(48)
  const { text } = (await notificationsOf(person)).body.find(({ subject }) => subject === 'Check in today: Zoned')!
  expect(text).toMatch(
    /^You have not checked in to “Zoned” for 48 hours\. Check in before \w{3} \d+, \d{4}, [\d:]+ [AP]M GMT\+5:30 to keep/,
  )
  const files = (await readdir(t.mailFolder)).map(file => readFile(join(t.mailFolder, file), 'utf8'))
  const mail = (await Promise.all(files)).find(source => source.includes('Subject: Check in today: Zoned'))!
  expect(partOf(mail, 'text/plain').replaceAll('\r\n', '\n')).toContain(text)
  await person.call('PATCH', '/users/me', { timeZone: 'UTC' })
  expect((await notificationsOf(person)).body.some(each => / [AP]M UTC /.test(each.text))).toBe(true)
})

test('what only a newer server knows is listed as it is, alone and in its group', async () => {
  const person = await t.signUp('TESTER')
  await t.look('alter table notifications drop constraint notifications_about_kind_check')
  const ids: string[] = [randomUUIDv7(), randomUUIDv7()].toSorted()
  const about = { kind: 'MADE_UP', id: randomUUID(), testId: null }
  for (const id of ids)
    await t.look(
      `insert into notifications (id, user_id, kind, topic, subject, text, about_kind, about_id, delivery, created_at)
        values ($1, $2, 'MADE_UP', 'MADE_UP', 'News', 'It is new.', 'MADE_UP', $3, 'IN_APP', now())`,
      [id, person.user.id, about.id],
    )
  // Over the network: replies to other calls are held against our own document.
  const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const listed = async (path: string) => {
    const reply = await fetch(`${address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${person.accessToken}` },
    })
    return (await reply.json()) as { id: string }[]
  }
  for (const path of ['/users/me/notifications', '/users/me/notification-groups'])
    expect(await listed(path)).toMatchObject(ids.toReversed().map(id => ({ id, subject: 'News', about })))
  expect((await person.call('POST', '/users/me/notifications/read', { group: ids[1] })).status).toBe(200)
})

test('an empty list marks none', async () => {
  const person = await t.signUp('DEVELOPER')
  await sendMessages(person, 1)
  expect((await read(person, { ids: [] })).body).toEqual({ marked: 0 })
  expect(await unread(person)).toBe(1)
})

test('an email that is kept as a file, which may hold a link that signs in, is its owner’s alone to read', async () => {
  // Also in a folder that was there before, which others could open.
  await mkdir(t.mailFolder, { recursive: true })
  await chmod(t.mailFolder, 0o755)
  await sendMessages(await t.signUp('TESTER'), 1)
  await t.advance(0)
  const { mode } = await stat(t.mailFolder)
  expect(mode & 0o777).toBe(0o700)
  const files = await readdir(t.mailFolder)
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) expect((await stat(join(t.mailFolder, file))).mode & 0o777).toBe(0o600)
})
