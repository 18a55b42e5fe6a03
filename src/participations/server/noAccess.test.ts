/** A tester whom Google Play does not let in, although the developer confirmed the list, waits anew and loses nothing by it. */
import { describe, expect, test } from 'vitest'
import { clock, hoursAfter, hoursBetween } from '../../kit/clock.ts'
import { joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { PersonalData } from '../../accounts/contract.ts'
import type { Continuity } from '../../continuity/contract.ts'
import type { Balance } from '../../ledger/contract.ts'
import type { TesterReputation } from '../../reputation/contract.ts'
import type { TesterList } from '../../testerLists/contract.ts'
import type { CampaignTester } from '../contract.ts'
import { wakeParticipations } from './participations.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

/** $10.00 over 14 days. */
const oneDay = 71

/** Export and confirmation, as the developer does them. */
const confirm = async (campaignId: string) => {
  await developer.call('POST', `/campaigns/${campaignId}/tester-list/export`)
  return developer.call<TesterList>('POST', `/campaigns/${campaignId}/tester-list/confirm`)
}
const listOf = async (campaignId: string) =>
  (await developer.call<TesterList>('GET', `/campaigns/${campaignId}/tester-list`)).body
const act = <T = CampaignTester>({ tester, id }: Pick<Seat, 'tester' | 'id'>, action: string, body?: unknown) =>
  tester.call<T & { code?: string; message?: string }>('POST', `/testers/campaign-testers/${id}/${action}`, body)
const report = (seat: Pick<Seat, 'tester' | 'id'>, problem = 'NOT_A_TESTER') => act(seat, 'no-access', { problem })
const mine = async ({ tester, id }: Seat) =>
  (await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body
const balanceOf = async ({ tester }: Seat) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
type Told = { subject: string; text: string; about: unknown }
const toldOf = async (person: Person, title: string) =>
  (await person.call<Told[]>('GET', '/users/me/notifications?limit=100')).body.filter(({ subject }) =>
    subject.endsWith(title),
  )
const subjectsTo = async (person: Person, title: string) => (await toldOf(person, title)).map(({ subject }) => subject)

const joined = async (title: string, terms: Record<string, unknown> = {}) => {
  const campaign = await liveCampaign(developer, admin, {
    title,
    accessMode: 'EMAIL_LIST',
    testersRequired: 2,
    ...terms,
  })
  const tester = await t.signUp('TESTER')
  return { campaign, tester, id: (await joinedBy(tester, campaign.id)).id }
}
type Seat = Awaited<ReturnType<typeof joined>>
/** On the list for four hours, and the link opened. */
const keptOut = async (title: string, terms: Record<string, unknown> = {}) => {
  const seat = await joined(title, terms)
  await confirm(seat.campaign.id)
  await act(seat, 'open-link')
  await t.advance(4)
  return seat
}

describe('a report', () => {
  test('makes it the developer’s turn again: the wait begins anew, and the developer is told what to look at', async () => {
    const seat = await keptOut('Kept out')
    const before = await mine(seat)
    expect(before).toMatchObject({ nextStep: 'OPT_IN', actions: expect.arrayContaining(['reportNoAccess']) })
    expect(before.noAccess).toMatchObject({ reports: 0, at: null, problem: null })
    const at = clock.now()
    const { status, body } = await report(seat, 'NOT_IN_COUNTRY')
    expect(status).toBe(200)
    const { noAccess, waiting, funnel } = body
    expect(noAccess).toMatchObject({ reports: 1, problem: 'NOT_IN_COUNTRY', mayReportAt: null })
    expect(noAccess!.at! >= at).toBe(true)
    expect(body).toMatchObject({ nextStep: 'WAIT_FOR_LIST', atRisk: false, deadlineAt: waiting!.endsAt })
    expect(funnel).toEqual({ step: 'JOINED', since: noAccess!.at })
    expect(waiting).toMatchObject({ since: noAccess!.at, payCents: oneDay })
    expect(hoursBetween(noAccess!.at!, waiting!.mayLeaveAt)).toBe(7 * 24)
    expect(hoursBetween(noAccess!.at!, waiting!.endsAt)).toBe(14 * 24)

    expect(await subjectsTo(developer, 'Kept out')).toContain('Tester 1 cannot get in: Kept out')
    expect(await subjectsTo(admin, 'Kept out')).toEqual([])
    const told = await toldOf(developer, 'Kept out')
    const { text, about } = told.find(({ subject }) => subject.includes('cannot get in'))!
    expect(about).toEqual({ kind: 'TESTER_LIST', id: seat.campaign.id, testId: seat.id })
    expect(text).toContain('it says that the app is not available in their country')
    expect(text).toContain('Check the countries of your closed test')
    const events = (await developer.call<CampaignEvent[]>('GET', `/campaigns/${seat.campaign.id}/activity`)).body
    expect(events[0]).toMatchObject({
      kind: 'TESTER_NOT_LET_IN',
      alias: 'Tester 1',
      reason: 'The app is not available in my country',
    })
    expect(await listOf(seat.campaign.id)).toMatchObject({
      state: 'TO_EXPORT',
      additions: [{ alias: 'Tester 1', listed: false, notLetIn: 'NOT_IN_COUNTRY' }],
    })
  })

  test('leaves the next confirmation as the time since which the tester is on the list', async () => {
    const seat = await keptOut('Listed again')
    await report(seat)
    const { body: list } = await confirm(seat.campaign.id)
    await t.advance(1)
    expect((await act(seat, 'opt-in')).status).toBe(200)
    const [listed] = await t.look<{ at: string }>('select listed_at as at from participations where id = $1', [seat.id])
    expect(listed!.at).toBe(list.confirmedAt)
  })

  test('ends with the next confirmation, from which the opt-in is due; the second tells the admins, and there is no third', async () => {
    const seat = await keptOut('Twice kept out')
    await report(seat)
    const { body: list } = await confirm(seat.campaign.id)
    expect(list).toMatchObject({ state: 'NOTHING_TO_DO', additions: [] })
    const again = await mine(seat)
    expect(again).toMatchObject({ nextStep: 'OPT_IN', waiting: null, noAccess: { reports: 1 } })
    expect(hoursBetween(list.confirmedAt!, again.deadlineAt!)).toBe(72)
    expect(await subjectsTo(admin, 'Twice kept out')).toEqual([])
    // What was reported before says nothing about the list of now.
    const closed = await keptOut('Let in at last')
    await report(closed)
    await confirm(closed.campaign.id)
    await act(closed, 'leave')
    expect((await listOf(closed.campaign.id)).removals).toMatchObject([
      { alias: 'Tester 1', listed: true, notLetIn: null },
    ])

    await t.advance(4)
    expect((await report(seat, 'NOT_FOUND')).body.noAccess).toMatchObject({ reports: 2, problem: 'NOT_FOUND' })
    expect(await subjectsTo(admin, 'Twice kept out')).toEqual(['Not let in for the second time: Twice kept out'])
    // It is the same tester.
    const path = `/users/me/notification-groups?campaignId=${seat.campaign.id}`
    const groups = (await developer.call<Told[]>('GET', path)).body.map(({ subject }) => subject)
    expect(groups).toContain('Testers cannot get in: 2 reports')
    await confirm(seat.campaign.id)
    await t.advance(4)
    const last = await mine(seat)
    expect(last.actions).not.toContain('reportNoAccess')
    expect(last.noAccess).toMatchObject({ reports: 2, mayReportAt: null })
    expect(await report(seat)).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } })
    expect((await act(seat, 'opt-in')).body).toMatchObject({ funnel: { step: 'OPTED_IN' }, nextStep: 'CHECK_IN' })
  })

  test('asked twice in one moment is one', async () => {
    const seat = await keptOut('At once')
    expect(tally(await inParallel(6, () => report(seat)))).toEqual({ 200: 1, 409: 5 })
    expect((await mine(seat)).noAccess).toMatchObject({ reports: 1 })
    const told = await subjectsTo(developer, 'At once')
    expect(told.filter(subject => subject.includes('cannot get in'))).toHaveLength(1)
  })

  test('is settled by an opt-in: nobody is to be added any more, and the clock says nothing else', async () => {
    const seat = await keptOut('In after all')
    await report(seat)
    expect((await act(seat, 'opt-in')).status).toBe(200)
    expect(await listOf(seat.campaign.id)).toMatchObject({ state: 'NOTHING_TO_DO', additions: [] })
    const { body } = await developer.call<Continuity>('GET', `/campaigns/${seat.campaign.id}/continuity`)
    expect(body.testers).toMatchObject([{ notLetIn: false, counts: true, listedAt: expect.any(String) }])
  })

  test('of a tester who has not accepted an NDA that came later waits for the tester: the list leaves them out, and takes them again then', async () => {
    const seat = await keptOut('NDA later')
    await report(seat)
    await developer.call('PUT', `/campaigns/${seat.campaign.id}/nda`, { text: 'Tell nobody about it.' })
    expect(await listOf(seat.campaign.id)).toMatchObject({ state: 'NOTHING_TO_DO', additions: [], ndaAwaited: 1 })
    expect((await report(seat)).body.message).toContain('Accept the NDA of this test first')
    const path = `/campaigns/${seat.campaign.id}/nda/accept`
    expect((await seat.tester.call('POST', path, { name: 'Tess Tester', version: 1 })).status).toBe(200)
    expect(await listOf(seat.campaign.id)).toMatchObject({ additions: [{ notLetIn: 'NOT_A_TESTER' }], ndaAwaited: 0 })
  })

  test('said again while the developer looks into it is refused as said already', async () => {
    const seat = await keptOut('Said already')
    await report(seat)
    expect(await report(seat)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect((await report(seat)).body.message).toContain('You have already reported this')
  })

  test('stands in what the tester can export', async () => {
    const seat = await keptOut('Exported')
    await report(seat, 'NOT_FOUND')
    const { body } = await seat.tester.call<PersonalData>('GET', '/users/me/export')
    expect(body.tests).toMatchObject([{ no_access_reports: 1, no_access_problem: 'NOT_FOUND' }])
  })

  test('is offered by the warning about a late opt-in, until it was made twice', async () => {
    const seat = await keptOut('Late to opt in')
    const warned = async () => {
      await t.advance(48)
      await wakeParticipations.run({})
      const told = await toldOf(seat.tester, 'Late to opt in')
      return told.filter(({ subject }) => subject.startsWith('Opt in on Google Play')).map(({ text }) => text)
    }
    expect(await warned()).toEqual([expect.stringContaining('If Google Play does not let you in, report that')])
    for (const _ of [1, 2]) {
      await report(seat)
      await confirm(seat.campaign.id)
      await t.advance(4)
    }
    expect(await warned()).toEqual([
      expect.not.stringContaining('report that'),
      expect.stringContaining('If Google Play does not let you in, report that'),
    ])
  })

  test('names a problem of the list', async () => {
    const seat = await keptOut('No such problem')
    for (const body of [undefined, {}, { problem: 'BORED' }]) {
      const { status, body: answer } = await act<{ fields?: Record<string, string> }>(seat, 'no-access', body)
      expect([body, status]).toEqual([body, 400])
      if (body) expect(answer.fields).toEqual({ problem: 'Choose what Google Play shows' })
    }
    expect((await mine(seat)).noAccess).toMatchObject({ reports: 0 })
  })
})

describe('is refused', () => {
  test('before the developer has confirmed, before the link was opened, and for three hours after the confirmation', async () => {
    const seat = await joined('Too early', { testersRequired: 1 })
    expect(await report(seat)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect((await report(seat)).body.message).toContain('has not added you to the tester list yet')
    const { body: list } = await confirm(seat.campaign.id)
    await t.advance(4)
    expect((await report(seat)).body.message).toContain('Open the link of this test first')
    await act(seat, 'open-link')
    const from = hoursAfter(list.confirmedAt!, 3)
    const at = async (listedAt: string) => {
      await t.look('update participations set listed_at = $2 where id = $1', [seat.id, listedAt])
      return report(seat)
    }
    const early = await at(hoursAfter(clock.now(), -2.99))
    expect(early).toMatchObject({ status: 409, body: { code: 'TOO_EARLY' } })
    expect(early.body.message).toContain('a few hours')
    expect((await mine(seat)).actions).not.toContain('reportNoAccess')
    expect((await at(hoursAfter(clock.now(), -3))).status).toBe(200)
    expect(from < clock.now()).toBe(true)
  })

  test('to whoever was in, with an open link, and to a stranger, who finds no such test', async () => {
    const seat = await keptOut('Was in', { testersRequired: 1 })
    await act(seat, 'opt-in')
    expect((await report(seat)).body.message).toContain('has let you in')
    await act(seat, 'opt-out')
    expect(await report(seat)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect((await mine(seat)).noAccess).toMatchObject({ reports: 0, mayReportAt: null })
    const open = await joined('Open to all', { accessMode: 'OPEN_LINK' })
    expect((await report(open)).body.message).toContain('there is no tester list')
    expect((await mine(open)).noAccess).toBeNull()
    const stranger = await t.signUp('TESTER')
    expect((await report({ tester: stranger, id: seat.id })).status).toBe(404)
  })

  test('to whoever has not accepted the NDA', async () => {
    const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    await developer.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody about it.' })
    const tester = await t.signUp('TESTER')
    const seat = { tester, id: (await joinedBy(tester, id)).id }
    expect((await report(seat)).body.message).toContain('Accept the NDA of this test first')
  })
})

describe('what the wait is worth', () => {
  test('a week after the report leaving pays a day, to the hour, and not a week after joining', async () => {
    const [early, late] = [await keptOut('Left early'), await keptOut('Left late')]
    await report(early)
    await report(late)
    // A week after joining.
    await t.advance(7 * 24 - 4)
    expect((await act(early, 'leave')).body).toMatchObject({ status: 'DROPPED', payoutAmountCents: 0 })
    await t.advance(4)
    const both = await inParallel(2, () => act(late, 'leave'))
    expect(tally(both)).toEqual({ 200: 1, 409: 1 })
    expect(await mine(late)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: oneDay })
    expect([await balanceOf(early), await balanceOf(late)]).toEqual([0, oneDay])
  })

  test('the developer is reminded of it with all who wait, and of what it is about, and two weeks after the report the test ends with a day’s pay', async () => {
    const seat = await joined('Two weeks')
    await t.advance(121)
    await confirm(seat.campaign.id)
    await act(seat, 'open-link')
    await t.advance(49)
    expect(await mine(seat)).toMatchObject({ atRisk: true })
    await report(seat)
    expect(await mine(seat)).toMatchObject({ atRisk: false })
    await joinedBy(await t.signUp('TESTER'), seat.campaign.id)
    const reminders = async () =>
      (await subjectsTo(developer, 'Two weeks')).filter(subject => subject.startsWith('Testers are waiting')).length
    const before = await reminders()
    await t.advance(48)
    expect(await reminders()).toBe(before + 1)
    const [{ text }] = (await toldOf(developer, 'Two weeks')) as [Told]
    // On the list is the first, and the second is not.
    expect(text).toMatch(/^Tester 2 cannot open “Two weeks” until you add them to the tester list in Play Console\. /)
    expect(text).toContain(
      'Google Play does not let Tester 1 in to “Two weeks”, although you confirmed the tester list.',
    )
    await t.advance(72)
    expect(await reminders()).toBe(before + 2)
    await t.advance(48)
    expect(await subjectsTo(seat.tester, 'Two weeks')).toContain('Still waiting to get in: Two weeks')
    await t.advance(7 * 24 - 1)
    expect(await mine(seat)).toMatchObject({ status: 'ACTIVE' })
    await t.advance(1)
    expect(await mine(seat)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: oneDay })
    expect(await balanceOf(seat)).toBe(oneDay)
  })

  test.each([
    ['a week', 7 * 24, oneDay],
    ['less than a week', 7 * 24 - 1, 0],
  ])('a cancellation pays a day to whoever has waited %s since the report', async (how, hours, paid) => {
    const seat = await keptOut(`Cancelled after ${how}`)
    await report(seat)
    await t.advance(hours)
    expect((await developer.call('POST', `/campaigns/${seat.campaign.id}/cancel`)).status).toBe(200)
    expect(await mine(seat)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: paid })
    expect(await balanceOf(seat)).toBe(paid)
  })
})

describe('at the same time', () => {
  test('as the drop for want of an opt-in: a report that comes first keeps the seat, and one that comes after is refused', async () => {
    const dropDue = async (title: string) => {
      const seat = await keptOut(title)
      await t.look('update participations set wake_at = $2 where id = $1', [seat.id, clock.now()])
      // From the confirmation, four hours ago; signed in anew, so that no refresh comes between.
      clock.setOffsetMs(clock.offsetMs() + 69 * 3_600_000)
      await mine(seat)
      return seat
    }
    const held = ({ campaign }: Seat) => ({ rows: 'select from campaigns where id = $1', values: [campaign.id] })
    const drop = () => wakeParticipations.run({})
    const first = await dropDue('Reported in time')
    const [reported] = await overtaken(t, held(first), () => report(first), drop)
    expect(reported.status).toBe(200)
    expect(await mine(first)).toMatchObject({ status: 'ACTIVE', nextStep: 'WAIT_FOR_LIST' })
    const second = await dropDue('Dropped in time')
    const [, refused] = await overtaken(t, held(second), drop, () => report(second))
    expect(refused).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(await mine(second)).toMatchObject({ status: 'DROPPED', dropReason: 'NOT_OPTED_IN' })
  })

  test('as the opt-in: either the tester is in, or waits, and never both', async () => {
    const seat = await keptOut('In or out')
    const rows = { rows: 'select from campaigns where id = $1', values: [seat.campaign.id] }
    const [reported, optedIn] = await overtaken(
      t,
      rows,
      () => report(seat),
      () => act(seat, 'opt-in'),
    )
    expect([reported.status, optedIn.status]).toEqual([200, 200])
    expect(await mine(seat)).toMatchObject({ waiting: null, funnel: { step: 'OPTED_IN' }, nextStep: 'CHECK_IN' })
  })
})

test('whoever could not get in and is dropped for it keeps their reputation', async () => {
  const dropped = async (reports: boolean) => {
    const tester = await t.signUp('TESTER')
    for (let made = 0; made < 5; made++) {
      const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', testersRequired: 1 })
      const seat = { campaign, tester, id: (await joinedBy(tester, campaign.id)).id }
      await confirm(campaign.id)
      await act(seat, 'open-link')
      await t.look(`update participations set listed_at = $2 where id = $1`, [seat.id, hoursAfter(clock.now(), -4)])
      if (reports) {
        expect((await report(seat)).status).toBe(200)
        await confirm(campaign.id)
      }
      await act(seat, 'leave')
    }
    const { id } = await liveCampaign(developer, admin)
    await joinedBy(tester, id)
    const { body } = await developer.call<TesterReputation[]>('GET', `/campaigns/${id}/testers/reputation`)
    return body[0]!.seatsLeft
  }
  expect(await dropped(true)).toBeNull()
  expect(await dropped(false)).toMatchObject({ of: 5 })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
