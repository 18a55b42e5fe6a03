import { beforeAll, expect, test } from 'vitest'
import { clock, hoursAfter, hoursBetween } from '../../kit/clock.ts'
import { daysAndProof, fundedBy, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import { monthStart } from '../rules.ts'
import type { DeveloperAnalytics, DeveloperFigures, PlatformAnalytics, TesterFigures } from '../contract.ts'

const t = testApp()
let developer: Person, admin: Person
beforeAll(async () => {
  ;[developer, admin] = await Promise.all([t.signUp('DEVELOPER'), t.signUp('ADMIN')])
})

test('before anything has happened, every figure is zero or null', async () => {
  expect((await developer.call<DeveloperFigures>('GET', '/dashboard/developer')).body).toEqual({
    totalCampaigns: 0,
    activeCampaigns: 0,
    totalSpentCents: 0,
    totalTesters: 0,
    seatsTaken: 0,
    thisMonth: { campaigns: 0, started: 0, spentCents: 0, testers: 0 },
    reached: { paid: false, approved: false, started: false, completed: false },
  })
  const { body: own } = await developer.call<DeveloperAnalytics>('GET', '/dashboard/developer/analytics')
  expect(own).toMatchObject({ checkIns: null, filling: [] })
  const { body: platform } = await admin.call<PlatformAnalytics>('GET', '/admin/analytics')
  expect(platform).toMatchObject({
    period: '6m',
    growth: { revenue: null, users: null, campaigns: null, conversionPoints: null },
    monthlyRevenue: [],
    topCampaigns: [],
    averageCampaignValueCents: null,
    platformFeeCents: 0,
  })
})

test('a campaign is full when all its seats are taken at the same time, not when that many testers have ever joined', async () => {
  const { id } = await liveCampaign(developer, admin, { testersRequired: 2 })
  const testers = await Promise.all([t.signUp('TESTER'), t.signUp('TESTER'), t.signUp('TESTER')])
  const filledAt = async () =>
    (await developer.call<DeveloperAnalytics>('GET', '/dashboard/developer/analytics')).body.filling[0]!.filledAt
  const gone = await joinedBy(testers[0]!, id)
  await testers[0]!.call('POST', `/testers/campaign-testers/${gone.id}/leave`)
  await joinedBy(testers[1]!, id)
  expect(await filledAt()).toBeNull()
  const last = await joinedBy(testers[2]!, id)
  expect(await filledAt()).toBe(last.joinedAt)
})

test.each<[kind: string, facts: object, full: boolean]>([
  ['TESTER_LEFT', {}, false],
  ['TESTER_DROPPED', {}, false],
  ['TESTER_CANCELLED', {}, false],
  ['REJECTION_FINAL', {}, false],
  ['REJECTION_UPHELD', {}, false],
  ['GOODWILL_PAID', {}, false],
  // A rejection freed the seat at once before appeals existed, and waits for one since.
  ['TESTER_REJECTED', {}, false],
  ['TESTER_REJECTED', { appealBy: '2026-01-01T00:00:00.000Z' }, true],
  ['TESTER_VERIFIED', {}, true],
])('of two seats that are taken with %s %j in between, both being taken at once is %s', async (kind, facts, full) => {
  const owner = await t.signUp('DEVELOPER')
  const { id } = await liveCampaign(owner, admin, { testersRequired: 2 })
  const happens = (what: string, more: object = {}) =>
    t.look('insert into campaign_events (campaign_id, at, kind, facts) values ($1, $2, $3, $4)', [
      id,
      clock.now(),
      what,
      JSON.stringify(more),
    ])
  const isFull = async () =>
    (await owner.call<DeveloperAnalytics>('GET', '/dashboard/developer/analytics')).body.filling[0]!.filledAt !== null
  await happens('TESTER_JOINED')
  await happens(kind, facts)
  await happens('TESTER_JOINED')
  expect(await isFull()).toBe(full)
  // A closed seat is not free any more.
  await happens('SEAT_CLOSED')
  expect(await isFull()).toBe(true)
})

test('a withdrawal that came back was not earned again', async () => {
  const tester = await t.signUp('TESTER')
  await t.look(
    `insert into transactions (user_id, type, status, amount_cents, description, created_at)
      select $1, 'CREDIT', status, cents, 'Test', $2 from (values ('COMPLETED', 1000), ('REFUNDED', 700)) line (status, cents)`,
    [tester.user.id, clock.now()],
  )
  const { body } = await tester.call<TesterFigures>('GET', '/dashboard/tester')
  expect(body).toMatchObject({ earnedCents: 1000, thisMonth: { earnedCents: 1000 } })
})

test('a seat given back before the next was taken is not counted twice, whatever the servers’ clocks said', async () => {
  const owner = await t.signUp('DEVELOPER')
  const { id } = await liveCampaign(owner, admin, { testersRequired: 2 })
  const [first, second] = await Promise.all([t.signUp('TESTER'), t.signUp('TESTER')])
  const gone = await joinedBy(first, id)
  // The server that removes the first tester has a clock ahead of the one that admits the second.
  const ahead = clock.offsetMs()
  clock.setOffsetMs(ahead + 60_000)
  await first.call('POST', `/testers/campaign-testers/${gone.id}/leave`)
  clock.setOffsetMs(ahead)
  await joinedBy(second, id)
  const { filling } = (await owner.call<DeveloperAnalytics>('GET', '/dashboard/developer/analytics')).body
  expect(filling).toMatchObject([{ campaign: { id }, filledAt: null }])
})

test('a day counts as missed only when it is over', async () => {
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 3, title: 'Just begun' })
  const tester = await t.signUp('TESTER')
  const { id: testId } = await joinedBy(tester, id)
  const rate = async () =>
    (await developer.call<DeveloperAnalytics>('GET', '/dashboard/developer/analytics')).body.checkIns
  const before = await rate()
  await tester.call('POST', `/testers/campaign-testers/${testId}/check-ins`, {})
  expect((await rate())!.done).toBe((before?.done ?? 0) + 1)
  expect((await rate())!.expected).toBe((before?.expected ?? 0) + 1)
})

test('in a closed test, check-ins are expected from the opt-in on, for open and for ended tests', async () => {
  const owner = await t.signUp('DEVELOPER')
  const { id } = await liveCampaign(owner, admin, { accessMode: 'EMAIL_LIST', durationDays: 14 })
  const [tester, waiting] = await Promise.all([t.signUp('TESTER'), t.signUp('TESTER')])
  const [own, never] = [await joinedBy(tester, id), await joinedBy(waiting, id)]
  const act = (action: string) => tester.call('POST', `/testers/campaign-testers/${own.id}/${action}`, {})
  const rate = async () => (await owner.call<DeveloperAnalytics>('GET', '/dashboard/developer/analytics')).body.checkIns
  await t.advance(5 * 24)
  expect(await rate()).toBeNull()
  await act('opt-in')
  await act('check-ins')
  await t.advance(2 * 24 + 1)
  expect(await rate()).toEqual({ done: 1, expected: 2, percent: 50 })
  await act('leave')
  await waiting.call('POST', `/testers/campaign-testers/${never.id}/leave`)
  await t.advance(24)
  expect(await rate()).toEqual({ done: 1, expected: 2, percent: 50 })
})

test('the Available figure counts what the Available Campaigns screen lists', async () => {
  await liveCampaign(developer, admin, { testersRequired: 1 })
  const tester = await t.signUp('TESTER')
  const { body: listed } = await tester.call<unknown[]>('GET', '/campaigns/available')
  const { body } = await tester.call<TesterFigures>('GET', '/dashboard/tester')
  expect(listed.length).toBeGreaterThan(0)
  expect(body.availableCampaigns).toBe(listed.length)
})

test('an unknown period is refused', async () => {
  const { status, body } = await admin.call('GET', '/admin/analytics?period=7d')
  expect(status).toBe(400)
  expect(body.fields).toHaveProperty('period')
})

test('no role can read another role’s figures', async () => {
  const tester = await t.signUp('TESTER')
  const others = ['/dashboard/developer', '/dashboard/developer/analytics', '/admin/stats', '/admin/analytics']
  for (const path of [...others, '/admin/revenue']) expect((await tester.call('GET', path)).status).toBe(403)
  expect((await developer.call('GET', '/dashboard/tester')).status).toBe(403)
  expect((await t.call('GET', '/admin/stats')).status).toBe(401)
})

test('a test verified after the compared days does not count for the month before', async () => {
  const goTo = (month: string, day: number) =>
    t.advance(hoursBetween(clock.now(), hoursAfter(month, (day - 1) * 24 + 10)))
  const [first, second] = [monthStart(clock.now(), -1), monthStart(clock.now(), -2)]
  await goTo(first, 3)
  const [owner, quick, slow, late] = await Promise.all([
    t.signUp('DEVELOPER'),
    t.signUp('TESTER'),
    t.signUp('TESTER'),
    t.signUp('TESTER'),
  ])
  const firstAdmin = await t.signIn(admin.user.email)
  const testOf = async (person: Person, durationDays: number) => {
    const { id } = await liveCampaign(owner, firstAdmin, { testersRequired: 1, durationDays, dailyCheckIn: false })
    return { person, participationId: (await joinedBy(person, id)).id }
  }
  const [short, long] = [await testOf(quick, 1), await testOf(slow, 20)]
  await daysAndProof(t, [short], 1)
  await owner.call('POST', `/campaign-testers/${short.participationId}/verify`)
  await goTo(first, 24)
  await slow.call('POST', `/testers/campaign-testers/${long.participationId}/proof`, {
    proof: 'It worked well on all of the days.',
  })
  expect((await owner.call('POST', `/campaign-testers/${long.participationId}/verify`)).status).toBe(200)
  await goTo(second, 1)
  const given = await testOf(late, 20)
  await late.call('POST', `/testers/campaign-testers/${given.participationId}/leave`)
  await goTo(second, 10)
  const laterAdmin = await t.signIn(admin.user.email)
  const points = async () =>
    (await laterAdmin.call<PlatformAnalytics>('GET', '/admin/analytics')).body.growth.conversionPoints
  // 0 of 1 now, compared with 1 of 1 on the 10th of the month before, when the second test was still open; it was verified on the
  // 24th.
  expect(await points()).toBe(-100)
  // Neither does one that was joined after them, even if a server whose clock was behind verified it within them.
  await t.advance(0.5)
  const onTheTenth = (minutes: number) => hoursAfter(first, 9 * 24 + 10 + minutes / 60)
  await t.look('update participations set joined_at = $2, closed_at = $3 where id = $1', [
    short.participationId,
    onTheTenth(45),
    onTheTenth(15),
  ])
  expect(await points()).toBeNull()
})

test('the top campaigns of all time are those with the highest payments, fees included, whatever the rate of the fee', async () => {
  const paid = async (title: string, payPerTesterCents: number, feeBasisPoints: number) => {
    await admin.call('PATCH', '/admin/settings', { feeBasisPoints })
    return fundedBy(developer, { title, testersRequired: 10, payPerTesterCents })
  }
  await paid('Low fee', 40_000, 1000)
  await paid('High fee', 39_000, 3000)
  const { body } = await admin.call<PlatformAnalytics>('GET', '/admin/analytics?period=all')
  expect(body.topCampaigns.slice(0, 2).map(({ title, revenueCents }) => [title, revenueCents])).toEqual([
    ['High fee', 507_000],
    ['Low fee', 440_000],
  ])
})
