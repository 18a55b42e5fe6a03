import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { clock, dayIn, daysAfter, hoursBetween } from '../../kit/clock.ts'
import { device, draftOf, fundedBy, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks, tally } from '../../testing/observed.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { CampaignTester } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 12)

const join = (tester: Person, campaignId: string, deviceInfo: unknown = device) =>
  tester.call<CampaignTester & { code?: string; message?: string }>('POST', `/testers/campaigns/${campaignId}/join`, {
    deviceInfo,
  })
const checkIn = (tester: Person, id: string) =>
  tester.call<CampaignTester & { code?: string }>('POST', `/testers/campaign-testers/${id}/check-ins`, {})
const campaignOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body

describe('a seat', () => {
  test('of 12 testers who ask for 3 seats at once, 3 get one and 9 are told that the campaign is full', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 3 })
    const replies = await inParallel(12, index => join(testers[index]!, id))
    expect(tally(replies)).toEqual({ 201: 3, 409: 9 })
    for (const { body } of replies.filter(reply => reply.status === 409)) expect(body.code).toBe('CAMPAIGN_FULL')
    expect((await campaignOf(id))._count).toEqual({ campaignTesters: 3, joined: 3, verified: 0 })
    const { body } = await developer.call<CampaignTester[]>('GET', `/campaigns/${id}/testers`)
    expect(body.map(tester => tester.alias)).toEqual(['Tester 1', 'Tester 2', 'Tester 3'])
  })

  test.each([3, 1])(
    'one tester asks 10 times at once for one of %i seats: one seat, 9 times joined before',
    async testersRequired => {
      const { id } = await liveCampaign(developer, admin, { testersRequired })
      const replies = await inParallel(10, () => join(testers[0]!, id))
      expect(tally(replies)).toEqual({ 201: 1, 409: 9 })
      expect(new Set(replies.filter(reply => reply.status === 409).map(reply => reply.body.code))).toEqual(
        new Set(['ALREADY_JOINED']),
      )
      expect((await campaignOf(id))._count.campaignTesters).toBe(1)
    },
  )

  test('is freed by leaving, and the tester who left cannot rejoin', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1 })
    const seat = await joinedBy(testers[0]!, id)
    const left = await inParallel(5, () =>
      testers[0]!.call<CampaignTester>('POST', `/testers/campaign-testers/${seat.id}/leave`),
    )
    expect(tally(left)).toEqual({ 200: 1, 409: 4 })
    expect(left.find(reply => reply.status === 200)?.body).toMatchObject({
      status: 'DROPPED',
      dropReason: 'LEFT',
      payoutAmountCents: 0,
    })
    expect((await join(testers[0]!, id)).body.code).toBe('ALREADY_JOINED')
    expect((await joinedBy(testers[1]!, id)).alias).toBe('Tester 2')
  })

  test('is not given in a paused or cancelled campaign, even when both happen at once', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await liveCampaign(developer, admin, { testersRequired: 12 })
      const action = round % 2 === 0 ? 'pause' : 'cancel'
      const [ended, ...replies] = await Promise.all([
        developer.call<Campaign>('POST', `/campaigns/${id}/${action}`),
        ...testers.map(tester => join(tester, id)),
      ])
      expect(ended.status).toBe(200)
      const joined = replies.filter(reply => reply.status === 201).length
      expect(replies.filter(reply => reply.status === 404)).toHaveLength(12 - joined)
      // Who was in when it was cancelled is not any more.
      expect((await campaignOf(id))._count.campaignTesters).toBe(action === 'pause' ? joined : 0)
    }
  })

  test('cannot be asked for in a campaign that the tester cannot see, whatever its state', async () => {
    const strangersView = await join(testers[0]!, randomUUID())
    expect(strangersView).toMatchObject({ status: 404, body: { message: 'Campaign not found.' } })
    const states: [string, () => Promise<Campaign>, string[]][] = [
      ['DRAFT', () => draftOf(developer), []],
      ['PENDING_APPROVAL', () => fundedBy(developer), []],
      ['PAUSED', () => liveCampaign(developer, admin), ['pause']],
      ['CANCELLED', () => liveCampaign(developer, admin), ['cancel']],
    ]
    for (const [status, make, actions] of states) {
      const { id } = await make()
      for (const action of actions) await developer.call('POST', `/campaigns/${id}/${action}`)
      expect((await campaignOf(id)).status).toBe(status)
      expect(await join(testers[0]!, id)).toMatchObject({ status: 404, body: { message: 'Campaign not found.' } })
    }
  })

  test('is refused to a tester who is in the paused campaign already, in words that say so', async () => {
    const { id } = await liveCampaign(developer, admin)
    await joinedBy(testers[0]!, id)
    await developer.call('POST', `/campaigns/${id}/pause`)
    expect(await join(testers[0]!, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_JOINED' } })
  })

  test('goes only to a matching device and country, and the refusal says why', async () => {
    const { id } = await liveCampaign(developer, admin, {
      filters: { countries: ['Germany'], minAndroidVersion: '13' },
    })
    const german = await t.signUp('TESTER', { country: 'DE' })
    const refused = [
      await join(testers[5]!, id),
      await join(german, id, { ...device, platform: 'ios' }),
      await join(german, id, { ...device, osVersion: '12' }),
      await join(german, id, 'Pixel 8'),
    ]
    expect(refused.map(({ status, body }) => [status, body.code, body.message])).toEqual([
      [422, 'DEVICE_DOES_NOT_FIT', 'Needs a tester from Germany. Set your country in your profile first.'],
      [422, 'DEVICE_DOES_NOT_FIT', 'Needs an Android device; yours runs iOS.'],
      [422, 'DEVICE_DOES_NOT_FIT', 'Needs Android 13 or newer; you have 12.'],
      [422, 'DEVICE_DOES_NOT_FIT', 'Needs Android 13 or newer. Enter the version that your device runs.'],
    ])
    expect((await campaignOf(id))._count.campaignTesters).toBe(0)
    expect((await join(german, id)).status).toBe(201)
  })

  test('a plain string is read as the device’s model', async () => {
    const { id } = await liveCampaign(developer, admin)
    expect((await join(testers[6]!, id, 'Fairphone 5')).body.deviceInfo).toEqual({
      platform: null,
      osVersion: null,
      model: 'Fairphone 5',
      manufacturer: null,
    })
  })
})

describe('a check-in', () => {
  test('sent ten times at once counts one day, and nine are refused', async () => {
    const { id } = await liveCampaign(developer, admin)
    const seat = await joinedBy(testers[0]!, id)
    for (let day = 1; day <= 2; day++) {
      const replies = await inParallel(10, () => checkIn(testers[0]!, seat.id))
      expect(tally(replies)).toEqual({ 201: 1, 409: 9 })
      expect(replies.find(reply => reply.status === 409)?.body.code).toBe('ALREADY_CHECKED_IN')
      expect(replies.find(reply => reply.status === 201)?.body.checkIns).toHaveLength(day)
      await t.advance(24)
    }
  })

  test('around midnight on servers whose clocks differ: the later day stays the last, shown and taken once', async () => {
    const tester = await t.signUp('TESTER', { timeZone: 'UTC' })
    const { id } = await joinedBy(tester, (await liveCampaign(developer, admin, { testersRequired: 1 })).id)
    const day = dayIn('UTC', daysAfter(clock.now(), 1))
    const offset = clock.offsetMs()
    const midnight = offset + Date.parse(day) - clock.nowMs()
    const [ahead, behind] = [midnight + 30_000, midnight - 30_000]
    try {
      clock.setOffsetMs(ahead)
      expect((await checkIn(tester, id)).status).toBe(201)
      clock.setOffsetMs(behind)
      expect(await checkIn(tester, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_CHECKED_IN' } })
      clock.setOffsetMs(ahead)
      expect(await checkIn(tester, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_CHECKED_IN' } })
    } finally {
      clock.setOffsetMs(offset)
    }
    const { body } = await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)
    expect(body.checkIns.map(done => done.day)).toEqual([day])
  })

  test('of a day that has one is refused also where the test names an earlier day as its last', async () => {
    const tester = await t.signUp('TESTER', { timeZone: 'UTC' })
    const { id } = await joinedBy(tester, (await liveCampaign(developer, admin, { testersRequired: 1 })).id)
    expect((await checkIn(tester, id)).status).toBe(201)
    await t.look('update participations set last_check_in_day = last_check_in_day - 1 where id = $1', [id])
    expect(await checkIn(tester, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_CHECKED_IN' } })
    await t.look('update participations set last_check_in_day = last_check_in_day + 1 where id = $1', [id])
  })

  test('belongs to its tester: for anybody else the test is not found', async () => {
    const { id } = await liveCampaign(developer, admin)
    const seat = await joinedBy(testers[1]!, id)
    expect((await checkIn(testers[2]!, seat.id)).status).toBe(404)
    expect((await checkIn(developer, seat.id)).status).toBe(403)
  })

  test.each([
    // In summer time until 14 March 2027, 2 a.m.: that day has 23 hours.
    {
      timeZone: 'America/Los_Angeles',
      start: '2027-03-13T18:00:00Z',
      moments: [
        ['2027-03-14T07:59:00Z', 201, '2027-03-13'],
        ['2027-03-14T08:01:00Z', 201, '2027-03-14'],
        ['2027-03-15T06:59:00Z', 409, '2027-03-14'],
        ['2027-03-15T07:01:00Z', 201, '2027-03-15'],
      ],
    },
    // Out of summer time on 4 April 2027, 3 a.m.: that day has 25 hours.
    {
      timeZone: 'Pacific/Auckland',
      start: '2027-04-02T18:00:00Z',
      moments: [
        ['2027-04-03T10:59:00Z', 201, '2027-04-03'],
        ['2027-04-03T11:01:00Z', 201, '2027-04-04'],
        ['2027-04-04T11:59:00Z', 409, '2027-04-04'],
        ['2027-04-04T12:01:00Z', 201, '2027-04-05'],
      ],
    },
  ] as const)(
    'counts the calendar days of $timeZone, also when its clocks change',
    async ({ timeZone, start, moments }) => {
      const advanceTo = (instant: string) => t.advance(hoursBetween(clock.now(), instant))
      await advanceTo(start)
      // A season later the others' sessions are over.
      const tester = await t.signUp('TESTER', { timeZone })
      const people = [await t.signUp('DEVELOPER'), await t.signUp('ADMIN')] as const
      const { id } = await liveCampaign(...people, { testersRequired: 1, durationDays: 2 })
      const seat = await joinedBy(tester, id)
      const days: string[] = []
      for (const [moment, status, day] of moments) {
        await advanceTo(moment)
        const reply = await checkIn(tester, seat.id)
        expect({ moment, status: reply.status }).toEqual({ moment, status })
        expect(dayIn(timeZone, clock.now())).toBe(day)
        if (status === 201) days.push(day)
        if (status === 201) expect(reply.body.checkIns.map(done => done.day)).toEqual(days)
      }
    },
  )
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
