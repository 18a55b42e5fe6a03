/** Every event of a campaign is recorded, whatever caused it, and its owner can read all of them. */
import { expect, test } from 'vitest'
import { daysAndProof, draftOf, fundedBy, joinedBy, liveCampaign, password } from '../../testing/app.ts'
import { connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { hoursBetween } from '../../kit/clock.ts'
import type { CampaignEvent } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const activityOf = async (id: string, reader = developer) =>
  (await reader.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)).body

/** Oldest first. */
const kindsOf = async (id: string) => (await activityOf(id)).map(({ kind }) => kind).toReversed()

const reason = 'The description does not say what testers should do.'

test('every step from draft to cancelled campaign is recorded with its time, reason, amounts and edited fields', async () => {
  const { id, totalCostCents } = await fundedBy(developer)
  const edit = { title: 'Try our notes app', description: 'Write a note a day.' }
  for (const [person, method, path, body] of [
    [admin, 'POST', `/admin/campaigns/${id}/reject`, { reason }],
    [developer, 'PATCH', `/campaigns/${id}`, edit],
    [developer, 'POST', `/campaigns/${id}/submit`],
    [admin, 'POST', `/admin/campaigns/${id}/approve`],
    [developer, 'POST', `/campaigns/${id}/start`],
    [developer, 'POST', `/campaigns/${id}/pause`],
    [developer, 'POST', `/campaigns/${id}/start`],
    [admin, 'POST', `/campaigns/${id}/cancel`],
  ] as const) {
    await t.advance(1)
    expect((await person.call(method, path, body)).status).toBe(200)
  }
  const events = await activityOf(id)
  const steps = events.toReversed()
  expect(steps.map(({ kind, at }) => [kind, Math.floor(hoursBetween(steps[0]!.at, at))])).toEqual([
    ['CREATED', 0],
    ['PAID', 0],
    ['SUBMITTED', 0],
    ['REJECTED', 1],
    ['EDITED', 2],
    ['SUBMITTED', 3],
    ['APPROVED', 4],
    ['STARTED', 5],
    ['PAUSED', 6],
    ['RESUMED', 7],
    ['CANCELLED', 8],
    ['REFUNDED', 8],
  ])
  const of = (kind: CampaignEvent['kind']) => events.find(event => event.kind === kind)
  expect(of('PAID')).toMatchObject({ amountCents: totalCostCents, alias: null })
  expect(of('REJECTED')).toMatchObject({ reason })
  // The title was sent unchanged.
  expect(of('EDITED')).toMatchObject({ fields: ['description'] })
  expect(of('REFUNDED')).toMatchObject({ amountCents: totalCostCents })
})

test('an edit that changes nothing records no event', async () => {
  const { id, title, filters } = await draftOf(developer)
  await developer.call('PATCH', `/campaigns/${id}`, { title, filters })
  expect(await kindsOf(id)).toEqual(['CREATED'])
})

test('a declined payment is recorded with its reason', async () => {
  const declined = await t.signUp('DEVELOPER')
  await declined.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
  const { id, totalCostCents } = await draftOf(declined)
  await declined.call('POST', `/campaigns/${id}/fund`, { amountCents: totalCostCents })
  const [newest] = await activityOf(id, declined)
  expect(newest).toMatchObject({ kind: 'PAYMENT_DECLINED', amountCents: totalCostCents })
  expect(newest?.reason).toContain('declined')
})

test('every step of a test is recorded under the tester’s alias, up to the end of the campaign', async () => {
  const { id } = await liveCampaign(developer, admin, { testersRequired: 3, durationDays: 1 })
  const [ann, ben, cara, dan] = await Promise.all(['', '', '', ''].map(() => t.signUp('TESTER')))
  const [first, second] = [await joinedBy(ann!, id), await joinedBy(ben!, id)]
  await ben!.call('POST', `/testers/campaign-testers/${second.id}/leave`)
  const third = await joinedBy(cara!, id)
  const both = [
    { person: ann!, participationId: first.id },
    { person: cara!, participationId: third.id },
  ]
  await daysAndProof(t, both, 1)
  await developer.call('POST', `/campaign-testers/${first.id}/request-changes`, { note: 'Please show the search.' })
  await ann!.call('POST', `/testers/campaign-testers/${first.id}/proof`, { proof: 'Here is the search as well.' })
  const why = 'The proof is about a different app with different screens.'
  await developer.call('POST', `/campaign-testers/${third.id}/reject`, { code: 'OTHER', reason: why })
  await joinedBy(dan!, id)
  await t.advance(73)
  const events = (await activityOf(id)).toReversed().filter(({ alias }) => alias !== null)
  expect(events.slice(0, 10).map(({ alias, kind }) => `${alias} ${kind}`)).toEqual([
    'Tester 1 TESTER_JOINED',
    'Tester 2 TESTER_JOINED',
    'Tester 2 TESTER_LEFT',
    'Tester 3 TESTER_JOINED',
    'Tester 1 PROOF_SUBMITTED',
    'Tester 3 PROOF_SUBMITTED',
    'Tester 1 CHANGES_REQUESTED',
    'Tester 1 PROOF_SUBMITTED',
    'Tester 3 TESTER_REJECTED',
    'Tester 4 TESTER_JOINED',
  ])
  expect(events.find(({ kind }) => kind === 'CHANGES_REQUESTED')).toMatchObject({ reason: 'Please show the search.' })
  expect(events.find(({ kind }) => kind === 'TESTER_REJECTED')).toMatchObject({ code: 'OTHER', reason: why })
  // Deadlines, in any order.
  expect(events.slice(10)).toHaveLength(3)
  expect(events.find(({ kind }) => kind === 'REJECTION_FINAL')).toMatchObject({ alias: 'Tester 3', reason: null })
  expect(events.find(({ kind }) => kind === 'TESTER_DROPPED')).toMatchObject({
    alias: 'Tester 4',
    dropReason: 'NO_CHECK_IN',
  })
  const verified = events.find(({ kind }) => kind === 'TESTER_VERIFIED')
  expect(verified).toMatchObject({ alias: 'Tester 1', amountCents: 1000, bySilence: true, participationId: first.id })
  const kinds = await kindsOf(id)
  expect(kinds.slice(-2)).toEqual(['COMPLETED', 'REFUNDED'])
})

test('a cancelled campaign records each tester with the pay for their days', async () => {
  const { id } = await liveCampaign(developer, admin)
  const tester = await t.signUp('TESTER')
  const { id: participationId } = await joinedBy(tester, id)
  await tester.call('POST', `/testers/campaign-testers/${participationId}/check-ins`, {})
  await developer.call('POST', `/campaigns/${id}/cancel`)
  const cancelled = (await activityOf(id)).find(({ kind }) => kind === 'TESTER_CANCELLED')
  expect(cancelled).toMatchObject({ alias: 'Tester 1', amountCents: 71 })
})

test('a tester reads the activity of their own test only', async () => {
  const { id } = await liveCampaign(developer, admin)
  const [tester, other] = await Promise.all([t.signUp('TESTER'), t.signUp('TESTER')])
  const mine = await joinedBy(tester, id)
  const theirs = await joinedBy(other, id)
  const { body } = await tester.call<CampaignEvent[]>('GET', `/testers/campaign-testers/${mine.id}/activity`)
  expect(body.map(({ kind, participationId }) => [kind, participationId])).toEqual([['TESTER_JOINED', mine.id]])
  expect((await tester.call('GET', `/testers/campaign-testers/${theirs.id}/activity`)).status).toBe(404)
  expect((await tester.call('GET', `/campaigns/${id}/activity`)).status).toBe(403)
})

test('paging shows every event once, and each page is one index scan', async () => {
  const { id } = await liveCampaign(developer, admin)
  const all = await activityOf(id)
  const seen: number[] = []
  let path = `/campaigns/${id}/activity?limit=2`
  while (path) {
    const { body, headers } = await developer.call<CampaignEvent[]>('GET', path)
    expect(body.length).toBeLessThanOrEqual(2)
    seen.push(...body.map(event => event.id))
    path = typeof headers.link === 'string' ? (/<([^>]+)>/.exec(headers.link)?.[1] ?? '') : ''
  }
  expect(seen).toEqual(all.map(event => event.id))
  const whole = await developer.call('GET', `/campaigns/${id}/activity?limit=${all.length}`)
  expect(whole.headers.link).toBeUndefined()
  // A table of a few rows would be read whole.
  const beside = await connectBeside(t, { options: '-c enable_seqscan=off' })
  const { rows } = await beside.query<{ 'QUERY PLAN': string }>(
    `explain select * from campaign_events where campaign_id = '${id}' and id < 1000000 order by id desc limit 31`,
  )
  await beside.end()
  const steps = rows.map(row => row['QUERY PLAN']).join('\n')
  expect(steps).not.toContain('Sort')
})

test('a status cannot change without its time, and events cannot be changed', async () => {
  const { id } = await fundedBy(developer)
  await expect(t.look(`update campaigns set status = 'APPROVED' where id = '${id}'`)).rejects.toThrow(
    'status_changed_at',
  )
  // The time of an earlier change is not taken for this one's.
  await expect(t.look(`update campaigns set status_changed_at = now() where id = '${id}'`)).rejects.toThrow('check')
  for (const change of ['update campaign_events set at = now()', 'delete from campaign_events']) {
    await expect(t.look(change)).rejects.toThrow('append-only')
  }
})

test('the campaign carries the time it was submitted for approval', async () => {
  const draft = await draftOf(developer)
  expect(draft.submittedAt).toBeNull()
  const { id, submittedAt } = await fundedBy(developer)
  const events = await activityOf(id)
  expect(submittedAt).toBe(events.find(({ kind }) => kind === 'SUBMITTED')?.at)
})
