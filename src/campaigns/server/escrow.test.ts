/** Money that has been in escrow for too long is watched from day 60 and decided from day 80, once, by an admin (decision 060). */
import { afterEach, describe, expect, test } from 'vitest'
import { clock, hoursBetween } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import type { Needs } from '../../dashboards/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import { draftOf, fundedBy, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Campaign } from '../contract.ts'
import type { EscrowCase } from '../escrowContract.ts'
import { agingNow } from './campaigns.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const colleague = signedUp(t, 'ADMIN')
afterEach(async () => {
  expect(await brokenChecks()).toEqual([])
  await t.look(`update campaigns set escrow_due_at = now() + interval '9 years'`)
})

const reason = 'It is a test of 90 days, and all is well.'

/** As if it had been paid so many days earlier. */
const aged = async (id: string, days: number) =>
  t.look(
    `update campaigns set escrow_since = $3::timestamptz - make_interval(days => $2),
      escrow_due_at = $3::timestamptz + make_interval(days => 80 - $2) where id = $1`,
    [id, days, clock.now()],
  )
const agedCampaign = async (days: number, terms: Record<string, unknown> = {}) => {
  const { id } = await liveCampaign(developer, admin, { durationDays: 90, ...terms })
  await aged(id, days)
  return id
}
const queue = async () => (await admin.call<EscrowCase[]>('GET', '/admin/escrow')).body
const idsIn = async () => (await queue()).map(({ id }) => id)
const decide = (person: Person, id: string, action: string, key?: string) =>
  person.call<EscrowCase & { message: string }>('POST', `/admin/escrow/${id}/${action}`, { reason }, key)
const needsOf = async () =>
  (await admin.call<Needs>('GET', '/dashboard/needs')).body.needs.filter(({ kind }) => kind === 'ESCROW')
const told = async () =>
  (await developer.call<Notification[]>('GET', '/users/me/notifications')).body.map(({ subject }) => subject)
const decisionsOf = (id: string) =>
  t.look<{ decision: string }>('select decision from escrow_decisions where campaign_id = $1 order by id', [id])

test('a test of 90 days can be created and paid; its money counts from the payment', async () => {
  const { id } = await fundedBy(developer, { durationDays: 90 })
  const [{ since, due }] = (await t.look<{ since: string; due: string }>(
    'select escrow_since as since, escrow_due_at as due from campaigns where id = $1',
    [id],
  )) as [{ since: string; due: string }]
  expect(hoursBetween(since, due)).toBe(80 * 24)
  const { id: draft } = await draftOf(developer)
  expect(await t.look('select escrow_since from campaigns where id = $1', [draft])).toEqual([{ escrow_since: null }])
})

test('it is watched from day 60, and needs an admin from day 80; without money it is neither', async () => {
  const id = await agedCampaign(59)
  expect([await idsIn(), await agingNow(autocommit)]).toMatchObject([[], { watched: 0, due: 0, oldestAt: null }])
  await aged(id, 60)
  expect([await idsIn(), await agingNow(autocommit)]).toMatchObject([[id], { watched: 1, due: 0 }])
  expect(await needsOf()).toEqual([])
  await aged(id, 80)
  expect(await agingNow(autocommit)).toMatchObject({ watched: 1, due: 1 })
  expect(await needsOf()).toMatchObject([{ kind: 'ESCROW', count: 1 }])
  expect(await queue()).toMatchObject([
    { id, heldCents: 3450, testersInside: 0, decisions: [], actions: ['extend', 'renew', 'cancel'] },
  ])
  await developer.call('POST', `/campaigns/${id}/cancel`)
  expect([await idsIn(), await needsOf(), await agingNow(autocommit)]).toMatchObject([[], [], { watched: 0, due: 0 }])
})

/** The test of a new tester who has submitted a proof. */
const submittedIn = async (campaignId: string) => {
  const { id } = await joinedBy(await t.signUp('TESTER'), campaignId)
  await t.look(
    `update participations set status = 'SUBMITTED', proof_text = 'Each day.', proof_submitted_at = joined_at where id = $1`,
    [id],
  )
  return id
}

test('one whose seats are all paid has no money left, and is not watched although it has not completed yet', async () => {
  const id = await agedCampaign(80, { testersRequired: 1 })
  const testId = await submittedIn(id)
  await developer.call('POST', `/campaign-testers/${testId}/verify`)
  expect(await t.look('select status from campaigns where id = $1', [id])).toEqual([{ status: 'LIVE' }])
  expect([await idsIn(), await needsOf(), await agingNow(autocommit)]).toMatchObject([[], [], { watched: 0, due: 0 }])
  expect((await decide(admin, id, 'extend')).body.message).toBe('This campaign no longer has money in escrow.')
})

test('one that was cancelled is watched until its last proof is reviewed', async () => {
  const id = await agedCampaign(80, { testersRequired: 2 })
  const testId = await submittedIn(id)
  expect((await developer.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
  const seen = async () => [await idsIn(), (await needsOf()).length, await agingNow(autocommit)]
  expect(await seen()).toMatchObject([[id], 1, { watched: 1, due: 1 }])
  expect((await developer.call('POST', `/campaign-testers/${testId}/verify`)).status).toBe(200)
  expect(await seen()).toMatchObject([[], 0, { watched: 0, due: 0 }])
})

test('a suspended developer, who could not pay, is not asked for a new payment', async () => {
  const owner = await t.signUp('DEVELOPER')
  const { id } = await liveCampaign(owner, admin, { durationDays: 90 })
  await aged(id, 80)
  await admin.call('POST', `/admin/users/${owner.user.id}/ban`, { reason: 'Sold the account.' })
  expect(await queue()).toMatchObject([{ id, actions: ['extend', 'cancel'] }])
  expect(await decide(admin, id, 'renew')).toMatchObject({
    status: 409,
    body: { message: 'This developer is suspended, so they cannot be asked for a new payment.' },
  })
})

test.each(['disputed_since', 'dispute_lost_at'])(
  'the developer of a campaign that has %s is not asked for a new payment',
  async column => {
    const id = await agedCampaign(80)
    await t.look(`update campaigns set ${column} = now() where id = $1`, [id])
    const [seen, refused] = [await queue(), await decide(admin, id, 'renew')]
    await t.look(`update campaigns set ${column} = null where id = $1`, [id])
    expect(seen).toMatchObject([{ id, actions: ['extend', 'cancel'] }])
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('is disputed') } })
  },
)

test('the first due comes first, page by page, and a place stays when its case is decided', async () => {
  const ids = [await agedCampaign(70), await agedCampaign(90), await agedCampaign(80)]
  const order = [ids[1], ids[2], ids[0]]
  expect(await idsIn()).toEqual(order)
  const first = await admin.call<EscrowCase[]>('GET', '/admin/escrow?limit=1')
  expect(first.body.map(({ id }) => id)).toEqual([order[0]])
  await decide(admin, order[0]!, 'extend')
  const [, next] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))!
  const second = await admin.call<EscrowCase[]>('GET', next!)
  expect(second.body.map(({ id }) => id)).toEqual([order[1]])
  const [, last] = /<([^>]+)>; rel="next"/.exec(String(second.headers.link))!
  expect((await admin.call<EscrowCase[]>('GET', last!)).body.map(({ id }) => id)).toEqual([order[2]])
  expect((await admin.call('GET', '/admin/escrow?cursor=1042')).status).toBe(400)
})

test('extended, it is quiet for ten days, and due again after thirty; the developer reads why', async () => {
  const id = await agedCampaign(80)
  expect((await admin.call('POST', `/admin/escrow/${id}/extend`, { reason: 'Too short' })).status).toBe(400)
  const { status, body } = await decide(admin, id, 'extend')
  expect([status, body.actions, Math.round(hoursBetween(clock.now(), body.dueAt))]).toEqual([200, [], 30 * 24])
  expect(body.decisions).toMatchObject([{ decision: 'EXTENDED', by: admin.user.name, reason }])
  expect([await idsIn(), await needsOf()]).toEqual([[], []])
  expect(await told()).toContain('Your payment stays in escrow: Try our notes app')
  await t.look(`update campaigns set escrow_due_at = escrow_due_at - interval '11 days' where id = $1`, [id])
  expect([await idsIn(), await needsOf()]).toEqual([[id], []])
  await t.look(`update campaigns set escrow_due_at = escrow_due_at - interval '20 days' where id = $1`, [id])
  expect(await needsOf()).toMatchObject([{ count: 1 }])
  expect((await decide(colleague, id, 'extend')).body.decisions).toMatchObject([
    { by: colleague.user.name },
    { by: admin.user.name },
  ])
})

test('extended after all, its developer is asked for no new payment any more', async () => {
  const id = await agedCampaign(80)
  const renewal = async () => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.renewal
  expect((await decide(admin, id, 'renew')).status).toBe(200)
  expect(await renewal()).toMatchObject({ amountCents: 3450 })
  const tester = await t.signUp('TESTER')
  expect((await tester.call<Campaign>('GET', `/campaigns/${id}`)).body.renewal).toBeNull()
  expect((await decide(admin, id, 'extend')).body.renewalAskedAt).toBeNull()
  expect(await renewal()).toBeNull()
})

test('cancelled, who is testing is paid, the rest goes back, and the reason is in the mail and the audit log', async () => {
  const id = await agedCampaign(80)
  const tester = await t.signUp('TESTER')
  const { id: testId } = await joinedBy(tester, id)
  expect((await queue())[0]).toMatchObject({ testersInside: 1 })
  const { status, body } = await decide(admin, id, 'cancel')
  expect([status, body.status, body.heldCents, body.actions]).toEqual([200, 'CANCELLED', 0, []])
  expect(body.decisions).toMatchObject([{ decision: 'CANCELLED', reason }])
  expect(await t.look('select status from participations where id = $1', [testId])).toEqual([{ status: 'CANCELLED' }])
  const [notice] = (await developer.call<Notification[]>('GET', '/users/me/notifications')).body
  expect(notice).toMatchObject({
    subject: 'Cancelled: Try our notes app',
    text: expect.stringContaining(reason) as string,
  })
  expect(
    await t.look(
      `select action, facts->>'reason' as reason from audit_log where subject_id = $1 and admin_id = $2 order by id desc limit 1`,
      [id, admin.user.id],
    ),
  ).toEqual([{ action: 'campaign.cancel', reason }])
})

test('of one that has ended only what its last tests may need stays, and it can be extended, not cancelled', async () => {
  const id = await agedCampaign(10)
  await submittedIn(id)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await aged(id, 80)
  expect(await queue()).toMatchObject([{ id, status: 'CANCELLED', heldCents: 1150, actions: ['extend'] }])
  const refused = await decide(admin, id, 'cancel')
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'This campaign is cancelled: what is left in escrow is paid or refunded once its last tests are decided.',
  ])
  expect((await decide(admin, id, 'extend')).status).toBe(200)
})

describe('at once', () => {
  test('30 decisions of two admins: one extension, the others are told that it is decided', async () => {
    const id = await agedCampaign(80)
    const replies = await inParallel(30, index => decide(index % 2 ? admin : colleague, id, 'extend'))
    const { 200: done, 409: refused = 0, 503: busy = 0 } = tally(replies)
    expect([done, refused + busy]).toEqual([1, 29])
    expect(await decisionsOf(id)).toEqual([{ decision: 'EXTENDED' }])
  })

  test.each([
    ['extend', 'cancel'],
    ['cancel', 'extend'],
  ])('%s before %s: the first one counts, the second is refused', async (first, second) => {
    const id = await agedCampaign(80)
    const [done, refused] = await overtaken(
      t,
      { rows: 'select from campaigns where id = $1', values: [id] },
      () => decide(admin, id, first),
      () => decide(colleague, id, second),
    )
    expect([done.status, refused.status]).toEqual([200, 409])
    expect(await decisionsOf(id)).toEqual([{ decision: first === 'extend' ? 'EXTENDED' : 'CANCELLED' }])
  })

  test('the developer cancels meanwhile: an extension that comes later is refused', async () => {
    const id = await agedCampaign(80)
    const [done, refused] = await overtaken(
      t,
      { rows: 'select from campaigns where id = $1', values: [id] },
      () => developer.call('POST', `/campaigns/${id}/cancel`),
      () => decide(admin, id, 'extend'),
    )
    expect([done.status, refused.status, refused.body.message]).toEqual([
      200,
      409,
      'This campaign no longer has money in escrow.',
    ])
    expect(await decisionsOf(id)).toEqual([])
  })

  test('with one key an extension happens once, and its answer is given again', async () => {
    const id = await agedCampaign(80)
    const replies = await inParallel(5, () => decide(admin, id, 'extend', 'one-extension'))
    expect(tally(replies)).toEqual({ 200: 5 })
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await decisionsOf(id)).toHaveLength(1)
  })
})
