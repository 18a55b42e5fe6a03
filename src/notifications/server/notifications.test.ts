/** What people are told inside the product: by page, read once, and nobody else’s. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../testing/app.ts'
import type { Notification } from '../contract.ts'

let t: TestApp
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  admin = await t.signUp('ADMIN')
})
afterAll(() => t.stop())

const write = async (to: Person, count: number) => {
  for (let number = 1; number <= count; number++) {
    await admin.call('POST', `/admin/users/${to.user.id}/message`, { subject: `Letter ${number}`, message: 'Text' })
  }
}
const told = async (who: Person, query = '') => who.call<Notification[]>('GET', `/users/me/notifications${query}`)
const subjects = async (who: Person) => (await told(who)).body.map(each => each.subject)
const unread = async (who: Person) => (await told(who)).body.filter(each => each.readAt === null).length
const read = (who: Person, body?: unknown) => who.call<{ marked: number }>('POST', '/users/me/notifications/read', body)

test('the newest come first, page after page', async () => {
  const person = await t.signUp('TESTER')
  await write(person, 5)
  const first = await told(person, '?limit=2')
  expect(first.body.map(each => each.subject)).toEqual(['Letter 5', 'Letter 4'])
  const cursor = /cursor=([^&>]+)/.exec(String(first.headers['link']))?.[1]
  const next = await told(person, `?limit=3&cursor=${cursor}`)
  expect(next.body.map(each => each.subject)).toEqual(['Letter 3', 'Letter 2', 'Letter 1'])
  expect(next.headers['link']).toBeUndefined()
})

test('nobody sees or marks what another was told', async () => {
  const [person, stranger] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await write(person, 2)
  const [newest] = (await told(person)).body
  expect(await subjects(stranger)).toEqual([])
  expect((await read(stranger, { ids: [newest!.id] })).body).toEqual({ marked: 0 })
  expect((await read(stranger)).body).toEqual({ marked: 0 })
  expect(await unread(person)).toBe(2)
})

test('those named are marked as read, or all; what was read before keeps its time', async () => {
  const person = await t.signUp('DEVELOPER')
  await write(person, 3)
  const [newest] = (await told(person)).body
  expect((await read(person, { ids: [newest!.id] })).body).toEqual({ marked: 1 })
  const readAt = (await told(person)).body[0]!.readAt
  await t.advance(1)
  expect((await read(person, { ids: [newest!.id] })).body).toEqual({ marked: 0 })
  expect((await read(person)).body).toEqual({ marked: 2 })
  expect((await told(person)).body[0]!.readAt).toBe(readAt)
  expect(await unread(person)).toBe(0)
})

test('naming none marks none', async () => {
  const person = await t.signUp('DEVELOPER')
  await write(person, 1)
  expect((await read(person, { ids: [] })).body).toEqual({ marked: 0 })
  expect(await unread(person)).toBe(1)
})
