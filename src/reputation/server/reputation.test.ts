/** Figures of people from what really happened to their tests. */
import { expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { daysAndProof, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import type { DeveloperReputation, TesterReputation } from '../contract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const stranger = signedUp(t, 'DEVELOPER')

const rejection = { code: 'NO_EVIDENCE_OF_TESTING', reason: 'The proof speaks of none of the screens of our app.' }
const noTester = { testsDone: null, daysKept: null, firstTry: null, seatsLeft: null }
const noDeveloper = { testsDone: null, answerTime: null, rejected: null, appealsLost: null }

/** Tests of one day each, of one tester, with their proofs handed in. */
const submitted = async (developer: Person, tester: Person, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1 })
    ids.push((await joinedBy(tester, id)).id)
  }
  await daysAndProof(
    t,
    ids.map(participationId => ({ person: tester, participationId })),
    1,
  )
  return ids
}
const review = async (by: Person, id: string, action: string, body?: unknown) => {
  const { status } = await by.call('POST', `/campaign-testers/${id}/${action}`, body)
  expect(status).toBe(200)
}
const ofDeveloper = async (asker: Person, { user }: Person) => {
  const { body } = await asker.call<(DeveloperReputation & { developerId: string })[]>(
    'GET',
    `/developers/reputation?ids=${user.id}`,
  )
  const { developerId, ...figures } = body[0]!
  expect(developerId).toBe(user.id)
  return figures
}
/** As the owner of a campaign that the tester has just joined sees it. */
const ofTester = async (developer: Person, tester: Person) => {
  const { id: campaignId } = await liveCampaign(developer, admin)
  const { id } = await joinedBy(tester, campaignId)
  const path = `/campaigns/${campaignId}/testers/reputation`
  const { body } = await developer.call<(TesterReputation & { id: string })[]>('GET', path)
  expect((await stranger.call('GET', path)).status).toBe(404)
  expect(body).toHaveLength(1)
  const { id: of, ...figures } = body[0]!
  expect(of).toBe(id)
  return figures
}
const newPair = async () => ({ developer: await t.signUp('DEVELOPER'), tester: await t.signUp('TESTER') })

test('a day that was checked in during an opt-in that never was is not kept', async () => {
  const { developer, tester } = await newPair()
  const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
  const seat = await joinedBy(tester, id)
  const act = async (by: Person, path: string, body?: object) =>
    expect((await by.call('POST', path, body)).status).toBeLessThan(300)
  const own = `/testers/campaign-testers/${seat.id}`
  await act(tester, `${own}/opt-in`)
  await act(tester, `${own}/check-ins`, {})
  await act(developer, `/campaign-testers/${seat.id}/contest-opt-in`, { reason: 'Play Console shows nobody.' })
  await act(admin, `/admin/campaign-testers/${seat.id}/decide-opt-in`, { decision: 'VOID', note: 'Nobody was there.' })
  await act(tester, `${own}/opt-in`)
  for (const done of await submitted(developer, tester, 4)) await review(developer, done, 'verify')
  await act(tester, `${own}/leave`)
  expect((await ofTester(developer, tester)).daysKept).toEqual({ percent: 80, of: 5 })
})

test('both sides see of each other what has ended, and nothing below five cases', async () => {
  const { developer, tester } = await newPair()
  const [first, changed, rejected, ...others] = await submitted(developer, tester, 7)
  // Without a check-in this one is dropped after 72 hours.
  expect(await ofTester(developer, tester)).toEqual(noTester)
  for (const id of [first!, ...others.slice(0, 3)]) await review(developer, id, 'verify')
  expect(await ofDeveloper(tester, developer)).toEqual(noDeveloper)
  await review(developer, changed!, 'request-changes', { note: 'Please add a picture of the search.' })
  await t.advance(5)
  await tester.call('POST', `/testers/campaign-testers/${changed}/proof`, {
    proof: 'With the search, too, as you asked.',
  })
  await t.advance(7)
  await review(developer, changed!, 'verify')
  await review(developer, rejected!, 'reject', rejection)
  await t.advance(73)

  // The newest five: the rejection, one by silence and the dropped one, the changed one, and one of the first.
  expect(await ofTester(developer, tester)).toEqual({
    testsDone: 5,
    daysKept: { percent: 55, of: 5 },
    firstTry: { count: 3, of: 5 },
    seatsLeft: { count: 1, of: 5 },
  })
  expect(await ofDeveloper(tester, developer)).toEqual({
    testsDone: 5,
    answerTime: { hours: 7, of: 5 },
    rejected: { count: 1, of: 5 },
    appealsLost: null,
  })
  const own = await tester.call<{ tester: TesterReputation }>('GET', '/users/me/reputation')
  expect(own.body.tester.testsDone).toBe(5)
  const theirs = await developer.call<{ developer: DeveloperReputation }>('GET', '/users/me/reputation')
  expect(theirs.body.developer.rejected).toEqual({ count: 1, of: 5 })
})

test('whoever never opted in to a closed test owes no days of it, and the seat is still a seat left', async () => {
  const { developer, tester } = await newPair()
  for (let made = 0; made < 5; made++) {
    const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', dailyCheckIn: true })
    const joined = await joinedBy(tester, id)
    await t.look('update participations set listed_at = $2 where id = $1', [joined.id, clock.now()])
  }
  await t.advance(73)
  expect(await ofTester(developer, tester)).toMatchObject({ daysKept: null, seatsLeft: { count: 5, of: 5 } })
})

test('leaving before one was on the list is no seat left, also when the list is confirmed only after that', async () => {
  const { developer, tester } = await newPair()
  for (let made = 0; made < 5; made++) {
    const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    const joined = await joinedBy(tester, id)
    expect((await tester.call('POST', `/testers/campaign-testers/${joined.id}/leave`)).status).toBe(200)
    const later = hoursAfter(clock.now(), 1)
    await t.look('update participations set listed_at = $2, unlisted_at = null where id = $1', [joined.id, later])
  }
  expect(await ofTester(developer, tester)).toEqual(noTester)
})

test('whoever opted in was in, listed or not, unless an admin found that the opt-in never was', async () => {
  const { developer, tester } = await newPair()
  const ids: string[] = []
  for (let made = 0; made < 5; made++) {
    const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', dailyCheckIn: false })
    const joined = await joinedBy(tester, id)
    const own = `/testers/campaign-testers/${joined.id}`
    expect((await tester.call('POST', `${own}/opt-in`, {})).status).toBe(200)
    expect((await tester.call('POST', `${own}/leave`)).status).toBe(200)
    ids.push(joined.id)
  }
  expect(await ofTester(developer, tester)).toMatchObject({ seatsLeft: { count: 5, of: 5 } })
  await t.look(`update opt_in_runs set end_reason = 'VOIDED' where participation_id = any($1)`, [ids])
  expect(await ofTester(developer, tester)).toEqual(noTester)
})

test('a seat that was left with pay is no seat left', async () => {
  const { developer, tester } = await newPair()
  const ids: string[] = []
  for (let made = 0; made < 5; made++) {
    const joined = await joinedBy(tester, (await liveCampaign(developer, admin)).id)
    await tester.call('POST', `/testers/campaign-testers/${joined.id}/leave`)
    ids.push(joined.id)
  }
  expect(await ofTester(developer, tester)).toMatchObject({ seatsLeft: { count: 5, of: 5 } })
  await t.look('update participations set payout_amount_cents = 100 where id = any($1)', [ids])
  expect(await ofTester(developer, tester)).toEqual(noTester)
})

test('a seat that is given up after the campaign was cancelled is no seat left', async () => {
  const { developer, tester } = await newPair()
  for (const id of await submitted(developer, tester, 5)) {
    await review(developer, id, 'request-changes', { note: 'Please add a picture of the search.' })
    const { body } = await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)
    await developer.call('POST', `/campaigns/${body.campaign.id}/cancel`)
    expect((await tester.call('POST', `/testers/campaign-testers/${id}/leave`)).status).toBe(200)
  }
  expect(await ofTester(developer, tester)).toEqual(noTester)
})

test('an appeal that no admin decided counts for neither side, in any figure', async () => {
  const { developer, tester } = await newPair()
  const ids = await submitted(developer, tester, 6)
  for (const id of ids) await review(developer, id, 'verify')
  expect(await ofDeveloper(tester, developer)).toMatchObject({ testsDone: 5, rejected: { count: 0, of: 5 } })
  // Two of them as if the platform had paid because no admin decided on the appeal.
  await t.look(
    `with settled as (
      update participations set rejection_code = 'OTHER', rejection_reason = 'Not of our app.' where id = any($1) returning id
    ) insert into appeals (participation_id, appealed_at, reason, outcome, decided_at, note)
      select id, now(), 'It is of this app.', 'VERIFIED', now(), 'Paid by the platform.' from settled`,
    [ids.slice(0, 2)],
  )
  expect(await ofDeveloper(tester, developer)).toEqual(noDeveloper)
  expect(await ofTester(developer, tester)).toEqual(noTester)
})

test('appeals that the platform settled are neither won nor lost', async () => {
  const { developer, tester } = await newPair()
  const ids = await submitted(developer, tester, 5)
  for (const id of ids) await review(developer, id, 'verify')
  await t.look(
    `with settled as (
      update participations set rejection_code = 'OTHER', rejection_reason = 'Not of our app.' where id = any($1) returning id
    ) insert into appeals (participation_id, appealed_at, reason, outcome, decided_at)
      select id, now(), 'It is of this app.', 'PLATFORM', now() from settled`,
    [ids],
  )
  expect(await ofDeveloper(tester, developer)).toEqual(noDeveloper)
})

// Of some, as a release of before asked for it, it is not known for which proof.
test.each([
  ['most', 2],
  ['few', 4],
])(
  'a rejection that waited for an admin’s consent was answered when it was asked for, whatever became of it: %s name their proof',
  async (_, unnamed) => {
    const { developer, tester } = await newPair()
    const ids = await submitted(developer, tester, 6)
    await t.advance(2)
    const requests = `insert into rejection_requests (participation_id, changes_requested, requested_at, code, reason)
    select id, case when n > $3 then 0 end, $2, 'OTHER', 'Not of our app.' from unnest($1::uuid[]) with ordinality asked (id, n)`
    await t.look(requests, [ids, clock.now(), unnamed])
    await t.advance(9)
    const decision = { decision: 'CONSENT', note: 'The pictures are of another app.' }
    for (const id of ids.slice(0, 2))
      await admin.call('POST', `/admin/campaign-testers/${id}/decide-rejection`, decision)
    // The developer may verify it all the same.
    await review(developer, ids[2]!, 'verify')
    // Nobody decided on the others: they are verified by silence, and the rejections are final.
    await t.advance(73)
    expect(await ofDeveloper(tester, developer)).toMatchObject({
      testsDone: null,
      answerTime: { hours: 2, of: 5 },
      rejected: { count: 2, of: 5 },
    })
    const lapsed = await t.look(
      `select count(*)::int as n from rejection_requests where outcome = 'LAPSED' and participation_id = any($1)`,
      [ids],
    )
    expect(lapsed).toEqual([{ n: 4 }])
  },
)

test('whoever has left a campaign is not among its testers', async () => {
  const { developer, tester } = await newPair()
  const { id: campaignId } = await liveCampaign(developer, admin)
  const { id } = await joinedBy(tester, campaignId)
  const path = `/campaigns/${campaignId}/testers/reputation`
  expect((await developer.call('GET', path)).body).toMatchObject([{ id }])
  await tester.call('POST', `/testers/campaign-testers/${id}/leave`)
  expect((await developer.call('GET', path)).body).toEqual([])
})

test('what an admin reviewed says nothing about the developer, and a suspension is no seat left', async () => {
  const { developer, tester } = await newPair()
  const reviewed = await submitted(developer, tester, 5)
  for (const id of reviewed) await review(admin, id, 'verify')
  expect(await ofDeveloper(tester, developer)).toEqual({ ...noDeveloper, testsDone: 5 })
  for (let joined = 0; joined < 5; joined++) await joinedBy(tester, (await liveCampaign(developer, admin)).id)
  const path = `/admin/users/${tester.user.id}`
  await admin.call('POST', `${path}/ban`, { reason: 'Several accounts on one device.' })
  await t.advance(0)
  await admin.call('POST', `${path}/unban`, { reason: 'It was a family.' })
  const back = await t.signIn(tester.user.email)
  expect(await ofTester(developer, back)).toMatchObject({ testsDone: 5, seatsLeft: { count: 0, of: 5 } })
})

test('an overturned rejection harms the tester nothing, and the developer has lost an appeal', async () => {
  const { developer, tester } = await newPair()
  const ids = await submitted(developer, tester, 5)
  for (const id of ids) {
    await review(developer, id, 'reject', rejection)
    const reason = 'The second picture shows the search of the app, with my word.'
    await tester.call('POST', `/testers/campaign-testers/${id}/appeal`, { reason })
  }
  for (const [index, id] of ids.entries())
    await admin.call('POST', `/admin/campaign-testers/${id}/decide-appeal`, {
      decision: index < 4 ? 'VERIFY' : 'UPHOLD',
      note: 'As the pictures show.',
    })
  expect(await ofTester(developer, tester)).toMatchObject({ testsDone: null, firstTry: { count: 4, of: 5 } })
  expect(await ofDeveloper(tester, developer)).toEqual({
    testsDone: null,
    answerTime: null,
    rejected: { count: 5, of: 5 },
    appealsLost: { count: 4, of: 5 },
  })
})

test('only developers are asked about, at most 100 at once, and only by testers', async () => {
  const { developer, tester } = await newPair()
  const ask = (by: Person, ids: string[]) => by.call<unknown[]>('GET', `/developers/reputation?ids=${ids.join(',')}`)
  expect((await ask(tester, [tester.user.id])).body).toEqual([])
  expect(
    (
      await ask(
        tester,
        Array.from({ length: 101 }, () => developer.user.id),
      )
    ).status,
  ).toBe(400)
  expect((await ask(tester, ['nobody'])).status).toBe(400)
  expect((await ask(developer, [developer.user.id])).status).toBe(403)
})
