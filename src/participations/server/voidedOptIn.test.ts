/** Check-ins of an opt-in that an admin decided never was do not count, and the day can be done again in the next one. */
import { afterAll, expect, test } from 'vitest'
import { clock, hoursBetween } from '../../kit/clock.ts'
import { joinedBy, liveCampaign } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { migrateAgain } from '../../testing/migrating.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { uploaded } from '../../testing/uploads.ts'
import type { Report } from '../../reports/contract.ts'
import type { CampaignTester } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
afterAll(async () => expect(await brokenChecks()).toEqual([]))

/** Opted in, for $1.00 a day. */
const optedIn = async (more: Record<string, unknown> = {}) => {
  const terms = { accessMode: 'EMAIL_LIST', payPerTesterCents: 1400, durationDays: 14, features: ['Search', 'Share'] }
  const campaign = await liveCampaign(developer, admin, { testersRequired: 1, ...terms, ...more })
  const tester = await t.signUp('TESTER', { timeZone: 'UTC' })
  const { id } = await joinedBy(tester, campaign.id)
  const seat = { campaign, tester, id }
  await act(seat, 'opt-in')
  return seat
}
type Seat = { campaign: { id: string }; tester: Awaited<ReturnType<typeof t.signUp>>; id: string }

const act = ({ tester, id }: Seat, action: string, body?: unknown) =>
  tester.call<CampaignTester>('POST', `/testers/campaign-testers/${id}/${action}`, body)
const mine = async ({ tester, id }: Seat) =>
  (await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body
const voided = async ({ id }: Seat) => {
  await developer.call('POST', `/campaign-testers/${id}/contest-opt-in`, { reason: 'Play Console shows nobody.' })
  const note = 'Nobody was there.'
  const path = `/admin/campaign-testers/${id}/decide-opt-in`
  expect((await admin.call('POST', path, { decision: 'VOID', note })).status).toBe(200)
}

test('the tester checks in again on the same day, once, and is paid for it', async () => {
  const seat = await optedIn()
  expect((await act(seat, 'check-ins', {})).status).toBe(201)
  await voided(seat)
  expect((await act(seat, 'opt-in')).body).toMatchObject({ nextStep: 'CHECK_IN', funnel: { step: 'OPTED_IN' } })
  const again = await inParallel(5, () => act(seat, 'check-ins', {}))
  expect(tally(again)).toEqual({ 201: 1, 409: 4 })
  for (const { status, body } of again) if (status === 409) expect(body).toMatchObject({ code: 'ALREADY_CHECKED_IN' })
  expect(await mine(seat)).toMatchObject({ checkIns: [{}], nextStep: null, funnel: { step: 'IN_USE' } })
  expect((await developer.call('POST', `/campaigns/${seat.campaign.id}/cancel`)).status).toBe(200)
  expect(await mine(seat)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 100 })
})

test('a day that is not done again is not paid', async () => {
  const seat = await optedIn()
  await act(seat, 'check-ins', {})
  await voided(seat)
  await act(seat, 'opt-in')
  expect((await developer.call('POST', `/campaigns/${seat.campaign.id}/cancel`)).status).toBe(200)
  expect(await mine(seat)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 0 })
})

test('where no check-ins are asked for, its time is not paid', async () => {
  const seat = await optedIn({ dailyCheckIn: false })
  await t.advance(25)
  await voided(seat)
  await act(seat, 'opt-in')
  await t.advance(24)
  expect((await developer.call('POST', `/campaigns/${seat.campaign.id}/cancel`)).status).toBe(200)
  expect(await mine(seat)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 100 })
})

test('what the one that did not count had said stays, beside what is said anew', async () => {
  const seat = await optedIn()
  const { tester } = seat
  const [first, second] = [await uploaded(t, tester, await picture()), await uploaded(t, tester, await picture())]
  await act(seat, 'check-ins', { note: 'Slow search.', minutes: 20, features: ['Search'], attachmentId: first.id })
  await voided(seat)
  expect((await mine(seat)).checkIns).toMatchObject([{ note: 'Slow search.', attachment: first }])
  await act(seat, 'opt-in')
  const said = { note: 'Sharing works.', features: ['Share'] }
  expect((await act(seat, 'check-ins', said)).body.checkIns).toMatchObject([
    { note: 'Slow search. Sharing works.', minutes: 20, features: ['Search', 'Share'], attachment: first },
  ])
  await voided(seat)
  await act(seat, 'opt-in')
  const shown = await act(seat, 'check-ins', { minutes: 30, attachmentId: second.id })
  expect([shown.status, shown.body.checkIns]).toMatchObject([
    201,
    [{ note: 'Slow search. Sharing works.', minutes: 30, attachment: second }],
  ])
})

test('a check-in of the same day in an opt-in that counts is not made twice', async () => {
  const seat = await optedIn()
  await act(seat, 'check-ins', {})
  await act(seat, 'opt-out')
  await act(seat, 'opt-in')
  await voided(seat)
  await act(seat, 'opt-in')
  expect(await act(seat, 'check-ins', {})).toMatchObject({ status: 409, body: { code: 'ALREADY_CHECKED_IN' } })
})

/** As if the server that recorded this end of the first run were ahead of the others. */
const ahead = ({ id }: Seat, end: 'started_at' | 'ended_at') =>
  t.look(
    `update opt_in_runs set ${end} = ${end} + interval '5 seconds'
      where id = (select min(id) from opt_in_runs where participation_id = $1)`,
    [id],
  )

test('a check-in is of the opt-in in which it was made, whatever the clocks of the servers say', async () => {
  const early = await optedIn()
  await ahead(early, 'started_at')
  await act(early, 'check-ins', {})
  await voided(early)
  const late = await optedIn()
  await voided(late)
  await ahead(late, 'ended_at')
  for (const seat of [early, late]) {
    expect((await act(seat, 'opt-in')).body).toMatchObject({ nextStep: 'CHECK_IN' })
    expect((await act(seat, 'check-ins', { note: 'Slow search.' })).status).toBe(201)
    const { nextStep, checkIns } = await mine(seat)
    expect({ nextStep, voided: checkIns.map(one => one.voided) }).toEqual({ nextStep: null, voided: [undefined] })
    expect((await act(seat, 'check-ins', {})).body).toMatchObject({ code: 'ALREADY_CHECKED_IN' })
    const { body } = await developer.call<Report>('GET', `/campaigns/${seat.campaign.id}/report`)
    expect(body.testers).toMatchObject([{ daysCheckedIn: 1 }])
    expect(body.notes).toMatchObject([{ note: 'Slow search.' }])
    expect((await developer.call('POST', `/campaigns/${seat.campaign.id}/cancel`)).status).toBe(200)
    expect(await mine(seat)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 100 })
  }
})

test('a bank is told of those that count alone', async () => {
  const seat = await optedIn()
  await act(seat, 'check-ins', {})
  const { news } = disputesIn(t, admin)
  await news(seat.campaign.id, 'OPEN')
  const [dispute] = await t.look<{ id: string }>('select id from disputes where campaign_id = $1', [seat.campaign.id])
  const told = async () =>
    (await admin.call<{ evidence: object }>('GET', `/admin/disputes/${dispute!.id}`)).body.evidence
  expect(await told()).toMatchObject({ testers: 1, checkIns: 1 })
  await voided(seat)
  expect(await told()).toMatchObject({ testers: 1, checkIns: 0 })
})

test('a check-in of a voided opt-in is told from those that count', async () => {
  const seat = await optedIn()
  await act(seat, 'check-ins', {})
  await voided(seat)
  expect((await mine(seat)).checkIns).toMatchObject([{ voided: true }])
})

test('a check-in from before it named its opt-in gets the one in whose time it was made, once that is voided', async () => {
  const seat = await optedIn()
  await act(seat, 'check-ins', {})
  await voided(seat)
  await act(seat, 'opt-in')
  await t.advance(24)
  await act(seat, 'check-ins', {})
  const open = await liveCampaign(developer, admin, { testersRequired: 1 })
  const { id: another } = await joinedBy(seat.tester, open.id)
  await act({ ...seat, id: another }, 'check-ins', {})
  const kept = () =>
    t.look('select day, run_id from check_ins where participation_id = any($1) order by participation_id, day', [
      [seat.id, another],
    ])
  const before = await kept()
  await t.look('update check_ins set run_id = null where participation_id = any($1)', [[seat.id, another]])
  await migrateAgain(t, '169-runs-of-check-ins-filled.sql')
  expect((await mine(seat)).checkIns.map(({ voided: isVoided }) => isVoided)).toEqual([true, undefined])
  await voided(seat)
  expect((await mine(seat)).checkIns.map(({ voided: isVoided }) => isVoided)).toEqual([true, true])
  expect(await kept()).toEqual(before)
})

test('whoever does not do the day again is reminded of it in the evening', async () => {
  const morning = `${clock.now().slice(0, 10)}T08:00:00.000Z`
  await t.advance(hoursBetween(clock.now(), morning) + 24)
  const seat = await optedIn()
  await act(seat, 'check-ins', {})
  await voided(seat)
  await act(seat, 'opt-in')
  await t.advance(12)
  const subject = 'Today’s check-in is missing: Try our notes app'
  const sent = await t.look('select from notifications where user_id = $1 and subject = $2', [
    seat.tester.user.id,
    subject,
  ])
  expect(sent).toHaveLength(1)
})
