/**
 * A campaign that is cancelled with a hundred seats: right to the cent, each is told once, and no more statements than with
 * three.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { proRata } from '../../kit/money.ts'
import { daysAndProof, draftOf, frozen, fundedBy, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { recorded } from '../../testing/recorded.ts'
import type { Campaign } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const seats = 100
beforeAll(async () => {
  await t.look(
    `insert into users (id, email, name, role, password_hash, created_at)
      select gen_random_uuid(), 'seated' || n || '@example.test', 'Seated ' || n, 'TESTER', 'none', now()
      from generate_series(1, $1::int) n`,
    [seats],
  )
})

type Kind =
  | 'WAITS_LONG'
  | 'WAITS_SHORT'
  | 'OPTED_IN'
  | 'TWO_RUNS'
  | 'LISTED'
  | 'SUBMITTED'
  | 'VERIFIED'
  | 'WAITED_BEFORE'
const kinds: Kind[] = [
  'WAITS_LONG',
  'WAITS_SHORT',
  'OPTED_IN',
  'TWO_RUNS',
  'LISTED',
  'SUBMITTED',
  'VERIFIED',
  'WAITED_BEFORE',
]
type Seat = { id: string; testerId: string; kind: Kind }

const hoursSinceJoining = 20 * 24 + 5
/** The hours since joining at which runs began and ended. */
const runsOf: Partial<Record<Kind, [number, number | null][]>> = {
  OPTED_IN: [[30, null]],
  TWO_RUNS: [
    [2, 86],
    [113, null],
  ],
}

/** A running campaign of a tester list, in which the seats are of all kinds in turn. */
const seated = async (terms: Record<string, unknown>): Promise<{ campaign: Campaign; tests: Seat[] }> => {
  const listed = { accessMode: 'EMAIL_LIST', dailyCheckIn: false, ...terms }
  const campaign = await liveCampaign(developer, admin, listed)
  const joinedAt = hoursAfter(clock.now(), -hoursSinceJoining)
  const of = Array.from({ length: campaign.testersRequired }, (_, place) => kinds[place % kinds.length]!)
  const rows = await t.look<{ id: string; testerId: string; ordinal: number }>(
    `insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at, listed_at,
        opted_in_at, last_seen_at, proof_text, proof_submitted_at, payout_amount_cents, wake_at)
      select gen_random_uuid(), $1, u.id, s.n, case when proven then 'SUBMITTED' else 'ACTIVE' end, 'Pixel 8', 'UTC',
        case when s.kind = 'WAITS_SHORT' then $3::timestamptz - interval '167 hours' else $4 end,
        case when s.kind not like 'WAIT%' then $4::timestamptz end,
        case when s.kind in ('OPTED_IN', 'TWO_RUNS') then $4::timestamptz end, $4,
        case when proven then 'Done.' end, case when proven then $3::timestamptz end, $5, 'infinity'
      from unnest($2::text[]) with ordinality s (kind, n)
      cross join lateral (select s.kind in ('SUBMITTED', 'VERIFIED') as proven) p
      join (select id, row_number() over (order by email) as n from users where email like 'seated%') u on u.n = s.n
      returning id, tester_id as "testerId", ordinal`,
    [campaign.id, of, clock.now(), joinedAt, campaign.payPerTesterCents],
  )
  await t.look('update campaigns set seats_taken = $2, open_testers = $2, joins_ever = $2 where id = $1', [
    campaign.id,
    rows.length,
  ])
  const tests = rows.map(({ id, testerId, ordinal }): Seat => ({ id, testerId, kind: of[ordinal - 1]! }))
  for (const { id, kind } of tests) {
    for (const [from, to] of runsOf[kind] ?? [])
      await t.look(
        `insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at, ended_at, end_reason)
          values ($1, $2, $3, $3, $4, $5)`,
        [
          id,
          campaign.id,
          hoursAfter(joinedAt, from),
          to === null ? null : hoursAfter(joinedAt, to),
          to === null ? null : 'OPTED_OUT',
        ],
      )
    if (kind === 'VERIFIED') await developer.call('POST', `/campaign-testers/${id}/verify`)
    if (kind === 'WAITED_BEFORE')
      await t.look('select close_waiting_seat($1, true, gen_random_uuid(), $2)', [id, clock.now()])
  }
  return { campaign, tests }
}

const cancel = async (id: string) => (await developer.call<Campaign>('POST', `/campaigns/${id}/cancel`)).status
const paidTo = async (campaignId: string): Promise<Map<string, number>> =>
  new Map(
    (
      await t.look<{ id: string; cents: number }>(
        `select p.id, coalesce(sum(x.amount_cents), 0)::int as cents from participations p
          left join transactions x on x.user_id = p.tester_id and x.campaign_id = p.campaign_id
          where p.campaign_id = $1 group by p.id`,
        [campaignId],
      )
    ).map(({ id, cents }) => [id, cents]),
  )
const toldOf = async (tests: readonly Seat[]) =>
  (
    await t.look<{ kind: string; count: number }>(
      `select about_id as kind, count(*)::int as count from notifications
        where about_id = any($1::uuid[]) and subject like 'Cancelled:%' group by about_id`,
      [tests.map(({ id }) => id)],
    )
  ).map(({ kind: id, count }) => [tests.find(seat => seat.id === id)!.kind, count] as const)

describe('of a hundred seats in all states', () => {
  test('each is paid what they have earned, the rest goes back, and who was still in is told once', async () => {
    const durationDays = 30
    const { campaign, tests } = await seated({ testersRequired: seats, payPerTesterCents: 1037, durationDays })
    const pay = campaign.payPerTesterCents
    expect(await cancel(campaign.id)).toBe(200)

    const owed: Record<Kind, number> = {
      WAITS_LONG: proRata(pay, 1, durationDays),
      WAITED_BEFORE: proRata(pay, 1, durationDays),
      WAITS_SHORT: 0,
      LISTED: 0,
      OPTED_IN: proRata(pay, 18, durationDays),
      // Their hours count together: 3.5 days and 15.5.
      TWO_RUNS: proRata(pay, 19, durationDays),
      SUBMITTED: 0,
      VERIFIED: pay,
    }
    const paid = await paidTo(campaign.id)
    expect(tests.map(({ id, kind }) => [kind, paid.get(id)])).toEqual(tests.map(({ kind }) => [kind, owed[kind]]))
    expect(await brokenChecks()).toEqual([])

    const told = await toldOf(tests)
    expect(told.every(([, count]) => count === 1)).toBe(true)
    expect([...new Set(told.map(([kind]) => kind))].toSorted()).toEqual([
      'LISTED',
      'OPTED_IN',
      'TWO_RUNS',
      'WAITS_LONG',
      'WAITS_SHORT',
    ])

    // What is still under review is held, and nothing else.
    const underReview = tests.filter(({ kind }) => kind === 'SUBMITTED')
    const [held] = await t.look<{ cents: number }>(
      `select balance_cents::int as cents from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`,
      [campaign.id],
    )
    expect(held!.cents).toBe(underReview.length * pay)
    for (const { id } of underReview) await developer.call('POST', `/campaign-testers/${id}/verify`)
    await t.advance(1)
    expect(await brokenChecks()).toEqual([])
  }, 60_000)
})

test('a cancellation takes as many statements with thirty seats as with three', async () => {
  const statements = async (testersRequired: number) => {
    const { campaign } = await seated({ testersRequired })
    return recorded(() => cancel(campaign.id))
  }
  const few = await statements(3)
  const many = await statements(30)
  expect(many).toEqual(few)
  expect(few.length).toBeLessThan(20)
}, 60_000)

test('a draft that is cancelled has nobody to tell', async () => {
  const { id } = await draftOf(developer)
  expect(await cancel(id)).toBe(200)
})

test('an owner whose campaign an admin cancels reads what becomes of what was paid, if anything was', async () => {
  const textsOf = async (id: string) => {
    expect((await admin.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
    const told = await t.look<{ text: string }>(
      `select text from notifications where about_id = $1 and kind = 'CAMPAIGN_CANCELLED_OWNER'`,
      [id],
    )
    return told.map(({ text }) => text.split('”. ')[1])
  }
  expect(await textsOf((await draftOf(developer)).id)).toEqual([
    'Nothing has been paid for it, so nothing is refunded.',
  ])
  expect(await textsOf((await fundedBy(developer)).id)).toEqual(['We refund what you paid.'])
  const live = async (durationDays: number, testers = 1) => {
    const { id } = await liveCampaign(developer, admin, { durationDays, testersRequired: 3 })
    const inside = []
    for (let nth = 0; nth < testers; nth++) {
      const person = await t.signUp('TESTER')
      inside.push({ person, participationId: (await joinedBy(person, id)).id })
    }
    return { id, inside, first: inside[0]! }
  }
  const checkedIn = ({ person, participationId }: { person: Person; participationId: string }) =>
    person.call('POST', `/testers/campaign-testers/${participationId}/check-ins`, {})
  const rest = 'We refund what is left of your payment.'
  expect([await textsOf((await live(14, 0)).id), await textsOf((await live(14)).id)]).toEqual([[rest], [rest]])
  const tested = await live(14)
  await checkedIn(tested.first)
  expect(await textsOf(tested.id)).toEqual([
    'Testers are paid for the days they completed, and we refund the rest to you.',
  ])
  const proven = await live(1)
  await daysAndProof(t, [proven.first], 1)
  expect(await textsOf(proven.id)).toEqual([
    'What proofs that are still open may earn stays held, and we refund the rest to you.',
  ])
  const both = await live(1, 2)
  await daysAndProof(t, [both.first], 1)
  await checkedIn(both.inside[1]!)
  expect(await textsOf(both.id)).toEqual([
    'Testers are paid for the days they completed, what proofs that are still open may earn stays held, and we refund the rest to you.',
  ])
})

test('an owner whose campaign an admin cancels reads of paid days only if somebody was still testing', async () => {
  const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
  const tester = await t.signUp('TESTER')
  const testId = (await joinedBy(tester, id)).id
  expect((await tester.call('POST', `/testers/campaign-testers/${testId}/opt-in`)).status).toBe(200)
  await t.look(
    `update participations set status = 'SUBMITTED', proof_text = 'Each day.', proof_submitted_at = now() where id = $1`,
    [testId],
  )
  expect((await developer.call('POST', `/campaign-testers/${testId}/verify`)).status).toBe(200)
  expect((await admin.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
  const [told] = await t.look<{ text: string }>(
    `select text from notifications where about_id = $1 and kind = 'CAMPAIGN_CANCELLED_OWNER'`,
    [id],
  )
  expect(told!.text).toContain('We refund what is left of your payment.')
})

test('an owner whose campaign an admin cancels reads of held money for rejected proofs only until they are final', async () => {
  const toldAfter = async (hours: number) => {
    const { id } = await liveCampaign(developer, admin)
    await frozen(t, await t.signUp('TESTER'), id)
    await t.advance(hours)
    expect((await admin.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
    const told = await t.look<{ text: string }>(
      `select text from notifications where about_id = $1 and kind = 'CAMPAIGN_CANCELLED_OWNER'`,
      [id],
    )
    return told.map(({ text }) => text.includes('stays held'))
  }
  expect(await toldAfter(1)).toEqual([true])
  expect(await toldAfter(73)).toEqual([false])
})

test('a rejected campaign that is cancelled shows no reason to mend it any more', async () => {
  const { id } = await fundedBy(developer)
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'The link leads nowhere.' })
  const seen = async () => {
    const { status, rejectionReason } = (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
    return [status, rejectionReason]
  }
  expect(await seen()).toEqual(['REJECTED', 'The link leads nowhere.'])
  expect(await cancel(id)).toBe(200)
  expect(await seen()).toEqual(['CANCELLED', null])
})
