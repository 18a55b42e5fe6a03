/** Whose turn it is on the bench: for whom a freed seat is held, how long, and who is next. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { PersonalData } from '../../accounts/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { brokenChecks, connectBeside } from '../../testing/observed.ts'
import { daysAndProof, device, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { accept, fullOfOne, fullOfThree, leave, own, seen, subjects, wait, waitingFor } from '../../testing/bench.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { until } from '../../testing/until.ts'
import type { CampaignTester } from '../contract.ts'
import { turnBenches } from './bench.ts'

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
/** How many seats the tester let pass, of each campaign whose bench they left. */
const passesOf = async (person: Person) => {
  const { body } = await person.call<PersonalData>('GET', '/users/me/export')
  return body.passedSeats.map(({ passes }) => passes)
}
const roomy = async () => {
  ;({ campaign, insideId } = await fullOfThree(t, owner, admin, inside))
}

describe('a freed seat', () => {
  test('is held for the next in line, who is told, and for nobody else', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    const stranger = await t.signUp('TESTER')
    const refused = await stranger.call('POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device })
    expect([refused.status, refused.body.code]).toEqual([409, 'CAMPAIGN_FULL'])
    await t.advance(0)
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full'])
    const offered = await own(next!.person, next!.id)
    expect(offered.actions).toEqual(['acceptSeat', 'leave'])
    const { status, body } = await accept(next!.person, next!.id)
    expect([status, body.status, body.alias, body.payoutAmountCents]).toEqual([200, 'ACTIVE', 'Tester 2', 1000])
    expect(body.joinedAt > offered.joinedAt).toBe(true)
    expect(await seen(owner, campaign.id)).toMatchObject({ benchTesters: 0, offeredSeats: 0 })
    expect((await accept(next!.person, next!.id)).status).toBe(409)
  })

  test('is told of while another tester’s account is locked, and to that tester as soon as it is free', async () => {
    const [locked] = await waiting(1)
    await leave(inside, insideId)
    const elsewhere = await fullOfOne(t, owner, admin)
    const [free] = await waitingFor(t, elsewhere.campaign.id, 1)
    await leave(elsewhere.inside, elsewhere.insideId)
    const told = ['A seat is yours: Full']
    // The account of somebody who has nothing to do with it stays locked.
    const holders = await Promise.all([connectBeside(t), connectBeside(t)])
    try {
      for (const [at, { user }] of [locked!.person, await t.signUp('TESTER')].entries()) {
        await holders[at]!.query('begin')
        await holders[at]!.query('select from users where id = $1 for update', [user.id])
      }
      const turning = turnBenches.run({})
      await until(async () => (await subjects(free!.person)).length > 0)
      expect(await subjects(locked!.person)).toEqual([])
      await holders[0]!.query('rollback')
      await turning
    } finally {
      for (const holder of holders) await holder.end()
    }
    expect([await subjects(free!.person), await subjects(locked!.person)]).toEqual([told, told])
  })

  test('is held for the next also after the planned end, while other tests keep the campaign going', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 2, durationDays: 1, dailyCheckIn: false })
    const other = await t.signUp('TESTER')
    const tests = [await joinedBy(inside, campaign.id), await joinedBy(other, campaign.id)]
    const [next] = await waiting(1)
    await t.advance(25)
    await inside.call('POST', `/testers/campaign-testers/${tests[0]!.id}/proof`, { proof: 'All screens work.' })
    await leave(other, tests[1]!.id)
    expect(await seen(owner, campaign.id)).toMatchObject({ status: 'LIVE', offeredSeats: 1 })
    expect((await own(next!.person, next!.id)).actions).toEqual(['acceptSeat', 'leave'])
  })

  test('is held for its 24 hours although the campaign ends within them, and accepting it keeps the campaign going', async () => {
    const [next] = await waiting(1)
    await t.look('update campaigns set end_date = $2 where id = $1', [campaign.id, hoursAfter(clock.now(), 1)])
    await leave(inside, insideId)
    await t.advance(23)
    expect(await seen(owner, campaign.id)).toMatchObject({ status: 'LIVE', offeredSeats: 1 })
    const { status, body } = await accept(next!.person, next!.id)
    expect(status).toBe(200)
    await t.advance(1)
    expect(await seen(owner, campaign.id)).toMatchObject({
      status: 'LIVE',
      offeredSeats: 0,
      benchTesters: 0,
      endDate: body.proofAllowedAt,
    })
  })

  test('that nobody accepts after the end goes to nobody else, and the campaign completes', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 2, durationDays: 1, title: 'Full' })
    const done = await t.signUp('TESTER')
    const doneId = (await joinedBy(done, campaign.id)).id
    insideId = (await joinedBy(inside, campaign.id)).id
    const [first, second] = await waiting(2)
    await daysAndProof(t, [{ person: done, participationId: doneId }], 1)
    expect((await owner.call('POST', `/campaign-testers/${doneId}/verify`)).status).toBe(200)
    await t.look('update campaigns set end_date = $2 where id = $1', [campaign.id, hoursAfter(clock.now(), 1)])
    await leave(inside, insideId)
    expect(await seen(owner, campaign.id)).toMatchObject({ offeredSeats: 1, benchTesters: 2 })
    await t.advance(24)
    expect(await seen(owner, campaign.id)).toMatchObject({ status: 'COMPLETED', offeredSeats: 0, benchTesters: 0 })
    expect((await accept(first!.person, first!.id)).status).toBe(404)
    expect((await subjects(second!.person)).some(subject => subject.startsWith('A seat is yours'))).toBe(false)
  })

  test('goes to the next after 24 hours, and who let it pass stands at the end', async () => {
    await roomy()
    const [slow, quick] = await waiting(2)
    await leave(inside, insideId)
    await t.advance(23)
    expect((await own(slow!.person, slow!.id)).actions).toContain('acceptSeat')
    await t.advance(2)
    expect(await own(slow!.person, slow!.id)).toMatchObject({
      bench: { line: 2, offerEndsAt: null },
      actions: ['leave'],
    })
    expect((await accept(slow!.person, slow!.id)).status).toBe(409)
    expect(await subjects(slow!.person)).toEqual(['A seat is yours: Full', 'Your seat offer expired: Full'])
    expect(await own(quick!.person, quick!.id)).toMatchObject({ bench: { line: 1 }, actions: ['acceptSeat', 'leave'] })
    expect((await accept(quick!.person, quick!.id)).status).toBe(200)
    await leave(slow!.person, slow!.id)
    expect(await passesOf(slow!.person)).toEqual([1])
  })

  test('and another that is let pass in the same moment leave their testers in their order, and are offered to them again after a pause', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 2, title: 'Full' })
    const other = await t.signUp('TESTER')
    const tests = [await joinedBy(inside, campaign.id), await joinedBy(other, campaign.id)]
    const waits = await waiting(2)
    await leave(inside, tests[0]!.id)
    await leave(other, tests[1]!.id)
    expect(await seen(owner, campaign.id)).toMatchObject({ offeredSeats: 2 })
    await t.advance(0)
    await t.advance(24)
    for (const [index, { person, id }] of waits.entries())
      expect((await own(person, id)).bench).toMatchObject({ line: index + 1, offerEndsAt: null })
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    await t.advance(0)
    for (const { person } of waits) expect((await subjects(person)).at(-1)).toBe('A seat is yours: Full')
  })

  test('that everybody has let pass is free for all, and for those who wait', async () => {
    const [only] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(25)
    expect(await seen(owner, campaign.id)).toMatchObject({ offeredSeats: 0, benchTesters: 1 })
    expect((await own(only!.person, only!.id)).actions).toContain('acceptSeat')
    const stranger = await t.signUp('TESTER')
    const both = await Promise.all([
      accept(only!.person, only!.id),
      stranger.call('POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device }),
    ])
    expect(both.map(({ status }) => status).filter(status => status < 300)).toHaveLength(1)
  })

  test('that is given up under a key is given up once, and the same key answers the same', async () => {
    const [next] = await waiting(1)
    const key = randomUUID()
    const giveUp = () =>
      next!.person.call<CampaignTester>('POST', `/testers/campaign-testers/${next!.id}/leave`, undefined, key)
    const [once, twice] = [await giveUp(), await giveUp()]
    expect([once.status, once.body.status, twice.body]).toEqual([200, 'DROPPED', once.body])
  })

  test('is offered on when its tester leaves the bench, who may come back', async () => {
    await roomy()
    const [first, second] = await waiting(2)
    await leave(inside, insideId)
    const left = (await leave(first!.person, first!.id)).body
    expect(left).toMatchObject({ status: 'DROPPED', dropReason: 'LEFT', bench: null })
    expect((await first!.person.call('GET', `/testers/campaign-testers/${first!.id}`)).status).toBe(404)
    expect((await own(second!.person, second!.id)).actions).toContain('acceptSeat')
    expect((await wait(first!.person, campaign.id)).body.bench).toEqual({
      line: 2,
      offerEndsAt: null,
      takesNobody: false,
      keptByLimit: false,
      obstacle: null,
    })
    // What others let pass does not count against whoever is new.
    const [fresh] = await waiting(1)
    await leave(second!.person, second!.id)
    expect((await own(fresh!.person, fresh!.id)).bench?.offerEndsAt).toEqual(expect.any(String))
  })

  test('is not kept from the others by two who leave with it and come back in turn', async () => {
    await roomy()
    const [one, other] = await waiting(2)
    await leave(inside, insideId)
    const passing = async ({ person, id }: { person: Person; id: string }) => {
      expect((await own(person, id)).actions).toContain('acceptSeat')
      await leave(person, id)
    }
    await passing(one!)
    const { body: again } = await wait(one!.person, campaign.id)
    expect(again.status).toBe('WAITLISTED')
    await passing(other!)
    expect(await seen(owner, campaign.id)).toMatchObject({ offeredSeats: 0, benchTesters: 1 })
    expect(await passesOf(one!.person)).toEqual([1])
    // After a pause it is offered to everybody again.
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    await passing({ person: one!.person, id: again.id })
    expect(await passesOf(one!.person)).toEqual([2])
    const stranger = await t.signUp('TESTER')
    const joined = await stranger.call('POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device })
    expect(joined.status).toBe(201)
    await owner.call('POST', `/campaigns/${campaign.id}/cancel`)
    expect(await t.look('select from bench_passes where campaign_id = $1', [campaign.id])).toEqual([])
  })
})

test('the books and the counters agree', async () => expect(await brokenChecks()).toEqual([]))
