/** A closed seat is not given again and counts as done, and its money goes back at once. */
import { describe, expect, test } from 'vitest'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { proRata } from '../../kit/money.ts'
import { transact } from '../../kit/server/db.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { checkInsThatCount, counts, daysDone } from '../../participations/rules.ts'
import { device, daysAndProof, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import type { Balance, Transaction } from '../contract.ts'
import { closeWaitingSeat } from './ledger.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 7)

const campaignOf = async (id: string, by: Person = developer) =>
  (await by.call<Campaign>('GET', `/campaigns/${id}`)).body
const close = (id: string, key?: string) =>
  developer.call<Campaign & { code?: string; message?: string }>('POST', `/campaigns/${id}/close-seat`, undefined, key)
const verify = (id: string) => developer.call('POST', `/campaign-testers/${id}/verify`)
const join = (tester: Person, id: string) =>
  tester.call('POST', `/testers/campaigns/${id}/join`, { deviceInfo: device })
const linesOf = async (person: Person, campaignId: string) =>
  (await person.call<{ data: Transaction[] }>('GET', '/users/me/transactions?limit=100')).body.data
    .filter(line => line.campaign?.id === campaignId && line.type === 'CREDIT')
    .map(line => [line.description, line.status, line.amountCents])
const eventsOf = async (id: string) => (await developer.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)).body
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
const closeWaiting = (participationId: string, whenDue: boolean) =>
  transact(tx => closeWaitingSeat(tx, { participationId, whenDue }))

/** The fee for seven seats at 101 cents is 106: 15 each, and 1 from rounding. */
const sevenSeats = { testersRequired: 7, payPerTesterCents: 101, durationDays: 1 }

describe('a free seat that its developer closes', () => {
  test('is gone, and its pay and its share of the fee come back at once', async () => {
    const { id } = await liveCampaign(developer, admin, sevenSeats)
    await joinedBy(testers[0]!, id)
    const { status, body } = await close(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'LIVE', closedSeats: 1, fundedCents: 606, feeCents: 91 })
    expect(body._count).toEqual({ campaignTesters: 1, joined: 1, verified: 0 })
    expect(await linesOf(developer, id)).toEqual([['Refund', 'PENDING', 116]])
    await t.advance(1)
    expect(await linesOf(developer, id)).toEqual([['Refund', 'COMPLETED', 116]])
    expect((await eventsOf(id)).slice(0, 2).map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['REFUNDED', 116],
      ['SEAT_CLOSED', null],
    ])
    expect(await brokenChecks()).toEqual([])
  })

  test('can no longer be taken, and joining is not offered when no seat is left', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 2 })
    await close(id)
    await joinedBy(testers[0]!, id)
    expect(await join(testers[1]!, id)).toMatchObject({ status: 409, body: { code: 'CAMPAIGN_FULL' } })
    expect((await campaignOf(id, testers[1]!)).actions).not.toContain('join')
  })

  test('is refused with a sentence when none is free, and the button disappears', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 2 })
    await joinedBy(testers[0]!, id)
    expect((await close(id)).body.actions).not.toContain('closeSeat')
    expect(await close(id)).toMatchObject({
      status: 409,
      body: { code: 'WRONG_STATE', message: 'This campaign has no free seat to close.' },
    })
  })

  test('can be closed while the campaign is paused, and comes back when its tester leaves', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1 })
    const seat = await joinedBy(testers[0]!, id)
    await developer.call('POST', `/campaigns/${id}/pause`)
    expect((await close(id)).status).toBe(409)
    await testers[0]!.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
    expect((await close(id)).body).toMatchObject({ status: 'PAUSED', closedSeats: 1, fundedCents: 0, feeCents: 0 })
    // Every seat is done, so the clock completes the campaign although nobody was verified.
    await t.advance(0)
    expect(await campaignOf(id)).toMatchObject({ status: 'COMPLETED', fundedCents: 0, feeCents: 0 })
    expect(await brokenChecks()).toEqual([])
  })

  test('requested again with its key is the same seat, and not a second one', async () => {
    const { id } = await liveCampaign(developer, admin, sevenSeats)
    const replies = await inParallel(5, () => close(id, `close-${id}`))
    expect(tally(replies)).toEqual({ 200: 5 })
    for (const { body } of replies) expect(body).toEqual(replies[0]!.body)
    expect((await close(id, `close-${id}`)).body.closedSeats).toBe(1)
    expect(await linesOf(developer, id)).toEqual([['Refund', 'PENDING', 116]])
  })
})

describe('the rounding of the fee', () => {
  const submitted = async (terms: object, count: number) => {
    const { id } = await liveCampaign(developer, admin, { ...sevenSeats, ...terms })
    const seats: { person: Person; participationId: string }[] = []
    for (const person of testers.slice(0, count))
      seats.push({ person, participationId: (await joinedBy(person, id)).id })
    await daysAndProof(t, seats, 1)
    return { id, ids: seats.map(seat => seat.participationId) }
  }

  test('goes to the platform when the last of all seats is verified', async () => {
    const { id, ids } = await submitted({ testersRequired: 7 }, 2)
    // The campaign's only day has passed, but it continues while proofs wait for a review.
    for (let seat = 0; seat < 5; seat++) expect((await close(id)).status).toBe(200)
    for (const participation of ids) expect((await verify(participation)).status).toBe(200)
    expect(await campaignOf(id)).toMatchObject({ closedSeats: 5, fundedCents: 202, feeCents: 31 })
    await t.advance(0)
    expect(await campaignOf(id)).toMatchObject({ status: 'COMPLETED', fundedCents: 202, feeCents: 31 })
    expect((await linesOf(developer, id)).map(([, , cents]) => cents)).toEqual([116, 116, 116, 116, 116])
    expect(await brokenChecks()).toEqual([])
  })

  test('goes back to the developer when the last of all seats is closed', async () => {
    const { id, ids } = await submitted({ testersRequired: 3, payPerTesterCents: 103 }, 2)
    for (const participation of ids) await verify(participation)
    // The fee of 46 is 15 each, and 1 from rounding.
    expect((await close(id)).body).toMatchObject({ closedSeats: 1, fundedCents: 206, feeCents: 30 })
    expect(await linesOf(developer, id)).toEqual([['Refund', 'PENDING', 103 + 16]])
    await t.advance(0)
    expect((await campaignOf(id)).status).toBe('COMPLETED')
    expect(await brokenChecks()).toEqual([])
  })

  test('of a cancelled campaign with a closed seat belongs to the last verified seat', async () => {
    const { id, ids } = await submitted({ testersRequired: 3, payPerTesterCents: 103 }, 2)
    await close(id)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    for (const participation of ids) expect((await verify(participation)).status).toBe(200)
    expect(await campaignOf(id)).toMatchObject({ status: 'CANCELLED', fundedCents: 206, feeCents: 31 })
    expect(await brokenChecks()).toEqual([])
  })
})

/** Testers who joined a 14-day campaign with a tester list, and whom nobody has listed. */
const waitingIn = async (terms: object, count: number) => {
  const { id } = await liveCampaign(developer, admin, { testersRequired: 3, payPerTesterCents: 1001, ...terms })
  const seats: CampaignTester[] = []
  for (const tester of testers.slice(0, count)) seats.push(await joinedBy(tester, id))
  await t.look(`update campaigns set access_mode = 'EMAIL_LIST' where id = $1`, [id])
  // Deadlines are another rule, so they are switched off here.
  await t.look(`update participations set wake_at = 'infinity' where campaign_id = $1`, [id])
  return { id, seats: seats.map(seat => seat.id) }
}

/** Backdates the time of joining. Advancing the clock instead would end the sessions of this file. */
const joinedEarlier = (participationId: string, hours: number) =>
  t.look('update participations set joined_at = joined_at - make_interval(hours => $2) where id = $1', [
    participationId,
    hours,
  ])

describe('a tester who waits to be listed', () => {
  test('gets one day’s pay after a week, once, and the seat is closed with the rest refunded at once', async () => {
    const { id, seats } = await waitingIn({}, 1)
    const before = await balanceOf(testers[0]!)
    await t.advance(24 * 7)
    const outcomes = await inParallel(6, () => closeWaiting(seats[0]!, false))
    expect(outcomes.toSorted()).toEqual(['OK', ...Array<string>(5).fill('WRONG_STATE')])
    // floor(1001 / 14). The rest of the seat's 1001, and its 150 of the fee, go back.
    expect((await balanceOf(testers[0]!)) - before).toBe(71)
    expect(await linesOf(developer, id)).toEqual([['Refund', 'PENDING', 1001 - 71 + 150]])
    expect(await linesOf(testers[0]!, id)).toEqual([['Waited to be let in', 'COMPLETED', 71]])
    expect(await campaignOf(id)).toMatchObject({ closedSeats: 1, _count: { campaignTesters: 0, verified: 0 } })
    const mine = (await testers[0]!.call<CampaignTester>('GET', `/testers/campaign-testers/${seats[0]}`)).body
    expect(mine).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 71 })
    expect((await eventsOf(id)).slice(0, 3).map(({ kind, alias }) => [kind, alias])).toEqual([
      ['REFUNDED', null],
      ['SEAT_CLOSED', 'Tester 1'],
      ['TESTER_CANCELLED', 'Tester 1'],
    ])
    expect(await brokenChecks()).toEqual([])
  })

  test('is paid for leaving after one week, and the clock ends the test after two', async () => {
    const { seats } = await waitingIn({}, 2)
    await t.advance(24 * 7 - 1)
    expect(await closeWaiting(seats[0]!, false)).toBe('WRONG_STATE')
    await t.advance(1)
    expect(await closeWaiting(seats[0]!, true)).toBe('WRONG_STATE')
    expect(await closeWaiting(seats[0]!, false)).toBe('OK')
    await t.advance(24 * 7 - 1)
    expect(await closeWaiting(seats[1]!, true)).toBe('WRONG_STATE')
    await t.advance(1)
    expect(await closeWaiting(seats[1]!, true)).toBe('OK')
  })

  const run = `insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at, ended_at, end_reason)
    select id, campaign_id, joined_at, joined_at, joined_at, 'OPTED_OUT' from participations where id = $1`
  test.each([
    ['has been listed', 'update participations set listed_at = now() where id = $1'],
    ['has opted in', 'update participations set opted_in_at = now() where id = $1'],
    ['has been opted in before', run],
    ['has given a proof', `update participations set status = 'SUBMITTED', proof_submitted_at = now() where id = $1`],
    [
      'is in a campaign with an open link',
      `update campaigns set access_mode = 'OPEN_LINK'
      where id = (select campaign_id from participations where id = $1)`,
    ],
  ])('counts as no longer waiting: %s', async (_what, statement) => {
    const { seats } = await waitingIn({}, 1)
    await joinedEarlier(seats[0]!, 24 * 14)
    await t.look(statement, [seats[0]])
    expect(await closeWaiting(seats[0]!, false)).toBe('WRONG_STATE')
    expect(await closeWaiting(seats[0]!, true)).toBe('WRONG_STATE')
  })
})

test('a cancelled campaign pays one day to each tester who has waited a week, and nothing to later ones', async () => {
  const { id, seats } = await waitingIn({}, 3)
  await joinedEarlier(seats[0]!, 24 * 7)
  // The second tester was listed meanwhile but never opted in; the third came just too late.
  await joinedEarlier(seats[1]!, 24 * 9)
  await t.look('update participations set listed_at = now() where id = $1', [seats[1]])
  await joinedEarlier(seats[2]!, 24 * 7 - 1)
  const cancelled = await developer.call<Campaign>('POST', `/campaigns/${id}/cancel`)
  expect(cancelled.body).toMatchObject({ status: 'CANCELLED', closedSeats: 0, fundedCents: 71, feeCents: 0 })
  const paid = await t.look<{ cents: string }>(
    'select payout_amount_cents as cents from participations where campaign_id = $1 order by ordinal',
    [id],
  )
  expect(paid.map(({ cents }) => Number(cents))).toEqual([71, 0, 0])
  expect(await linesOf(testers[0]!, id)).toEqual([['Waited to be let in', 'COMPLETED', 71]])
  const moved = await t.look(
    `select business_key as key, amount_cents::int as cents from transfers
      where business_key in ('waiting-pay:' || $1::text, 'cancel-pay:' || $1::text)`,
    [seats[0]],
  )
  expect(moved).toEqual([{ key: `waiting-pay:${seats[0]}`, cents: 71 }])
  expect(await linesOf(developer, id)).toEqual([['Refund', 'PENDING', 3003 + 450 - 71]])
})

const hoursAgo = (hours: number) => hoursAfter(clock.now(), -hours)

describe('a cancelled campaign with a tester list pays what the rule says', () => {
  const cases: {
    days: number
    name: string
    daily: boolean
    checkIns: number
    runs: [from: number, until: number | null, reason?: string][]
  }[] = [
    {
      days: 3,
      name: 'the days checked in, in any run',
      daily: true,
      checkIns: 3,
      runs: [
        [200, 100],
        [50, null],
      ],
    },
    { days: 14, name: 'at most the whole test', daily: true, checkIns: 20, runs: [[480, null]] },
    { days: 0, name: 'nothing for a run without a check-in', daily: true, checkIns: 0, runs: [[100, null]] },
    {
      days: 2,
      name: 'the full days of all runs together',
      daily: false,
      checkIns: 0,
      runs: [
        [200, 170],
        [18, null],
      ],
    },
    { days: 1, name: 'not the check-ins where none are asked for', daily: false, checkIns: 9, runs: [[47, 1]] },
    {
      days: 4,
      name: 'nothing for an opt-in that an admin decided never was',
      daily: false,
      checkIns: 0,
      runs: [
        [400, 150, 'VOIDED'],
        [100, null],
      ],
    },
    {
      days: 2,
      name: 'no check-in during an opt-in that an admin decided never was',
      daily: true,
      checkIns: 10,
      runs: [
        [990, 800, 'VOIDED'],
        [790, null],
      ],
    },
    {
      days: 14,
      name: 'at most the whole test, over all runs',
      daily: false,
      checkIns: 0,
      runs: [
        [900, 600],
        [500, null],
      ],
    },
  ]
  test.each(cases)('$name', async ({ days, daily, checkIns, runs }) => {
    const { id, seats } = await waitingIn({ dailyCheckIn: daily }, 1)
    await joinedEarlier(seats[0]!, 1000)
    for (const [from, until, reason = 'OPTED_OUT'] of runs)
      await t.look(
        `insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at, ended_at, end_reason)
          values ($1, $2, $3, $3, $4, $5)`,
        [seats[0], id, hoursAgo(from), until === null ? null : hoursAgo(until), until === null ? null : reason],
      )
    await t.look(
      `insert into check_ins (participation_id, day, at) select id, joined_at::date + n, joined_at + n * interval '24 hours'
        from participations, generate_series(1, $2::int) n where id = $1`,
      [seats[0], checkIns],
    )
    await t.look(
      `update check_ins k set run_id = (select id from opt_in_runs r where r.participation_id = k.participation_id
        and k.at between started_at and coalesce(ended_at, 'infinity')) where participation_id = $1`,
      [seats[0]],
    )
    await t.look(
      `update participations set check_in_count = $2, listed_at = joined_at,
        last_check_in_day = (select max(day) from check_ins where participation_id = $1) where id = $1`,
      [seats[0], checkIns],
    )
    const read = () => testers[0]!.call<CampaignTester>('GET', `/testers/campaign-testers/${seats[0]}`)
    // `daysDone` in the rules predicts what cancel_campaign then pays.
    const { checkIns: done, runs: spans, campaign } = (await read()).body
    const checkedIn = checkInsThatCount(done).length
    expect(daysDone({ ...campaign, checkIns: checkedIn, spans: spans.filter(counts) }, clock.now())).toBe(days)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    expect((await read()).body).toMatchObject({ payoutAmountCents: proRata(1001, days, 14) })
    expect(await brokenChecks()).toEqual([])
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
