/** Many are told at once: each what concerns them, by email too, and with as few statements as one. */
import { expect, test } from 'vitest'
import { transact, type Tx } from '../../kit/server/db.ts'
import { password, type Person } from '../../testing/app.ts'
import { emailsOf } from '../../testing/observed.ts'
import { allSignedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Notification } from '../contract.ts'
import { type Notice, notifyMany } from './notifications.ts'

const t = testApp()
const people = allSignedUp(t, 'TESTER', 3)

const message = ({ user }: Person, subject: string): Notice => ({
  userId: user.id,
  kind: 'ADMIN_MESSAGE',
  facts: { subject, text: `For ${user.email}` },
})
const toldOf = async (who: Person) =>
  (await who.call<Notification[]>('GET', '/users/me/notifications')).body.map(({ subject }) => subject)

/** How many statements it took to tell them. */
const tell = (notices: readonly Notice[]): Promise<number> =>
  transact(async tx => {
    let statements = 0
    const counting: Tx = {
      ...tx,
      run: statement => (statements++, tx.run(statement)),
      raw: (text, values) => (statements++, tx.raw(text, values)),
    }
    await notifyMany(counting, notices)
    return statements
  })

test('each is told what concerns them, in the product and by email', async () => {
  const [ann, bea, cyd] = people
  const before = new Set(await emailsOf(t))
  await tell([
    message(ann!, 'To the first'),
    { userId: bea!.user.id, kind: 'BENCH_ENDED', facts: { title: 'Atlas', ended: true } },
    message(ann!, 'To the first again'),
  ])
  await t.advance(0)
  expect(await toldOf(ann!)).toEqual(['To the first again', 'To the first'])
  expect(await toldOf(bea!)).toEqual(['No more seats: Atlas'])
  expect(await toldOf(cyd!)).toEqual([])
  expect((await emailsOf(t)).filter(email => !before.has(email))).toEqual(
    [
      `${ann!.user.email}: To the first`,
      `${ann!.user.email}: To the first again`,
      `${bea!.user.email}: No more seats: Atlas`,
    ].toSorted(),
  )
})

test('telling three hundred takes as many statements as telling one, and telling nobody takes none', async () => {
  const one = await tell([message(people[0]!, 'One')])
  const many = await tell(Array.from({ length: 300 }, (_, number) => message(people[number % 3]!, `Of many ${number}`)))
  expect([many, one]).toEqual([one, 2])
  expect(await tell([])).toBe(0)
})

test('who deletes their account meanwhile is told nothing that would outlive it', async () => {
  const [leaving, staying] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const row = { rows: 'select from users where id = $1', values: [leaving.user.id] }
  const [deleted] = await overtaken(
    t,
    row,
    () => leaving.call('DELETE', '/users/me', { password }),
    () => tell([message(leaving, 'Too late'), message(staying, 'In time')]),
  )
  expect(deleted.status).toBe(204)
  expect(await t.look('select from notifications where user_id = $1', [leaving.user.id])).toEqual([])
  expect(await toldOf(staying)).toContain('In time')
})
