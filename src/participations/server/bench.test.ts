/** The reserve bench: who waits for a seat of a full campaign, and when it ends. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { PersonalData } from '../../accounts/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { completeCampaigns } from '../../campaigns/server/campaigns.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { daysAndProof, device, joinedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { accept, fullOfOne, fullOfThree, leave, own, seen, subjects, wait, waitingFor } from '../../testing/bench.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { holdsWhileWaiting, overtaken } from '../../testing/races.ts'
import type { CampaignTester } from '../contract.ts'

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
const roomy = async () => {
  ;({ campaign, insideId } = await fullOfThree(t, owner, admin, inside))
}

describe('the bench of a full campaign', () => {
  test('pays nothing, so whoever was told of pay does not leave it', async () => {
    const [{ person, id }] = (await waiting(1)) as [{ person: Person; id: string }]
    const path = `/testers/campaign-testers/${id}/leave`
    const { status, body } = await person.call<{ code: string; message: string }>('POST', path, { payCents: 1 })
    expect([status, body.code, body.message]).toEqual([409, 'WRONG_STATE', expect.stringContaining('pays less')])
    expect(await own(person, id)).toMatchObject({ status: 'WAITLISTED' })
    expect((await person.call('POST', path, { payCents: 0 })).status).toBe(200)
  })

  test('is entered instead of a refusal, once, and counts neither as a seat nor as an open test', async () => {
    const person = await t.signUp('TESTER')
    const plain = await person.call('POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device })
    expect([plain.status, plain.body.code]).toEqual([409, 'CAMPAIGN_FULL'])
    const { status, body } = await wait(person, campaign.id)
    expect([status, body.status, body.bench, body.actions, body.payoutAmountCents]).toEqual([
      201,
      'WAITLISTED',
      { line: 1, offerEndsAt: null, takesNobody: false, keptByLimit: false, obstacle: null },
      ['leave'],
      0,
    ])
    expect((await wait(person, campaign.id)).status).toBe(409)
    expect(await seen(person, campaign.id)).toMatchObject({
      benchTesters: 1,
      _count: { campaignTesters: 1 },
      participation: { id: body.id, status: 'WAITLISTED' },
      actions: [],
    })
    expect(await own(person, body.id)).toEqual(body)
    const { body: mine } = await person.call<CampaignTester[]>('GET', '/testers/my-campaigns')
    expect(mine).toEqual([body])
    expect((await person.call<CampaignTester[]>('GET', '/testers/my-campaigns?status=ACTIVE')).body).toEqual([])
    const { body: roster } = await owner.call<CampaignTester[]>('GET', `/campaigns/${campaign.id}/testers`)
    expect(roster.map(({ id }) => id)).toEqual([insideId])
    expect((await inside.call('GET', `/testers/campaign-testers/${body.id}`)).status).toBe(404)
  })

  test('is named where a full campaign refuses, and while it has places only', async () => {
    const join = async () =>
      (await (await t.signUp('TESTER')).call('POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device }))
        .body
    expect(await join()).toMatchObject({ code: 'CAMPAIGN_FULL', message: expect.stringContaining('`waitlist: true`') })
    await waiting(1)
    expect(await join()).toMatchObject({ code: 'CAMPAIGN_FULL', message: 'All seats of this campaign are taken.' })
  })

  test('is what whoever waits on it and joins again is told of, and that a seat is held for them', async () => {
    const { person } = (await waiting(1))[0]!
    const again = async (more: object) => {
      const { status, body } = await wait(person, campaign.id, more)
      return [status, body]
    }
    const told = (message: string) => [409, expect.objectContaining({ code: 'ALREADY_JOINED', message })]
    for (const waitlist of [true, false])
      expect(await again({ waitlist })).toEqual(
        told('You are on the bench of this campaign. We will tell you when there is a seat for you.'),
      )
    await leave(inside, insideId)
    for (const waitlist of [true, false])
      expect(await again({ waitlist })).toEqual(
        told('You are on the bench of this campaign, and a seat is held for you: accept it.'),
      )
  })

  test('gives no seat: what needs one is refused by the state, to whoever may see the campaign’s tests', async () => {
    const [{ person, id }] = (await waiting(1)) as [{ person: Person; id: string }]
    const proof = { proof: 'I wrote a note on each of the days.' }
    const calls: [Person, string, object | undefined, string][] = [
      [person, `/testers/campaign-testers/${id}/check-ins`, {}, 'check in to'],
      [person, `/testers/campaign-testers/${id}/proof`, proof, 'submit a proof for'],
      [
        person,
        `/testers/campaign-testers/${id}/appeal`,
        { reason: 'It is of this app, see the picture.' },
        'appeal the review of',
      ],
      [person, `/testers/campaign-testers/${id}/open-link`, undefined, 'open the link of'],
      [owner, `/campaign-testers/${id}/verify`, undefined, 'verify'],
      [admin, `/campaign-testers/${id}/verify`, undefined, 'verify'],
    ]
    for (const [by, path, body, verb] of calls) {
      const reply = await by.call('POST', path, body)
      expect([path, reply.status, reply.body.message]).toEqual([
        path,
        409,
        `This test is waiting for a seat, so you cannot ${verb} it.`,
      ])
    }
    const stranger = await t.signUp('DEVELOPER')
    expect((await stranger.call('POST', `/campaign-testers/${id}/verify`)).status).toBe(404)
    expect((await inside.call('POST', `/testers/campaign-testers/${id}/check-ins`, {})).status).toBe(404)
  })

  test('takes a seat while one is free, whatever was asked for', async () => {
    const free = await liveCampaign(owner, admin, { testersRequired: 1 })
    expect((await wait(await t.signUp('TESTER'), free.id)).body.status).toBe('ACTIVE')
  })

  test('takes a seat that becomes free between the look for one and the bench', async () => {
    const late = await t.signUp('TESTER')
    const row = { rows: 'select from campaigns where id = $1', values: [campaign.id] }
    const [, joined] = await overtaken(
      t,
      row,
      () => leave(inside, insideId),
      () => wait(late, campaign.id),
    )
    expect([joined.status, joined.body.status]).toEqual([201, 'ACTIVE'])
  })

  test('has as many places as the campaign has seats, also when many ask at once', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => t.signUp('TESTER')))
    const replies = await inParallel(6, n => wait(people[n]!, campaign.id))
    expect(tally(replies)).toEqual({ 201: 1, 409: 5 })
    expect((await seen(owner, campaign.id)).benchTesters).toBe(1)
  })

  test('has as many places also where a seat was closed, and is then no more to be found', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 2, title: 'Closed in part' })
    await joinedBy(inside, campaign.id)
    expect((await owner.call('POST', `/campaigns/${campaign.id}/close-seat`)).status).toBe(200)
    await waiting(2)
    const late = await t.signUp('TESTER')
    expect((await wait(late, campaign.id)).status).toBe(409)
    const { body } = await late.call<Campaign[]>('GET', '/campaigns/available?search=Closed+in+part')
    expect(body).toEqual([])
  })

  test('has one last place, which only one of two gets in the same moment', async () => {
    const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const row = { rows: 'select from campaigns where id = $1', values: [campaign.id] }
    const replies = await overtaken(
      t,
      row,
      () => wait(first, campaign.id),
      () => wait(second, campaign.id),
    )
    expect(replies.map(({ status }) => status)).toEqual([201, 409])
  })

  test('asks for the Play address and the consent, and hands them on with the seat', async () => {
    const listed = await liveCampaign(owner, admin, { testersRequired: 1, accessMode: 'EMAIL_LIST' })
    const address = { playEmail: 'bench@example.com', consent: true }
    const first = await t.signUp('TESTER')
    const { body: seat } = await first.call<CampaignTester>('POST', `/testers/campaigns/${listed.id}/join`, {
      deviceInfo: device,
      ...address,
    })
    const second = await t.signUp('TESTER')
    expect((await wait(second, listed.id)).status).toBe(400)
    const { body: entry } = await wait(second, listed.id, address)
    const { body: data } = await second.call<PersonalData>('GET', '/users/me/export')
    expect(data.benchPlaces).toMatchObject([{ id: entry.id, device_model: device.model }])
    expect(data.playAddresses).toMatchObject([{ playEmail: address.playEmail }])
    await leave(first, seat.id)
    await t.advance(0)
    expect((await accept(second, entry.id)).body).toMatchObject({ status: 'ACTIVE', proofAllowedAt: null })
    const { body: opened } = await second.call('POST', `/testers/campaign-testers/${entry.id}/open-link`)
    expect(opened).toMatchObject({ playEmail: 'bench@example.com' })
    const ids = [seat.id, entry.id]
    expect(
      await t.look('select distinct same_address from play_addresses where participation_id = any($1)', [ids]),
    ).toHaveLength(1)
  })
})

describe('the bench ends', () => {
  test('with the campaign, and those who waited are told', async () => {
    const [next] = await waiting(1)
    await owner.call('POST', `/campaigns/${campaign.id}/cancel`)
    expect(await subjects(next!.person)).toEqual(['No more seats: Full'])
    expect((await next!.person.call('GET', `/testers/campaign-testers/${next!.id}`)).status).toBe(404)
  })

  test('with a campaign that completes, which locks those who waited before it locks the campaign', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 1, durationDays: 1, title: 'Full' })
    insideId = (await joinedBy(inside, campaign.id)).id
    const [next] = await waiting(1)
    await daysAndProof(t, [{ person: inside, participationId: insideId }], 1)
    expect((await owner.call('POST', `/campaign-testers/${insideId}/verify`)).status).toBe(200)
    const rowOf = (table: string, id: string) => ({ rows: `select from ${table} where id = $1`, values: [id] })
    const order = { waits: rowOf('campaigns', campaign.id), holds: rowOf('users', next!.person.user.id) }
    expect(await holdsWhileWaiting(t, () => completeCampaigns.run({}), order)).toBe(true)
    expect(await subjects(next!.person)).toEqual(['No more seats: Full'])
  })

  test('for a suspended tester, whose seat goes to the next', async () => {
    await roomy()
    const [first, second] = await waiting(2)
    await leave(inside, insideId)
    await admin.call('POST', `/admin/users/${first!.person.user.id}/ban`, { reason: 'Two accounts.' })
    expect((await own(second!.person, second!.id)).actions).toContain('acceptSeat')
    expect((await seen(owner, campaign.id)).benchTesters).toBe(1)
  })

  test('no seat is taken by an account that is deleted in the same moment', async () => {
    const leaver = await t.signUp('TESTER')
    const free = await liveCampaign(owner, admin)
    const row = { rows: 'select from users where id = $1', values: [leaver.user.id] }
    const [deleted, joined] = await overtaken(
      t,
      row,
      () => leaver.call('DELETE', '/users/me', { password }),
      () => leaver.call('POST', `/testers/campaigns/${free.id}/join`, { deviceInfo: device }),
    )
    expect([deleted.status, joined.status < 300]).toEqual([204, false])
  })

  test('before an account can be deleted', async () => {
    const [next] = await waiting(1)
    const { status, body } = await next!.person.call('DELETE', '/users/me', { password: 'correct horse' })
    expect([status, body.message]).toEqual([409, expect.stringContaining('Leave the benches')])
  })
})

test('the books and the counters agree', async () => expect(await brokenChecks()).toEqual([]))
