/** How long what people were told is kept (decision 050). */
import { expect, test } from 'vitest'
import { clock, hoursAfter, type Instant, monthsAfter } from '../../kit/clock.ts'
import { idFrom } from '../../kit/server/ids.ts'
import type { Settings } from '../../settings/contract.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const reader = signedUp(t, 'TESTER')

/** As many, told at that time: the last digits of their ids count. */
const told = (subject: string, at: Instant, { count = 1, waits = false } = {}) =>
  t.look(
    `insert into notifications (id, user_id, subject, text, created_at, delivery, digest_due_at)
      select (left($5, 24) || lpad(to_hex(n + (random() * 1e9)::bigint * 4000), 12, '0'))::uuid, $1, $2, '', $3,
        case when $4 then 'DAILY' else 'IN_APP' end, case when $4 then now() + interval '1 day' end
      from generate_series(1, $6::int) n`,
    [reader.user.id, subject, at, waits, idFrom(at), count],
  )
const left = async () =>
  (
    await t.look<{ subject: string }>(
      `select distinct subject from notifications where user_id = $1 and subject like 'Of %' order by 1`,
      [reader.user.id],
    )
  ).map(({ subject }) => subject)

test('notifications go by the setting and not an hour before, more than one statement takes too, and none that waits for its digest', async () => {
  const limit = monthsAfter(clock.now(), -12)
  await told('Of long ago', hoursAfter(limit, -24 * 300), { count: 2500 })
  await told('Of just before', hoursAfter(limit, -1))
  await told('Of just after', hoursAfter(limit, 1))
  await told('Of old, waiting', hoursAfter(limit, -24 * 30), { waits: true })
  await t.advance(0)
  expect(await left()).toEqual(['Of just after', 'Of old, waiting'])
  await t.advance(2)
  expect(await left()).toEqual(['Of old, waiting'])
})

test('a shorter period holds from the next night on', async () => {
  await told('Of four months', monthsAfter(clock.now(), -4))
  await told('Of two months', monthsAfter(clock.now(), -2))
  await t.advance(0)
  expect(await left()).toContain('Of four months')
  expect((await admin.call<Settings>('PATCH', '/admin/settings', { notificationMonths: 3 })).status).toBe(200)
  await t.advance(0)
  expect(await left()).toEqual(['Of old, waiting', 'Of two months'])
})
