/** Data that the settings keep only for a while (decision 050). */
import { expect, test } from 'vitest'
import { clock, daysAfter, hoursAfter, monthsAfter } from '../../kit/clock.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

test('queues keep finished jobs for as many days as the setting says, including existing queues', async () => {
  await t.advance(0)
  const kept = () =>
    t.look(`select distinct deletion_seconds / 86400 as days from pgboss.queue
      union select deletion_seconds / 86400 from pgboss.job order by 1`)
  await t.look(`insert into pgboss.job (name, state, completed_on) values ('retention.jobs', 'completed', now())`)
  expect(await kept()).toEqual([{ days: 7 }])
  await admin.call('PATCH', '/admin/settings', { jobDays: 30 })
  await t.advance(0)
  expect(await kept()).toEqual([{ days: 30 }])
})

test('failed sign-ins are deleted after the time in the settings and not an hour before', async () => {
  const failed = (email: string, at: string) =>
    t.look(`insert into login_failures (email, ip, at, budget) values ($1, '', $2, '')`, [email, at])
  const left = async () => (await t.look('select email from login_failures order by 1')) as { email: string }[]
  const limit = monthsAfter(clock.now(), -3)
  await t.look(`insert into login_failures (email, ip, at, budget)
    select 'many', '', now() - interval '200 days', '' from generate_series(1, 2500)`)
  await failed('before', hoursAfter(limit, -1))
  await failed('after', hoursAfter(limit, 1))
  await failed('weeks', daysAfter(clock.now(), -40))
  // Whom an hourly limit counted is forgotten with the hour.
  await t.look(
    `insert into hourly_calls (caller, kind, hour_began_at, calls)
    values ('192.0.2.1', 'WAITLIST', $1, 1), ('192.0.2.2', 'WAITLIST', $2, 1)`,
    [hoursAfter(clock.now(), -1), clock.now()],
  )
  await t.advance(0)
  expect(await t.look(`select caller from hourly_calls where kind = 'WAITLIST'`)).toEqual([{ caller: '192.0.2.2' }])
  expect(await left()).toEqual([{ email: 'after' }, { email: 'weeks' }])
  await admin.call('PATCH', '/admin/settings', { signInMonths: 1 })
  await t.advance(0)
  expect(await left()).toEqual([])
})
