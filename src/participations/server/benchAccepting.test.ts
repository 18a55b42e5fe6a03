/** Who takes a seat that is held or free, and what a test that comes from the bench begins with. */
import { beforeEach, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { device, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { accept, fullOfOne, leave, own, seen, wait, waitingFor } from '../../testing/bench.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { holdsWhileWaiting } from '../../testing/races.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

let inside: Person
let insideId: string
let campaign: Campaign
beforeEach(async () => {
  ;({ campaign, inside, insideId } = await fullOfOne(t, owner, admin))
})
const waiting = (count: number) => waitingFor(t, campaign.id, count)

describe('a freed seat', () => {
  test('waits for whoever has too many open tests, and is theirs once one of them is over', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    const other = (await joinedBy(next!.person, (await liveCampaign(owner, admin)).id)).id
    const offered = { offerEndsAt: expect.any(String), takesNobody: false }
    await admin.call('PATCH', '/admin/settings', { openTestsPerTester: 1 })
    try {
      const obstacle = {
        code: 'LIMIT_REACHED',
        message: 'You have 1 open test, which is the limit. Finish or leave one before you join another.',
      }
      const kept = { bench: { line: 1, ...offered, keptByLimit: true, obstacle }, actions: ['leave'] }
      expect(await own(next!.person, next!.id)).toMatchObject(kept)
      expect((await next!.person.call('GET', '/testers/my-campaigns')).body).toContainEqual(
        expect.objectContaining(kept),
      )
      expect((await accept(next!.person, next!.id)).body).toMatchObject(obstacle)
      await leave(next!.person, other)
      const free = {
        bench: { line: 1, ...offered, keptByLimit: false, obstacle: null },
        actions: ['acceptSeat', 'leave'],
      }
      expect(await own(next!.person, next!.id)).toMatchObject(free)
    } finally {
      await admin.call('PATCH', '/admin/settings', { openTestsPerTester: 8 })
    }
    expect((await accept(next!.person, next!.id)).status).toBe(200)
  })

  test('that its tester takes without an offer leaves the seat that is held for another one held', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 2, title: 'Full' })
    const people = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const seats = []
    for (const person of people) seats.push((await joinedBy(person, campaign.id)).id)
    const [early, late] = await waiting(2)
    await leave(people[0]!, seats[0]!)
    await t.advance(1)
    await leave(people[1]!, seats[1]!)
    await t.advance(23)
    expect((await own(early!.person, early!.id)).bench!.offerEndsAt).toBeNull()
    expect((await accept(early!.person, early!.id)).status).toBe(200)
    const stranger = await t.signUp('TESTER')
    const plain = await stranger.call('POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device })
    expect([plain.status, plain.body.code]).toEqual([409, 'CAMPAIGN_FULL'])
    expect((await accept(late!.person, late!.id)).status).toBe(200)
  })

  test.each(['accepted', 'given up'] as const)('holds its campaign before it is %s', async how => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    const act = () => (how === 'accepted' ? accept : leave)(next!.person, next!.id)
    const rowOf = (table: string, id: string) => ({ rows: `select from ${table} where id = $1`, values: [id] })
    const order = { waits: rowOf('bench_entries', next!.id), holds: rowOf('campaigns', campaign.id) }
    expect(await holdsWhileWaiting(t, act, order)).toBe(true)
  })

  test('is not accepted beyond the open tests that one tester may have', async () => {
    const [next] = await waiting(1)
    const other = await liveCampaign(owner, admin, { testersRequired: 2 })
    const { id: open } = await joinedBy(next!.person, other.id)
    await leave(inside, insideId)
    await admin.call('PATCH', '/admin/settings', { openTestsPerTester: 1 })
    const refused = await accept(next!.person, next!.id)
    await admin.call('PATCH', '/admin/settings', { openTestsPerTester: 8 })
    expect(refused).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } })
    expect(await own(next!.person, next!.id)).toMatchObject({ status: 'WAITLISTED' })
    await leave(next!.person, open)
    expect((await accept(next!.person, next!.id)).status).toBe(200)
  })

  test.each(['disputed_since', 'dispute_lost_at'])('is not accepted while the campaign has %s', async column => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.look(`update campaigns set ${column} = $2 where id = $1`, [campaign.id, clock.now()])
    const shown = (await own(next!.person, next!.id)).bench
    const refused = await accept(next!.person, next!.id)
    await t.look(`update campaigns set ${column} = null where id = $1`, [campaign.id])
    expect(shown).toMatchObject({ takesNobody: true })
    expect(refused).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(await own(next!.person, next!.id)).toMatchObject({ status: 'WAITLISTED' })
  })

  test('counts its days in the time zone that the tester has when accepting it, not in that of entering the bench', async () => {
    const [next] = await waiting(1)
    const patch = { timeZone: 'Pacific/Auckland' }
    expect((await next!.person.call('PATCH', '/users/me', patch)).status).toBe(200)
    await leave(inside, insideId)
    const { status, body } = await accept(next!.person, next!.id)
    expect([status, body.timeZone]).toEqual([200, 'Pacific/Auckland'])
  })

  test('is not accepted from a country that the campaign does not ask for, and waits meanwhile for whoever moves back', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 1, filters: { countries: ['Germany'] } })
    const [first, next] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const liveIn = (person: Person, country: string | null) => person.call('PATCH', '/users/me', { country })
    for (const person of [first, next]) await liveIn(person, 'DE')
    const seat = await joinedBy(first, campaign.id)
    const { id } = (await wait(next, campaign.id)).body
    await liveIn(next, 'FR')
    await leave(first, seat.id)
    const expectRefused = async (sentence: string) => {
      const obstacle = {
        code: 'DEVICE_DOES_NOT_FIT',
        message: `You no longer fit this campaign, so you cannot accept its seat. ${sentence}`,
      }
      expect(await accept(next, id)).toMatchObject({ status: 422, body: obstacle })
      const bench = { offerEndsAt: expect.any(String), obstacle, keptByLimit: false }
      expect(await own(next, id)).toMatchObject({ status: 'WAITLISTED', bench, actions: ['leave'] })
    }
    await expectRefused('Needs a tester from Germany; you are from France.')
    await liveIn(next, null)
    await expectRefused('Needs a tester from Germany. Set your country in your profile first.')
    await liveIn(next, 'DE')
    expect(await own(next, id)).toMatchObject({ bench: { obstacle: null }, actions: ['acceptSeat', 'leave'] })
    expect(await accept(next, id)).toMatchObject({ status: 200, body: { status: 'ACTIVE' } })
  })

  test('begins with the NDA that the campaign asks for', async () => {
    const [next] = await waiting(1)
    await owner.call('PUT', `/campaigns/${campaign.id}/nda`, { text: 'Tell nobody.' })
    await leave(inside, insideId)
    expect((await accept(next!.person, next!.id)).body).toMatchObject({ status: 'ACTIVE', nextStep: 'ACCEPT_NDA' })
    const early = await next!.person.call('POST', `/testers/campaign-testers/${next!.id}/check-ins`, {})
    expect(early).toMatchObject({ status: 409, body: { message: expect.stringContaining('Accept the NDA') } })
  })

  test('is accepted once, however often it is asked for at once', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    expect(tally(await inParallel(8, () => accept(next!.person, next!.id)))[200]).toBe(1)
    expect((await seen(owner, campaign.id))._count.campaignTesters).toBe(1)
  })
})

test('the books and the counters agree', async () => expect(await brokenChecks()).toEqual([]))
