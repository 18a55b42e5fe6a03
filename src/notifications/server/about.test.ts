/** A notification links to the screen on which its reader acts. */
import { expect, test } from 'vitest'
import { paths } from '../../kit/paths.ts'
import { daysAndProof, fundedBy, joinedBy, liveCampaign, paidTester, type Person, password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { screenOf } from '../about.ts'
import type { Notification } from '../contract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

/** Each notification's subject and the screen it links to, oldest first; those of the same instant have no order. */
const linksOf = async (person: Person) => {
  const { body } = await person.call<Notification[]>('GET', '/users/me/notifications')
  return body.toReversed().map(({ subject, about }) => `${subject} → ${about && screenOf(about)}`)
}

/** Subjects of notifications whose recipient may not open what they link to. */
const forbiddenFor = async (person: Person) => {
  const { body } = await person.call<Notification[]>('GET', '/users/me/notifications')
  const forbidden: string[] = []
  for (const { subject, about } of body) {
    if (about === null || about.kind === 'WITHDRAWAL') continue
    const noun = about.kind === 'TEST' ? 'testers/campaign-testers' : 'campaigns'
    const { status } = await person.call('GET', `/${noun}/${about.id}`)
    if (status !== 200) forbidden.push(subject)
  }
  return forbidden
}

test('a decision on a campaign links its developer to the campaign', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await fundedBy(developer, { title: 'Judged' })
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'The link leads nowhere.' })
  await developer.call('PATCH', `/campaigns/${id}`, { description: 'With a link that leads somewhere.' })
  await developer.call('POST', `/campaigns/${id}/submit`)
  await admin.call('POST', `/admin/campaigns/${id}/approve`)
  await admin.call('POST', `/campaigns/${id}/cancel`)
  expect(await linksOf(developer)).toEqual(
    ['Changes needed', 'Approved', 'Cancelled'].map(what => `${what}: Judged → ${paths.campaign(id)}`),
  )
  expect(await forbiddenFor(developer)).toEqual([])
})

test('a change of a seat links the tester to the test, and the developer to that tester', async () => {
  const developer = await t.signUp('DEVELOPER')
  const [silent, leaver, suspended, inside] = await Promise.all([1, 2, 3, 4].map(() => t.signUp('TESTER')))
  const { id } = await liveCampaign(developer, admin, { title: 'Seats', testersRequired: 4 })
  const { id: silentId } = await joinedBy(silent!, id)
  await t.advance(48)
  await t.advance(24)
  const { id: leaverId } = await joinedBy(leaver!, id)
  await leaver!.call('POST', `/testers/campaign-testers/${leaverId}/leave`)
  const { id: suspendedId } = await joinedBy(suspended!, id)
  await admin.call('POST', `/admin/users/${suspended!.user.id}/ban`, { reason: 'Two accounts.' })
  const { id: insideId } = await joinedBy(inside!, id)
  await admin.call('POST', `/campaigns/${id}/cancel`)

  expect(await linksOf(silent!)).toEqual(
    ['Check in today', 'Today’s check-in is missing', 'You lost your seat'].map(
      what => `${what}: Seats → ${paths.myTest(silentId)}`,
    ),
  )
  expect(await linksOf(inside!)).toEqual([`Cancelled: Seats → ${paths.myTest(insideId)}`])
  expect(await linksOf(developer)).toEqual([
    `Approved: Seats → ${paths.campaign(id)}`,
    `Tester 1 may drop out of Seats → ${paths.campaignTester(id, silentId)}`,
    ...[silentId, leaverId, suspendedId].map(one => `A seat is open again: Seats → ${paths.campaignTester(id, one)}`),
    `Cancelled: Seats → ${paths.campaign(id)}`,
  ])
  for (const person of [silent!, inside!, developer]) expect(await forbiddenFor(person)).toEqual([])
})

test('a proof links the developer to its place at the review desk, and its review links the tester to the test', async () => {
  const developer = await t.signUp('DEVELOPER')
  const [good, bad] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const { id } = await liveCampaign(developer, admin, { title: 'Proofs', testersRequired: 2, durationDays: 1 })
  const [goodId, badId] = [(await joinedBy(good, id)).id, (await joinedBy(bad, id)).id]
  await daysAndProof(
    t,
    [
      { person: good, participationId: goodId },
      { person: bad, participationId: badId },
    ],
    1,
  )
  await developer.call('POST', `/campaign-testers/${goodId}/request-changes`, { note: 'Show the search.' })
  await developer.call('POST', `/campaign-testers/${badId}/reject`, {
    code: 'OTHER',
    reason: 'The proof is about a different app.',
  })
  await good.call('POST', `/testers/campaign-testers/${goodId}/proof`, { proof: 'Here is the search.' })
  await t.advance(72)

  expect(await linksOf(good)).toEqual(
    ['Changes requested: Proofs', 'You earned $10.00: Proofs'].map(what => `${what} → ${paths.myTest(goodId)}`),
  )
  expect(await linksOf(bad)).toEqual([`Proof rejected: Proofs → ${paths.myTest(badId)}`])
  expect(await linksOf(developer)).toEqual([
    `Approved: Proofs → ${paths.campaign(id)}`,
    ...[goodId, badId, goodId].map(one => `Proof to review: Proofs → ${paths.reviewOf(id, one)}`),
    `A rejection is final: Proofs → ${paths.campaignTester(id, badId)}`,
    `Completed: Proofs → ${paths.campaign(id)}`,
  ])
  for (const person of [good, bad, developer]) expect(await forbiddenFor(person)).toEqual([])
})

test('a withdrawal links to the balance, whether it was paid or failed', async () => {
  const developer = await t.signUp('DEVELOPER')
  const tester = await paidTester(t, developer, admin, 2000)
  await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })
  await t.advance(1)
  await tester.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
  await t.advance(24)
  await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })
  await t.advance(1)
  const links = (await linksOf(tester)).slice(1)
  expect(links.filter(link => !link.startsWith('Your payment method'))).toEqual(
    ['Withdrawal requested', 'Paid out', 'Withdrawal requested', 'Withdrawal failed'].map(
      what => `${what}: $10.00 → ${paths.balance}`,
    ),
  )
  expect(links).toContain(`Your payment method was changed → ${paths.settings}`)
})

test('who waits for the list leads the developer to the tester list; opt-ins, opt-outs and doubts lead to that tester', async () => {
  const developer = await t.signUp('DEVELOPER')
  const [late, inside] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const { id } = await liveCampaign(developer, admin, { title: 'Closed', accessMode: 'EMAIL_LIST', testersRequired: 4 })
  const [lateId, insideId] = [(await joinedBy(late, id)).id, (await joinedBy(inside, id)).id]
  const insider = `/testers/campaign-testers/${insideId}`
  await inside.call('POST', `${insider}/opt-in`, {})
  await developer.call('POST', `/campaign-testers/${insideId}/contest-opt-in`, { reason: 'Not in Play Console.' })
  const verdict = { decision: 'VOID', note: 'Looked at it.' }
  await admin.call('POST', `/admin/campaign-testers/${insideId}/decide-opt-in`, verdict)
  await inside.call('POST', `${insider}/opt-in`, {})
  await inside.call('POST', `${insider}/opt-out`)
  await t.advance(48)
  await t.advance(12 * 24)

  const ofInside = paths.campaignTester(id, insideId)
  // Within a batch the order is open.
  expect((await linksOf(developer)).toSorted()).toEqual(
    [
      `Approved: Closed → ${paths.campaign(id)}`,
      `Tester 2’s opt-in does not count: Closed → ${ofInside}`,
      `Tester 2 opted out: Closed → ${ofInside}`,
      `Tester 2 may drop out of Closed → ${ofInside}`,
      `Testers are waiting to get in: Closed → ${paths.campaignTab(id, 'list')}`,
      `Tester 2 is no longer testing: Closed → ${ofInside}`,
      `A seat is closed: Closed → ${paths.campaignTester(id, lateId)}`,
      `Completed: Closed → ${paths.campaign(id)}`,
    ].toSorted(),
  )
  expect(await linksOf(inside)).toContain(`The developer doubts your opt-in: Closed → ${paths.myTest(insideId)}`)
  for (const person of [late, inside, developer]) expect(await forbiddenFor(person)).toEqual([])
})

test('a notification from before they named one tester leads to all of the campaign’s testers', async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await liveCampaign(developer, admin, { title: 'Old' })
  await t.look(
    `insert into notifications (id, user_id, subject, text, about_kind, about_id, created_at)
      values (gen_random_uuid(), $1, 'Proof to review: Old', '', 'TESTERS', $2, now())`,
    [developer.user.id, id],
  )
  expect(await linksOf(developer)).toContain(`Proof to review: Old → ${paths.campaignTab(id, 'testers')}`)
})

test('a message from an admin links nowhere, nor does a notification that was stored without a target', async () => {
  const person = await t.signUp('TESTER')
  await t.look(
    `insert into notifications (id, user_id, subject, text, created_at) values (gen_random_uuid(), $1, 'Old', '', now())`,
    [person.user.id],
  )
  await admin.call('POST', `/admin/users/${person.user.id}/message`, { subject: 'Hello', message: 'Text' })
  expect((await linksOf(person)).toSorted()).toEqual(['Hello → null', 'Old → null'])
})
