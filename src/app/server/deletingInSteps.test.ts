/**
 * Deletions in steps delete everything, and no step scans what earlier steps have deleted. PostgreSQL's plans show how each step
 * ran.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetOldSignIns } from '../../accounts/server/housekeeping.ts'
import { forgetEvents } from '../../events/server/events.ts'
import type { AnyJob } from '../../kit/server/jobs.ts'
import { forgetOldKeys } from '../../kit/server/idempotency.ts'
import { forgetOldNotifications } from '../../notifications/server/notifications.ts'
import { type Listener, listenToPlans, nodesOf, tellPlans } from '../../testing/plans.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

let listener: Listener
const t = testApp(
  {},
  {
    via: async url => {
      const settings = { enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_custom_plan' }
      await tellPlans(url, { analyze: false, settings })
      listener = listenToPlans()
      return url
    },
  },
)
const person = signedUp(t, 'TESTER')
// Signing up made events of today with lower ids than the inserted ones, and everything after a recent event counts as recent.
beforeAll(async () => {
  await t.look('delete from user_events')
})
afterAll(() => listener.stop())

/** Many rows share each instant, and the instants are in a different order than the rows. */
const at = `timestamptz '2001-01-01' + n % 7 * interval '1 day'`

const cases: { table: string; index: string; insert: string; job: AnyJob }[] = [
  {
    table: 'user_events',
    index: 'user_events_pkey',
    insert: `insert into user_events (user_id, topic, at) select $1::uuid, 'NOTICES', ${at}`,
    job: forgetEvents,
  },
  {
    table: 'notifications',
    index: 'notifications_pkey',
    insert: `insert into notifications (id, user_id, subject, text, created_at, delivery)
      select ('00e1' || lpad(to_hex(n), 4, '0') || '-0000-7000-8000-000000000000')::uuid, $1::uuid, 'Hello', '', ${at}, 'IN_APP'`,
    job: forgetOldNotifications,
  },
  {
    table: 'idempotency_keys',
    index: 'idempotency_keys_by_age',
    insert: `insert into idempotency_keys (user_id, key, request_hash, subject_id, created_at) select $1::uuid, n::text, '', $1::uuid, ${at}`,
    job: forgetOldKeys,
  },
  {
    table: 'login_failures',
    index: 'login_failures_by_age',
    insert: `insert into login_failures (email, ip, at) select $1::text || n, '192.0.2.1', ${at}`,
    job: forgetOldSignIns,
  },
]

test.for(cases)('$table', async ({ table, index, insert, job }) => {
  const count = async () => (await t.look<{ count: number }>(`select count(*)::int as count from ${table}`))[0]!.count
  const before = await count()
  await t.look(`${insert} from generate_series(1, 12000) n`, [person.user.id])
  listener.taken()
  await job.run({})
  const { planned } = listener.taken()
  expect(await count()).toBe(before)
  const conditions = planned
    .filter(({ text }) => text.includes(`delete from ${table}`))
    .flatMap(({ plan }) => nodesOf(plan))
    .filter(({ node }) => node['Index Name'] === index)
    .map(({ node }) => node['Index Cond'])
  expect(new Set(conditions).size).toBeGreaterThan(2)
})
