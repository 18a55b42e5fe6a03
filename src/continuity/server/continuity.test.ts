/** The clock over HTTP: what ends a run and what does not, who may see it, and the numbers of Play Console. */
import { expect, test } from 'vitest'
import { hoursAfter, clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { draftOf, joinedBy, liveCampaign, password, type Person, proof } from '../../testing/app.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import type { Report } from '../../reports/contract.ts'
import type { Continuity, PlayCount } from '../contract.ts'
import { costOfLeavingIn } from './leaving.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const stranger = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const people = allSignedUp(t, 'TESTER', 14)

const closedTest = (terms: Record<string, unknown> = {}) =>
  liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', testersRequired: 14, ...terms })

const joined = async (person: Person, { id }: Campaign) => (await joinedBy(person, id)).id

/** A run from then on, as if opted in at that time. */
const optIn = async (id: string, at: string) => {
  await t.look(
    `insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at)
       select id, campaign_id, $2, $2 from participations where id = $1`,
    [id, at],
  )
  await t.look(
    `update participations set opted_in_at = $2, proof_allowed_at = $2::timestamptz + c.duration_days * interval '24 hours',
       last_seen_at = now() from campaigns c where c.id = campaign_id and participations.id = $1`,
    [id, at],
  )
}

const continuityOf = async (id: string, reader: Person = developer) =>
  (await reader.call<Continuity>('GET', `/campaigns/${id}/continuity`)).body

const dayIn = (days: number) => hoursAfter(clock.now(), days * 24).slice(0, 10)
const ago = (days: number) => hoursAfter(clock.now(), -days * 24)

const inWith = async (campaign: Campaign, count: number, at: (index: number) => string) => {
  const ids: string[] = []
  for (const [index, person] of people.slice(0, count).entries()) {
    ids.push(await joined(person, campaign))
    await optIn(ids[index]!, at(index))
  }
  return ids
}

test('the clock tells testers, date, buffer and what each one’s leaving would cost; leaving moves the date', async () => {
  const campaign = await closedTest()
  const ids = await inWith(campaign, 13, index => (index < 12 ? ago(3) : ago(1)))
  const before = await continuityOf(campaign.id)
  expect(before).toMatchObject({
    requiredTesters: 12,
    requiredDays: 14,
    unbrokenTesters: 13,
    earliestDate: dayIn(11),
    buffer: 1,
    day: 4,
    aggregateRunDays: 3,
    playCounts: [],
    appliedAt: null,
  })
  expect(before.testers[6]).toEqual({
    id: ids[6],
    alias: 'Tester 7',
    status: 'ACTIVE',
    listedAt: null,
    notLetIn: false,
    ndaAwaited: false,
    optedInAt: expect.any(String),
    optedOutAt: null,
    ended: null,
    dropped: null,
    confirmedAt: expect.any(String),
    contested: null,
    runDays: 3,
    counts: true,
    sharesAccountWith: [],
    atRisk: false,
    accountDeleted: false,
    earliestDateWithout: dayIn(13),
    daysKept: null,
  })
  await people[6]!.call('POST', `/testers/campaign-testers/${ids[6]}/leave`)
  const after = await continuityOf(campaign.id)
  expect(after).toMatchObject({ unbrokenTesters: 12, earliestDate: dayIn(13), buffer: 0 })
  expect(after.testers[6]).toMatchObject({ ended: 'LEFT', counts: false, optedOutAt: expect.any(String), runDays: 3 })
  expect(after.testers[0]!.earliestDateWithout).toBeNull()
})

test('two who got in with one Google account before that was refused count once: in the clock, the report and what leaving costs', async () => {
  const campaign = await closedTest()
  const ids = await inWith(campaign, 13, index => ago(index === 12 ? 15 : 16))
  await t.look(
    `update play_addresses set address_hash = (select address_hash from play_addresses where participation_id = $1)
      where participation_id = $2`,
    [ids[11], ids[12]],
  )
  const answer = await continuityOf(campaign.id)
  expect(answer).toMatchObject({ unbrokenTesters: 12, buffer: 0, earliestDate: dayIn(-2) })
  expect(
    answer.testers
      .slice(10)
      .map(({ counts, sharesAccountWith, earliestDateWithout }) => [counts, sharesAccountWith, earliestDateWithout]),
  ).toEqual([
    [true, [], null],
    [true, ['Tester 13'], dayIn(-1)],
    [false, ['Tester 12'], dayIn(-2)],
  ])
  const hashes = await t.look<{ hash: string }>(
    `select encode(address_hash, 'hex') as hash from play_addresses where participation_id = any($1)`,
    [ids],
  )
  expect(hashes.filter(({ hash }) => JSON.stringify(answer).includes(hash))).toEqual([])
  const costOf = await costOfLeavingIn(autocommit, { id: campaign.id, closedAt: null }, clock.now())
  expect(costOf([ids[12]!])).toContain('the date stays')
  // Twelve others would remain, with eleven accounts.
  expect(costOf([ids[0]!])).toContain('if a new tester opts in today')
  const { body } = await developer.call<Report>('GET', `/campaigns/${campaign.id}/report`)
  expect(body.testers.map(({ counts }) => counts)).toEqual([...Array<boolean>(12).fill(true), false])
  expect(body.clock.unbrokenTesters).toBe(12)
})

test.each(['first', 'second'])('they count once also when the %s of them has deleted the account', async which => {
  const campaign = await closedTest({ payPerTesterCents: 500 })
  const ids = await inWith(campaign, 11, () => ago(16))
  const pair = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  for (const [index, person] of pair.entries()) {
    ids.push(await joined(person, campaign))
    await optIn(ids[11 + index]!, ago(16 - index))
  }
  await t.look(
    `update play_addresses set address_hash = (select address_hash from play_addresses where participation_id = $1)
      where participation_id = $2`,
    [ids[11], ids[12]],
  )
  const gone = which === 'first' ? 0 : 1
  await t.look(
    `update participations set status = 'SUBMITTED', proof_text = 'It went well.', proof_submitted_at = joined_at where id = $1`,
    [ids[11 + gone]],
  )
  expect((await developer.call('POST', `/campaign-testers/${ids[11 + gone]}/verify`)).status).toBe(200)
  const { status } = await pair[gone]!.call('DELETE', '/users/me', {
    password,
    givesUpCents: 500,
  })
  expect(status).toBe(204)
  const kept = await t.look<{ participation_id: string; same_account: string | null; sealed: boolean }>(
    `select participation_id, same_account, sealed is not null as sealed from play_addresses
      where participation_id = any($1) and (erased_at is not null or same_account is not null) order by participation_id`,
    [ids],
  )
  expect(kept).toEqual(
    [11, 12].map(at => ({ participation_id: ids[at], same_account: ids[11], sealed: at !== 11 + gone })),
  )
  const { unbrokenTesters, testers } = await continuityOf(campaign.id)
  expect(unbrokenTesters).toBe(12)
  expect(
    testers
      .slice(11)
      .map(({ counts, sharesAccountWith, accountDeleted }) => [counts, sharesAccountWith, accountDeleted]),
  ).toEqual([
    [true, ['Tester 13'], gone === 0],
    [false, ['Tester 12'], gone === 1],
  ])
  const costOf = await costOfLeavingIn(autocommit, { id: campaign.id, closedAt: null }, clock.now())
  expect(costOf([ids[12]!])).toContain('the date stays')
})

test('a tester who has not accepted the NDA is said to wait for it, and no longer once it is accepted', async () => {
  const campaign = await closedTest()
  expect((await developer.call('PUT', `/campaigns/${campaign.id}/nda`, { text: 'Tell nobody.' })).status).toBe(200)
  const awaited = async () => (await continuityOf(campaign.id)).testers.map(({ ndaAwaited }) => ndaAwaited)
  for (const person of people.slice(0, 2)) await joined(person, campaign)
  expect(await awaited()).toEqual([true, true])
  const accepting = { name: 'Person One', version: 1 }
  expect((await people[0]!.call('POST', `/campaigns/${campaign.id}/nda/accept`, accepting)).status).toBe(200)
  expect(await awaited()).toEqual([false, true])
})

test('a contested run counts again, from its first start, once the contest has ended', async () => {
  const campaign = await closedTest()
  const [id] = await inWith(campaign, 12, () => ago(2))
  const contest = 'update opt_in_runs set contested_at = now(), contest_reason = $2 where participation_id = $1'
  await t.look(contest, [id, 'Not in Play Console.'])
  const contested = await continuityOf(campaign.id)
  expect(contested).toMatchObject({ unbrokenTesters: 11, earliestDate: null, buffer: -1, aggregateRunDays: 0 })
  expect(contested.testers[0]).toMatchObject({
    counts: false,
    contested: { since: expect.any(String), reason: 'Not in Play Console.' },
  })
  await t.look(
    `update opt_in_runs set contest_ended_at = now(), contest_outcome = 'CLEARED_BY_TIME' where participation_id = $1`,
    [id],
  )
  const cleared = await continuityOf(campaign.id)
  expect(cleared).toMatchObject({ unbrokenTesters: 12, earliestDate: dayIn(12) })
  expect(cleared.testers[0]!.contested).toBeNull()
})

test('proof, verification and the campaign’s completion do not end a run', async () => {
  const campaign = await closedTest({ testersRequired: 1, durationDays: 1, dailyCheckIn: false })
  const tester = people[0]!
  const id = await joined(tester, campaign)
  await optIn(id, ago(2))
  const lasting = { optedOutAt: null, ended: null, runDays: 2, counts: true }
  await t.look('update participations set proof_warned = true where id = $1', [id])
  expect((await continuityOf(campaign.id)).testers[0]!.atRisk).toBe(true)
  expect((await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof })).status).toBe(200)
  expect((await continuityOf(campaign.id)).testers[0]).toMatchObject({
    status: 'SUBMITTED',
    atRisk: false,
    ...lasting,
  })
  await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show more.' })
  await t.look('update participations set proof_warned = true where id = $1', [id])
  expect((await continuityOf(campaign.id)).testers[0]).toMatchObject({ status: 'CHANGES_REQUESTED', atRisk: true })
  await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof })
  expect((await developer.call('POST', `/campaign-testers/${id}/verify`)).status).toBe(200)
  await t.advance(1)
  const { body } = await developer.call<Campaign>('GET', `/campaigns/${campaign.id}`)
  expect(body.status).toBe('COMPLETED')
  expect((await continuityOf(campaign.id)).testers[0]).toMatchObject({ status: 'VERIFIED', ...lasting })
})

test('a cancelled campaign ends every run, of verified testers too', async () => {
  const campaign = await closedTest({ testersRequired: 2, durationDays: 1, dailyCheckIn: false })
  const [verified, active] = await inWith(campaign, 2, () => ago(2))
  await people[0]!.call('POST', `/testers/campaign-testers/${verified}/proof`, { proof })
  await developer.call('POST', `/campaign-testers/${verified}/verify`)
  expect((await continuityOf(campaign.id)).unbrokenTesters).toBe(2)
  expect((await developer.call('POST', `/campaigns/${campaign.id}/cancel`)).status).toBe(200)
  const { testers, unbrokenTesters } = await continuityOf(campaign.id)
  expect(unbrokenTesters).toBe(0)
  expect(testers.map(({ id, ended, optedOutAt }) => [id, ended, optedOutAt !== null])).toEqual([
    [verified, 'CANCELLED', true],
    [active, 'CANCELLED', true],
  ])
})

test('the last run is the one that was recorded last, although a server whose clock is ahead recorded the one before', async () => {
  const campaign = await closedTest()
  const [person] = people
  const id = await joined(person!, campaign)
  for (const action of ['opt-in', 'opt-out', 'opt-in'])
    expect((await person!.call('POST', `/testers/campaign-testers/${id}/${action}`)).status).toBe(200)
  await t.look(
    `update opt_in_runs set started_at = started_at + interval '5 seconds', ended_at = ended_at + interval '5 seconds'
      where participation_id = $1 and ended_at is not null`,
    [id],
  )
  expect(await continuityOf(campaign.id)).toMatchObject({
    unbrokenTesters: 1,
    testers: [{ id, counts: true, optedOutAt: null, ended: null }],
  })
  const { body: report } = await developer.call<Report>('GET', `/campaigns/${campaign.id}/report`)
  expect(report.testers).toMatchObject([{ id, counts: true, runs: [{ ended: 'OPTED_OUT' }, { ended: null }] }])
})

test('whoever left before opting in is no part of the clock; whoever still waits to opt in is', async () => {
  const campaign = await closedTest()
  const gone = await joined(people[0]!, campaign)
  const waiting = await joined(people[1]!, campaign)
  await people[0]!.call('POST', `/testers/campaign-testers/${gone}/leave`)
  const { testers, earliestDate } = await continuityOf(campaign.id)
  expect(earliestDate).toBeNull()
  expect(testers).toMatchObject([{ id: waiting, optedInAt: null, optedOutAt: null, runDays: 0, counts: false }])
})

test('a warned tester is at risk in the clock, and no longer once the test has ended', async () => {
  const campaign = await closedTest()
  const [id] = await inWith(campaign, 1, () => ago(1))
  const atRisk = async () => (await continuityOf(campaign.id)).testers[0]!.atRisk
  expect(await atRisk()).toBe(false)
  await t.look('update participations set at_risk = true where id = $1', [id])
  expect(await atRisk()).toBe(true)
  await people[0]!.call('POST', `/testers/campaign-testers/${id}/leave`)
  expect(await atRisk()).toBe(false)
})

test('a tester who is late with requested changes is at risk in the clock', async () => {
  const campaign = await closedTest()
  const id = await joined(people.at(-1)!, campaign)
  await optIn(id, ago(1))
  const atRisk = async () => (await continuityOf(campaign.id)).testers[0]!.atRisk
  await t.look(
    `update participations set status = 'CHANGES_REQUESTED', proof_text = 'Each day.', proof_submitted_at = now(),
      reviewed_at = now() where id = $1`,
    [id],
  )
  expect(await atRisk()).toBe(false)
  await t.look('update participations set proof_warned = true where id = $1', [id])
  expect(await atRisk()).toBe(true)
})

test('the days of an open link with an NDA begin when it is accepted', async () => {
  const campaign = await closedTest({ accessMode: 'OPEN_LINK', dailyCheckIn: false })
  expect((await developer.call('PUT', `/campaigns/${campaign.id}/nda`, { text: 'Tell nobody.' })).status).toBe(200)
  await joined(people[0]!, campaign)
  const kept = async () => (await continuityOf(campaign.id)).testers[0]!.daysKept
  await t.advance(48)
  expect(await kept()).toBe(0)
  const accepting = { name: 'Ann', version: 1 }
  expect((await people[0]!.call('POST', `/campaigns/${campaign.id}/nda/accept`, accepting)).status).toBe(200)
  await t.advance(24)
  expect(await kept()).toBe(1)
})

test('with an open link there is no date, but the days that each tester has kept', async () => {
  const campaign = await closedTest({ accessMode: 'OPEN_LINK' })
  const id = await joined(people[0]!, campaign)
  await people[0]!.call('POST', `/testers/campaign-testers/${id}/check-ins`, {})
  const clockNow = await continuityOf(campaign.id)
  expect(clockNow).toMatchObject({ accessMode: 'OPEN_LINK', earliestDate: null, earliestAt: null, unbrokenTesters: 0 })
  expect(clockNow.testers).toMatchObject([{ id, optedInAt: null, runDays: 0, daysKept: 1 }])
  expect((await developer.call('PUT', `/campaigns/${campaign.id}/play-counts/${dayIn(0)}`, { count: 1 })).status).toBe(
    409,
  )
})

test('with an open link, whoever is verified stays in the list, and whoever has left does not', async () => {
  const campaign = await closedTest({ accessMode: 'OPEN_LINK', durationDays: 1, dailyCheckIn: false })
  const [verified, gone] = [await joined(people[0]!, campaign), await joined(people[1]!, campaign)]
  await t.advance(24)
  await people[1]!.call('POST', `/testers/campaign-testers/${gone}/leave`)
  expect((await people[0]!.call('POST', `/testers/campaign-testers/${verified}/proof`, { proof })).status).toBe(200)
  expect((await developer.call('POST', `/campaign-testers/${verified}/verify`)).status).toBe(200)
  expect((await continuityOf(campaign.id)).testers).toMatchObject([{ id: verified, status: 'VERIFIED', daysKept: 1 }])
})

test('the owner and admins read the clock; other developers do not find it, testers may not', async () => {
  const { id } = await closedTest()
  const path = `/campaigns/${id}/continuity`
  expect((await admin.call('GET', path)).status).toBe(200)
  expect((await stranger.call('GET', path)).status).toBe(404)
  expect((await people[0]!.call('GET', path)).status).toBe(403)
  expect((await t.call('GET', path)).status).toBe(401)
  const put = `/campaigns/${id}/play-counts/${dayIn(0)}`
  expect((await stranger.call('PUT', put, { count: 1 })).status).toBe(404)
  expect((await admin.call('PUT', put, { count: 1 })).status).toBe(403)
  expect((await continuityOf(id)).playCounts).toEqual([])
})

test('Play Console’s number is kept for each day, replaced by a later one, and compared with those opted in', async () => {
  const campaign = await closedTest()
  await t.look(`update campaigns set start_date = start_date - interval '3 days' where id = $1`, [campaign.id])
  const ids = await inWith(campaign, 2, index => ago(index))
  const put = (day: string, count: unknown) =>
    developer.call<PlayCount>('PUT', `/campaigns/${campaign.id}/play-counts/${day}`, { count })
  expect((await put(dayIn(0), 5)).body).toEqual({ day: dayIn(0), count: 5, difference: 3 })
  expect((await put(dayIn(0), 1)).body).toEqual({ day: dayIn(0), count: 1, difference: -1 })
  expect((await put(dayIn(-1), 1)).body).toEqual({ day: dayIn(-1), count: 1, difference: 0 })
  expect((await put(dayIn(-3), 0)).body).toEqual({ day: dayIn(-3), count: 0, difference: 0 })
  await people[0]!.call('POST', `/testers/campaign-testers/${ids[0]}/leave`)
  // Yesterday's stays as it was; today's follows.
  expect((await continuityOf(campaign.id)).playCounts).toEqual([
    { day: dayIn(0), count: 1, difference: 0 },
    { day: dayIn(-1), count: 1, difference: 0 },
    { day: dayIn(-3), count: 0, difference: 0 },
  ])
  for (const day of [dayIn(1), dayIn(-4)]) {
    expect(await put(day, 5)).toMatchObject({ status: 400, body: { fields: { day: expect.any(String) } } })
  }
  for (const count of [-1, 1.5, 100_001, '5', null])
    expect(await put(dayIn(0), count)).toMatchObject({ status: 400, body: { fields: { count: expect.any(String) } } })
  expect((await put('2026-02-30', 5)).status).toBe(404)
})

test('Play Console’s number of a day can be removed, by the owner alone, and once more without harm', async () => {
  const { id } = await closedTest()
  const path = (day: string) => `/campaigns/${id}/play-counts/${day}`
  await t.look(`update campaigns set start_date = start_date - interval '2 days' where id = $1`, [id])
  for (const day of [dayIn(0), dayIn(-1)]) await developer.call('PUT', path(day), { count: 1 })
  expect((await stranger.call('DELETE', path(dayIn(0)))).status).toBe(404)
  expect((await admin.call('DELETE', path(dayIn(0)))).status).toBe(403)
  expect((await continuityOf(id)).playCounts).toHaveLength(2)
  for (const _twice of [1, 2]) expect((await developer.call('DELETE', path(dayIn(0)))).status).toBe(204)
  expect((await continuityOf(id)).playCounts).toMatchObject([{ day: dayIn(-1) }])
})

test('a campaign that has not started has a clock of nobody, and takes no number', async () => {
  const { id } = await draftOf(developer, { accessMode: 'EMAIL_LIST' })
  expect(await continuityOf(id)).toMatchObject({ unbrokenTesters: 0, earliestDate: null, testers: [] })
  expect((await developer.call('PUT', `/campaigns/${id}/play-counts/${dayIn(0)}`, { count: 1 })).status).toBe(409)
})
