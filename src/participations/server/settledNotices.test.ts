/** What a digest leaves out: the steps that people were told of and that have been taken since. */
import { beforeAll, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { appeal } from '../../testing/appeals.ts'
import { frozen, joinedBy, liveCampaign } from '../../testing/app.ts'
import { accept, fullOfOne, leave, waitingFor } from '../../testing/bench.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { settledNotices } from './settledNotices.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')

let seat = ''
let campaign = ''
beforeAll(async () => {
  campaign = (await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })).id
  seat = (await joinedBy(tester, campaign)).id
  await t.look(
    `insert into nda_texts (campaign_id, version, text, set_at) select $1, n, 'Text', now() from generate_series(1, 2) n`,
    [campaign],
  )
})

/** Before anything was done: told of an hour ago, and last seen before that. */
const untouched = `status = 'ACTIVE', at_risk = true, proof_warned = true, last_seen_at = BEFORE, link_opened_at = null,
  opted_in_at = null, proof_submitted_at = null, nda_joined = 1, nda_accepted = null, nda_accepted_at = null, proof_allowed_at = null,
  no_access_reports = 0, no_access_at = null, no_access_problem = null, listed_at = null`

const reportedBefore = "no_access_reports = 1, no_access_at = BEFORE, no_access_problem = 'NOT_FOUND'"

/** A time zone in which it is that hour of the day now. */
const zoneAt = (hour: number) => {
  const ahead = ((hour - Number(clock.now().slice(11, 13)) + 36) % 24) - 12
  // The signs of these names are the other way round.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

test.each([
  ['NUDGE', '', false],
  ['NUDGE', 'nda_accepted = 1, nda_accepted_at = AFTER', true],
  ['NUDGE', 'link_opened_at = AFTER', true],
  ['NUDGE', 'opted_in_at = AFTER, proof_allowed_at = AFTER', true],
  ['NUDGE', "status = 'SUBMITTED', proof_submitted_at = AFTER", true],
  ['NUDGE', "no_access_reports = 1, no_access_at = AFTER, no_access_problem = 'NOT_FOUND'", true],
  ['NUDGE', reportedBefore, false],
  ['NUDGE', 'last_seen_at = AFTER', true],
  ['NUDGE', 'last_seen_at = AFTER, proof_allowed_at = BEFORE', false],
  ['NUDGE', 'nda_accepted = 1, nda_accepted_at = BEFORE, link_opened_at = BEFORE', false],
  ['PROOF_TO_REVIEW', "status = 'SUBMITTED', proof_submitted_at = BEFORE", false],
  ['PROOF_TO_REVIEW', "status = 'SUBMITTED', proof_submitted_at = AFTER", true],
  ['PROOF_TO_REVIEW', "status = 'CHANGES_REQUESTED', reviewed_at = BEFORE, proof_submitted_at = BEFORE", true],
  ['CHANGES_REQUESTED', "status = 'CHANGES_REQUESTED', reviewed_at = BEFORE, proof_submitted_at = BEFORE", false],
  ['CHANGES_REQUESTED', "status = 'CHANGES_REQUESTED', reviewed_at = BEFORE, proof_submitted_at = AFTER", true],
  ['CHANGES_REQUESTED', "status = 'SUBMITTED', proof_submitted_at = BEFORE", true],
  ['TESTER_AT_RISK', '', false],
  ['TESTER_AT_RISK', 'at_risk = false', true],
  ['TESTER_AT_RISK_OWNER', 'last_seen_at = AFTER', true],
  ['TESTER_AT_RISK_OWNER', "status = 'SUBMITTED', proof_submitted_at = BEFORE", true],
  ['CHECK_IN_DUE', 'time_zone = SAME_DAY', false],
  ['CHECK_IN_DUE', 'time_zone = NEXT_DAY', true],
  ['WAITING_MAY_LEAVE', '', false],
  ['WAITING_MAY_LEAVE', 'listed_at = AFTER', true],
  ['WAITING_MAY_LEAVE', "status = 'SUBMITTED', proof_submitted_at = AFTER", true],
  ['WAITING_MAY_LEAVE', 'opted_in_at = AFTER, proof_allowed_at = AFTER', true],
  ['OPT_IN_CONTESTED', '', true],
  ['CHECK_IN_DUE', 'last_seen_at = AFTER', true],
  ['CHECK_IN_DUE', "status = 'SUBMITTED', proof_submitted_at = BEFORE", true],
  ['PROOF_LATE', '', false],
  ['PROOF_LATE_OWNER', 'proof_warned = false', true],
  ['PROOF_LATE', "status = 'SUBMITTED', proof_submitted_at = BEFORE", true],
  ['PROOF_LATE', "status = 'CHANGES_REQUESTED', reviewed_at = BEFORE, proof_submitted_at = BEFORE", false],
  ['PROOF_LATE', "status = 'CHANGES_REQUESTED', reviewed_at = BEFORE, proof_submitted_at = AFTER", true],
  ['OPT_IN_LATE', '', false],
  ['OPT_IN_LATE', "status = 'CHANGES_REQUESTED', reviewed_at = BEFORE", false],
  ['OPT_IN_LATE', "status = 'SUBMITTED', proof_submitted_at = BEFORE", true],
  ['OPT_IN_LATE_OWNER', 'at_risk = false', true],
  ['OPT_IN_LATE', 'opted_in_at = BEFORE, proof_allowed_at = AFTER', true],
  ['TESTER_NOT_LET_IN_OWNER', reportedBefore, false],
  ['TESTER_NOT_LET_IN_OWNER', `${reportedBefore}, listed_at = AFTER`, true],
  ['TESTER_NOT_LET_IN_OWNER', `${reportedBefore}, status = 'SUBMITTED', proof_submitted_at = AFTER`, true],
  // The second one tells of itself.
  ['TESTER_NOT_LET_IN_OWNER', "no_access_reports = 2, no_access_at = AFTER, no_access_problem = 'NOT_FOUND'", true],
  ['TESTER_DELETED_OWNER', '', true],
  ['NDA_LATE', '', false],
  ['NDA_LATE_OWNER', 'nda_joined = null', true],
  ['NDA_LATE', 'nda_accepted = 1, nda_accepted_at = BEFORE', true],
  ['NDA_ASKED', 'nda_accepted = 1, nda_accepted_at = BEFORE', false],
  ['NDA_ASKED', 'nda_accepted = 2, nda_accepted_at = BEFORE', true],
  ['ADMIN_MESSAGE', '', false],
])('%s, with %j: done is %j', async (kind, change, done) => {
  const now = clock.now()
  const [toldAt, before, after] = [-60, -90, -30].map(minutes => hoursAfter(now, minutes / 60))
  const set = [untouched, change].filter(Boolean).join(', ')
  const fields = new Map(set.split(/,\s+(?=\w+ = )/).map(each => each.split(' = ') as [string, string]))
  const row = [...fields].map(([field, value]) => `${field} = ${value}`).join(', ')
  const at = (text: string) =>
    text
      .replaceAll('BEFORE', `'${before}'::timestamptz`)
      .replaceAll('AFTER', `'${after}'::timestamptz`)
      .replaceAll('SAME_DAY', `'${zoneAt(12)}'`)
      .replaceAll('NEXT_DAY', `'${zoneAt(0)}'`)
  await t.look(at(`update participations set ${row} where id = $1`), [seat])
  await t.look('update campaigns set nda_version = 2 where id = $1', [campaign])
  const id = crypto.randomUUID()
  const settled = await settledNotices(autocommit, [{ id, kind, testId: seat, bugId: null, createdAt: toldAt! }], now)
  expect([...settled]).toEqual(done ? [id] : [])
})

test('that a tester who counts deleted the account is done once the owner has applied', async () => {
  const now = clock.now()
  const id = crypto.randomUUID()
  const settled = async () => [
    ...(await settledNotices(
      autocommit,
      [{ id, kind: 'TESTER_DELETED_OWNER', testId: seat, bugId: null, createdAt: now }],
      now,
    )),
  ]
  await t.look(
    'insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at) values ($1, $2, $3, $3)',
    [seat, campaign, now],
  )
  expect(await settled()).toEqual([])
  await t.look('update campaigns set applied_at = $2 where id = $1', [campaign, now])
  expect(await settled()).toEqual([id])
})

test('a proof to review is done once its rejection waits for an admin, who is asked until it is decided', async () => {
  const now = clock.now()
  const asked = ['PROOF_TO_REVIEW', 'CONSENT_ASKED'].map(kind => ({
    kind,
    id: crypto.randomUUID(),
    testId: seat,
    bugId: null,
    createdAt: now,
  }))
  const settled = async () => {
    const ids = await settledNotices(autocommit, asked, now)
    return asked.filter(({ id }) => ids.has(id)).map(({ kind }) => kind)
  }
  await t.look('delete from rejection_requests where participation_id = $1', [seat])
  await t.look(`update participations set status = 'SUBMITTED', proof_submitted_at = $2 where id = $1`, [seat, now])
  expect(await settled()).toEqual(['CONSENT_ASKED'])
  await t.look(
    `insert into rejection_requests (participation_id, requested_at, code, reason) values ($1, $2, 'OTHER', 'Another app.')`,
    [seat, now],
  )
  expect(await settled()).toEqual(['PROOF_TO_REVIEW'])
  await t.look(
    `update rejection_requests set outcome = 'REFUSED', note = 'It is theirs.', decided_at = $2, decided_by = $3
      where participation_id = $1`,
    [seat, now, admin.user.id],
  )
  expect(await settled()).toEqual(['CONSENT_ASKED'])
})

test('what was asked of a tester is done once they have left', async () => {
  const person = await t.signUp('TESTER')
  const { id } = await liveCampaign(developer, admin)
  const { id: testId } = await joinedBy(person, id)
  expect((await developer.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody.' })).status).toBe(200)
  const now = clock.now()
  const asked = ['NUDGE', 'NDA_ASKED'].map(kind => ({
    kind,
    id: crypto.randomUUID(),
    testId,
    bugId: null,
    createdAt: now,
  }))
  const settled = async () => (await settledNotices(autocommit, asked, now)).size
  expect(await settled()).toBe(0)
  expect((await person.call('POST', `/testers/campaign-testers/${testId}/leave`)).status).toBe(200)
  expect(await settled()).toBe(2)
})

test('a late opt-in is done once the campaign is cancelled, which ends no test whose proof is to be changed', async () => {
  const { id: campaignId } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
  const { id: testId } = await joinedBy(await t.signUp('TESTER'), campaignId)
  const now = clock.now()
  await t.look(
    `update participations set status = 'CHANGES_REQUESTED', proof_submitted_at = $2, reviewed_at = $2, at_risk = true
      where id = $1`,
    [testId, now],
  )
  const asked = { kind: 'OPT_IN_LATE', id: crypto.randomUUID(), testId, bugId: null, createdAt: now }
  const settled = async () => (await settledNotices(autocommit, [asked], now)).size
  expect(await settled()).toBe(0)
  expect((await developer.call('POST', `/campaigns/${campaignId}/cancel`)).status).toBe(200)
  expect(await t.look('select status from participations where id = $1', [testId])).toEqual([
    { status: 'CHANGES_REQUESTED' },
  ])
  expect(await settled()).toBe(1)
})

test('a held seat is done once it is taken, or its 24 hours are over', async () => {
  const { campaign: full, inside, insideId } = await fullOfOne(t, developer, admin)
  const [next] = await waitingFor(t, full.id, 1)
  await leave(inside, insideId)
  const now = clock.now()
  const asked = { kind: 'SEAT_OFFERED', id: crypto.randomUUID(), testId: next!.id, bugId: null, createdAt: now }
  const settledAt = async (at: string) => (await settledNotices(autocommit, [asked], at)).size
  expect([await settledAt(now), await settledAt(hoursAfter(now, 24))]).toEqual([0, 1])
  expect((await accept(next!.person, next!.id)).status).toBe(200)
  expect(await settledAt(now)).toBe(1)
})

test('a doubt about an opt-in is done once it has ended', async () => {
  const now = clock.now()
  const id = crypto.randomUUID()
  const settled = async () => [
    ...(await settledNotices(
      autocommit,
      [{ id, kind: 'OPT_IN_CONTESTED', testId: seat, bugId: null, createdAt: now }],
      now,
    )),
  ]
  await t.look('delete from opt_in_runs where participation_id = $1', [seat])
  await t.look(
    `insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at, contested_at, contest_reason)
      values ($1, $2, $3, $3, $3, 'Nobody is there.')`,
    [seat, campaign, now],
  )
  expect(await settled()).toEqual([])
  await t.look(
    `update opt_in_runs set contest_ended_at = $2, contest_outcome = 'CLEARED_BY_TIME' where participation_id = $1`,
    [seat, now],
  )
  expect(await settled()).toEqual([id])
})

test('a rejection is done once its tester has appealed, and to be decided until somebody has', async () => {
  const person = await t.signUp('TESTER')
  const { id: testId } = await frozen(t, person, (await liveCampaign(developer, admin)).id)
  const now = clock.now()
  const kinds = ['TEST_REJECTED', 'APPEAL_WAITS', 'GOODWILL_HELD_ADMIN']
  const asked = kinds.map(kind => ({ kind, id: crypto.randomUUID(), testId, bugId: null, createdAt: now }))
  const settled = async () => {
    const ids = await settledNotices(autocommit, asked, now)
    return asked.filter(({ id }) => ids.has(id)).map(({ kind }) => kind)
  }
  expect(await settled()).toEqual(['APPEAL_WAITS', 'GOODWILL_HELD_ADMIN'])
  await appeal(person, testId)
  expect(await settled()).toEqual(['TEST_REJECTED'])
  await admin.call('POST', `/admin/campaign-testers/${testId}/decide-appeal`, { decision: 'UPHOLD', note: 'No.' })
  expect(await settled()).toEqual(kinds)
})
