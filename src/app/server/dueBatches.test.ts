/** Many deadlines at once: each takes effect once, even if servers compete or die. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completeCampaigns } from '../../campaigns/server/completing.ts'
import { clock } from '../../kit/clock.ts'
import { liveCampaign } from '../../testing/app.ts'
import { type Crashes, prepareCrashes } from '../../testing/crashes.ts'
import { brokenChecks, connectBeside, inParallel } from '../../testing/observed.ts'
import { roundTripsOf } from '../../testing/recorded.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { ParticipationStatus } from '../../participations/contract.ts'
import { wakeParticipations } from '../../participations/server/participations.ts'
import { until } from '../../testing/until.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let crashes: Crashes
beforeAll(async () => {
  crashes = await prepareCrashes(t)
  await t.look(`insert into users (id, email, name, role, password_hash, created_at)
    select gen_random_uuid(), 'due' || n || '@example.test', 'Due ' || n, 'TESTER', 'none', now()
    from generate_series(1, 100) n`)
})
afterAll(() => crashes.stop())

const seats = 100
/** The fee is 1605 cents: 16 for each seat, and 5 of rounding. */
const terms = { testersRequired: seats, payPerTesterCents: 107, durationDays: 14 }

/** A full campaign whose tests have all been waiting for `silentHours` and are due. */
const dueCampaign = async (status: ParticipationStatus, silentHours: number, more: object = {}): Promise<string> => {
  const { id } = await liveCampaign(developer, admin, { ...terms, ...more })
  await t.look(
    `insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at,
        proof_allowed_at, last_seen_at, proof_text, proof_submitted_at, payout_amount_cents, wake_at)
      select gen_random_uuid(), $1, id, row_number() over (order by id), $2, 'Pixel 8', 'UTC', $3::timestamptz - interval '15 days',
        case when $5 then null else $3::timestamptz + interval '1 day' end, $3::timestamptz - make_interval(hours => $4),
        case when $2 = 'SUBMITTED' then 'Done.' end,
        case when $2 = 'SUBMITTED' then $3::timestamptz - make_interval(hours => $4) end, 107, $3
      from users where email like 'due%'`,
    [id, status, clock.now(), silentHours, 'accessMode' in more],
  )
  await t.look('update campaigns set seats_taken = $2, open_testers = $2, joins_ever = $2 where id = $1', [id, seats])
  await t.look('delete from notifications')
  return id
}
const wake = () => wakeParticipations.run({})
const complete = () => completeCampaigns.run({})
const count = async (what: string, ...values: unknown[]) =>
  (await t.look<{ n: number }>(`select count(*)::int as n from ${what}`, values))[0]!.n
const sum = async (query: string, ...values: unknown[]) =>
  (await t.look<{ cents: number }>(`select coalesce(sum(amount_cents), 0)::int as cents from ${query}`, values))[0]!
    .cents
const inStatus = (id: string, status: string) =>
  count('participations where campaign_id = $1 and status = $2', id, status)
const refundJobs = () => count(`pgboss.job where name = 'ledger.pay-refund'`)

describe('the hundred tests of one campaign', () => {
  test('are verified once each by three servers at once if nobody decides, and the last seat takes the rounding', async () => {
    const id = await dueCampaign('SUBMITTED', 73)
    const before = await refundJobs()
    await inParallel(3, wake)
    expect(await inStatus(id, 'VERIFIED')).toBe(seats)
    expect(await sum(`transfers where campaign_id = $1 and business_key like 'verify-pay:%'`, id)).toBe(seats * 107)
    expect(await sum(`transfers where campaign_id = $1 and business_key like 'verify-fee:%'`, id)).toBe(1605)
    expect(await count(`notifications where subject like 'You earned%'`)).toBe(seats)
    await inParallel(3, complete)
    expect(await count(`campaigns where id = $1 and status = 'COMPLETED'`, id)).toBe(1)
    expect(await count('notifications where user_id = $1', developer.user.id)).toBe(1)
    // Nothing is left over, so no refund is started.
    expect(await refundJobs()).toBe(before)
    expect(await brokenChecks()).toEqual([])
  })

  test('are dropped once each by three servers at once, and both sides are told of each', async () => {
    const id = await dueCampaign('ACTIVE', 73)
    await inParallel(3, wake)
    expect([await inStatus(id, 'DROPPED'), await count('notifications')]).toEqual([seats, 2 * seats])
    expect(await count('campaigns where id = $1 and open_testers = 0 and seats_taken = 0', id)).toBe(1)
    expect(await brokenChecks()).toEqual([])
  })

  test('whose testers waited two weeks to be listed: each is paid for a day, and the rest goes back in one refund', async () => {
    const id = await dueCampaign('ACTIVE', 15 * 24, { accessMode: 'EMAIL_LIST' })
    const before = await refundJobs()
    await inParallel(3, wake)
    expect(await inStatus(id, 'CANCELLED')).toBe(seats)
    expect(await sum(`transfers where campaign_id = $1 and business_key like 'waiting-pay:%'`, id)).toBe(seats * 7)
    expect(await sum('refunds where campaign_id = $1', id)).toBe(seats * 100 + 1605)
    expect([await count('refunds where campaign_id = $1', id), await refundJobs()]).toEqual([1, before + 1])
    expect(await brokenChecks()).toEqual([])
  })
})

test.each([
  ['SUBMITTED', 73, {}, 14],
  ['ACTIVE', 73, {}, 14],
  ['ACTIVE', 50, {}, 13],
  ['ACTIVE', 15 * 24, { accessMode: 'EMAIL_LIST' }, 16],
] as const)('%s after %i hours: a hundred take as many statements as one', async (status, hours, more, most) => {
  const id = await dueCampaign(status, hours, more)
  const later = `update participations set wake_at = $2::timestamptz + make_interval(hours => $3) where campaign_id = $1 and ordinal > 1`
  await t.look(later, [id, clock.now(), 1])
  const one = (await roundTripsOf(wake)).flat()
  await t.look(later, [id, clock.now(), 0])
  const others = (await roundTripsOf(wake)).flat()
  expect(await count('participations where campaign_id = $1 and wake_at <= $2', id, clock.now())).toBe(0)
  expect([others.length, others.length <= most]).toEqual([one.length, true])
})

test('a server that dies while paying has paid nobody, and the next run pays each tester once', async () => {
  const id = await dueCampaign('SUBMITTED', 73)
  const escrow = `select from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`
  const died = await crashes.crashAt(escrow, [id], () => wake().catch((error: unknown) => error))
  expect(died).toMatchObject({ message: `${seats} of ${seats} failed` })
  expect([await inStatus(id, 'SUBMITTED'), await count('notifications')]).toEqual([seats, 0])
  await wake()
  expect([await inStatus(id, 'VERIFIED'), await count('notifications')]).toEqual([seats, seats])
  expect(await brokenChecks()).toEqual([])
})

test('a tester who checks in while the drop waits for the row keeps the seat', async () => {
  const id = await dueCampaign('ACTIVE', 73)
  const beside = await connectBeside(t)
  try {
    await beside.query('begin')
    await beside.query('select from campaigns where id = $1 for key share', [id])
    const [saved] = (
      await beside.query<{ id: string }>(
        `update participations set last_seen_at = $2, wake_at = $2::timestamptz + interval '2 days'
          where id = (select min(id::text)::uuid from participations where campaign_id = $1) returning id`,
        [id, clock.now()],
      )
    ).rows
    const waking = wake()
    const waiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'fieldtest'`
    await until(async () => (await beside.query(`select from ${waiting}`)).rowCount !== 0)
    await beside.query('commit')
    await waking
    expect(await t.look('select status from participations where id = $1', [saved!.id])).toEqual([{ status: 'ACTIVE' }])
    expect(await inStatus(id, 'DROPPED')).toBe(seats - 1)
  } finally {
    await beside.end()
  }
  expect(await brokenChecks()).toEqual([])
})

test('a campaign that ends with seats still free is refunded once, by three servers at once', async () => {
  const { id } = await liveCampaign(developer, admin, {
    ...terms,
    testersRequired: 2,
    durationDays: 1,
    title: 'Untaken',
  })
  const before = await refundJobs()
  await t.look('update campaigns set end_date = $2 where id = $1', [id, clock.now()])
  await inParallel(3, complete)
  expect([await count('refunds where campaign_id = $1', id), await refundJobs()]).toEqual([1, before + 1])
  expect(await count(`notifications where subject = 'Completed: Untaken'`)).toBe(1)
})
