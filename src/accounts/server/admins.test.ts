/**
 * Creating, deleting or renaming an admin account, or changing its address, is recorded in the audit log. The other admins are
 * notified of new and deleted admins (product.md §7).
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { password, type Person } from '../../testing/app.ts'
import { tokensFor } from '../../testing/emailedLinks.ts'
import { canOpenTerminal, runOnTerminal, runScript } from '../../testing/installation.ts'
import { moduleAt } from '../../testing/processes.ts'
import { connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { until } from '../../testing/until.ts'
import { transact } from '../../kit/server/db.ts'
import type { AuditEntry } from '../../audit/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import { createAdmin } from './accounts.ts'
import { recordCreated } from './admins.ts'
import { forgetAgain } from './deleting.ts'
import { createUser } from './newUser.ts'

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

test('a new admin is recorded as created on the server, and the other admins are notified', async () => {
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

test('the same holds for an admin created by the command; the email to the others waits for the server', async () => {
  const given = ['--email', 'eve@example.test', '--name', 'Eve Elder']
  const env = { PATH: process.env.PATH, DATABASE_URL: t.databaseUrl, ADMIN_PASSWORD: 'correct horse battery' }
  await promisify(execFile)(process.execPath, [...moduleAt('scripts/admin.ts'), 'create', ...given], { env })
  const [eve] = await t.look<{ id: string }>(`select id from users where email = 'eve@example.test'`)
  expect(await entries('admin.create', eve!.id)).toMatchObject([{ admin: null, facts: { name: 'Eve Elder' } }])
  const [notification] = await told(admin, eve!.id)
  const jobs = `select from pgboss.job where name = 'notifications.send-mail' and data ->> 'notificationId' = $1`
  expect(await t.look(jobs, [notification!.id])).toHaveLength(1)
})

const somebodyWaits = async () => {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await t.look(waiting)).length > 0
}
const idOf = async (email: string) =>
  (await t.look<{ id: string }>('select id from users where email = $1', [email]))[0]!.id
const newcomer = (name: string) => ({ name, email: `${randomUUID()}@example.test`, password: 'correct horse battery' })

test('of two admins created at once, the first is notified of the second', async () => {
  const [first, second] = [newcomer('Hal Hood'), newcomer('Ian Ives')]
  const firstIsRecorded = Promise.withResolvers<void>()
  const firstMayCommit = Promise.withResolvers<void>()
  const creatingFirst = transact(async tx => {
    await recordCreated(tx, await createUser(tx, { ...first, role: 'ADMIN', confirmed: true }, ''))
    firstIsRecorded.resolve()
    await firstMayCommit.promise
  })
  await firstIsRecorded.promise
  const creatingSecond = createAdmin(second)
  await Promise.race([creatingSecond, until(somebodyWaits)])
  firstMayCommit.resolve()
  await Promise.all([creatingFirst, creatingSecond])
  const secondId = await idOf(second.email)
  expect(
    await t.look(`select subject from notifications where user_id = $1 and about_id = $2`, [
      await idOf(first.email),
      secondId,
    ]),
  ).toEqual([{ subject: 'New admin: Ian Ives' }])
})

test('an admin whose account is deleted while another is created keeps no notification with the new name', async () => {
  const { user } = await t.signUp('ADMIN')
  const created = newcomer('Jan Joyce')
  const deleting = await connectBeside(t)
  try {
    await deleting.query('begin')
    await deleting.query(`update users set email = id || '@deleted.invalid', deleted_at = now() where id = $1`, [
      user.id,
    ])
    const creating = createAdmin(created)
    await Promise.race([creating, until(somebodyWaits)])
    await deleting.query('commit')
    await creating
  } finally {
    await deleting.end()
  }
  const about = await idOf(created.email)
  expect(await t.look('select from notifications where user_id = $1 and about_id = $2', [user.id, about])).toEqual([])
  expect(await told(admin, about)).toMatchObject([{ subject: 'New admin: Jan Joyce' }])
})

test('notifying the admins does not wait for an admin who is changing their profile', async () => {
  const changing = await connectBeside(t)
  const created = newcomer('Kim Keats')
  try {
    await changing.query('begin')
    await changing.query(`update users set name = 'Ann Ames' where id = $1`, [admin.user.id])
    await createAdmin(created)
  } finally {
    await changing.end()
  }
  expect(await told(admin, await idOf(created.email))).toMatchObject([{ subject: 'New admin: Kim Keats' }])
})

test('an admin who leaves is recorded under their name at that moment, and the others are notified', async () => {
  const gone = await t.signUp('ADMIN', { name: 'Cat Carver' })
  const { id } = gone.user
  expect((await gone.call('PATCH', '/users/me', { name: 'Cat Cooper' })).status).toBe(200)
  await leave(gone)
  const mark = `Deleted admin ${id.slice(-8)}`
  expect(await entries('admin.delete', id)).toMatchObject([
    { admin: { id, name: mark }, subject: null, facts: { name: 'Cat Cooper' } },
  ])
  expect(await entries('admin.create', id)).toMatchObject([{ subject: null, facts: { name: 'Cat Carver' } }])
  expect(await entries('admin.rename', id)).toMatchObject([
    { admin: { id }, facts: { nameBefore: 'Cat Carver', nameAfter: 'Cat Cooper' } },
  ])
  // The earlier notification about this account was deleted with it.
  expect(await told(admin, id)).toMatchObject([
    {
      subject: 'No longer an admin: Cat Cooper',
      text: expect.stringMatching(`^Cat Cooper has deleted their admin account.*“${mark}”`),
    },
  ])
})

test('saving a profile with an unchanged name records nothing, and only admins’ renames are recorded', async () => {
  const tester = await t.signUp('TESTER')
  for (const { call, user } of [admin, tester])
    expect((await call('PATCH', '/users/me', { name: user.name, timeZone: 'Europe/Lisbon' })).status).toBe(200)
  expect((await tester.call('PATCH', '/users/me', { name: 'Somebody Else' })).status).toBe(200)
  expect([
    ...(await entries('admin.rename', admin.user.id)),
    ...(await entries('admin.rename', tester.user.id)),
  ]).toEqual([])
})

const linkIn = async (address: string, subject: string) => {
  await t.advance(0)
  return (await tokensFor(t, address, subject))[0]!
}
const move = async ({ call }: Person, email: string) => {
  expect((await call('POST', '/users/me/email', { email, currentPassword: password })).status).toBe(200)
  const token = await linkIn(email, 'Confirm your new email address')
  expect((await call('POST', '/users/me/email/confirm', { token })).status).toBe(200)
}

test('each address that an admin moves to or back to is recorded with the previous one, even after the account is deleted', async () => {
  const gone = await t.signUp('ADMIN', { name: 'Gil Gray' })
  const { id, email } = gone.user
  const moved = `${id}@moved.example.test`
  await move(gone, moved)
  // Nobody pays an admin, so no payment method has changed with the address.
  const ofPayment = `select from notifications where user_id = $1 and kind = 'PAYMENT_METHOD_CHANGED'`
  expect(await t.look(ofPayment, [id])).toEqual([])
  const token = await linkIn(email, 'Your email address was changed')
  expect((await t.call('POST', '/auth/undo-email-change', { body: { token } })).status).toBe(200)
  expect((await deleteByCommand(email)).code).toBe(0)
  expect((await entries('admin.change-email', id)).map(({ admin: by, facts }) => [by?.id, facts])).toEqual([
    [id, { emailBefore: moved, emailAfter: email }],
    [id, { emailBefore: email, emailAfter: moved }],
  ])
})

test('a requested address is not recorded until it is confirmed, and other users’ changes are not recorded', async () => {
  const tester = await t.signUp('TESTER')
  const asked = { email: 'ann.asked@example.test', currentPassword: password }
  expect((await admin.call('POST', '/users/me/email', asked)).status).toBe(200)
  expect((await admin.call('DELETE', '/users/me/email')).status).toBe(200)
  await move(tester, `${tester.user.id}@moved.example.test`)
  expect([
    ...(await entries('admin.change-email', admin.user.id)),
    ...(await entries('admin.change-email', tester.user.id)),
  ]).toEqual([])
})

const deleteByCommand = (email: string) => runScript('admin', ['delete', email], { DATABASE_URL: t.databaseUrl })

describe('“npm run admin -- delete”', () => {
  test('deletes an admin’s account: signs it out at once, records that the server did it, and notifies the others', async () => {
    const { user, call, refreshToken } = await t.signUp('ADMIN', { name: 'Fay Fox' })
    const { said, code } = await deleteByCommand(user.email)
    expect(said).toContain(`The admin account of Fay Fox (${user.email}) has been deleted`)
    expect(code).toBe(0)
    expect((await call('GET', '/admin/users')).status).toBe(401)
    expect((await t.call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(401)
    expect((await t.call('POST', '/auth/login', { body: { email: user.email, password } })).status).toBe(401)
    expect(await entries('admin.delete', user.id)).toMatchObject([{ admin: null, facts: { name: 'Fay Fox' } }])
    expect(await told(admin, user.id)).toMatchObject([
      {
        subject: 'No longer an admin: Fay Fox',
        text: expect.stringMatching(
          /^The admin account of Fay Fox was deleted on the server.*who has access to the server/s,
        ),
      },
    ])
  })

  test('refuses an account that is not an admin’s, or is already deleted', async () => {
    const tester = await t.signUp('TESTER')
    for (const email of [tester.user.email, 'nobody@example.test']) {
      const { said, code } = await deleteByCommand(email)
      expect(said).toContain('Admin not found.')
      expect(code).toBe(1)
    }
    expect((await tester.call('GET', '/users/me')).status).toBe(200)
  })

  test.skipIf(!canOpenTerminal())(
    'asks for the address again on a terminal, and deletes nothing after another answer or none',
    async () => {
      const { user, call } = await t.signUp('ADMIN', { name: 'Gus Grey' })
      const answered = (answer: string | null) =>
        runOnTerminal(
          'admin',
          ['delete', user.email],
          { DATABASE_URL: t.databaseUrl },
          { question: 'Repeat the address to delete the account: ', answer },
        )
      for (const [answer, sentence] of [
        [admin.user.email, 'The addresses do not match. Nothing was deleted.'],
        ['', 'The addresses do not match. Nothing was deleted.'],
        [null, 'Cancelled: nothing was changed.'],
      ] as const) {
        const { said, code } = await answered(answer)
        expect(said).toContain(sentence)
        expect(code).toBe(1)
      }
      expect((await call('GET', '/users/me')).status).toBe(200)
      const { said, code } = await answered(` ${user.email.toUpperCase()} `)
      expect(said).toContain(`The admin account of Gus Grey (${user.email}) has been deleted`)
      expect(code).toBe(0)
      expect((await call('GET', '/users/me')).status).toBe(401)
    },
  )

  test('does not ask without a terminal', async () => {
    const { user } = await t.signUp('ADMIN', { name: 'Hal Hunt' })
    const { said } = await deleteByCommand(user.email)
    expect(said).not.toContain('Repeat the address')
    expect(said).toContain(`The admin account of Hal Hunt (${user.email}) has been deleted`)
  })

  test('refuses the only admin', async () => {
    await t.look(`update users set deleted_at = now() where role = 'ADMIN' and id <> $1`, [admin.user.id])
    const { said, code } = await deleteByCommand(admin.user.email)
    expect(said).toContain('Ann Archer is the only admin. Create another admin first.')
    expect(code).toBe(1)
    expect((await admin.call('GET', '/users/me')).status).toBe(200)
  })
})

test('the name of a deleted user who was no admin is not recorded', async () => {
  const tester = await t.signUp('TESTER')
  await leave(tester)
  expect([...(await entries('admin.delete', tester.user.id)), ...(await told(admin, tester.user.id))]).toEqual([])
})

test('an admin who is deleted again in a restored copy is recorded there, and nobody is notified', async () => {
  const { user } = await t.signUp('ADMIN', { name: 'Dan Dyer' })
  expect(await forgetAgain(user.id)).toBe(true)
  expect(await entries('admin.delete', user.id)).toMatchObject([{ facts: { name: 'Dan Dyer' } }])
  expect(await told(admin, user.id)).toEqual([])
})
