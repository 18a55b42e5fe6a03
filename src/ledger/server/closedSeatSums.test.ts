/**
 * In whatever order seats are verified, rejected, closed and cancelled, every cent that was paid in ends up somewhere exactly
 * once.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { liveCampaign } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

beforeAll(async () => {
  await t.look(`insert into users (id, email, name, role, password_hash, created_at)
    select gen_random_uuid(), 'summer' || n || '@example.test', 'Summer ' || n, 'TESTER', 'none', now()
    from generate_series(1, 7) n`)
})

type Seat = 'FREE' | 'WAITING' | 'TESTING' | 'SUBMITTED'
type Many = 'verifyMany' | 'rejectMany' | 'closeManyWaiting'
type Step = 'verify' | 'reject' | 'closeWaiting' | 'closeFree' | 'cancel' | 'complete' | Many
type History = { seats: Seat[]; payCents: number; days: number; steps: [Step, number][] }

const many: Many[] = ['verifyMany', 'rejectMany', 'closeManyWaiting']
const steps: Step[] = ['verify', 'reject', 'closeWaiting', 'closeFree', ...many, 'cancel', 'complete']
/** Steps that end the campaign are rare, since otherwise no history would get far. */
const anyStep = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<Step>('verify', 'reject', 'closeWaiting', 'closeFree') },
  { weight: 8, arbitrary: fc.constantFrom<Step>(...many) },
  { weight: 1, arbitrary: fc.constantFrom<Step>('cancel', 'complete') },
)
const history: fc.Arbitrary<History> = fc.record({
  seats: fc.array(fc.constantFrom<Seat>('FREE', 'TESTING', 'WAITING', 'WAITING', 'SUBMITTED', 'SUBMITTED'), {
    minLength: 1,
    maxLength: 7,
  }),
  payCents: fc.integer({ min: 100, max: 3000 }),
  days: fc.integer({ min: 1, max: 90 }),
  steps: fc.array(fc.tuple(anyStep, fc.nat(6)), { minLength: 4, maxLength: 16 }),
})

/** A running campaign with a tester list and these seats, whose tests began 20 days ago. */
const begun = async ({ seats, payCents, days }: History): Promise<string> => {
  const terms = { testersRequired: seats.length, payPerTesterCents: payCents, durationDays: days, dailyCheckIn: false }
  const { id } = await liveCampaign(developer, admin, terms)
  await t.look(
    `insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at,
        listed_at, last_seen_at, proof_text, proof_submitted_at, payout_amount_cents, wake_at)
      select gen_random_uuid(), $1, u.id, u.n, case s.seat when 'SUBMITTED' then 'SUBMITTED' else 'ACTIVE' end, 'Pixel 8',
        'UTC', $3::timestamptz - interval '20 days', case when s.seat <> 'WAITING' then $3::timestamptz - interval '19 days' end,
        $3, case s.seat when 'SUBMITTED' then 'Done.' end, case s.seat when 'SUBMITTED' then $3::timestamptz end, $4, 'infinity'
      from unnest($2::text[]) with ordinality s (seat, n)
      join (select id, row_number() over (order by email) as n from users where email like 'summer%') u on u.n = s.n
      where s.seat <> 'FREE'`,
    [id, seats, clock.now(), payCents],
  )
  await t.look(
    `insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at)
      select id, campaign_id, listed_at, listed_at from participations where campaign_id = $1 and listed_at is not null`,
    [id],
  )
  const taken = seats.filter(seat => seat !== 'FREE').length
  await t.look(
    `update campaigns set seats_taken = $2, open_testers = $2, joins_ever = $2, access_mode = 'EMAIL_LIST' where id = $1`,
    [id, taken],
  )
  return id
}

const did: Partial<Record<Step, number>> = {}

const take = async (campaign: string, step: Step, n: number): Promise<void> => {
  const rows = await t.look<{ id: string }>('select id from participations where campaign_id = $1 order by ordinal', [
    campaign,
  ])
  const seat = rows[n % Math.max(1, rows.length)]?.id ?? randomUUID()
  const now = clock.now()
  // All participations but the nth, so that some steps settle all seats at once, and others only some.
  const some = rows.map(({ id }) => id).filter((_, place) => place !== n - 1)
  const refunds = some.map(() => randomUUID())
  const calls: Record<Step, [string, unknown[]]> = {
    verify: ['verify_participation($1, $2, $3)', [seat, developer.user.id, now]],
    reject: [`close_unpaid($1, '{SUBMITTED}', 'DROPPED', 'LEFT', false, $2, $3)`, [seat, randomUUID(), now]],
    closeWaiting: ['close_waiting_seat($1, $2, $3, $4)', [seat, n % 2 === 0, randomUUID(), now]],
    closeFree: ['close_free_seat($1, $2, $3)', [campaign, randomUUID(), now]],
    cancel: ['cancel_campaign($1, $2, $3)', [campaign, randomUUID(), now]],
    complete: ['complete_campaigns(array[$1::uuid], array[$2::uuid], $3)', [campaign, randomUUID(), now]],
    verifyMany: ['verify_participations($1, $2, $3)', [some, developer.user.id, now]],
    rejectMany: [
      `close_all_unpaid($1, '{SUBMITTED}', 'DROPPED', array_fill('LEFT'::text, array[$2::int]), false, $3, $4)`,
      [some, some.length, refunds, now],
    ],
    closeManyWaiting: ['close_waiting_seats($1, $2, $3, $4)', [some, n % 2 === 0, refunds, now]],
  }
  const [call, values] = calls[step]
  const [{ outcome }] = (await t.look<{ outcome: string | string[] }>(`select ${call} as outcome`, values)) as [
    { outcome: string | string[] },
  ]
  const done = Array.isArray(outcome) ? outcome.length > (step === 'complete' ? 0 : 1) : outcome === 'OK'
  if (done) did[step] = (did[step] ?? 0) + 1
}

const sumsOf = async (campaign: string) =>
  (
    await t.look<Record<'paid' | 'back' | 'testers' | 'fees' | 'held', number>>(
      `select (select sum(amount_cents) from payments where campaign_id = $1)::int as paid,
        (select coalesce(sum(amount_cents), 0) from refunds where campaign_id = $1)::int as back,
        (select coalesce(sum(payout_amount_cents), 0) from participations where campaign_id = $1)::int as testers,
        (select coalesce(sum(amount_cents), 0) from transfers where campaign_id = $1 and business_key like 'verify-fee:%')::int
          as fees,
        (select sum(balance_cents) from accounts where owner_id = $1)::int as held`,
      [campaign],
    )
  )[0]!

test('every cent that was paid in goes to a tester, to the platform or back', async () => {
  for (const each of fc.sample(history, { numRuns: 60, seed: 20261122 })) {
    const campaign = await begun(each)
    for (const [step, n] of each.steps) {
      await take(campaign, step, n)
      const { paid, back, fees, held } = await sumsOf(campaign)
      expect(paid).toBeGreaterThanOrEqual(back + fees + held)
    }
    expect([each, await brokenChecks()]).toEqual([each, []])
    // Once everything that is left is decided, nothing is held in escrow.
    await take(campaign, 'complete', 0)
    await take(campaign, 'cancel', 0)
    for (let seat = 0; seat < 7; seat++) await take(campaign, seat % 2 ? 'reject' : 'verify', seat)
    for (let seat = 0; seat < 7; seat++) await take(campaign, 'verify', seat)
    const { paid, back, testers, fees, held } = await sumsOf(campaign)
    expect([each, held, paid]).toEqual([each, 0, back + testers + fees])
    expect([each, await brokenChecks()]).toEqual([each, []])
  }
  // The test proves something only if every kind of step succeeded.
  for (const step of steps) expect([step, (did[step] ?? 0) > 3]).toEqual([step, true])
}, 120_000)
