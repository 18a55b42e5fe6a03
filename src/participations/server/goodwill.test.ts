/** An appeal that nobody decides: the admins are alerted, then the platform pays, unless something holds that back. */
import { beforeEach, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { wholeLocks } from '../../kit/server/advisoryLocks.ts'
import { appeal, balanceOf, hearing, own } from '../../testing/appeals.ts'
import { joinedBy, paidTester, password, type Person } from '../../testing/app.ts'
import { brokenChecks, inParallel } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { AppealCase, CampaignTester, WaitingAppeal } from '../contract.ts'
import { lookAtAppeals } from './participations.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const { decide, campaignOf, heldFor, appealed, emailsAbout } = hearing(t, developer, admin)

/** Time passes and nothing has looked yet. */
const pass = (hours: number) => clock.setOffsetMs(clock.offsetMs() + hours * 3_600_000)
const days = (count: number) => t.advance(count * 24)
const set = (body: object) => admin.call('PATCH', '/admin/settings', body)
const subjectsOf = async (person: Person) =>
  (await person.call<Notification[]>('GET', '/users/me/notifications?limit=100')).body.map(({ subject }) => subject)
const waiting = async (id: string) =>
  (await admin.call<WaitingAppeal[]>('GET', '/admin/appeals?limit=100')).body.find(one => one.id === id)

/** What the platform has earned and not spent. */
const revenue = async () => {
  const [row] = await t.look<{ cents: number }>(
    `select (coalesce(sum(amount_cents) filter (where credit_account_id = r.id), 0)
      - coalesce(sum(amount_cents) filter (where debit_account_id = r.id), 0))::int as cents
      from transfers, (select id from accounts where kind = 'PLATFORM_REVENUE') r`,
  )
  return row!.cents
}

/** The platform pays only what it has earned. */
const earn = () => paidTester(t, developer, admin, 50_000)

beforeEach(async () => {
  await set({ goodwillPerDeveloperCents: 10_000_000, goodwillInAllCents: 100_000_000 })
})

/** An appeal that is due, and held, and what each side is told of it. */
const held = async (title: string, of: WaitingAppeal['heldFor'], hold: 'CHECK' | 'LIMIT', made: Made) => {
  const { id, tester, campaignId } = made
  expect(await waiting(id)).toMatchObject({ heldFor: of })
  expect(await own(tester, id)).toMatchObject({ status: 'APPEALED', appeal: { goodwill: { hold } } })
  const { body: roster } = await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)
  expect(roster[0]?.appeal?.goodwill?.hold).toBe(hold)
  expect(JSON.stringify(roster)).not.toContain('FRAUD')
  expect((await campaignOf(campaignId)).frozen).toMatchObject({ seats: 1 })
  expect(await balanceOf(tester)).toBe(0)
  expect(await subjectsOf(admin)).toContain(`Goodwill pay is on hold: ${title}`)
  expect(await subjectsOf(tester)).toContain(`Your appeal is taking longer: ${title}`)
  expect(await subjectsOf(developer)).toContain(`The decision on Tester 1’s appeal is taking longer: ${title}`)
}
type Made = { id: string; tester: Person; campaignId: string }

// The first: nothing has been earned yet.
test('while the platform has not earned enough it waits and says so, and is paid once it has', async () => {
  const made = await appealed('Poor')
  expect(await revenue()).toBe(0)
  await days(7)
  await held('Poor', 'REVENUE', 'LIMIT', made)
  await earn()
  await t.advance(1)
  expect(await balanceOf(made.tester)).toBe(1000)
})

describe('the admins', () => {
  test('are alerted on days 3 and 6, once each, in the product and by mail', async () => {
    const { id } = await appealed('Alerts')
    await t.advance(71)
    expect(await emailsAbout('Alerts')).not.toContainEqual(expect.stringContaining('An appeal has waited'))
    await t.advance(1)
    await inParallel(3, () => lookAtAppeals.run({}))
    await days(1)
    const third = `${admin.user.email}: An appeal has waited for 3 days: Alerts`
    expect((await emailsAbout('Alerts')).filter(email => email === third)).toHaveLength(1)
    await days(2)
    await t.advance(1)
    const sixth = `${admin.user.email}: An appeal has waited for 6 days: Alerts`
    const mails = await emailsAbout('Alerts')
    expect(mails.filter(email => email === third || email === sixth)).toHaveLength(2)
    const { body } = await admin.call<Notification[]>('GET', '/users/me/notifications?limit=100')
    const told = body.filter(({ subject }) => subject.endsWith('days: Alerts'))
    expect(told.map(({ subject }) => subject.slice(0, 31))).toEqual([
      'An appeal has waited for 6 days',
      'An appeal has waited for 3 days',
    ])
    expect(told[0]?.about).toMatchObject({ kind: 'APPEAL', id })
    await decide(id, 'UPHOLD')
  })

  test('of a server that was down are told of the last day that they missed, and not of a decided appeal', async () => {
    const { id } = await appealed('Missed')
    const decided = await appealed('Decided')
    await decide(decided.id, 'UPHOLD')
    // A day has passed with the second test.
    await days(5)
    const mails = await emailsAbout('Missed')
    expect(mails.filter(email => email.includes('An appeal has waited'))).toEqual([
      `${admin.user.email}: An appeal has waited for 6 days: Missed`,
    ])
    expect(await emailsAbout('Decided')).not.toContainEqual(expect.stringContaining('An appeal has waited'))
    await decide(id, 'UPHOLD')
  })
})

describe('after seven days', () => {
  test('the platform pays the tester from its revenue, and the seat’s pay and fee go back to the developer', async () => {
    await earn()
    const { id, tester, campaignId } = await appealed('Goodwill', { testersRequired: 3 })
    await t.look(`update campaigns set end_date = end_date + interval '30 days' where id = $1`, [campaignId])
    expect(await own(tester, id)).toMatchObject({ appeal: { outcome: null, goodwill: { hold: null } } })
    const before = { revenue: await revenue(), campaign: await campaignOf(campaignId) }
    expect(await heldFor(campaignId)).toEqual({ pay: 3000, fee: 450 })
    await t.advance(167)
    expect(await own(tester, id)).toMatchObject({ status: 'APPEALED' })
    expect(await balanceOf(tester)).toBe(0)
    expect(await heldFor(campaignId)).toEqual({ pay: 3000, fee: 450 })
    await t.advance(1)
    expect(await own(tester, id)).toMatchObject({
      status: 'VERIFIED',
      payoutAmountCents: 1000,
      review: { byPlatform: true, bySilence: false, byAdmin: false },
      appeal: { outcome: 'PLATFORM', note: null, goodwill: null },
      actions: [],
    })
    expect(await balanceOf(tester)).toBe(1000)
    expect(await revenue()).toBe(before.revenue - 1000)
    // Two seats are left, and the third is closed, not free.
    const after = await campaignOf(campaignId)
    expect(after).toMatchObject({ fundedCents: 2000, feeCents: 300, closedSeats: 1, frozen: null })
    expect(before.campaign.fundedCents + before.campaign.feeCents - after.fundedCents - after.feeCents).toBe(1150)
    expect(await heldFor(campaignId)).toEqual({ pay: 2000, fee: 300 })
    const [transfer] = await t.look<{ amount: number }>(
      'select amount_cents::int as amount from transfers where business_key = $1',
      [`appeal-goodwill:${id}`],
    )
    expect(transfer?.amount).toBe(1000)
  })

  test('all three sides see by whom the test was verified', async () => {
    await earn()
    const { id, tester, campaignId } = await appealed('Seen')
    await days(7)
    expect((await campaignOf(campaignId)).status).toBe('COMPLETED')
    const { body: roster } = await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)
    expect(roster[0]).toMatchObject({ status: 'VERIFIED', review: { byPlatform: true } })
    const { body: report } = await developer.call<{ testers: object[] }>('GET', `/campaigns/${campaignId}/report`)
    expect(report.testers).toMatchObject([{ status: 'VERIFIED', byPlatform: true }])
    const { body: events } = await developer.call<CampaignEvent[]>('GET', `/campaigns/${campaignId}/activity?limit=50`)
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['GOODWILL_PAID', 'SEAT_CLOSED', 'REFUNDED']))
    expect(events.map(({ kind }) => kind)).not.toContain('APPEAL_GRANTED')
    const { body: statement } = await tester.call<{ data: { description: string }[] }>('GET', '/users/me/transactions')
    expect(statement.data[0]?.description).toBe('Verified test, paid by the platform')
    expect((await admin.call<AppealCase>('GET', `/admin/appeals/${id}`)).body.test.appeal?.outcome).toBe('PLATFORM')
    const mails = await emailsAbout('Seen')
    expect(mails).toContain(`${tester.user.email}: Verified by the platform, you earned $10.00: Seen`)
    expect(mails).toContain(`${developer.user.email}: Tester 1 was paid by the platform: Seen`)
    expect(await waiting(id)).toBeUndefined()
    expect((await decide(id, 'UPHOLD')).status).toBe(409)
    expect((await appeal(tester, id)).status).toBe(409)
  })

  test('it pays once, however many servers look and however often', async () => {
    await earn()
    const { tester } = await appealed('Servers')
    pass(7 * 24)
    await inParallel(4, () => lookAtAppeals.run({}))
    await lookAtAppeals.run({})
    expect(await balanceOf(tester)).toBe(1000)
  })

  test.each(['VERIFY', 'UPHOLD'])('an admin’s %s at the same moment: one of the two, to the cent', async decision => {
    await earn()
    const { id, tester, campaignId } = await appealed(`Moment ${decision}`)
    pass(7 * 24)
    const [reply] = await Promise.all([decide(id, decision), lookAtAppeals.run({})])
    const { appeal: seen } = await own(tester, id)
    expect(reply.status).toBe(seen?.outcome === 'PLATFORM' ? 409 : 200)
    expect(await balanceOf(tester)).toBe(seen?.outcome === 'UPHELD' ? 0 : 1000)
    expect((await campaignOf(campaignId)).frozen).toBeNull()
    expect(await brokenChecks()).toEqual([])
  })

  test('of a campaign that was cancelled meanwhile, this seat’s pay and fee go back', async () => {
    await earn()
    const { tester, campaignId } = await appealed('Cancelled goodwill', { testersRequired: 2 })
    await developer.call('POST', `/campaigns/${campaignId}/cancel`)
    expect(await heldFor(campaignId)).toEqual({ pay: 1000, fee: 150 })
    await days(7)
    expect(await balanceOf(tester)).toBe(1000)
    expect(await heldFor(campaignId)).toEqual({ pay: 0, fee: 0 })
    expect(await campaignOf(campaignId)).toMatchObject({ status: 'CANCELLED', fundedCents: 0, feeCents: 0 })
  })

  test('and the cancelling at the same moment add up to the cent', async () => {
    await earn()
    const { tester, campaignId } = await appealed('At once', { testersRequired: 3, payPerTesterCents: 333 })
    pass(7 * 24)
    await Promise.all([lookAtAppeals.run({}), developer.call('POST', `/campaigns/${campaignId}/cancel`)])
    expect(await balanceOf(tester)).toBe(333)
    expect(await heldFor(campaignId)).toEqual({ pay: 0, fee: 0 })
    expect(await brokenChecks()).toEqual([])
  })

  test('neither side can delete the account before, and a suspended developer changes nothing', async () => {
    await earn()
    const owner = await t.signUp('DEVELOPER')
    const own2 = hearing(t, owner, admin)
    const { id, tester } = await own2.appealed('Suspended owner')
    for (const person of [tester, owner])
      expect((await person.call('DELETE', '/users/me', { password })).status).toBe(409)
    await admin.call('POST', `/admin/users/${owner.user.id}/ban`, { reason: 'Sold accounts.' })
    await days(7)
    expect((await own(tester, id)).appeal?.outcome).toBe('PLATFORM')
  })
})

describe('it waits and says so', () => {
  test('while what the platform has earned pays one of two that are due at once, the one of the older appeal, to the cent', async () => {
    await earn()
    const earned = await revenue()
    const payPerTesterCents = Math.floor(earned / 2) + 1
    const both = [await appealed('Both 1', { payPerTesterCents }), await appealed('Both 2', { payPerTesterCents })]
    pass(8 * 24)
    await lookAtAppeals.run({})
    const paid = await Promise.all(both.map(({ tester }) => balanceOf(tester)))
    expect(paid).toEqual([payPerTesterCents, 0])
    const waits = both[1]!
    expect(await waiting(waits.id)).toMatchObject({ heldFor: 'REVENUE' })
    await decide(waits.id, 'UPHOLD')
    // All of what is left is enough for one that costs as much.
    const left = await revenue()
    expect(left).toBe(earned - payPerTesterCents)
    const last = await appealed('Last cent', { payPerTesterCents: left })
    await days(7)
    expect([await balanceOf(last.tester), await revenue()]).toEqual([left, 0])
  })

  test('above the month’s sum for the developer, until an admin raises it', async () => {
    await earn()
    const [first, second] = [await appealed('Sum 1'), await appealed('Sum 2')]
    await t.look(`update appeals set decided_at = decided_at - interval '60 days' where outcome = 'PLATFORM'`)
    await set({ goodwillPerDeveloperCents: 1999 })
    await days(7)
    await t.advance(24)
    expect(await balanceOf(first.tester)).toBe(1000)
    await held('Sum 2', 'DEVELOPER_LIMIT', 'LIMIT', second)
    // Told once, however often it is looked at.
    await t.advance(5)
    for (const person of [second.tester, developer, admin])
      expect(
        (await subjectsOf(person)).filter(subject => /(taking longer|pay is on hold): Sum 2$/.test(subject)),
      ).toHaveLength(1)
    await set({ goodwillPerDeveloperCents: 2000 })
    await t.advance(1)
    expect(await balanceOf(second.tester)).toBe(1000)
  })

  test.each([
    ['DEVELOPER_LIMIT', { goodwillPerDeveloperCents: 0 }],
    ['TOTAL_LIMIT', { goodwillInAllCents: 999 }],
  ] as const)('from the beginning while the pay alone is above a limit: %s', async (holds, limit) => {
    await earn()
    await set(limit)
    const title = `Never ${holds}`
    const made = await appealed(title)
    const caseOf = async () => (await admin.call<AppealCase>('GET', `/admin/appeals/${made.id}`)).body.heldFor
    const toTester = async () => (await own(made.tester, made.id)).appeal?.goodwill?.hold
    expect([(await waiting(made.id))?.heldFor, await caseOf(), await toTester()]).toEqual([holds, holds, 'LIMIT'])
    await days(3)
    const told = (await admin.call<Notification[]>('GET', '/users/me/notifications')).body
    const { text } = told.find(({ subject }) => subject === `An appeal has waited for 3 days: ${title}`)!
    expect(text).toContain('The platform cannot pay the $10.00 to the tester instead, because that would exceed')
    await set({ goodwillPerDeveloperCents: 10_000_000, goodwillInAllCents: 1_000_000 })
    expect([(await waiting(made.id))?.heldFor, await caseOf(), await toTester()]).toEqual([null, null, null])
    await days(4)
    expect(await balanceOf(made.tester)).toBe(1000)
    // What is paid is not held, whatever becomes of the limits.
    await set(limit)
    expect(await caseOf()).toBeNull()
  })

  test('above the month’s sum for all, and is paid in the next month', async () => {
    await earn()
    const made = await appealed('All')
    await t.look(`update appeals set decided_at = decided_at - interval '60 days' where outcome = 'PLATFORM'`)
    await set({ goodwillInAllCents: 1000 })
    const other = await t.signUp('DEVELOPER')
    const theirs = await hearing(t, other, admin).appealed('Others')
    await t.look(`update appeals set wake_at = appealed_at where outcome is null and participation_id = $1`, [
      theirs.id,
    ])
    await days(7)
    const outcomes = [await own(made.tester, made.id), await own(theirs.tester, theirs.id)]
    expect(outcomes.filter(({ appeal: seen }) => seen?.outcome === 'PLATFORM')).toHaveLength(1)
    const left = outcomes[0]!.appeal?.outcome === null ? made : theirs
    const first = left === made ? theirs : made
    expect(await waiting(left.id)).toMatchObject({ heldFor: 'TOTAL_LIMIT' })
    expect([await balanceOf(first.tester), await balanceOf(left.tester)]).toEqual([1000, 0])
    await t.advance(32 * 24)
    expect([await balanceOf(first.tester), await balanceOf(left.tester)]).toEqual([1000, 1000])
  })

  const report = (userId: string, severity: string, facts: object, kind = 'SHARED_DEVICE') =>
    t.look(
      `insert into fraud_reports (id, user_id, status, severity, kind, facts, finding_key, is_sample, created_at)
        values (gen_random_uuid(), $1, 'OPEN', $2, $4, $3, gen_random_uuid()::text, false, now())`,
      [userId, severity, JSON.stringify(facts), kind],
    )
  const settle = () =>
    t.look(
      `update fraud_reports set status = 'DISMISSED', resolution = 'No.', decided_at = now(), decided_by = $1 where status = 'OPEN'`,
      [admin.user.id],
    )

  test.each(['HIGH', 'CRITICAL'])('while an open fraud report of severity %s is about the tester', async severity => {
    await earn()
    const title = `Report ${severity}`
    const made = await appealed(title)
    await report(made.tester.user.id, severity, { device: 'a', accounts: 2, people: [] })
    await days(7)
    await held(title, 'FRAUD', 'CHECK', made)
    await settle()
    await t.advance(1)
    expect(await balanceOf(made.tester)).toBe(1000)
  })

  test('until an admin clears all reports, as the dialog says', async () => {
    await earn()
    const made = await appealed('Cleared')
    await report(made.tester.user.id, 'HIGH', { device: 'd', accounts: 3, people: [] })
    await days(7)
    await held('Cleared', 'FRAUD', 'CHECK', made)
    expect((await admin.call('DELETE', '/admin/fraud-reports/clear')).status).toBe(200)
    await t.advance(1)
    expect(await balanceOf(made.tester)).toBe(1000)
  })

  test('clearing twice, an admin’s decision and the platform’s payment at the same moment pay the tester once', async () => {
    await earn()
    for (const outcome of ['VERIFY', 'UPHOLD'] as const) {
      const made = await appealed(`Raced ${outcome}`)
      await report(made.tester.user.id, 'HIGH', { device: 'd', accounts: 3, people: [] })
      await days(7)
      pass(2)
      const clear = () => admin.call('DELETE', '/admin/fraud-reports/clear')
      const [decided] = await Promise.all([decide(made.id, outcome), clear(), clear(), lookAtAppeals.run({})])
      expect([200, 409]).toContain(decided.status)
      await t.advance(2)
      const { status } = await own(made.tester, made.id)
      const upheld = outcome === 'UPHOLD' && decided.status === 200
      expect(status).toBe(upheld ? 'REJECTED' : 'VERIFIED')
      expect(await balanceOf(made.tester)).toBe(upheld ? 0 : 1000)
      // What decided first stands, and is told once.
      expect((await decide(made.id, 'VERIFY')).status).toBe(409)
      const told = (await subjectsOf(made.tester)).filter(subject => /upheld|you earned/i.test(subject))
      expect(told).toHaveLength(1)
    }
    expect(await brokenChecks()).toEqual([])
  })

  test('never because somebody else copied the tester’s text or picture', async () => {
    await earn()
    const copyist = await t.signUp('TESTER')
    const [author, repeater] = [await appealed('Copied'), await appealed('Repeats')]
    const of = ({ user }: Person) => ({ title: 'x', at: '2026-11-22T00:00:00.000Z', userId: user.id })
    await report(copyist.user.id, 'HIGH', { submitted: [of(author.tester), of(copyist), of(author.tester)] })
    await report(copyist.user.id, 'HIGH', { attached: [of(author.tester), of(repeater.tester), of(copyist)] })
    await days(7)
    await held('Repeats', 'FRAUD', 'CHECK', repeater)
    expect(await balanceOf(author.tester)).toBe(1000)
    await settle()
  })

  test('never because others gave the tester’s Play address, which they may know; the first on a device is held', async () => {
    await earn()
    const others = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const [known, shared] = [await appealed('Known'), await appealed('Shared')]
    const seen = ({ user }: Person) => ({ at: '2026-11-22T00:00:00.000Z', userId: user.id })
    const people = (first: Person) => ({ accounts: 3, people: [first, ...others].map(seen) })
    await report(others[1]!.user.id, 'HIGH', people(known.tester), 'SHARED_PLAY_ADDRESS')
    await report(others[1]!.user.id, 'HIGH', { device: 'e', ...people(shared.tester) })
    await days(7)
    await held('Shared', 'FRAUD', 'CHECK', shared)
    expect(await balanceOf(known.tester)).toBe(1000)
    await settle()
  })

  test('never because of a sample, which only shows what a report looks like', async () => {
    await earn()
    const made = await appealed('Sample')
    await report(made.tester.user.id, 'CRITICAL', { device: 'f', accounts: 2, people: [] })
    await t.look(`update fraud_reports set is_sample = true, finding_key = null where user_id = $1`, [
      made.tester.user.id,
    ])
    await days(7)
    expect(await balanceOf(made.tester)).toBe(1000)
    await admin.call('DELETE', '/admin/fraud-reports/clear')
  })

  test('while one only names the developer in its facts; a lower or settled one holds nothing back', async () => {
    await earn()
    const stranger = await t.signUp('TESTER')
    const made = await appealed('Named')
    const people = [{ at: '2026-11-22T00:00:00.000Z', userId: developer.user.id }]
    await report(made.tester.user.id, 'MEDIUM', { device: 'b', accounts: 2, people })
    await report(stranger.user.id, 'HIGH', { device: 'c', accounts: 2, people })
    await days(7)
    await held('Named', 'FRAUD', 'CHECK', made)
    await t.look(`update fraud_reports set severity = 'MEDIUM' where user_id = $1`, [stranger.user.id])
    await t.advance(1)
    expect(await balanceOf(made.tester)).toBe(1000)
    await settle()
  })

  test('while the tester is suspended, and is paid once that has ended; an admin may decide all the same', async () => {
    await earn()
    const [made, other] = [await appealed('Suspended'), await appealed('Suspended too')]
    for (const { tester } of [made, other])
      await admin.call('POST', `/admin/users/${tester.user.id}/ban`, { reason: 'Sold accounts.' })
    await days(7)
    await t.advance(24)
    expect(await waiting(made.id)).toMatchObject({ heldFor: 'SUSPENDED' })
    expect((await decide(other.id, 'UPHOLD')).status).toBe(200)
    await admin.call('POST', `/admin/users/${made.tester.user.id}/unban`, { reason: 'A mistake.' })
    await t.advance(1)
    const back = await t.signIn(made.tester.user.email)
    expect(await balanceOf(back)).toBe(1000)
  })
})

test('it tells the admins of what waits with the days that the oldest has waited', async () => {
  const { id } = await appealed('Needs')
  await days(4)
  const { body } = await admin.call<{ needs: { kind: string; since: string }[] }>('GET', '/dashboard/needs')
  expect(body.needs.find(({ kind }) => kind === 'APPEALS')?.since).toBeTruthy()
  await decide(id, 'UPHOLD')
})

test('a seat that the platform paid is not given again', async () => {
  await earn()
  const { campaignId } = await appealed('Closed', { testersRequired: 2 })
  await t.look(`update campaigns set end_date = end_date + interval '30 days' where id = $1`, [campaignId])
  await days(7)
  await joinedBy(await t.signUp('TESTER'), campaignId)
  const late = await t.signUp('TESTER')
  const { status } = await late.call('POST', `/testers/campaigns/${campaignId}/join`, { deviceInfo: 'Pixel 8' })
  expect(status).toBe(409)
})

test('is paid by one server at a time: two could spend the same month’s sum', async () => {
  await earn()
  const { tester } = await appealed('One at a time')
  pass(7 * 24)
  const [, meanwhile] = await overtaken(
    t,
    { rows: 'select pg_advisory_xact_lock($1)', values: [wholeLocks.GOODWILL] },
    async () => lookAtAppeals.run({}),
    () => balanceOf(tester),
  )
  expect([meanwhile, await balanceOf(tester)]).toEqual([0, 1000])
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
