/**
 * The process or its database connection dies at a chosen point: after a restart or a retry, everything has happened exactly
 * once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { lookAtAppeals } from '../../participations/server/participations.ts'
import { draftOf, joinedBy, liveCampaign, daysAndProof, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { type Crashes, prepareCrashes } from '../../testing/crashes.ts'
import { inParallel, brokenChecks, emailsOf, tally } from '../../testing/observed.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance } from '../contract.ts'
import { begunCharge } from '../../testing/begunCharge.ts'
import { carryOut } from './calls.ts'
import { sandbox } from './sandbox.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let crashes: Crashes
beforeAll(async () => {
  crashes = await prepareCrashes(t)
})
afterAll(() => crashes.stop())

const fund = (id: string, key: string, owner: Person = developer) =>
  owner.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents: 3450 }, key)
const count = async (query: string, values: unknown[]) =>
  (await t.look<{ n: number }>(`select count(*)::int as n from ${query}`, values))[0]!.n
const traces = async (campaignId: string) => ({
  payments: await count('payments where campaign_id = $1', [campaignId]),
  charges: await count('sandbox_movements where request_id in (select id from payments where campaign_id = $1)', [
    campaignId,
  ]),
  transfers: await count('transfers where campaign_id = $1', [campaignId]),
  lines: await count('transactions where campaign_id = $1', [campaignId]),
})
/** A tester who was paid for another test and has submitted the proof of this one. */
const paidBefore = async (person: Person, campaignId: string) => {
  const earlier = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1, payPerTesterCents: 3000 })
  const tests = []
  for (const id of [earlier.id, campaignId]) tests.push({ person, participationId: (await joinedBy(person, id)).id })
  await daysAndProof(t, tests, 1)
  await developer.call('POST', `/campaign-testers/${tests[0]!.participationId}/verify`)
  return tests[1]!
}
const nothing = { payments: 0, charges: 0, transfers: 0, lines: 0 }
/** What one payment leaves behind. Each of its transfers is there twice: pending, and posted. */
const once = { payments: 1, charges: 1, transfers: 4, lines: 2 }
const statusOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.status

describe('a funding whose connection dies', () => {
  test('before its charge is recorded leaves nothing behind, and the retry funds once', async () => {
    const { id } = await draftOf(developer)
    const key = `funding-${id}`
    const died = await crashes.crashAt('select from campaigns where id = $1', [id], () => fund(id, key))
    expect(died).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    expect(await traces(id)).toEqual(nothing)
    expect(await statusOf(id)).toBe('DRAFT')
    expect(tally(await inParallel(3, () => fund(id, key)))).toEqual({ 200: 3 })
    expect(await traces(id)).toEqual(once)
  })

  test.each(['before', 'after'] as const)(
    '%s the provider was asked is continued by the job, and charged once',
    async when => {
      const { id } = await draftOf(developer)
      const charge = await begunCharge(developer, id, 3450)
      if (when === 'after') await sandbox.charge(charge)
      expect(await brokenChecks()).toEqual([])
      expect(await statusOf(id)).toBe('DRAFT')
      await t.advance(1)
      expect(await statusOf(id)).toBe('PENDING_APPROVAL')
      expect(await traces(id)).toEqual(once)
    },
  )

  test('while the answer is booked is booked by the next try, however often it dies', async () => {
    const { id } = await draftOf(developer)
    const { subjectId } = await begunCharge(developer, id, 3450)
    const died = await crashes.crashAt('select from charges where id = $1', [subjectId], () =>
      carryOut(subjectId).catch((error: unknown) => error),
    )
    expect(died).toBeInstanceOf(Error)
    expect(await statusOf(id)).toBe('DRAFT')
    expect(await brokenChecks()).toEqual([])
    await inParallel(5, () => carryOut(subjectId))
    expect(await statusOf(id)).toBe('PENDING_APPROVAL')
    expect(await traces(id)).toEqual(once)
  })

  test('after booking and before the reply is answered by the retry, and not done again', async () => {
    const { id } = await draftOf(developer)
    const answered = await fund(id, 'unanswered')
    // The state that a process leaves behind when it dies right after the commit.
    await t.look(`update idempotency_keys set reply = null where key = 'unanswered'`)
    const replies = await inParallel(5, () => fund(id, 'unanswered'))
    expect(replies.map(reply => reply.body)).toEqual(Array.from({ length: 5 }, () => answered.body))
    expect(await traces(id)).toEqual(once)
  })

  test('among 30 at once, with 10 connections killed midway, is there exactly once after the retries', async () => {
    // One developer each, because payments of one developer wait for each other.
    const owners = await inParallel(30, () => t.signUp('DEVELOPER'))
    const drafts = await Promise.all(owners.map(owner => draftOf(owner)))
    const fundAll = () => Promise.all(drafts.map(({ id }, index) => fund(id, `storm-${id}`, owners[index])))
    const first = await crashes.breakAt(`select from accounts where kind = 'PROVIDER_CASH'`, [], 10, fundAll)
    // A funding whose connection broke before the commit starts over within the same request.
    expect(tally(first)).toEqual({ 200: 30 })
    expect(tally(await fundAll())).toEqual({ 200: 30 })
    for (const { id } of drafts) expect(await traces(id)).toEqual(once)
  })
})

const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents

test.each(['verify', 'cancel'] as const)(
  'a %s whose connection dies while it pays changes nothing, and the retry pays once',
  async action => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1 })
    const person = await t.signUp('TESTER')
    const participationId = (await joinedBy(person, id)).id
    if (action === 'verify') await daysAndProof(t, [{ person, participationId }], 1)
    else await person.call('POST', `/testers/campaign-testers/${participationId}/check-ins`, {})
    const path = action === 'verify' ? `/campaign-testers/${participationId}/verify` : `/campaigns/${id}/cancel`
    const ask = () => developer.call('POST', path, undefined, `${action}-${id}`)
    const escrow = `select from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`
    expect((await crashes.crashAt(escrow, [id], ask)).status).toBe(503)
    expect(await balanceOf(person)).toBe(0)
    expect((await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.status).toBe('LIVE')
    expect(tally(await inParallel(3, ask))).toEqual({ 200: 3 })
    expect(await balanceOf(person)).toBe(1000)
    await t.advance(0)
    const emails = (await emailsOf(t)).filter(email => email.startsWith(person.user.email))
    expect(emails).toHaveLength(1)
  },
)

test.each([
  ['VERIFY', 1000],
  ['UPHOLD', 0],
] as const)(
  'a decision %s on an appeal whose connection dies while it moves money changes nothing, and the retry decides once',
  async (decision, paid) => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1 })
    const person = await t.signUp('TESTER')
    const participationId = (await joinedBy(person, id)).id
    await daysAndProof(t, [{ person, participationId }], 1)
    const reason = 'The proof shows another app than the one to test.'
    await developer.call('POST', `/campaign-testers/${participationId}/reject`, { code: 'OTHER', reason })
    await person.call('POST', `/testers/campaign-testers/${participationId}/appeal`, { reason })
    await developer.call('POST', `/campaigns/${id}/cancel`)
    const path = `/admin/campaign-testers/${participationId}/decide-appeal`
    const ask = () => admin.call('POST', path, { decision, note: 'We looked at it.' }, `decide-${id}`)
    const escrow = `select from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`
    expect((await crashes.crashAt(escrow, [id], ask)).status).toBe(503)
    expect(await balanceOf(person)).toBe(0)
    expect(await count('appeals where participation_id = $1 and outcome is null', [participationId])).toBe(1)
    expect(
      await count(`audit_log where action = 'participation.decide-appeal' and subject_id = $1`, [participationId]),
    ).toBe(0)
    expect(tally(await inParallel(3, ask))).toEqual({ 200: 3 })
    expect(await balanceOf(person)).toBe(paid)
    expect(
      await count('transfers where business_key in ($1, $2)', [
        `verify-pay:${participationId}`,
        `cancel-pay:${participationId}`,
      ]),
    ).toBe(paid / 1000)
    expect((await developer.call<Campaign>('GET', `/campaigns/${id}`)).body.fundedCents).toBe(paid)
  },
)

test.each([
  ['the payment', `select from accounts where kind = 'TESTER_BALANCE' and owner_id = $1`, 'tester'],
  ['the refund', `select from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`, 'campaign'],
] as const)(
  'a job that dies before %s of a test that the platform pays changes nothing, and the next run pays once',
  async (_point, lock, owner) => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1, payPerTesterCents: 100 })
    const person = await t.signUp('TESTER')
    // The account of a tester who was paid before exists, so it can be locked.
    const { participationId } = await paidBefore(person, id)
    const reason = 'The proof shows another app than the one to test.'
    await developer.call('POST', `/campaign-testers/${participationId}/reject`, { code: 'OTHER', reason })
    await person.call('POST', `/testers/campaign-testers/${participationId}/appeal`, { reason })
    const before = await balanceOf(person)
    clock.setOffsetMs(clock.offsetMs() + 7 * 24 * 3_600_000)
    const values = [owner === 'tester' ? person.user.id : id]
    const look = () =>
      lookAtAppeals.run({}).then(
        () => 'done',
        () => 'died',
      )
    expect(await crashes.crashAt(lock, values, look)).toBe('died')
    expect(await balanceOf(person)).toBe(before)
    expect(await count('appeals where participation_id = $1 and outcome is null', [participationId])).toBe(1)
    expect(await count('refunds where campaign_id = $1', [id])).toBe(0)
    await inParallel(3, () => lookAtAppeals.run({}))
    expect(await balanceOf(person)).toBe(before + 100)
    expect(await count('transfers where business_key = $1', [`appeal-goodwill:${participationId}`])).toBe(1)
    expect(await count('refunds where campaign_id = $1', [id])).toBe(1)
    expect(
      await count(`notifications where subject like 'Verified by the platform%' and user_id = $1`, [person.user.id]),
    ).toBe(1)
  },
)

test('the books balance', async () => {
  await t.advance(1)
  expect(await brokenChecks()).toEqual([])
})
