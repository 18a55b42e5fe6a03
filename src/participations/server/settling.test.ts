/** Time in which the product was down counts towards no deadline of a person: each moves on by it, once. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hearing, own } from '../../testing/appeals.ts'
import { device, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { type Crashes, prepareCrashes } from '../../testing/crashes.ts'
import { downFor, lastBeatWas, passUnseen, serve } from '../../testing/downtimes.ts'
import { brokenChecks, inParallel } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { endPause, pauseJobs } from '../../kit/server/pauses.ts'
import { settleDowntimes, wakeParticipations } from './participations.ts'
import { contestsOpenSince } from './settling.queries.ts'

const t = testApp({}, { fresh: true })
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let crashes: Crashes
beforeEach(async () => {
  crashes = await prepareCrashes(t)
})
afterEach(() => crashes.stop())

type Seat = { tester: Person; id: string }
const act = ({ tester, id }: Seat, action: string, body: object = {}) =>
  tester.call<CampaignTester>('POST', `/testers/campaign-testers/${id}/${action}`, body)
const seatIn = async (terms: Record<string, unknown>): Promise<Seat & { campaignId: string }> => {
  const { id: campaignId } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1, ...terms })
  const tester = await t.signUp('TESTER')
  return { tester, campaignId, id: (await joinedBy(tester, campaignId)).id }
}
const closedTest = { accessMode: 'EMAIL_LIST', dailyCheckIn: false }
const listed = async ({ campaignId }: { campaignId: string }) => {
  await developer.call('POST', `/campaigns/${campaignId}/tester-list/export?form=play`)
  await developer.call('POST', `/campaigns/${campaignId}/tester-list/confirm`)
}
const cases = () => hearing(t, developer, admin)
const statusOf = async ({ tester, id }: Seat) => (await own(tester, id)).status
const deadlineOf = async ({ tester, id }: Seat) => (await own(tester, id)).deadlineAt

type Kind = {
  /** Hours between the beginning and the end. */
  hours: number
  begin: () => Promise<Seat>
  until?: (seat: Seat) => Promise<string | null | undefined>
  state?: (seat: Seat) => Promise<unknown>
  after: unknown
}

const kinds: Record<string, Kind> = {
  'the next check-in': { hours: 72, begin: () => seatIn({ durationDays: 14 }), after: 'DROPPED' },
  'the proof': {
    hours: 72,
    begin: async () => {
      const seat = await seatIn({ dailyCheckIn: false })
      await t.advance(24)
      return seat
    },
    after: 'DROPPED',
  },
  'the review': { hours: 72, begin: () => cases().submitted('Silence'), after: 'VERIFIED' },
  'a new proof': {
    hours: 72,
    begin: async () => {
      const seat = await cases().submitted('Once more')
      await developer.call('POST', `/campaign-testers/${seat.id}/request-changes`, { note: 'Show the search as well.' })
      return seat
    },
    after: 'DROPPED',
  },
  'an appeal': {
    hours: 72,
    begin: () => cases().rejected('Refused'),
    state: async ({ id }) => (await t.look('select closed_at from participations where id = $1', [id]))[0],
    after: { closed_at: expect.any(String) },
  },
  'the decision on an appeal': {
    hours: 7 * 24,
    begin: () => cases().appealed('Undecided'),
    until: async ({ tester, id }) => (await own(tester, id)).appeal?.goodwill?.at,
    state: async ({ tester, id }) => [await statusOf({ tester, id }), (await own(tester, id)).appeal?.goodwill?.hold],
    // The platform has earned nothing yet, so that the payment is held: it is due.
    after: ['APPEALED', 'LIMIT'],
  },
  'being listed': { hours: 14 * 24, begin: () => seatIn(closedTest), after: 'CANCELLED' },
  'the opt-in': {
    hours: 72,
    begin: async () => {
      const seat = await seatIn(closedTest)
      await listed(seat)
      return seat
    },
    after: 'DROPPED',
  },
  'the NDA': {
    hours: 72,
    begin: async () => {
      const { id: campaignId } = await liveCampaign(developer, admin, { testersRequired: 1 })
      await developer.call('PUT', `/campaigns/${campaignId}/nda`, {
        text: 'Keep to yourself what you see of this app.',
      })
      const tester = await t.signUp('TESTER')
      return { tester, id: (await joinedBy(tester, campaignId)).id }
    },
    after: 'DROPPED',
  },
  'a seat of the bench': {
    hours: 24,
    begin: async () => {
      const inside = await seatIn({ durationDays: 14 })
      const tester = await t.signUp('TESTER')
      const wait = { deviceInfo: device, waitlist: true }
      const { body } = await tester.call<CampaignTester>('POST', `/testers/campaigns/${inside.campaignId}/join`, wait)
      await act(inside, 'leave')
      return { tester, id: body.id }
    },
    state: async ({ id }) => (await t.look('select passes from bench_entries where id = $1', [id]))[0],
    after: { passes: 1 },
  },
  'a contested opt-in': {
    hours: 72,
    begin: async () => {
      const seat = await seatIn({ ...closedTest, durationDays: 14 })
      await act(seat, 'opt-in')
      await developer.call('POST', `/campaign-testers/${seat.id}/contest-opt-in`, { reason: 'One tester fewer there.' })
      return seat
    },
    until: async ({ tester, id }) => (await own(tester, id)).run?.contest?.clearsAt,
    state: async ({ id }) =>
      (await t.look('select contest_outcome as outcome from opt_in_runs where participation_id = $1', [id]))[0],
    after: { outcome: 'CLEARED_BY_TIME' },
  },
}

/** Exact, where hours would be rounded. */
const msAfter = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()
const hourMs = 3_600_000

const movedBy = async () =>
  t.look<{ moved: number; ms: number; settled: boolean }>(
    `select moved::int, (extract(epoch from ended_at - started_at) * 1000)::int as ms, settled_at is not null as settled
      from downtimes order by id`,
  )

describe.each(Object.entries(kinds))('%s', (_, { hours, begin, until = deadlineOf, state = statusOf, after }) => {
  test('moves on by the time in which no server ran, and comes then', async () => {
    const seat = await begin()
    await t.advance(3)
    const [due, was] = [await until(seat), await state(seat)]
    // Half an hour is left when the servers stop.
    await t.advance(hours - 20)
    await t.advance(16.5)
    await downFor(100)
    const [downtime] = await movedBy()
    expect(await until(seat)).toBe(msAfter(due!, downtime!.ms))
    await t.advance(0)
    expect(await state(seat)).toEqual(was)
    expect(await movedBy()).toEqual([{ moved: 1, ms: downtime!.ms, settled: true }])
    expect(await until(seat)).toBe(msAfter(due!, downtime!.ms))
    expect(await brokenChecks()).toEqual([])
    await t.advance(1)
    expect(await state(seat)).toEqual(after)
  })
})

describe('many proofs that wait for their review', () => {
  const proofs = 600
  const manyProofs = async () => {
    const { id } = await liveCampaign(developer, admin)
    await t.look(`insert into users (id, email, name, role, password_hash, created_at)
      select gen_random_uuid(), 'many' || n || '@example.test', 'Many ' || n, 'TESTER', 'none', now() from generate_series(1, ${proofs}) n`)
    await t.look(
      `insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at,
          proof_allowed_at, last_seen_at, proof_text, proof_submitted_at, payout_amount_cents, wake_at)
        select gen_random_uuid(), $1, id, row_number() over (order by id), 'SUBMITTED', 'Pixel 8', 'UTC', $2::timestamptz,
          $2, $2, 'Done.', $2, 1000, $2::timestamptz + interval '72 hours'
        from users where email like 'many%'`,
      [id, clock.now()],
    )
  }
  const settle = () => settleDowntimes.run({})
  /** How many of them are due when, in hours from their submission. */
  const due = () =>
    t.look<{
      hours: number
      proofs: number
    }>(`select round(extract(epoch from wake_at - proof_submitted_at) / 3600, 2)::float8 as hours,
      count(*)::int as proofs from participations where status = 'SUBMITTED' group by 1 order by 1`)
  const settled = async () => (await movedBy()).map(({ moved, settled: isSettled }) => [moved, isSettled])

  test('move once, whichever servers are at work and however often', async () => {
    await manyProofs()
    await downFor(100)
    await inParallel(3, settle)
    await settle()
    expect(await due()).toEqual([{ hours: 172, proofs }])
    expect(await settled()).toEqual([[proofs, true]])
    await downFor(10)
    await settle()
    expect(await due()).toEqual([{ hours: 182, proofs }])
    expect(await settled()).toEqual([
      [proofs, true],
      [proofs, true],
    ])
  })

  test('move once although the server dies while it moves them, and none falls due before', async () => {
    await manyProofs()
    await downFor(100)
    const died = await crashes.crashAt('select from downtimes', [], () => settle().catch((error: unknown) => error))
    expect(died).toBeInstanceOf(AggregateError)
    // Each batch is undone.
    expect(await settled()).toEqual([[0, false]])
    await wakeParticipations.run({})
    expect((await due()).reduce((sum, { proofs: some }) => sum + some, 0)).toBe(proofs)
    await settle()
    expect(await due()).toEqual([{ hours: 172, proofs }])
    expect(await settled()).toEqual([[proofs, true]])
    await wakeParticipations.run({})
    expect(await due()).toEqual([{ hours: 172, proofs }])
  })

  test('wait for the heartbeat of a machine that has just woken up', async () => {
    await manyProofs()
    await passUnseen(80)
    await lastBeatWas(20)
    await wakeParticipations.run({})
    expect(await due()).toEqual([{ hours: 72, proofs }])
    await serve()
    await settle()
    await wakeParticipations.run({})
    expect(await due()).toEqual([{ hours: 92, proofs }])
  })
})

test('a payment for an appeal that is held back is due already: a downtime postpones nothing', async () => {
  const seat = await cases().appealed('Held back')
  await t.advance(7 * 24)
  // The platform has earned nothing yet.
  const hold = async () => (await own(seat.tester, seat.id)).appeal?.goodwill?.hold
  expect(await hold()).toBe('LIMIT')
  await downFor(10)
  await t.advance(0)
  expect(await movedBy()).toEqual([{ moved: 0, ms: expect.any(Number), settled: true }])
  expect(await hold()).toBe('LIMIT')
})

test('a downtime counts as moved a contest that waited during it, and none that was over before or began after', async () => {
  const { id: campaignId } = await liveCampaign(developer, admin, {
    ...closedTest,
    testersRequired: 3,
    durationDays: 14,
  })
  const contest = async () => {
    const tester = await t.signUp('TESTER')
    const { id } = await joinedBy(tester, campaignId)
    await act({ tester, id }, 'opt-in')
    await developer.call('POST', `/campaign-testers/${id}/contest-opt-in`, { reason: 'One tester fewer there.' })
    return id
  }
  const [over] = [await contest(), await contest()]
  await admin.call('POST', `/admin/campaign-testers/${over}/decide-opt-in`, { decision: 'CLEAR', note: 'It is there.' })
  await downFor(10)
  await contest()
  const [{ endedAt }] = (await t.look('select ended_at as "endedAt" from downtimes')) as [{ endedAt: string }]
  expect(await contestsOpenSince(autocommit, endedAt)).toBe(1)
})

test('a jump of the test clock moves nothing', async () => {
  const seat = await cases().submitted('Jump')
  const due = await deadlineOf(seat)
  await serve()
  await t.advance(71)
  await serve()
  await t.look('delete from heartbeat')
  expect([await deadlineOf(seat), await movedBy()]).toEqual([due, []])
  await t.advance(1)
  expect(await statusOf(seat)).toBe('VERIFIED')
})

test('a deadline that passed in the first of two downtimes moves on by both', async () => {
  const seat = await cases().submitted('Down twice')
  const due = (await deadlineOf(seat))!
  await t.advance(60)
  await downFor(20)
  await downFor(5)
  await t.advance(0)
  const [first, second] = await movedBy()
  expect([first, second]).toMatchObject([
    { moved: 1, settled: true },
    { moved: 1, settled: true },
  ])
  expect(await statusOf(seat)).toBe('SUBMITTED')
  expect(await deadlineOf(seat)).toBe(msAfter(due, first!.ms + second!.ms))
})

test('nothing falls due while the last heartbeat is old enough for a downtime to be found', async () => {
  const seat = await cases().submitted('Just woken up')
  await passUnseen(72)
  await lastBeatWas(2.1 / 60)
  await wakeParticipations.run({})
  expect(await statusOf(seat)).toBe('SUBMITTED')
  await t.look('delete from heartbeat')
  await wakeParticipations.run({})
  expect(await statusOf(seat)).toBe('VERIFIED')
})

describe('while jobs are paused', () => {
  const pause = () => transact(tx => pauseJobs(tx, { reason: 'ADMIN', note: 'The bank is closed.', by: admin.user.id }))
  const resume = () => transact(tx => endPause(tx, { reason: 'ADMIN', by: admin.user.id }))

  test('no deadline comes nearer, and what happens meanwhile has all of its time from the end of the pause', async () => {
    const rejected = await cases().rejected('Rejected before')
    const { id, tester } = await cases().submitted('Paused')
    const seat = { id, tester }
    await t.advance(40)
    await pause()
    await t.advance(60)
    expect([await statusOf(seat), (await deadlineOf(seat))! > clock.now()]).toEqual(['SUBMITTED', true])
    // An appeal is still possible, and another proof is asked for, and comes.
    expect((await own(rejected.tester, rejected.id)).actions).toContain('appeal')
    await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show the search as well.' })
    expect((await act(seat, 'proof', { proof: 'Here is the search, with the word that I looked for.' })).status).toBe(
      200,
    )
    await t.advance(40)
    await resume()
    await t.advance(0)
    const [downtime] = await movedBy()
    expect(downtime).toMatchObject({ moved: 2, settled: true })
    expect(downtime!.ms).toBeGreaterThan(100 * hourMs)
    // It was handed in 60 hours after the pause began, 40 before it ended.
    const [{ resumedAt }] = (await t.look<{ resumedAt: string }>(
      'select resumed_at as "resumedAt" from job_pauses',
    )) as [{ resumedAt: string }]
    expect(await deadlineOf(seat)).toBe(hoursAfter(resumedAt, 72))
    expect(await deadlineOf(rejected)).toBe(
      msAfter(hoursAfter((await own(rejected.tester, rejected.id)).review!.decidedAt, 72), downtime!.ms),
    )
    expect(await brokenChecks()).toEqual([])
    await t.advance(71)
    expect(await statusOf(seat)).toBe('SUBMITTED')
    await t.advance(1)
    expect(await statusOf(seat)).toBe('VERIFIED')
  })

  test('time in which no server ran either is counted once', async () => {
    const seat = await cases().submitted('Paused and down')
    const due = (await deadlineOf(seat))!
    await t.advance(60)
    await pause()
    await t.advance(10)
    await downFor(30)
    await t.advance(20)
    await resume()
    await t.advance(0)
    const [paused, down] = await movedBy()
    expect([Math.round(paused!.ms / hourMs), Math.round(down!.ms / hourMs), paused!.settled, down!.settled]).toEqual([
      60,
      30,
      true,
      true,
    ])
    expect(await deadlineOf(seat)).toBe(msAfter(due, paused!.ms))
    expect(await statusOf(seat)).toBe('SUBMITTED')
  })
})
