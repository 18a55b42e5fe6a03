/**
 * What "Needs your attention" shows to each role: everything that waits for the user, nothing that waits for others, and what
 * comes next.
 */
import { describe, expect, test } from 'vitest'
import { clock, hoursAfter, hoursBetween } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import {
  daysAndProof,
  device,
  draftOf,
  frozen,
  fundedBy,
  joinedBy,
  liveCampaign,
  paidTester,
  password,
  type Person,
} from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Need, Needs } from '../contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { checkData } from '../../operations/server/operations.ts'
import { checkFigures } from './rollups.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

const needsOf = async (person: Person) => (await person.call<Needs>('GET', '/dashboard/needs')).body
const kindsOf = async (person: Person) => (await needsOf(person)).needs.map(({ kind }) => kind)
const brief = ({ kind, count, campaign }: Need) => [kind, count, campaign?.title ?? null]
const newTesters = (count: number) => Promise.all(Array.from({ length: count }, () => t.signUp('TESTER')))
const hoursLeft = ({ dueAt }: Need) => Math.round(hoursBetween(clock.now(), dueAt!))

describe('a developer', () => {
  test('without campaigns sees that nothing waits', async () => {
    expect(await needsOf(await t.signUp('DEVELOPER'))).toEqual({ needs: [], next: null })
  })

  test('sees each step before the start: drafts to pay, campaigns sent back, to submit and to start', async () => {
    const owner = await t.signUp('DEVELOPER')
    await draftOf(owner, { title: 'Draft' })
    const back = await fundedBy(owner, { title: 'Back' })
    await admin.call('POST', `/admin/campaigns/${back.id}/reject`, { reason: 'The link is dead.' })
    const ready = await fundedBy(owner, { title: 'Ready' })
    await admin.call('POST', `/admin/campaigns/${ready.id}/approve`)
    await fundedBy(owner, { title: 'With the admins' })
    expect((await needsOf(owner)).needs.map(brief)).toEqual([
      ['SENT_BACK', 1, 'Back'],
      ['UNPAID', 1, 'Draft'],
      ['TO_START', 1, 'Ready'],
    ])
    await owner.call('PATCH', `/campaigns/${back.id}`, { description: 'The link works again, please try it.' })
    expect((await needsOf(owner)).needs.map(brief)[0]).toEqual(['TO_SUBMIT', 1, 'Back'])
  })

  test('sees what an admin has paused until it is resumed, but not what they paused themselves', async () => {
    const owner = await t.signUp('DEVELOPER')
    const [theirs, ours, disputed] = [
      await liveCampaign(owner, admin, { title: 'Own pause' }),
      await liveCampaign(owner, admin, { title: 'Paused for them' }),
      await liveCampaign(owner, admin, { title: 'Disputed' }),
    ]
    await owner.call('POST', `/campaigns/${theirs.id}/pause`)
    for (const { id } of [ours, disputed]) await admin.call('POST', `/campaigns/${id}/pause`)
    await t.look('update campaigns set disputed_since = $2 where id = $1', [disputed.id, clock.now()])
    expect((await needsOf(owner)).needs.map(brief)).toEqual([['PAUSED_BY_ADMIN', 1, 'Paused for them']])
    await owner.call('POST', `/campaigns/${ours.id}/start`)
    expect((await needsOf(owner)).needs).toEqual([])
  })

  test('is asked neither to start nor to resume what cannot take testers because of a dispute', async () => {
    const owner = await t.signUp('DEVELOPER')
    const ready = await fundedBy(owner, { title: 'Ready' })
    await admin.call('POST', `/admin/campaigns/${ready.id}/approve`)
    const paused = await liveCampaign(owner, admin, { title: 'Paused' })
    await admin.call('POST', `/campaigns/${paused.id}/pause`)
    expect(await kindsOf(owner)).toEqual(['PAUSED_BY_ADMIN', 'TO_START'])
    await t.look('update campaigns set disputed_since = $2 where id = $1', [ready.id, clock.now()])
    await t.look('update campaigns set dispute_lost_at = $2 where id = $1', [paused.id, clock.now()])
    expect(await kindsOf(owner)).toEqual([])
  })

  test('is not asked for a payment that is on its way', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id, outstandingCents } = await draftOf(owner)
    await owner.call('PATCH', '/users/me', { paymentMethod: 'slow@example.test', currentPassword: password })
    const { body } = await owner.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents: outstandingCents })
    expect(body).toMatchObject({ status: 'DRAFT', payment: { amountCents: outstandingCents } })
    expect((await needsOf(owner)).needs).toEqual([])
    // An edit ends the payment, so it has to be made again.
    await owner.call('PATCH', `/campaigns/${id}`, { description: 'Write three notes a day, and find them again.' })
    expect((await needsOf(owner)).needs.map(brief)).toMatchObject([['UNPAID', 1, expect.any(String)]])
  })

  test('sees proofs by campaign, with the earliest deadline first, and nobody else’s', async () => {
    const owner = await t.signUp('DEVELOPER')
    const other = await t.signUp('DEVELOPER')
    const terms = { durationDays: 1, testersRequired: 2 }
    const late = await liveCampaign(owner, admin, { ...terms, title: 'Late' })
    const [ann, bob, cem] = (await newTesters(3)) as [Person, Person, Person]
    await daysAndProof(t, [{ person: ann, participationId: (await joinedBy(ann, late.id)).id }], 1)
    await t.advance(10)
    const early = await liveCampaign(owner, admin, { ...terms, title: 'New' })
    const two = await Promise.all(
      [bob, cem].map(async person => ({ person, participationId: (await joinedBy(person, early.id)).id })),
    )
    expect((await needsOf(owner)).next?.kind).toBe('PROOFS')
    await daysAndProof(t, two, 1)
    // A tester who was warned that the proof is late, and has handed it in, is at risk no more.
    await t.look('update participations set proof_warned = true where campaign_id = $1', [late.id])
    const { needs } = await needsOf(owner)
    expect(needs.map(brief)).toEqual([
      ['PROOFS', 1, 'Late'],
      ['PROOFS', 2, 'New'],
    ])
    expect(needs.map(hoursLeft)).toEqual([38, 72])
    expect(await kindsOf(other)).toEqual([])
    await t.look(
      `update participations set proof_submitted_at = proof_submitted_at - interval '40 hours' where campaign_id = $1`,
      [early.id],
    )
    expect((await needsOf(owner)).needs.map(brief).map(([, , title]) => title)).toEqual(['New', 'Late'])
    // Proofs of a cancelled campaign still have to be reviewed.
    await owner.call('POST', `/campaigns/${late.id}/cancel`)
    expect((await needsOf(owner)).needs.map(brief)).toContainEqual(['PROOFS', 1, 'Late'])
  })

  test('is not asked to review a proof whose rejection waits for an admin, unless the admin refuses it', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await liveCampaign(owner, admin, { durationDays: 1, testersRequired: 2, title: 'Asked' })
    const [early, late] = (await newTesters(2)) as [Person, Person]
    const first = (await joinedBy(early, id)).id
    await daysAndProof(t, [{ person: early, participationId: first }], 1)
    await t.advance(10)
    await daysAndProof(t, [{ person: late, participationId: (await joinedBy(late, id)).id }], 1)
    const proofs = async () => (await needsOf(owner)).needs.map(need => [...brief(need), hoursLeft(need)])
    expect(await proofs()).toEqual([['PROOFS', 2, 'Asked', 38]])
    await t.look(
      `insert into rejection_requests (participation_id, requested_at, code, reason) values ($1, $2, 'OTHER', 'Another app.')`,
      [first, clock.now()],
    )
    expect(await proofs()).toEqual([['PROOFS', 1, 'Asked', 72]])
    await t.look(
      `update rejection_requests set outcome = 'REFUSED', note = 'It is yours.', decided_at = $2, decided_by = $3
        where participation_id = $1`,
      [first, clock.now(), admin.user.id],
    )
    expect(await proofs()).toEqual([['PROOFS', 2, 'Asked', 38]])
  })

  test('sees testers at risk, and testers to be put on the list until they are on it', async () => {
    const owner = await t.signUp('DEVELOPER')
    const list = await liveCampaign(owner, admin, { title: 'Closed', accessMode: 'EMAIL_LIST', testersRequired: 12 })
    const open = await liveCampaign(owner, admin, { title: 'Open' })
    const [ann, bob, cem] = (await newTesters(3)) as [Person, Person, Person]
    for (const person of [ann, bob]) await joinedBy(person, list.id)
    await joinedBy(cem, open.id)
    expect((await needsOf(owner)).needs.map(brief)).toEqual([['TO_LIST', 2, 'Closed']])
    await owner.call('POST', `/campaigns/${list.id}/tester-list/export?form=play`)
    await owner.call('POST', `/campaigns/${list.id}/tester-list/confirm`)
    expect(await kindsOf(owner)).toEqual([])
    await t.advance(49)
    expect((await needsOf(owner)).needs.map(brief)).toContainEqual(['AT_RISK', 1, 'Open'])
  })

  test('puts a tester on the list again who came off it, and nobody once the campaign is cancelled', async () => {
    const owner = await t.signUp('DEVELOPER')
    const terms = { accessMode: 'EMAIL_LIST', durationDays: 1, dailyCheckIn: false, title: 'Off' }
    const { id } = await liveCampaign(owner, admin, terms)
    const tester = await t.signUp('TESTER')
    const { id: testId } = await joinedBy(tester, id)
    const step = (action: string, body: object) =>
      tester.call('POST', `/testers/campaign-testers/${testId}/${action}`, body)
    const listed = async () => {
      await owner.call('POST', `/campaigns/${id}/tester-list/export?form=play`)
      await owner.call('POST', `/campaigns/${id}/tester-list/confirm`)
    }
    await listed()
    await step('opt-in', {})
    await t.advance(25)
    expect((await step('proof', { proof: 'All screens work.' })).status).toBe(200)
    expect(await kindsOf(owner)).toEqual(['PROOFS'])
    const comesOff = () => t.look('update participations set unlisted_at = $2 where id = $1', [testId, clock.now()])
    await comesOff()
    expect(await kindsOf(owner)).toEqual(['PROOFS', 'TO_LIST'])
    await listed()
    expect(await kindsOf(owner)).toEqual(['PROOFS'])
    await comesOff()
    await owner.call('POST', `/campaigns/${id}/cancel`)
    expect(await kindsOf(owner)).toEqual(['PROOFS'])
  })

  test('with many campaigns sees the first three of a kind, and how many more there are', async () => {
    const owner = await t.signUp('DEVELOPER')
    for (let n = 1; n <= 5; n++) await draftOf(owner, { title: `Draft ${n}` })
    expect((await needsOf(owner)).needs.map(brief)).toEqual([
      ['UNPAID', 1, 'Draft 5'],
      ['UNPAID', 1, 'Draft 4'],
      ['UNPAID', 1, 'Draft 3'],
      ['UNPAID', 2, null],
    ])
  })
})

describe('a tester', () => {
  const owner = signedUp(t, 'DEVELOPER')

  test('is asked to check in, told when to come back, and asked for the proof and for requested changes', async () => {
    const { id } = await liveCampaign(owner, admin, { durationDays: 2, testersRequired: 1, title: 'Notes' })
    const tester = await t.signUp('TESTER', { timeZone: 'UTC' })
    expect(await needsOf(tester)).toEqual({ needs: [], next: null })
    const testId = (await joinedBy(tester, id)).id
    const act = (action: string, body: unknown = {}) =>
      tester.call('POST', `/testers/campaign-testers/${testId}/${action}`, body)
    const { needs } = await needsOf(tester)
    expect(needs).toMatchObject([{ kind: 'CHECK_IN', testId, campaign: { id, title: 'Notes' } }])
    await act('check-ins')
    const midnight = `${hoursAfter(clock.now(), 24).slice(0, 10)}T00:00:00.000Z`
    const after = await needsOf(tester)
    expect([after.needs, after.next?.kind]).toEqual([[], 'CHECK_IN'])
    expect(Math.abs(hoursBetween(midnight, after.next!.at))).toBeLessThan(1 / 59)
    await t.advance(24)
    await act('check-ins')
    const full = await needsOf(tester)
    expect([full.needs, full.next?.kind]).toEqual([[], 'PROOF'])
    await t.advance(24)
    const due = (await needsOf(tester)).needs
    expect([due.map(({ kind }) => kind), hoursLeft(due[0]!)]).toEqual([['PROOF'], 48])
    await act('proof', { proof: 'I wrote a note on both days, and found nothing that was in the way.' })
    expect(await needsOf(tester)).toEqual({ needs: [], next: null })
    await owner.call('POST', `/campaign-testers/${testId}/request-changes`, { note: 'Please add a picture.' })
    const changes = (await needsOf(tester)).needs
    expect([changes.map(({ kind }) => kind), hoursLeft(changes[0]!)]).toEqual([['CHANGES'], 72])
  })

  test('in a closed test is asked to opt in once the list is confirmed, and for nothing before', async () => {
    const { id } = await liveCampaign(owner, admin, { accessMode: 'EMAIL_LIST' })
    const tester = await t.signUp('TESTER')
    await joinedBy(tester, id)
    expect(await kindsOf(tester)).toEqual([])
    await owner.call('POST', `/campaigns/${id}/tester-list/export?form=play`)
    await owner.call('POST', `/campaigns/${id}/tester-list/confirm`)
    expect(await kindsOf(tester)).toEqual(['OPT_IN'])
  })

  test('whose proof was rejected can appeal once, in time, and then sees the outcome for a week', async () => {
    const { id } = await liveCampaign(owner, admin, { testersRequired: 2, title: 'Refused' })
    const [appeals, lets] = (await newTesters(2)) as [Person, Person]
    const rejected = await frozen(t, appeals, id)
    await frozen(t, lets, id)
    const before = (await needsOf(appeals)).needs
    expect([before, hoursLeft(before[0]!)]).toEqual([
      [expect.objectContaining({ kind: 'MAY_APPEAL', testId: rejected.id, campaign: { id, title: 'Refused' } })],
      72,
    ])
    const reason = 'I did test it, on each of the days, and said so in the proof.'
    await appeals.call('POST', `/testers/campaign-testers/${rejected.id}/appeal`, { reason })
    expect(await kindsOf(appeals)).toEqual([])
    const decision = { decision: 'UPHOLD', note: 'It was another app.' }
    await admin.call('POST', `/admin/campaign-testers/${rejected.id}/decide-appeal`, decision)
    expect((await needsOf(appeals)).needs).toMatchObject([{ kind: 'APPEAL_DECIDED', dueAt: null }])
    expect(await kindsOf(lets)).toEqual(['MAY_APPEAL'])
    // The time for an appeal is over, although no job has noticed yet.
    clock.setOffsetMs(clock.offsetMs() + 73 * 3_600_000)
    expect(await kindsOf(lets)).toEqual([])
    expect(await kindsOf(appeals)).toEqual(['APPEAL_DECIDED'])
    clock.setOffsetMs(clock.offsetMs() + 4 * 24 * 3_600_000)
    expect(await kindsOf(appeals)).toEqual([])
  })

  test('on a bench is told of a held seat and its deadline, after which it is gone', async () => {
    const { id } = await liveCampaign(owner, admin, { testersRequired: 1 })
    const [inside, waits] = (await newTesters(2)) as [Person, Person]
    const seat = await joinedBy(inside, id)
    const entry = await waits.call<{ id: string }>('POST', `/testers/campaigns/${id}/join`, {
      deviceInfo: device,
      waitlist: true,
    })
    expect(await kindsOf(waits)).toEqual([])
    await inside.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
    const [offer] = (await needsOf(waits)).needs
    expect(offer).toMatchObject({ kind: 'SEAT_OFFER', testId: entry.body.id })
    expect(await kindsOf(await t.signUp('TESTER'))).not.toContain('SEAT_OFFER')
    clock.setOffsetMs(clock.offsetMs() + hoursBetween(clock.now(), offer!.dueAt!) * 3_600_000 + 1000)
    expect(await kindsOf(waits)).toEqual([])
  })
})

test('a tester for whom much waits sees the ten most urgent, and how many more there are', async () => {
  const [owner, tester] = [await t.signUp('DEVELOPER'), await t.signUp('TESTER')]
  const { id } = await liveCampaign(owner, admin)
  const { id: testId } = await joinedBy(tester, id)
  await t.look(
    `with fixed as (
      insert into bugs (id, campaign_id, number, participation_id, title, severity, steps, expected, actual, status,
          fixed_in, reported_at, changed_at)
        select gen_random_uuid(), $1, n, $2, 'It crashes', 'HIGH', 'Open it.', '', 'It closes.', 'FIXED', '1.2', $3, $3
        from generate_series(1, 12) n returning id)
    insert into bug_retests (bug_id, version, asked_at) select id, '1.2', $3 from fixed`,
    [id, testId, clock.now()],
  )
  const { needs } = await needsOf(tester)
  // Beyond ten retests it does not count.
  expect(needs.map(({ kind, testId: of, count }) => [kind, of, count])).toEqual([
    ['CHECK_IN', testId, 1],
    ...Array.from({ length: 9 }, () => ['RETEST', testId, 1]),
    ['CHECK_IN', null, 1],
  ])
})

test('a tester is asked to look again at a fix for 14 days', async () => {
  const [owner, tester] = [await t.signUp('DEVELOPER'), await t.signUp('TESTER')]
  const { id } = await liveCampaign(owner, admin)
  const { id: testId } = await joinedBy(tester, id)
  await t.look(
    `with fixed as (
      insert into bugs (id, campaign_id, number, participation_id, title, severity, steps, expected, actual, status,
          fixed_in, reported_at, changed_at)
        values (gen_random_uuid(), $1, 1, $2, 'It crashes', 'HIGH', 'Open it.', '', 'It closes.', 'FIXED', '1.2', $3, $3)
        returning id)
    insert into bug_retests (bug_id, version, asked_at) select id, '1.2', $3 from fixed`,
    [id, testId, hoursAfter(clock.now(), -14 * 24 + 1)],
  )
  expect(await kindsOf(tester)).toContain('RETEST')
  await t.look(`update bug_retests set asked_at = asked_at - interval '2 hours'`)
  expect(await kindsOf(tester)).not.toContain('RETEST')
})

describe('an admin', () => {
  test('sees what waits for admins, and when the checks run next', async () => {
    const owner = await t.signUp('DEVELOPER')
    const before = await needsOf(admin)
    const pending = before.needs.find(({ kind }) => kind === 'CAMPAIGNS')?.count ?? 0
    expect(before.next).toMatchObject({ kind: 'CHECKS', at: expect.stringContaining('T04:37:00.000Z') })
    expect(before.next!.at > clock.now()).toBe(true)
    await fundedBy(owner)
    const { id } = await liveCampaign(owner, admin)
    await owner.call('PATCH', `/campaigns/${id}`, {
      distributionLink: 'https://play.google.com/apps/testing/com.example.two',
    })
    const { needs } = await needsOf(admin)
    expect(needs.find(({ kind }) => kind === 'CAMPAIGNS')).toMatchObject({ count: pending + 1 })
    expect(needs.find(({ kind }) => kind === 'LINKS')).toMatchObject({ count: 1, since: expect.any(String) })
  })

  test('sees a changed Google Group that waits without a changed link', async () => {
    const links = async () => (await needsOf(admin)).needs.find(({ kind }) => kind === 'LINKS')?.count ?? 0
    const owner = await t.signUp('DEVELOPER')
    const group = (name: string) => ({ groupLink: `https://groups.google.com/g/${name}` })
    const { id } = await liveCampaign(owner, admin, { accessMode: 'GOOGLE_GROUP', ...group('testers') })
    const before = await links()
    expect((await owner.call('PATCH', `/campaigns/${id}`, group('all-testers'))).status).toBe(200)
    expect(await links()).toBe(before + 1)
  })

  test('sees since when the first campaign waits for approval, whatever its developer changed meanwhile', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await fundedBy(owner)
    // The wait begins anew with the last submission.
    await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'The link is dead.' })
    await owner.call('PATCH', `/campaigns/${id}`, { description: 'Write three notes a day, and find them again.' })
    await t.advance(1)
    expect((await owner.call('POST', `/campaigns/${id}/submit`)).status).toBe(200)
    const since = async () => (await needsOf(admin)).needs.find(({ kind }) => kind === 'CAMPAIGNS')?.since
    await t.advance(1)
    for (const { id: waiting, developer } of (await admin.call<Campaign[]>('GET', '/admin/campaigns/pending')).body)
      if (developer.id === owner.user.id) await owner.call('PUT', `/campaigns/${waiting}/nda`, { text: 'Tell nobody.' })
      else await admin.call('POST', `/admin/campaigns/${waiting}/approve`)
    const { submittedAt, waitsSince } = (await owner.call<Campaign>('GET', `/campaigns/${id}`)).body
    expect([await since(), submittedAt! > waitsSince!]).toEqual([waitsSince, true])
  })

  test('sees counts up to 9, and 10 for more', async () => {
    const owner = await t.signUp('DEVELOPER')
    await Promise.all(Array.from({ length: 12 }, () => fundedBy(owner)))
    expect((await needsOf(admin)).needs.find(({ kind }) => kind === 'CAMPAIGNS')).toMatchObject({ count: 10 })
  })

  test('sees contested opt-ins until they are decided, or the tester opts out', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await liveCampaign(owner, admin, { accessMode: 'EMAIL_LIST' })
    const contested = async () => (await needsOf(admin)).needs.find(({ kind }) => kind === 'OPT_INS')?.count ?? 0
    const optedIn = async () => {
      const tester = await t.signUp('TESTER')
      const { id: testId } = await joinedBy(tester, id)
      await tester.call('POST', `/testers/campaign-testers/${testId}/opt-in`, {})
      return { tester, testId }
    }
    const [cleared, left] = [await optedIn(), await optedIn(), await optedIn()]
    expect(await contested()).toBe(0)
    for (const { testId } of [cleared, left])
      await owner.call('POST', `/campaign-testers/${testId}/contest-opt-in`, { reason: 'Play Console shows fewer.' })
    expect(await contested()).toBe(2)
    await admin.call('POST', `/admin/campaign-testers/${cleared.testId}/decide-opt-in`, {
      decision: 'CLEAR',
      note: 'Seen.',
    })
    expect(await contested()).toBe(1)
    await left.tester.call('POST', `/testers/campaign-testers/${left.testId}/opt-out`, {})
    expect(await contested()).toBe(0)
  })

  test('sees contested opt-ins, open reports by severity without samples, and corrected figures', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await liveCampaign(owner, admin, { accessMode: 'EMAIL_LIST' })
    const tester = await t.signUp('TESTER', { deviceFingerprint: 'one phone' })
    await t.signUp('TESTER', { deviceFingerprint: 'one phone' })
    const { id: testId } = await joinedBy(tester, id)
    await tester.call('POST', `/testers/campaign-testers/${testId}/opt-in`, {})
    await owner.call('POST', `/campaign-testers/${testId}/contest-opt-in`, { reason: 'Play Console shows one fewer.' })
    const reports = async () => (await needsOf(admin)).needs.filter(({ kind }) => kind === 'FRAUD')
    const before = await reports()
    await admin.call('POST', '/admin/fraud-reports/generate-samples')
    expect(await reports()).toEqual(before)
    await admin.call('POST', '/admin/fraud-scan/trigger')
    await t.advance(0)
    const open = await t.look<{ severity: string; count: number }>(
      `select severity, count(*)::int from fraud_reports where status = 'OPEN' and not is_sample group by 1`,
    )
    const { needs } = await needsOf(admin)
    expect(open.length).toBeGreaterThan(0)
    const told = needs.filter(({ kind }) => kind === 'FRAUD').map(({ severity, count }) => ({ severity, count }))
    expect(told).toHaveLength(open.length)
    expect(told).toEqual(expect.arrayContaining(open))
    // The linked list has the same number of reports.
    for (const { severity, count } of told) {
      const [, query] = paths.fraudOpen(severity!).split('?')
      expect((await admin.call<{ total: number }>('GET', `/admin/fraud-reports?${query}`)).body.total).toBe(count)
    }
    expect(needs.map(({ kind }) => kind)).toContain('OPT_INS')
    expect(needs.map(({ kind }) => kind)).not.toContain('FIGURES')
    await t.look('update developer_figures set campaigns = campaigns + 1')
    await expect(checkFigures.run({})).rejects.toThrow('Figures were not')
    expect(await kindsOf(admin)).toContain('FIGURES')
    expect(await kindsOf(admin)).not.toContain('CHECKS')
    await t.look('update campaigns set joins_ever = joins_ever + 1')
    await expect(checkData.run({})).rejects.toThrow('campaign-seats')
    expect(await kindsOf(admin)).toContain('CHECKS')
  })

  test('sees failed payouts, and payouts that have waited for an hour', async () => {
    const owner = await t.signUp('DEVELOPER')
    const failed = await paidTester(t, owner, admin, 5000)
    const waits = await paidTester(t, owner, admin, 5000)
    await failed.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: 'correct horse' })
    // A new payment method pauses payouts for a while.
    await t.advance(80)
    await failed.call('POST', '/testers/withdraw', { amountCents: 1000 })
    await t.advance(1)
    await waits.call('POST', '/testers/withdraw', { amountCents: 1000 })
    const payouts = async () =>
      (await needsOf(admin)).needs.filter(({ user }) => user !== null).map(({ kind, user }) => [kind, user!.id])
    expect(await payouts()).toEqual([['PAYOUT_FAILED', failed.user.id]])
    clock.setOffsetMs(clock.offsetMs() + 61 * 60_000)
    expect(await payouts()).toEqual([
      ['PAYOUT_FAILED', failed.user.id],
      ['PAYOUT_WAITS', waits.user.id],
    ])
    await fundedBy(owner, { title: 'Daily work' })
    const kinds = await kindsOf(admin)
    expect(kinds).toContain('CAMPAIGNS')
    expect(kinds.indexOf('PAYOUT_WAITS')).toBeLessThan(kinds.indexOf('CAMPAIGNS'))
    await t.look(`update users set suspended_at = created_at, suspension_reason = 'Sold it.' where id = $1`, [
      waits.user.id,
    ])
    expect(await payouts()).toEqual([['PAYOUT_FAILED', failed.user.id]])
    // The provider has already been asked, so the suspension does not hold it up.
    await t.look('update withdrawals set claimed_at = created_at where tester_id = $1', [waits.user.id])
    expect(await payouts()).toHaveLength(2)
  })

  test('sees a payout that has waited for an hour once admins have released it', async () => {
    const tester = await paidTester(t, await t.signUp('DEVELOPER'), admin, 5000)
    const { body } = await tester.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
    await t.look(
      `with asked as (insert into payout_approvals (withdrawal_id, requested_at) select id, created_at from withdrawals
          where id = $1)
        update withdrawals set created_at = created_at - interval '2 hours' where id = $1`,
      [body.id],
    )
    const waits = async () =>
      (await needsOf(admin)).needs.some(({ kind, user }) => kind === 'PAYOUT_WAITS' && user?.id === tester.user.id)
    expect(await waits()).toBe(false)
    await t.look(`update payout_approvals set outcome = 'LAPSED', decided_at = now() where withdrawal_id = $1`, [
      body.id,
    ])
    expect(await waits()).toBe(true)
  })

  test('sees a payout that comes back long after it was paid', async () => {
    const tester = await paidTester(t, await t.signUp('DEVELOPER'), admin, 5000)
    await tester.call('PATCH', '/users/me', {
      paymentMethod: 'returned@example.test',
      currentPassword: 'correct horse',
    })
    await t.advance(80)
    const { body } = await tester.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
    await t.advance(1)
    await t.look(`update withdrawals set settled_at = settled_at - interval '30 days' where id = $1`, [body.id])
    const since = async () =>
      (await needsOf(admin)).needs.find(({ kind, user }) => kind === 'PAYOUT_FAILED' && user?.id === tester.user.id)
    expect(await since()).toBeUndefined()
    await t.advance(48)
    expect(await since()).toBeDefined()
  })

  test('sees nothing of withdrawals never sent to a provider, because an admin refused or the tester cancelled them', async () => {
    const tester = await paidTester(t, await t.signUp('DEVELOPER'), admin, 5000)
    await t.look(
      `insert into withdrawals (id, tester_id, amount_cents, destination, status, failure_reason, created_at, settled_at)
        select gen_random_uuid(), $1, 1000, 'x', 'FAILED', 'Refused.', $2, $2`,
      [tester.user.id, clock.now()],
    )
    expect((await needsOf(admin)).needs.filter(({ user }) => user?.id === tester.user.id)).toEqual([])
  })
})

test('an NDA is the tester’s first step, and nobody is asked to put them on the list before', async () => {
  const [owner, tester] = [await t.signUp('DEVELOPER'), await t.signUp('TESTER')]
  const { id } = await liveCampaign(owner, admin, { accessMode: 'EMAIL_LIST' })
  await owner.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody.' })
  await joinedBy(tester, id)
  expect([await kindsOf(tester), await kindsOf(owner)]).toEqual([['NDA'], []])
  expect((await needsOf(tester)).next).toBeNull()
  await tester.call('POST', `/campaigns/${id}/nda/accept`, { name: 'Tess Tester', version: 1 })
  expect([await kindsOf(tester), await kindsOf(owner)]).toEqual([[], ['TO_LIST']])
})
