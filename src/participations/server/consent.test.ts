/** A developer whose rejections are overturned too often needs an admin's consent for further ones. */
import { beforeEach, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { type Answer, appeal, balanceOf, hearing, note, own, rejection } from '../../testing/appeals.ts'
import type { Person, Reply } from '../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { CampaignTester, RejectionConsent, WaitingRejection } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const { reject, decide, heldFor, submitted, rejected, appealed } = hearing(t, developer, admin)

const standing = async (person: Person = developer) =>
  (await person.call<RejectionConsent>('GET', '/users/me/rejection-consent')).body
const set = (body: object) => admin.call('PATCH', '/admin/settings', body)
const queue = async () => (await admin.call<WaitingRejection[]>('GET', '/admin/rejections?limit=100')).body
const consent = (id: string, decision: string) =>
  admin.call<Answer>('POST', `/admin/campaign-testers/${id}/decide-rejection`, { decision, note })
const seenByOwner = async (campaignId: string) =>
  (await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)).body[0]!

/** What the activity says of the last proof, newest first, with the reason or note where it gives one. */
const activityOf = async (campaignId: string) =>
  (await developer.call<CampaignEvent[]>('GET', `/campaigns/${campaignId}/activity`)).body
    .filter(({ alias }) => alias !== null)
    .map(event => [event.kind, event.alias, event.reason ?? (event.bySilence ? 'by silence' : null)])
const ofTester = async (tester: Person, id: string) =>
  (await tester.call<CampaignEvent[]>('GET', `/testers/campaign-testers/${id}/activity`)).body.map(({ kind }) => kind)
const toldDeveloper = async (title: string) =>
  (await developer.call<Notification[]>('GET', '/users/me/notifications?limit=100')).body
    .map(({ subject }) => subject)
    .filter(subject => subject.endsWith(`: ${title}`))

/** A proof whose developer has asked for consent. */
const asked = async (title: string) => {
  const made = await submitted(title)
  const before = await own(made.tester, made.id)
  const { status, body } = await reject(made.id)
  expect([status, body.status]).toEqual([200, 'SUBMITTED'])
  return { ...made, before }
}

beforeEach(() => set({ consentAfterOverturned: 1, consentOfLast: 10 }))

// The first: nothing of this developer was overturned yet.
test('counted are the developer’s own last rejections that are settled; what the platform paid counts neither way', async () => {
  await set({ consentAfterOverturned: 3 })
  expect(await standing()).toEqual({ needed: false, overturned: 0, of: 0 })
  const first = await appealed('Overturned 1')
  expect(await standing()).toEqual({ needed: false, overturned: 0, of: 0 })
  await decide(first.id, 'VERIFY')
  expect(await standing()).toEqual({ needed: false, overturned: 1, of: 1 })
  await decide((await appealed('Upheld')).id, 'UPHOLD')
  await rejected('Unused')
  await t.advance(73)
  expect(await standing()).toEqual({ needed: false, overturned: 1, of: 3 })
  const byAdmin = await submitted('By an admin')
  await admin.call('POST', `/campaign-testers/${byAdmin.id}/reject`, rejection)
  await appeal(byAdmin.tester, byAdmin.id)
  await decide(byAdmin.id, 'VERIFY')
  // For so little that the fees earned so far are enough.
  const unheard = await appealed('Unheard', { payPerTesterCents: 100 })
  await t.advance(169)
  expect((await own(unheard.tester, unheard.id)).appeal?.outcome).toBe('PLATFORM')
  expect(await standing()).toEqual({ needed: false, overturned: 1, of: 3 })
  await decide((await appealed('Overturned 2')).id, 'VERIFY')
  await decide((await appealed('Overturned 3')).id, 'VERIFY')
  expect(await standing()).toEqual({ needed: true, overturned: 3, of: 5 })
  // Only so many are looked at, the newest first.
  await set({ consentOfLast: 3 })
  expect(await standing()).toEqual({ needed: false, overturned: 2, of: 3 })
  expect(await standing(await t.signUp('DEVELOPER'))).toEqual({ needed: false, overturned: 0, of: 0 })
})

test('a rejection becomes a request with the same reason: nothing changes for the tester, the money or the time', async () => {
  const { id, tester, campaignId, before } = await asked('Asked')
  expect(await own(tester, id)).toEqual(before)
  expect(JSON.stringify(await own(tester, id))).not.toContain(rejection.reason)
  expect(await heldFor(campaignId)).toEqual({ pay: 1000, fee: 150 })
  expect(await seenByOwner(campaignId)).toMatchObject({
    status: 'SUBMITTED',
    deadlineAt: before.deadlineAt,
    consentRequest: { ...rejection, outcome: null, note: null },
  })
  expect((await seenByOwner(campaignId)).actions).not.toContain('reject')
  const again = await reject(id)
  expect(again).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  expect((await queue()).find(one => one.id === id)).toMatchObject({
    alias: 'Tester 1',
    campaign: { id: campaignId },
    developerName: developer.user.name,
    ...rejection,
    verifiesAt: before.deadlineAt,
    overturned: 3,
  })
  const { body: told } = await admin.call<Notification[]>('GET', '/users/me/notifications')
  expect(told.map(({ subject }) => subject)).toContain('A rejection needs your consent: Asked')
  const { body: needs } = await admin.call<{ needs: { kind: string }[] }>('GET', '/dashboard/needs')
  expect(needs.needs.map(({ kind }) => kind)).toContain('REJECTIONS')
})

test('asked at once, and again with the same key, there is one request', async () => {
  const { id } = await submitted('Once')
  expect(tally(await inParallel(5, () => reject(id)))).toEqual({ 200: 1, 409: 4 })
  const other = await submitted('Key')
  const ask = () => developer.call('POST', `/campaign-testers/${other.id}/reject`, rejection, 'ask-once')
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
  expect((await queue()).filter(one => one.id === other.id)).toHaveLength(1)
})

test('with consent the proof is rejected in the developer’s name, and the tester may appeal', async () => {
  const { id, tester, campaignId } = await asked('Consented')
  expect((await consent(id, 'CONSENT')).status).toBe(200)
  expect(await own(tester, id)).toMatchObject({ status: 'REJECTED', review: rejection, actions: ['appeal'] })
  expect((await own(tester, id)).consentRequest).toBeNull()
  expect(await seenByOwner(campaignId)).toMatchObject({ consentRequest: { outcome: 'CONSENTED', note } })
  const [row] = await t.look<{ by: string }>('select reviewed_by as by from participations where id = $1', [id])
  expect(row?.by).toBe(developer.user.id)
  expect((await consent(id, 'REFUSE')).status).toBe(409)
  expect((await queue()).map(one => one.id)).not.toContain(id)
  expect((await activityOf(campaignId)).slice(0, 3)).toEqual([
    ['TESTER_REJECTED', 'Tester 1', rejection.reason],
    ['CONSENT_GIVEN', 'Tester 1', note],
    ['CONSENT_ASKED', 'Tester 1', rejection.reason],
  ])
})

test('the activity of the owner holds what became of a request, and that of the tester nothing of it', async () => {
  const refused = await asked('Refused in time')
  expect((await consent(refused.id, 'REFUSE')).status).toBe(200)
  const lapsed = await asked('Nobody decided')
  const verified = await asked('Verified by the developer')
  await developer.call('POST', `/campaign-testers/${verified.id}/verify`)
  await t.advance(73)
  const ended = [
    ['PROOF_SUBMITTED', 'Tester 1', null],
    ['TESTER_JOINED', 'Tester 1', null],
  ]
  const asking = ['CONSENT_ASKED', 'Tester 1', rejection.reason]
  expect(await activityOf(refused.campaignId)).toEqual([
    ['TESTER_VERIFIED', 'Tester 1', 'by silence'],
    ['CONSENT_REFUSED', 'Tester 1', note],
    asking,
    ...ended,
  ])
  expect(await activityOf(lapsed.campaignId)).toEqual([
    ['TESTER_VERIFIED', 'Tester 1', 'by silence'],
    ['CONSENT_LAPSED', 'Tester 1', null],
    asking,
    ...ended,
  ])
  expect(await activityOf(verified.campaignId)).toEqual([['TESTER_VERIFIED', 'Tester 1', null], asking, ...ended])
  for (const { tester, id } of [refused, lapsed, verified])
    expect(await ofTester(tester, id)).toEqual(['TESTER_VERIFIED', 'PROOF_SUBMITTED', 'TESTER_JOINED'])
  // Whoever was refused knows that time verifies it; of a decision that never came nobody has told them.
  expect(await toldDeveloper('Nobody decided')).toContain('Tester 1’s proof was auto-verified: Nobody decided')
  expect(await toldDeveloper('Refused in time')).not.toContain('Tester 1’s proof was auto-verified: Refused in time')
})

test('refused it stays in review, and can be asked for again only for a new proof', async () => {
  const { id, tester, campaignId, before } = await asked('Refused')
  expect((await consent(id, 'REFUSE')).status).toBe(200)
  expect(await own(tester, id)).toEqual(before)
  const { body } = await reject(id)
  expect(body.message).toContain('did not consent')
  expect(await seenByOwner(campaignId)).toMatchObject({ consentRequest: { outcome: 'REFUSED', note } })
  await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show the search.' })
  await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof: 'Here is the search, in two pictures.' })
  expect((await reject(id)).status).toBe(200)
  expect((await seenByOwner(campaignId)).consentRequest?.outcome).toBeNull()
})

test('of the next proof it is decided on its own, and what was said of the one before stays', async () => {
  const { id, tester } = await asked('Asked twice')
  expect((await consent(id, 'REFUSE')).status).toBe(200)
  const settled = () =>
    t.look('select outcome, decided_at from rejection_requests where participation_id = $1 order by seq limit 1', [id])
  const before = await settled()
  await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show the search.' })
  await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof: 'Here is the search, in two pictures.' })
  await reject(id)
  await t.advance(1)
  expect((await consent(id, 'CONSENT')).body.status).toBe('REJECTED')
  expect(await settled()).toEqual(before)
})

test('refused it holds for its proof, also when that came in on a server whose clock is ahead', async () => {
  const { id, tester } = await asked('Ahead')
  expect((await consent(id, 'REFUSE')).status).toBe(200)
  await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show the search.' })
  const offset = clock.offsetMs()
  try {
    clock.setOffsetMs(offset + 60_000)
    await tester.call('POST', `/testers/campaign-testers/${id}/proof`, {
      proof: 'Here is the search, in three pictures.',
    })
  } finally {
    clock.setOffsetMs(offset)
  }
  expect((await reject(id)).status).toBe(200)
  expect((await consent(id, 'REFUSE')).status).toBe(200)
  expect(await reject(id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('did not consent') } })
})

test('while the payment is disputed no admin consents in the developer’s name; refusing is possible', async () => {
  const { id, tester, campaignId } = await asked('Disputed')
  const dispute = (since: string | null) =>
    t.look('update campaigns set disputed_since = $2 where id = $1', [campaignId, since])
  await dispute(clock.now())
  const refused = await consent(id, 'CONSENT')
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('disputed')])
  expect((await own(tester, id)).status).toBe('SUBMITTED')
  expect((await consent(id, 'REFUSE')).status).toBe(200)
  await dispute(null)
})

test('without consent in time the proof is verified by silence', async () => {
  const { id, tester, campaignId } = await asked('Silence')
  await t.advance(71)
  expect((await own(tester, id)).status).toBe('SUBMITTED')
  await t.advance(1)
  expect(await own(tester, id)).toMatchObject({ status: 'VERIFIED', review: { bySilence: true } })
  expect(await balanceOf(tester)).toBe(1000)
  expect((await seenByOwner(campaignId)).consentRequest?.outcome).toBe('LAPSED')
  expect((await consent(id, 'CONSENT')).status).toBe(409)
})

test.each(['verify', 'request-changes'])(
  'the developer’s own %s settles it, also at the moment of the consent',
  async act => {
    const { id, tester } = await asked(`Own ${act}`)
    const body = act === 'verify' ? undefined : { note: 'Show the search.' }
    const replies = await Promise.all([
      developer.call('POST', `/campaign-testers/${id}/${act}`, body),
      consent(id, 'CONSENT'),
    ])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await queue()).map(one => one.id)).not.toContain(id)
    const { status } = await own(tester, id)
    expect(replies[1].status === 200).toBe(status === 'REJECTED')
  },
)

test('an admin’s own rejection needs nobody’s consent, and only admins decide', async () => {
  const { id, tester } = await submitted('Admin')
  const direct = await admin.call<Answer>('POST', `/campaign-testers/${id}/reject`, rejection)
  expect(direct.body.status).toBe('REJECTED')
  for (const person of [developer, tester]) {
    expect((await person.call('GET', '/admin/rejections')).status).toBe(403)
    const path = `/admin/campaign-testers/${id}/decide-rejection`
    expect((await person.call('POST', path, { decision: 'CONSENT', note })).status).toBe(403)
  }
  expect((await tester.call('GET', '/users/me/rejection-consent')).status).toBe(403)
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))

test('is not asked for a proof that is verified in the same moment', async () => {
  const { id, campaignId } = await submitted('Verified meanwhile')
  const [verified, refused] = await overtaken(
    t,
    { rows: `select from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`, values: [campaignId] },
    () => developer.call('POST', `/campaign-testers/${id}/verify`),
    () => reject(id),
  )
  expect([verified.status, refused.status]).toEqual([200, 409])
  expect((await queue()).some(one => one.id === id)).toBe(false)
})

test('the queue leads an admin from each to the next, the oldest first, and then ends', async () => {
  const ids: string[] = []
  for (const title of ['Page 1', 'Page 2', 'Page 3']) ids.push((await asked(title)).id)
  const whole = (await admin.call<WaitingRejection[]>('GET', '/admin/rejections?limit=100')).body.map(({ id }) => id)
  const seen: string[] = []
  for (let path: string | undefined = '/admin/rejections?limit=1'; path !== undefined;) {
    const { body, headers }: Reply<WaitingRejection[]> = await admin.call<WaitingRejection[]>('GET', path)
    seen.push(...body.map(({ id }) => id))
    path = /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1]
  }
  expect(seen).toEqual(whole)
  expect(seen.slice(-3)).toEqual(ids)
})
