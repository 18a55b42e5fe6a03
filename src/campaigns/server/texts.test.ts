/** What testers are told when the texts of their running campaign change. */
import { expect, test } from 'vitest'
import type { Notification } from '../../notifications/contract.ts'
import { appeal, rejection } from '../../testing/appeals.ts'
import { campaignInput, device, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const edit = (id: string, change: object) => owner.call('PATCH', `/campaigns/${id}`, change)
const newsOf = async (person: Person) =>
  (await person.call<Notification[]>('GET', '/users/me/notifications')).body.map(({ text }) => text)

test('testers who are in are told of a new title and of what there is to test, once for each edit, and not by email', async () => {
  const { id } = await liveCampaign(owner, admin, { title: 'Notes', testersRequired: 2 })
  const [inside, left] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await inside.call('PUT', '/users/me/notification-choices', {
    choices: [{ topic: 'TEST_CHANGES', delivery: 'DAILY' }],
  })
  await joinedBy(inside, id)
  const { id: leftId } = await joinedBy(left, id)
  await left.call('POST', `/testers/campaign-testers/${leftId}/leave`)
  const description = 'Write three notes a day, find them again, and share one of them.'
  await edit(id, { title: 'Better Notes', description })
  await edit(id, { title: 'Better Notes', description })
  await t.advance(1.01)
  await edit(id, { description: campaignInput.description })
  await edit(id, { features: ['Sharing'] })
  expect(await newsOf(inside)).toEqual([
    'The developer changed what to test in “Better Notes”. Open your test to read it.',
    '“Notes” is now called “Better Notes”. The developer changed what to test in “Better Notes”. Open your test to read it.',
  ])
  expect(await newsOf(left)).toEqual([])
  const inApp = { delivery: 'IN_APP', digest_due_at: null, mailed: false }
  expect(
    await t.look(
      `select delivery, digest_due_at, exists (select from pgboss.job where data ->> 'notificationId' = n.id::text) as mailed
        from notifications n where kind = 'TEXTS_CHANGED' and user_id = $1 order by id`,
      [inside.user.id],
    ),
  ).toEqual([inApp, inApp])
})

test('who tests a paused campaign is told as well, and whoever wants to hear of no changes is not', async () => {
  const { id } = await liveCampaign(owner, admin, { title: 'Paused', testersRequired: 2 })
  const [inside, quiet] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await quiet.call('PUT', '/users/me/notification-choices', { choices: [{ topic: 'TEST_CHANGES', delivery: 'NEVER' }] })
  for (const person of [inside, quiet]) await joinedBy(person, id)
  await owner.call('POST', `/campaigns/${id}/pause`)
  await edit(id, { title: 'Still paused' })
  expect(await newsOf(inside)).toEqual(['“Paused” is now called “Still paused”.'])
  expect(await newsOf(quiet)).toEqual([])
})

test('edits over and over tell each tester once an hour while nothing is read, and white space tells nobody', async () => {
  const { id } = await liveCampaign(owner, admin, { title: 'A', testersRequired: 1 })
  const inside = await t.signUp('TESTER')
  await joinedBy(inside, id)
  const { description } = campaignInput
  await edit(id, { description: ` ${description.replace(' ', '\n')}` })
  expect(await newsOf(inside)).toEqual([])
  for (const title of ['B', 'A', 'B', 'A']) expect((await edit(id, { title })).status).toBe(200)
  expect(await newsOf(inside)).toHaveLength(1)
  await Promise.all(['C', 'D'].map(title => edit(id, { title })))
  expect(await newsOf(inside)).toHaveLength(1)
  await t.advance(1.01)
  await edit(id, { title: 'E' })
  expect(await newsOf(inside)).toHaveLength(2)
  await inside.call('POST', '/users/me/notifications/read', {})
  await edit(id, { title: 'F' })
  expect(await newsOf(inside)).toHaveLength(3)
})

test('a new title is told to those on the bench and with an open appeal as well; what there is to test is no news to them', async () => {
  const terms = { title: 'Notes', testersRequired: 2, durationDays: 1 }
  const { id } = await liveCampaign(owner, admin, terms)
  const [appealing, inside, waiting] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
  const { id: testId } = await joinedBy(appealing, id)
  await appealing.call('POST', `/testers/campaign-testers/${testId}/check-ins`, {})
  await t.advance(23)
  await joinedBy(inside, id)
  const line = { deviceInfo: device, waitlist: true }
  expect((await waiting.call('POST', `/testers/campaigns/${id}/join`, line)).status).toBe(201)
  await t.advance(1)
  const proof = 'I opened each screen and wrote down what was slow.'
  expect((await appealing.call('POST', `/testers/campaign-testers/${testId}/proof`, { proof })).status).toBe(200)
  expect((await owner.call('POST', `/campaign-testers/${testId}/reject`, rejection)).status).toBe(200)
  expect((await appeal(appealing, testId)).status).toBe(200)
  const description = 'Write three notes a day, find them again, and share one of them.'
  expect((await edit(id, { title: 'Better Notes', description })).status).toBe(200)
  const renamed = '“Notes” is now called “Better Notes”.'
  const newsNow = async (person: Person) => (await newsOf(person))[0]
  expect(await newsNow(inside)).toBe(
    `${renamed} The developer changed what to test in “Better Notes”. Open your test to read it.`,
  )
  expect([await newsNow(waiting), await newsNow(appealing)]).toEqual([renamed, renamed])
  await t.advance(1.01)
  expect((await edit(id, { description: campaignInput.description })).status).toBe(200)
  expect([await newsNow(waiting), await newsNow(appealing)]).toEqual([renamed, renamed])
})

test('a tester whose proof waits for a decision is told what there is to test, and so is one who is asked for changes', async () => {
  const { id } = await liveCampaign(owner, admin, { title: 'Notes', testersRequired: 1, durationDays: 1 })
  const inside = await t.signUp('TESTER')
  const { id: testId } = await joinedBy(inside, id)
  await inside.call('POST', `/testers/campaign-testers/${testId}/check-ins`, {})
  await t.advance(24)
  const proof = 'I opened each screen and wrote down what was slow.'
  expect((await inside.call('POST', `/testers/campaign-testers/${testId}/proof`, { proof })).status).toBe(200)
  const changed = 'The developer changed what to test in “Notes”. Open your test to read it.'
  const edited = async (description: string) => {
    expect((await edit(id, { description })).status).toBe(200)
    return (await newsOf(inside)).filter(text => text === changed).length
  }
  expect(await edited('Write three notes a day, find them again, and share one of them.')).toBe(1)
  const note = 'Please say which screen was slow.'
  expect((await owner.call('POST', `/campaign-testers/${testId}/request-changes`, { note })).status).toBe(200)
  await t.advance(1.01)
  expect(await edited(campaignInput.description)).toBe(2)
})
