/** Making an admin and an admin's leaving are in the audit log, with the name, and the other admins are told (product.md §7). */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { password, type Person } from '../../testing/app.ts'
import { moduleAt } from '../../testing/processes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { AuditEntry } from '../../audit/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import { forgetAgain } from './deleting.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN', { name: 'Ann Archer' })

const entries = async (action: string, id: string) => {
  const { body } = await admin.call<{ data: AuditEntry[] }>('GET', `/admin/audit-log?action=${action}&limit=100`)
  return body.data.filter(({ subjectId }) => subjectId === id)
}
const told = async (who: Person, id: string) => {
  const { body } = await who.call<Notification[]>('GET', '/users/me/notifications')
  return body.filter(({ about }) => about?.kind === 'ADMIN' && about.id === id)
}
const leave = async ({ call }: Person) => expect((await call('DELETE', '/users/me', { password })).status).toBe(204)

test('who is made an admin is recorded as made on the server, and told to the others', async () => {
  const { user, call } = await t.signUp('ADMIN', { name: 'Cat Carver' })
  expect(await entries('admin.create', user.id)).toMatchObject([
    { admin: null, subjectType: 'user', subject: 'Cat Carver', facts: { name: 'Cat Carver' } },
  ])
  expect(await told(admin, user.id)).toMatchObject([
    { subject: 'New admin: Cat Carver', text: expect.stringContaining(`Cat Carver (${user.email})`) },
  ])
  const own = await call<Notification[]>('GET', '/users/me/notifications')
  expect(own.body.filter(({ about }) => about?.id === user.id)).toEqual([])
})

test('whom the command makes an admin, too: the email to the others waits for the server', async () => {
  const given = ['--email', 'eve@example.test', '--name', 'Eve Elder']
  const env = { PATH: process.env.PATH, DATABASE_URL: t.databaseUrl, ADMIN_PASSWORD: 'correct horse battery' }
  await promisify(execFile)(process.execPath, [...moduleAt('scripts/admin.ts'), 'create', ...given], { env })
  const [eve] = await t.look<{ id: string }>(`select id from users where email = 'eve@example.test'`)
  expect(await entries('admin.create', eve!.id)).toMatchObject([{ admin: null, facts: { name: 'Eve Elder' } }])
  const [notification] = await told(admin, eve!.id)
  const jobs = `select from pgboss.job where name = 'notifications.send-mail' and data ->> 'notificationId' = $1`
  expect(await t.look(jobs, [notification!.id])).toHaveLength(1)
})

test('an admin who leaves is recorded with the name of that moment, and told to the others', async () => {
  const gone = await t.signUp('ADMIN', { name: 'Cat Carver' })
  const { id } = gone.user
  expect((await gone.call('PATCH', '/users/me', { name: 'Cat Cooper' })).status).toBe(200)
  await leave(gone)
  const mark = `Deleted admin ${id.slice(-8)}`
  expect(await entries('admin.delete', id)).toMatchObject([
    { admin: { id, name: mark }, subject: null, facts: { name: 'Cat Cooper' } },
  ])
  expect(await entries('admin.create', id)).toMatchObject([{ subject: null, facts: { name: 'Cat Carver' } }])
  // What was told of the account before has gone with it.
  expect(await told(admin, id)).toMatchObject([
    { subject: 'No longer an admin: Cat Cooper', text: expect.stringContaining(mark) },
  ])
})

test('who is no admin leaves no name', async () => {
  const tester = await t.signUp('TESTER')
  await leave(tester)
  expect([...(await entries('admin.delete', tester.user.id)), ...(await told(admin, tester.user.id))]).toEqual([])
})

test('an admin who is deleted again in a restored copy is recorded there, and nobody is told', async () => {
  const { user } = await t.signUp('ADMIN', { name: 'Dan Dyer' })
  expect(await forgetAgain(user.id)).toBe(true)
  expect(await entries('admin.delete', user.id)).toMatchObject([{ facts: { name: 'Dan Dyer' } }])
  expect(await told(admin, user.id)).toEqual([])
})
