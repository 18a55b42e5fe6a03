/** The reserve bench: who waits for a seat of a full campaign, and whose turn it is. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { PersonalData } from '../../accounts/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { daysAndProof, device, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { holdsWhileWaiting, overtaken } from '../../testing/races.ts'
import type { CampaignTester } from '../contract.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const wait = (person: Person, id: string, more: object = {}) =>
  person.call<CampaignTester>('POST', `/testers/campaigns/${id}/join`, { deviceInfo: device, waitlist: true, ...more })
const accept = (person: Person, id: string) =>
  person.call<CampaignTester>('POST', `/testers/campaign-testers/${id}/accept-seat`)
const leave = (person: Person, id: string) =>
  person.call<CampaignTester>('POST', `/testers/campaign-testers/${id}/leave`)
const own = async (person: Person, id: string) =>
  (await person.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body
const seen = async (person: Person, id: string) => (await person.call<Campaign>('GET', `/campaigns/${id}`)).body
const subjects = async (person: Person) => {
  const { body } = await person.call<{ subject: string }[]>('GET', '/users/me/notifications')
  return body.map(({ subject }) => subject).toReversed()
}

const outcomeOf = async (call: string, values: unknown[]) =>
  (await t.look<{ outcome: string }>(`select ${call} as outcome`, values))[0]?.outcome

let inside: Person
let insideId: string
let campaign: Campaign
/** One seat, which `inside` has. */
beforeEach(async () => {
  campaign = await liveCampaign(owner, admin, { testersRequired: 1, title: 'Full' })
  inside = await t.signUp('TESTER')
  insideId = (await joinedBy(inside, campaign.id)).id
})
const waiting = async (count: number) => {
  const people = []
  for (let n = 0; n < count; n++) {
    const person = await t.signUp('TESTER')
    const { status, body } = await wait(person, campaign.id)
    expect(status).toBe(201)
    people.push({ person, id: body.id })
  }
  return people
}
/** A bench of as many as the campaign has seats. */
const roomy = async () => {
  campaign = await liveCampaign(owner, admin, { testersRequired: 3, title: 'Full' })
  const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await joinedBy(first, campaign.id)
  await joinedBy(second, campaign.id)
  insideId = (await joinedBy(inside, campaign.id)).id
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
      { line: 1, offerEndsAt: null, takesNobody: false, keptByLimit: false },
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
        told('You are on the bench of this campaign: we will tell you when there is a seat for you.'),
      )
    await leave(inside, insideId)
    for (const waitlist of [true, false])
      expect(await again({ waitlist })).toEqual(
        told('You are on the bench of this campaign, and there is a seat for you: accept it.'),
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
        'appeal against the review of',
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
  })
})

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
    expect((await accept(next!.person, next!.id)).status).toBe(200)
    await t.advance(1)
    expect(await seen(owner, campaign.id)).toMatchObject({ status: 'LIVE', offeredSeats: 0, benchTesters: 0 })
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
  })

  test('waits for whoever has too many open tests, and is theirs once one of them is over', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    const other = (await joinedBy(next!.person, (await liveCampaign(owner, admin)).id)).id
    const offered = { offerEndsAt: expect.any(String), takesNobody: false }
    await admin.call('PATCH', '/admin/settings', { openTestsPerTester: 1 })
    try {
      const kept = { bench: { line: 1, ...offered, keptByLimit: true }, actions: ['leave'] }
      expect(await own(next!.person, next!.id)).toMatchObject(kept)
      expect((await next!.person.call('GET', '/testers/my-campaigns')).body).toContainEqual(
        expect.objectContaining(kept),
      )
      expect((await accept(next!.person, next!.id)).body).toMatchObject({ code: 'LIMIT_REACHED' })
      await leave(next!.person, other)
      const free = { bench: { line: 1, ...offered, keptByLimit: false }, actions: ['acceptSeat', 'leave'] }
      expect(await own(next!.person, next!.id)).toMatchObject(free)
    } finally {
      await admin.call('PATCH', '/admin/settings', { openTestsPerTester: 8 })
    }
    expect((await accept(next!.person, next!.id)).status).toBe(200)
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
    expect((await leave(first!.person, first!.id)).body).toMatchObject({ status: 'DROPPED', dropReason: 'LEFT' })
    expect((await first!.person.call('GET', `/testers/campaign-testers/${first!.id}`)).status).toBe(404)
    expect((await own(second!.person, second!.id)).actions).toContain('acceptSeat')
    expect((await wait(first!.person, campaign.id)).body.bench).toEqual({
      line: 2,
      offerEndsAt: null,
      takesNobody: false,
      keptByLimit: false,
    })
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
    expect((await wait(one!.person, campaign.id)).body.status).toBe('WAITLISTED')
    await passing(other!)
    expect(await seen(owner, campaign.id)).toMatchObject({ offeredSeats: 0, benchTesters: 1 })
    const { body: data } = await one!.person.call<PersonalData>('GET', '/users/me/export')
    expect(data.passedSeats).toEqual([{ campaign_id: campaign.id, passes: 1 }])
    const stranger = await t.signUp('TESTER')
    const joined = await stranger.call('POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device })
    expect(joined.status).toBe(201)
    await owner.call('POST', `/campaigns/${campaign.id}/cancel`)
    expect(await t.look('select from bench_passes where campaign_id = $1', [campaign.id])).toEqual([])
  })

  test('is told to its tester once an hour, however often the campaign is paused and goes on', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    const pausedAndStarted = async () => {
      await owner.call('POST', `/campaigns/${campaign.id}/pause`)
      await owner.call('POST', `/campaigns/${campaign.id}/start`)
      await t.advance(0)
    }
    await pausedAndStarted()
    await pausedAndStarted()
    // Of pauses that were over before the job ran, too.
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full'])
    expect((await own(next!.person, next!.id)).actions).toContain('acceptSeat')
    await t.advance(1)
    await pausedAndStarted()
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full', 'A seat is yours: Full'])
  })

  test('that a pause takes back is told to its tester once, and so is the next one, an hour after the first', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    const [yours, waits] = ['A seat is yours: Full', 'Your seat has to wait: Full']
    const turned = async (action: string) => {
      await owner.call('POST', `/campaigns/${campaign.id}/${action}`)
      await t.advance(0)
      return subjects(next!.person)
    }
    expect(await turned('pause')).toEqual([yours, waits])
    expect(await turned('start')).toEqual([yours, waits])
    expect((await own(next!.person, next!.id)).actions).toContain('acceptSeat')
    expect(await turned('pause')).toEqual([yours, waits])
    await turned('start')
    await t.advance(1)
    expect(await subjects(next!.person)).toEqual([yours, waits, yours])
    expect(await turned('pause')).toEqual([yours, waits, yours, waits])
  })

  test('of which its tester was not told yet is taken back without a word', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await t.advance(0)
    expect(await subjects(next!.person)).toEqual([])
  })

  test('that a suspension or a dispute takes back is told, too, with why', async () => {
    const dora = await t.signUp('DEVELOPER')
    campaign = await liveCampaign(dora, admin, { testersRequired: 1, title: 'Full' })
    insideId = (await joinedBy(inside, campaign.id)).id
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    await t.look('update campaigns set disputed_since = $2 where id = $1', [campaign.id, clock.now()])
    await t.advance(0)
    const news = async () =>
      (await next!.person.call<{ text: string }[]>('GET', '/users/me/notifications')).body[0]?.text.split(',')[0]
    expect(await news()).toBe('The campaign “Full” takes no new testers at the moment')
    await t.look('update campaigns set disputed_since = null where id = $1', [campaign.id])
    await t.advance(1)
    await t.look('select offer_seats($1, false, $2)', [campaign.id, clock.now()])
    await t.advance(0)
    expect(await news()).toBe('A seat in “Full” is free')
    await admin.call('POST', `/admin/users/${dora.user.id}/ban`, { reason: 'Several accounts on one device.' })
    await t.advance(0)
    expect(await news()).toBe('The campaign “Full” was paused')
  })

  test.each([
    ['a pause', () => owner.call('POST', `/campaigns/${campaign.id}/pause`)],
    ['a dispute', () => t.look('update campaigns set disputed_since = $2 where id = $1', [campaign.id, clock.now()])],
  ])('whose time was over before %s took back the others was let pass, and is told as that', async (_, withdraw) => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 2, title: 'Full' })
    const seats = []
    for (const person of [inside, await t.signUp('TESTER')])
      seats.push({ person, id: (await joinedBy(person, campaign.id)).id })
    const [late, next] = await waiting(2)
    for (const { person, id } of seats) await leave(person, id)
    await t.advance(0)
    await t.look('update bench_entries set offered_at = $2, offer_ends_at = $3, told_at = $2 where id = $1', [
      late!.id,
      hoursAfter(clock.now(), -24),
      clock.now(),
    ])
    await withdraw()
    await t.advance(0)
    await t.advance(0)
    expect(await subjects(late!.person)).toEqual(['A seat is yours: Full', 'Your seat offer expired: Full'])
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full', 'Your seat has to wait: Full'])
    expect((await own(next!.person, next!.id)).bench).toMatchObject({ line: 1, offerEndsAt: null })
    expect((await own(late!.person, late!.id)).bench).toMatchObject({ line: 2, offerEndsAt: null })
    await t.look('update campaigns set disputed_since = null where id = $1', [campaign.id])
  })

  test('that somebody before them in line has after a pause is told as that', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 3, title: 'Full' })
    insideId = (await joinedBy(inside, campaign.id)).id
    for (const person of [await t.signUp('TESTER'), await t.signUp('TESTER')]) await joinedBy(person, campaign.id)
    const [first, passed, last] = await waiting(3)
    await t.look('update bench_entries set passes = 1 where id = $1', [passed!.id])
    await leave(inside, insideId)
    await leave(first!.person, first!.id)
    await t.advance(0)
    expect(await subjects(last!.person)).toEqual(['A seat is yours: Full'])
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    await t.advance(0)
    expect((await own(passed!.person, passed!.id)).actions).toContain('acceptSeat')
    const [news] = (await last!.person.call<{ text: string }[]>('GET', '/users/me/notifications')).body
    expect(news!.text).toContain('was paused for a while, and somebody before you in line has the seat now')
  })

  test('that a server of the release before has told of, after one was taken back, is told once', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await t.advance(1)
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    await t.look('update bench_entries set told = true, told_at = $2 where id = $1', [next!.id, clock.now()])
    await t.advance(2)
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full', 'Your seat has to wait: Full'])
  })

  test('is not offered while the campaign is paused, and is when it goes on', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    expect(await own(next!.person, next!.id)).toMatchObject({
      bench: { line: 1, offerEndsAt: null, takesNobody: true, keptByLimit: false },
      actions: ['leave'],
    })
    expect((await accept(next!.person, next!.id)).status).toBe(409)
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    expect((await own(next!.person, next!.id)).actions).toContain('acceptSeat')
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
    const refused = await accept(next!.person, next!.id)
    await t.look(`update campaigns set ${column} = null where id = $1`, [campaign.id])
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

  test('begins with the NDA that the campaign asks for', async () => {
    const [next] = await waiting(1)
    await owner.call('PUT', `/campaigns/${campaign.id}/nda`, { text: 'Tell nobody.' })
    await leave(inside, insideId)
    expect((await accept(next!.person, next!.id)).body).toMatchObject({ status: 'ACTIVE', nextStep: 'ACCEPT_NDA' })
    const early = await next!.person.call('POST', `/testers/campaign-testers/${next!.id}/check-ins`, {})
    expect(early).toMatchObject({ status: 409, body: { message: expect.stringContaining('Accept the NDA') } })
  })

  test('cannot be closed while it is held', async () => {
    await waiting(1)
    await leave(inside, insideId)
    expect((await owner.call('POST', `/campaigns/${campaign.id}/close-seat`)).status).toBe(409)
  })

  test('cannot be closed by a pause either, for 24 hours since its tester was told', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full'])
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    const close = () => owner.call('POST', `/campaigns/${campaign.id}/close-seat`)
    const refused = await close()
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('held for a tester')])
    expect((await seen(owner, campaign.id)).actions).not.toContain('closeSeat')
    expect(await outcomeOf('close_free_seat($1, $2, $3)', [campaign.id, randomUUID(), clock.now()])).toBe('WRONG_STATE')
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    expect((await own(next!.person, next!.id)).actions).toContain('acceptSeat')
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await t.advance(24)
    expect((await seen(owner, campaign.id)).actions).toContain('closeSeat')
    expect((await close()).status).toBe(200)
  })

  test('of which nobody was told yet can be closed once a pause has taken it back', async () => {
    await waiting(1)
    await leave(inside, insideId)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    expect((await owner.call('POST', `/campaigns/${campaign.id}/close-seat`)).status).toBe(200)
  })

  test('is accepted once, however often it is asked for at once', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    expect(tally(await inParallel(8, () => accept(next!.person, next!.id)))[200]).toBe(1)
    expect((await seen(owner, campaign.id))._count.campaignTesters).toBe(1)
  })
})

describe('the bench ends', () => {
  test('with the campaign, and those who waited are told', async () => {
    const [next] = await waiting(1)
    await owner.call('POST', `/campaigns/${campaign.id}/cancel`)
    expect(await subjects(next!.person)).toEqual(['No more seats: Full'])
    expect((await next!.person.call('GET', `/testers/campaign-testers/${next!.id}`)).status).toBe(404)
  })

  test('for a suspended tester, whose seat goes to the next', async () => {
    await roomy()
    const [first, second] = await waiting(2)
    await leave(inside, insideId)
    await admin.call('POST', `/admin/users/${first!.person.user.id}/ban`, { reason: 'Two accounts.' })
    expect((await own(second!.person, second!.id)).actions).toContain('acceptSeat')
    expect((await seen(owner, campaign.id)).benchTesters).toBe(1)
  })

  test('before an account can be deleted', async () => {
    const [next] = await waiting(1)
    const { status, body } = await next!.person.call('DELETE', '/users/me', { password: 'correct horse' })
    expect([status, body.message]).toEqual([409, expect.stringContaining('Leave the benches')])
  })
})

test('the books and the counters agree', async () => expect(await brokenChecks()).toEqual([]))
