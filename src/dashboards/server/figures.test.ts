/**
 * Every figure after two months of known activity. `history` creates the activity; its comments give the sums that the tests
 * expect.
 */
import { beforeAll, expect, test } from 'vitest'
import { clock, hoursAfter, hoursBetween } from '../../kit/clock.ts'
import { device, fundedBy, type Person, proof } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import type {
  DeveloperAnalytics,
  DeveloperFigures,
  PlatformAnalytics,
  PlatformStats,
  RevenueLine,
  TesterFigures,
} from '../contract.ts'
import { monthStart } from '../rules.ts'

const t = testApp()
let ana: Person, ben: Person, admin: Person, tia: Person, tom: Person, una: Person
let notes: string, maps: string, chess: string
let pendingBetween: number
/** The next two months. */
const first = monthStart(clock.now(), -1)
const second = monthStart(clock.now(), -2)
const label = (month: string) => month.slice(0, 7)

/** `at(first, 3, 10)` is day 3 at 10:00. */
const at = (month: string, day: number, hour: number) => hoursAfter(month, (day - 1) * 24 + hour)
const goTo = (instant: string) => t.advance(hoursBetween(clock.now(), instant))

const post = async <T = { id: string }>(person: Person, path: string, body?: unknown): Promise<T> => {
  const reply = await person.call<T>('POST', path, body)
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
const join = async (tester: Person, id: string) =>
  (await post(tester, `/testers/campaigns/${id}/join`, { deviceInfo: device })).id
const start = async (developer: Person, id: string) => {
  await post(admin, `/admin/campaigns/${id}/approve`)
  await post(developer, `/campaigns/${id}/start`)
}
const get = async <T>(person: Person, path: string): Promise<T> => (await person.call<T>('GET', path)).body

const history = async () => {
  // First month: five people. Ana pays 2 × $10 and 15 %, so $23.00, for tests of one day.
  await goTo(at(first, 3, 10))
  ;[ana, ben, admin, tia, tom] = (await Promise.all(
    (['DEVELOPER', 'DEVELOPER', 'ADMIN', 'TESTER', 'TESTER'] as const).map(role => t.signUp(role)),
  )) as [Person, Person, Person, Person, Person]
  notes = (await fundedBy(ana, { title: 'Notes', testersRequired: 2, durationDays: 1 })).id
  await start(ana, notes)
  const tiasTest = await join(tia, notes)
  await post(tia, `/testers/campaign-testers/${tiasTest}/check-ins`, {})
  // All seats are taken six hours after the start.
  await goTo(at(first, 3, 16))
  const tomsTest = await join(tom, notes)
  // Tom leaves after a day and an hour without a check-in. Tia is paid $10.00, and the platform $1.50.
  await goTo(at(first, 4, 17))
  await post(tom, `/testers/campaign-testers/${tomsTest}/leave`)
  await post(tia, `/testers/campaign-testers/${tiasTest}/proof`, { proof })
  await post(ana, `/campaign-testers/${tiasTest}/verify`)
  // The campaign is over, and half of the payment, $11.50, is refunded to Ana.
  await goTo(at(first, 5, 17))
  // Later that month Ben pays $23.00.
  await goTo(at(first, 20, 10))
  maps = (
    await fundedBy(ben, {
      title: 'Maps',
      testersRequired: 1,
      payPerTesterCents: 2000,
      durationDays: 60,
      dailyCheckIn: false,
    })
  ).id
  pendingBetween = (await get<PlatformStats>(admin, '/admin/stats')).pendingApprovals
  await start(ben, maps)
  const secondOfTia = await join(tia, maps)
  // Second month: Tia leaves, and Ben cancels and gets his $23.00 back. A sixth person registers. Ana pays $57.50.
  await goTo(at(second, 10, 10))
  // Sessions expire after 30 days without use.
  ;[ana, ben, admin, tia, tom] = (await Promise.all(
    [ana, ben, admin, tia, tom].map(({ user }) => t.signIn(user.email)),
  )) as [Person, Person, Person, Person, Person]
  await post(tia, `/testers/campaign-testers/${secondOfTia}/leave`)
  await post(ben, `/campaigns/${maps}/cancel`)
  una = await t.signUp('TESTER')
  chess = (await fundedBy(ana, { title: 'Chess', testersRequired: 1, payPerTesterCents: 5000 })).id
  await start(ana, chess)
  await join(una, chess)
}

beforeAll(async () => {
  await history()
})

test('a developer’s cards count only that developer’s campaigns, net of refunds, in total and this month', async () => {
  expect(await get<DeveloperFigures>(ana, '/dashboard/developer')).toEqual({
    totalCampaigns: 2,
    activeCampaigns: 1,
    totalSpentCents: 2300 - 1150 + 5750,
    totalTesters: 3,
    seatsTaken: 3,
    thisMonth: { campaigns: 1, started: 1, spentCents: 5750, testers: 1 },
    reached: { paid: true, approved: true, started: true, completed: true },
  })
  expect(await get<DeveloperFigures>(ben, '/dashboard/developer')).toEqual({
    totalCampaigns: 1,
    activeCampaigns: 0,
    totalSpentCents: 0,
    totalTesters: 1,
    seatsTaken: 1,
    thisMonth: { campaigns: 0, started: 0, spentCents: -2300, testers: 0 },
    reached: { paid: true, approved: true, started: true, completed: false },
  })
})

test('a developer’s analytics show every month, the check-ins of past days, and when all seats were taken', async () => {
  const { months, checkIns, filling } = await get<DeveloperAnalytics>(ana, '/dashboard/developer/analytics')
  expect(months).toHaveLength(6)
  expect(months.slice(0, 4).every(month => month.spentCents === 0 && month.seatsFilled === 0)).toBe(true)
  expect(months.slice(4)).toEqual([
    { month: label(first), spentCents: 1150, seatsFilled: 2 },
    { month: label(second), spentCents: 5750, seatsFilled: 1 },
  ])
  // One day each for Tia and Tom; Una's first day is not over.
  expect(checkIns).toEqual({ done: 1, expected: 2, percent: 50 })
  expect(filling.map(({ campaign }) => campaign.title)).toEqual(['Chess', 'Notes'])
  expect(hoursBetween(filling[1]!.startDate, filling[1]!.filledAt!)).toBeCloseTo(6, 1)
  expect(filling[0]!.filledAt).not.toBeNull()
})

test('a tester’s cards show their balance and tests, in total and this month', async () => {
  expect(await get<TesterFigures>(tia, '/dashboard/tester')).toEqual({
    balanceCents: 1000,
    earnedCents: 1000,
    activeTests: 0,
    completedTests: 1,
    // A full campaign with a free place on its bench.
    availableCampaigns: 1,
    thisMonth: { earnedCents: 0, joined: 0, verified: 0 },
    reached: { joined: true, checkedIn: true, submitted: true },
    hasOpenTest: false,
  })
  expect(await get<TesterFigures>(una, '/dashboard/tester')).toMatchObject({
    activeTests: 1,
    thisMonth: { earnedCents: 0, joined: 1, verified: 0 },
    reached: { joined: true, checkedIn: false, submitted: false },
    hasOpenTest: true,
  })
  expect(await get<TesterFigures>(tom, '/dashboard/tester')).toMatchObject({
    activeTests: 0,
    completedTests: 0,
    reached: { joined: true, checkedIn: false, submitted: false },
    hasOpenTest: false,
  })
})

test('the admin’s cards count everything once', async () => {
  expect(pendingBetween).toBe(1)
  expect(await get<PlatformStats>(admin, '/admin/stats')).toEqual({
    totalUsers: 6,
    totalCampaigns: 3,
    totalRevenueCents: 1150 + 5750,
    pendingApprovals: 0,
    pendingLinks: 0,
    thisMonth: { users: 1, campaigns: 1, revenueCents: 5750 - 2300 },
  })
})

const analytics = (period: string) => get<PlatformAnalytics>(admin, `/admin/analytics?period=${period}`)

test('growth compares this month so far with the same days of last month', async () => {
  const { growth, change } = await analytics('6m')
  expect(change).toEqual({ revenueCents: 2300, users: -4, campaigns: 0 })
  expect(growth).toEqual({
    // $34.50 compared with $11.50 in the first ten days; Ben's payment on the 20th does not count.
    revenue: 200,
    // 1 compared with 5, and 1 with 1: too few for a percentage.
    users: null,
    campaigns: null,
    // Una's test is still open, so no test of this month has ended.
    conversionPoints: null,
  })
})

test('six months of analytics contain sums, months without gaps, and top campaigns', async () => {
  const shown = await analytics('6m')
  expect(shown.totals).toEqual({
    revenueCents: 6900,
    users: 6,
    campaigns: 3,
    // Tia's first of three ended tests; Una's is still open.
    conversion: { ended: 3, verified: 1, percent: 33 },
  })
  expect(shown.inPeriod).toEqual({ revenueCents: 6900, campaigns: 3, conversion: shown.totals.conversion })
  expect(shown.monthlyRevenue.map(month => month.revenueCents)).toEqual([0, 0, 0, 0, 1150 + 2300, 5750 - 2300])
  expect(shown.monthlyRevenue.map(month => month.feeCents)).toEqual([0, 0, 0, 0, 150, 0])
  expect(shown.monthlyRevenue.slice(4).map(({ month }) => month)).toEqual([label(first), label(second)])
  // Maps was refunded in full.
  expect(shown.topCampaigns).toEqual([
    { id: chess, title: 'Chess', testers: 1, testersRequired: 1, closedSeats: 0, revenueCents: 5750 },
    { id: notes, title: 'Notes', testers: 1, testersRequired: 2, closedSeats: 0, revenueCents: 1150 },
  ])
  expect(shown).toMatchObject({
    userGrowth: { newUsers: 6, percent: null },
    averageCampaignValueCents: 3450,
    platformFeeCents: 150,
  })
})

test('thirty days of analytics leave out older activity, but still show six months of trend', async () => {
  const shown = await analytics('30d')
  expect(shown.totals.revenueCents).toBe(6900)
  expect(shown.inPeriod).toEqual({
    revenueCents: 2300 - 2300 + 5750,
    campaigns: 2,
    conversion: { ended: 1, verified: 0, percent: 0 },
  })
  expect(shown.topCampaigns.map(({ id }) => id)).toEqual([chess])
  expect(shown).toMatchObject({
    // Five users before are too few for a percentage.
    userGrowth: { newUsers: 1, percent: null },
    averageCampaignValueCents: 4025,
    platformFeeCents: 0,
  })
  expect(shown.monthlyRevenue).toHaveLength(6)
})

test('the revenue of every period is the sum of its payments and refunds, which are paged newest first', async () => {
  const linesOf = async (period: string) => {
    const lines: RevenueLine[] = []
    for (let page = 1; ; page++) {
      const path = `/admin/revenue?period=${period}&page=${page}&limit=2`
      const { data, total } = await get<{ data: RevenueLine[]; total: number }>(admin, path)
      lines.push(...data)
      if (data.length < 2) expect(lines).toHaveLength(total)
      if (data.length < 2) return lines
    }
  }
  const all = await linesOf('all')
  expect(all.map(({ kind, amountCents, campaign, developer }) => [kind, amountCents, campaign, developer.id])).toEqual([
    ['PAYMENT', 5750, { id: chess, title: 'Chess' }, ana.user.id],
    ['REFUND', -2300, { id: maps, title: 'Maps' }, ben.user.id],
    ['PAYMENT', 2300, { id: maps, title: 'Maps' }, ben.user.id],
    ['REFUND', -1150, { id: notes, title: 'Notes' }, ana.user.id],
    ['PAYMENT', 2300, { id: notes, title: 'Notes' }, ana.user.id],
  ])
  for (const period of ['30d', '90d', '6m', '12m', 'all']) {
    const lines = await linesOf(period)
    const { inPeriod } = await analytics(period)
    expect(lines.reduce((sum, line) => sum + line.amountCents, 0)).toBe(inPeriod.revenueCents)
  }
  expect(await linesOf('30d')).toHaveLength(3)
})

test('all time starts with the first payment, and its top campaigns match those calculated from payments and refunds', async () => {
  const shown = await analytics('all')
  expect(shown.from).toBeNull()
  expect(shown.monthlyRevenue.map(({ month }) => month)).toEqual([label(first), label(second)])
  expect(shown.topCampaigns).toEqual((await analytics('12m')).topCampaigns)
  expect(shown.inPeriod.revenueCents).toBe(shown.totals.revenueCents)
  expect((await analytics('12m')).monthlyRevenue).toHaveLength(12)
})
