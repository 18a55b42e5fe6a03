/** What the database refuses by itself, when a decision in code was made a moment too early. */
import { expect, test } from 'vitest'
import { autocommit } from '../../kit/server/db.ts'
import { daysAndProof, device, joinedBy, liveCampaign, proof } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { CampaignTester } from '../contract.ts'
import { dueToWake } from './due.queries.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')

const joined = async () => (await joinedBy(tester, (await liveCampaign(developer, admin, { durationDays: 1 })).id)).id

const submitted = async () => {
  const id = await joined()
  await daysAndProof(t, [{ person: tester, participationId: id }], 1)
  return id
}

const own = async (id: string) => (await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body

const outcomeOf = async (call: string, values: unknown[]) =>
  (await t.look<{ outcome: string }>(`select ${call} as outcome`, values))[0]!.outcome

const wakeAtOf = async (id: string) =>
  (await t.look<{ wakeAt: string }>('select wake_at as "wakeAt" from participations where id = $1', [id]))[0]!.wakeAt

const justBefore = (at: string) => new Date(Date.parse(at) - 1).toISOString()

test('a proof is auto-verified only when the review time is over', async () => {
  const id = await submitted()
  const due = await wakeAtOf(id)
  expect(await outcomeOf('verify_participation($1, null, $2)', [id, justBefore(due)])).toBe('WRONG_STATE')
  expect(await outcomeOf('verify_participation($1, null, $2)', [id, due])).toBe('OK')
})

test('a tester is dropped only when the deadline has passed', async () => {
  const id = await joined()
  const due = await wakeAtOf(id)
  const drop = `close_unpaid($1, array['ACTIVE'], 'DROPPED', 'NO_CHECK_IN', true, gen_random_uuid(), $2)`
  expect(await outcomeOf(drop, [id, justBefore(due)])).toBe('WRONG_STATE')
  expect(await outcomeOf(drop, [id, due])).toBe('OK')
})

test('a deadline is due at its exact moment, and not before', async () => {
  const id = await joined()
  const due = await wakeAtOf(id)
  const isDue = async (at: string) =>
    (await dueToWake(autocommit, at, { after: undefined, limit: 100 })).some(row => row.id === id)
  expect([await isDue(justBefore(due)), await isDue(due)]).toEqual([false, true])
})

test('cancelling a campaign leaves open a test for which changes were requested', async () => {
  const id = await submitted()
  await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Please show the search.' })
  const { campaign } = await own(id)
  await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
  expect((await own(id)).status).toBe('CHANGES_REQUESTED')
  expect((await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof })).status).toBe(200)
  expect((await developer.call('POST', `/campaign-testers/${id}/verify`)).status).toBe(200)
})

test('a tester still sees the app link after verification, and no longer after rejection', async () => {
  const [verified, rejected] = [await submitted(), await submitted()]
  await developer.call('POST', `/campaign-testers/${verified}/verify`)
  await developer.call('POST', `/campaign-testers/${rejected}/reject`, {
    code: 'OTHER',
    reason: 'The proof describes another app than ours, with other screens.',
  })
  expect((await own(verified)).campaign.distributionLink).toMatch(/^https:/)
  expect((await own(rejected)).campaign.distributionLink).toBeNull()
})

test('a tester who is suspended while accepting a seat takes none', async () => {
  const { id: campaign } = await liveCampaign(developer, admin, { testersRequired: 1 })
  const first = await t.signUp('TESTER')
  const seat = (await joinedBy(first, campaign)).id
  const waits = await t.signUp('TESTER')
  const joining = { deviceInfo: device, waitlist: true }
  const { body } = await waits.call<CampaignTester>('POST', `/testers/campaigns/${campaign}/join`, joining)
  await first.call('POST', `/testers/campaign-testers/${seat}/leave`)
  // Nor does anybody else take it for them.
  expect(await outcomeOf('accept_seat($1, $2, now(), now(), now())', [body.id, first.user.id])).toBe('NOT_FOUND')
  await t.look('update users set suspended_at = now(), suspension_reason = $2 where id = $1', [waits.user.id, 'Fraud.'])
  expect(await outcomeOf('accept_seat($1, $2, now(), now(), now())', [body.id, waits.user.id])).toBe('SUSPENDED')
  expect(await t.look('select from participations where id = $1', [body.id])).toEqual([])
})

test('a tester who is suspended while joining takes no seat', async () => {
  const { id } = await liveCampaign(developer, admin)
  const suspended = await t.signUp('TESTER')
  await t.look('update users set suspended_at = now(), suspension_reason = $2 where id = $1', [
    suspended.user.id,
    'Fraud.',
  ])
  const join = await t.call('POST', `/testers/campaigns/${id}/join`, {
    token: suspended.accessToken,
    body: { deviceInfo: device },
  })
  expect(join.status).toBeGreaterThanOrEqual(400)
  expect(await t.look('select from participations where campaign_id = $1', [id])).toEqual([])
})
