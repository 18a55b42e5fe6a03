/** Exports of a user's data are streamed in pages, one export at a time for each user. */
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../testing/app.ts'
import { connectBeside } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { autocommit } from '../../kit/server/db.ts'
import { PersonalData } from '../contract.ts'
import { exported as kinds } from './exporting.queries.ts'
import { until } from '../../testing/until.ts'

const t = testApp()
let beside: pg.Client
let address: string
beforeAll(async () => {
  beside = await connectBeside(t)
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}/api/v1/users/me/export`
})
afterAll(() => beside.end())

const exported = (person: Person) => person.call<PersonalData>('GET', '/users/me/export')

/** Makes exports wait at the notifications until the lock is gone. */
const whileItWaits = async (work: () => Promise<void>) => {
  await beside.query('begin; lock table notifications in access exclusive mode')
  try {
    await work()
  } finally {
    await beside.query('rollback')
  }
}
/** Asked on another connection, because the locking transaction would always see the same activity. */
const exportsWaiting = async () =>
  (
    await t.look(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%from notifications%'`)
  ).length

test('rows of many pages are all exported, once each and in order', async () => {
  const person = await t.signUp('TESTER')
  await t.look(
    `insert into notifications (id, user_id, subject, text, created_at)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'Number ' || n, 'Text', now()
      from generate_series(1, 1501) n`,
    [person.user.id],
  )
  await t.look(
    `insert into sessions (id, user_id, ip, network, user_agent, created_at, last_used_at, expires_at)
      select gen_random_uuid(), $1, '', '', 'Agent ' || n, now(), now(), now() from generate_series(1, 1000) n`,
    [person.user.id],
  )
  const { status, body, headers } = await exported(person)
  expect(status).toBe(200)
  expect(headers['content-length']).toBeUndefined()
  expect(body.notifications.map(row => row['subject'])).toEqual(
    Array.from({ length: 1501 }, (_, index) => `Number ${index + 1}`),
  )
  expect(new Set(body.sessions.map(row => row['user_agent'])).size).toBe(1001)
  expect(body.sessions).toHaveLength(1001)
  expect(Object.keys(body)).toEqual([
    'exportedAt',
    'user',
    'sessions',
    'pastDevices',
    'secondFactors',
    'campaigns',
    'tests',
    'appeals',
    'optIns',
    'benchPlaces',
    'passedSeats',
    'playAddresses',
    'ndas',
    'ndaAcceptances',
    'checkIns',
    'bugs',
    'bugEvents',
    'changes',
    'feedbackForms',
    'feedback',
    'feedbackRetests',
    'attachments',
    'transactions',
    'payments',
    'refunds',
    'disputes',
    'withdrawals',
    'payoutAccounts',
    'notifications',
    'notificationChoices',
    'digests',
    'waitlist',
  ])
  // The reply contains exactly what the API document promises.
  expect(Object.keys(body)).toEqual(Object.keys(PersonalData.shape))
  expect(body.user).toEqual((await person.call('GET', '/users/me')).body)
})

test('sessions continue where a page ended, even if the last one on it has been deleted since', async () => {
  const { user } = await t.signUp('TESTER')
  await t.look(
    `insert into sessions (id, user_id, ip, network, user_agent, created_at, last_used_at, expires_at)
      select gen_random_uuid(), $1, '', '', 'Agent ' || n,
        case when n % 2 = 0 then now() else date_trunc('milliseconds', now()) end, now(), now() from generate_series(1, 700) n`,
    [user.id],
  )
  const first = await kinds.sessions(autocommit, user.id, undefined)
  const last = first.at(-1)!
  await t.look('delete from sessions where id = $1', [last['id']])
  const second = await kinds.sessions(autocommit, user.id, last)
  expect(new Set([...first, ...second].map(row => row['id'])).size).toBe(701)
})

test('a second export has to wait for the first, but another user’s does not', async () => {
  const [person, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  let first: ReturnType<typeof exported> | undefined
  let others: ReturnType<typeof exported> | undefined
  await whileItWaits(async () => {
    first = exported(person)
    await until(async () => (await exportsWaiting()) === 1)
    const second = await exported(person)
    expect(second).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
    expect(JSON.stringify(second.body)).toContain('An export of your data is under way.')
    others = exported(other)
    await until(async () => (await exportsWaiting()) === 2)
  })
  expect([(await first)?.status, (await others)?.status]).toEqual([200, 200])
  expect((await exported(person)).status).toBe(200)
})

test('a user who disconnects during an export can start another one', async () => {
  const person = await t.signUp('TESTER')
  await whileItWaits(async () => {
    const leave = new AbortController()
    const reply = await fetch(address, {
      headers: { authorization: `Bearer ${person.accessToken}` },
      signal: leave.signal,
    })
    expect(reply.status).toBe(200)
    await until(async () => (await exportsWaiting()) === 1)
    leave.abort()
  })
  await until(async () => (await exported(person)).status === 200)
})
