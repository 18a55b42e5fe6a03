/** Refusing a changed NDA: what is paid, and what becomes of the seat. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Notification } from '../../notifications/contract.ts'
import { device, joinedBy, liveCampaign, type Reply } from '../../testing/app.ts'
import { type Crashes, prepareCrashes } from '../../testing/crashes.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { ndaTests } from '../../testing/ndas.ts'
import { overtaken } from '../../testing/races.ts'
import type { Report } from '../../reports/contract.ts'
import type { CampaignTester } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let crashes: Crashes
beforeAll(async () => {
  crashes = await prepareCrashes(t)
})
afterAll(async () => {
  await crashes.stop()
  expect(await brokenChecks()).toEqual([])
})

const { setNda, accept, on, mine, balanceOf, campaignOf, subjectsOf, withNda, inside, terms } = ndaTests(
  t,
  developer,
  admin,
)

describe('refusing a changed one', () => {
  test('pays the days done, closes the seat, and gives the rest of its pay and fee back', async () => {
    const { id, title, tester, seat } = await inside(3, { title: 'Refused' })
    const before = await campaignOf(id)
    await setNda(id, 'Pay me if you tell.')
    const { status, body } = await on(tester, seat, 'refuse-nda')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 300, ndaRefused: true, actions: [] })
    expect(body.campaign.distributionLink).toBeNull()
    expect(await balanceOf(tester)).toBe(300)
    const after = await campaignOf(id)
    // 15 % of three seats at $14.00 is $6.30, $2.10 each.
    expect(after).toMatchObject({ closedSeats: 1, fundedCents: before.fundedCents - 1100, feeCents: 420 })
    expect(after._count.campaignTesters).toBe(0)
    expect(await subjectsOf(developer)).toContain(`Tester 1 left: ${title}`)
    expect(await brokenChecks()).toEqual([])
    expect((await on(tester, seat, 'refuse-nda')).status).toBe(409)
  })

  test('of a cancelled campaign frees no seat: the owner reads that what is left of it goes back', async () => {
    const { id, title, tester, seat } = await inside(1, { title: 'Refused at last', durationDays: 1 })
    await on(tester, seat, 'proof', { proof: 'I opened each of the screens and wrote down what was slow.' })
    await developer.call('POST', `/campaign-testers/${seat}/request-changes`, { note: 'Say more about the search.' })
    await setNda(id, 'Another text.')
    await developer.call('POST', `/campaigns/${id}/cancel`)
    expect((await on(tester, seat, 'refuse-nda')).status).toBe(200)
    const told = (await developer.call<Notification[]>('GET', '/users/me/notifications')).body
    const { text } = told.find(({ subject }) => subject === `Tester 1 left: ${title}`)!
    expect(text).toContain('What is left of the seat’s pay and fee is refunded to you.')
    expect(text).not.toContain('free')
  })

  test('before a day was done pays nothing, and the seat is free for the next', async () => {
    const { id, tester, seat } = await inside(0, { testersRequired: 1 })
    await setNda(id, 'Another text.')
    expect((await on(tester, seat, 'refuse-nda')).body).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 0 })
    expect(await campaignOf(id)).toMatchObject({ closedSeats: 0, fundedCents: 1400, _count: { campaignTesters: 0 } })
    await joinedBy(await t.signUp('TESTER'), id)
    const replacedIn = async () =>
      (await developer.call<Report>('GET', `/campaigns/${id}/report`)).body.dropOuts.map(
        ({ replacedBy }) => replacedBy?.alias,
      )
    expect(await replacedIn()).toEqual(['Tester 2'])
    // A seat from which pay was taken is closed, so nobody replaces its tester, and nobody replaces one who was cancelled.
    for (const [set, back] of [
      ['payout_amount_cents = 100', 'payout_amount_cents = 0'],
      ['nda_refused = false', 'nda_refused = true'],
    ]) {
      await t.look(`update participations set ${set} where id = $1`, [seat])
      expect([set, await replacedIn()]).toEqual([set, [undefined]])
      await t.look(`update participations set ${back} where id = $1`, [seat])
    }
  })

  test('before a day was done holds the seat for who waits on the bench; with a day’s pay nobody gets it', async () => {
    for (const [days, offered] of [
      [0, true],
      [1, false],
    ] as const) {
      const { id, tester, seat } = await inside(days, { testersRequired: 1 })
      const next = await t.signUp('TESTER')
      const { body: waits } = await next.call<CampaignTester>('POST', `/testers/campaigns/${id}/join`, {
        deviceInfo: device,
        waitlist: true,
      })
      await setNda(id, 'Another text.')
      expect((await on(tester, seat, 'refuse-nda')).status).toBe(200)
      expect((await mine(next, waits.id)).bench!.offerEndsAt !== null).toBe(offered)
    }
  })

  test('is what leaving does, too; who accepted it, or never accepted any, leaves without pay', async () => {
    const refusing = await inside(2)
    await setNda(refusing.id, 'Another text.')
    expect((await on(refusing.tester, refusing.seat, 'leave')).body).toMatchObject({ payoutAmountCents: 200 })

    const accepting = await inside(2)
    await setNda(accepting.id, 'Another text.')
    await accept(accepting.tester, accepting.id, 2)
    expect((await on(accepting.tester, accepting.seat, 'refuse-nda')).status).toBe(409)
    expect((await on(accepting.tester, accepting.seat, 'leave')).body).toMatchObject({ status: 'DROPPED' })

    const { id } = await withNda({ dailyCheckIn: false })
    const outside = await t.signUp('TESTER')
    const { id: seat } = await joinedBy(outside, id)
    await t.advance(25)
    await setNda(id, 'Another text.')
    expect((await on(outside, seat, 'refuse-nda')).status).toBe(409)
    expect((await on(outside, seat, 'leave')).body).toMatchObject({ status: 'DROPPED', payoutAmountCents: 0 })
  })

  test('in a cancelled campaign, with changes requested, gives the rest back as well', async () => {
    const { id, tester, seat } = await inside(2, { durationDays: 2, payPerTesterCents: 200, testersRequired: 1 })
    await on(tester, seat, 'proof', { proof: 'I wrote a note on both days.' })
    await developer.call('POST', `/campaign-testers/${seat}/request-changes`, { note: 'More, please.' })
    await setNda(id, 'Another text.')
    await developer.call('POST', `/campaigns/${id}/cancel`)
    expect((await on(tester, seat, 'refuse-nda')).body).toMatchObject({ payoutAmountCents: 200 })
    expect(await campaignOf(id)).toMatchObject({ status: 'CANCELLED', feeCents: 0, fundedCents: 200 })
    expect(await brokenChecks()).toEqual([])
  })

  /** Who joined before there was an NDA and still waits to be put on the list, with one asked for after so many hours. */
  const waiting = async (hours: number) => {
    const { id } = await liveCampaign(developer, admin, { ...terms, accessMode: 'EMAIL_LIST' })
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    await t.advance(hours)
    await setNda(id, 'Tell nobody about it.')
    return { id, tester, seat }
  }

  test.each(['refuse-nda', 'leave'])(
    'by who has waited for the tester list for a week pays that day and closes the seat: %s',
    async call => {
      const { id, tester, seat } = await waiting(7 * 24)
      const asked = await mine(tester, seat)
      expect(asked).toMatchObject({ waiting: { payCents: 100 }, nda: { refusalPayCents: 100 } })
      expect((await on(tester, seat, call)).body).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 100 })
      expect(await balanceOf(tester)).toBe(100)
      expect(await campaignOf(id)).toMatchObject({ closedSeats: 1, _count: { campaignTesters: 0 } })
      expect(await subjectsOf(developer)).toContain(`A seat is closed: ${(await campaignOf(id)).title}`)
      expect(await brokenChecks()).toEqual([])
    },
  )

  test.each(['refuse-nda', 'leave'])('pays no less than what the tester was shown, or does nothing: %s', async call => {
    const { tester, seat } = await waiting(7 * 24 - 1)
    const told = await subjectsOf(developer)
    const refused = await on(tester, seat, call, { payCents: 100 })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('pays less')])
    expect(await mine(tester, seat)).toMatchObject({ status: 'ACTIVE' })
    expect(await subjectsOf(developer)).toEqual(told)
    await t.advance(1)
    expect((await on(tester, seat, call, { payCents: 100 })).body).toMatchObject({ payoutAmountCents: 100 })
  })

  test('within the week of waiting pays nothing, and the seat is free again', async () => {
    const { id, tester, seat } = await waiting(7 * 24 - 1)
    expect((await mine(tester, seat)).nda).toMatchObject({ refusalPayCents: 0 })
    expect((await on(tester, seat, 'refuse-nda')).body).toMatchObject({ ndaRefused: true, payoutAmountCents: 0 })
    expect(await campaignOf(id)).toMatchObject({ closedSeats: 0, fundedCents: 4200 })
  })

  test('of an NDA that was taken back names what leaving pays', async () => {
    for (const [hours, pay] of [
      [7 * 24, 'with one day’s pay'],
      [7 * 24 - 1, 'without pay'],
    ] as const) {
      const { id, tester, seat } = await waiting(hours)
      await developer.call('DELETE', `/campaigns/${id}/nda`)
      const { status, body } = await on(tester, seat, 'refuse-nda')
      expect([status, body.message]).toEqual([409, expect.stringContaining(pay)])
    }
  })

  test('pays for a week of waiting that ends between the look and the lock', async () => {
    const { id, tester, seat } = await waiting(7 * 24 - 1)
    const now = hoursAfter(clock.now(), 1)
    const refused = await t.look('select refuse_nda($1, $2, $3) as outcome', [seat, crypto.randomUUID(), now])
    expect(refused).toEqual([{ outcome: 'OK' }])
    expect(await balanceOf(tester)).toBe(100)
    expect(await campaignOf(id)).toMatchObject({ closedSeats: 1 })
  })

  test('by ten requests at once pays once', async () => {
    const { id, tester, seat } = await inside(1)
    await setNda(id, 'Another text.')
    expect(tally(await inParallel(10, () => on(tester, seat, 'refuse-nda')))).toEqual({ 200: 1, 409: 9 })
    expect(await balanceOf(tester)).toBe(100)
  })

  test.each(['accepting', 'the developer taking it back', 'a cancel'] as const)(
    'against %s in the same moment: one of them wins, and the books balance',
    async other => {
      const { id, tester, seat } = await inside(1)
      await setNda(id, 'Another text.')
      const others: Record<typeof other, () => Promise<Reply<unknown>>> = {
        accepting: () => accept(tester, id, 2),
        'the developer taking it back': () => developer.call('DELETE', `/campaigns/${id}/nda`),
        'a cancel': () => developer.call('POST', `/campaigns/${id}/cancel`),
      }
      const row = { rows: 'select from campaigns where id = $1', values: [id] }
      const [first, second] = await overtaken(t, row, others[other], () => on(tester, seat, 'refuse-nda'))
      expect([first.status, second.status]).toEqual([200, 409])
      expect(await balanceOf(tester)).toBe(other === 'a cancel' ? 100 : 0)
      expect(await brokenChecks()).toEqual([])
    },
  )

  test('is refused where leaving would cost the pay, because the developer took it back in the same moment', async () => {
    const { id, tester, seat } = await inside(1)
    await setNda(id, 'Another text.')
    const row = { rows: 'select from campaigns where id = $1', values: [id] }
    const takeBack = () => developer.call('DELETE', `/campaigns/${id}/nda`)
    const [, left] = await overtaken(t, row, takeBack, () => on(tester, seat, 'leave'))
    expect([left.status, left.body.message]).toEqual([
      409,
      'The NDA has changed in the meantime. Look at your test again before you leave.',
    ])
    expect((await mine(tester, seat)).status).toBe('ACTIVE')
  })

  test('is not for who never accepted any, whatever is asked of the books', async () => {
    const { id } = await withNda({ dailyCheckIn: false })
    const { id: seat } = await joinedBy(await t.signUp('TESTER'), id)
    const later = hoursAfter(clock.now(), 48)
    const refused = await t.look('select refuse_nda($1, $2, $3) as outcome', [seat, crypto.randomUUID(), later])
    expect(refused).toEqual([{ outcome: 'WRONG_STATE' }])
  })

  test('that dies in its middle has done nothing, and does it when asked again', async () => {
    const { id, tester, seat } = await inside(1)
    await setNda(id, 'Another text.')
    const escrow = `select from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`
    expect((await crashes.crashAt(escrow, [id], () => on(tester, seat, 'refuse-nda'))).status).toBe(503)
    expect(await mine(tester, seat)).toMatchObject({ status: 'ACTIVE' })
    expect(await balanceOf(tester)).toBe(0)
    expect((await on(tester, seat, 'refuse-nda')).status).toBe(200)
    expect(await balanceOf(tester)).toBe(100)
    expect(await brokenChecks()).toEqual([])
  })
})
