/** Reporting and discussing bugs: who may do what, who sees what, and the limits. */
import { expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import { screenOf } from '../../notifications/about.ts'
import { paths } from '../../kit/paths.ts'
import { daysAndProof, joinedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { film, picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import { uploaded } from '../../testing/uploads.ts'
import type { Bug, BugSummary, KnownBug } from '../contract.ts'
import { mostBugsPerDay, mostCommentsPerBug, mostCommentsPerDay } from '../terms.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const ann = signedUp(t, 'TESTER')
const bob = signedUp(t, 'TESTER')

const crash = {
  title: 'Search crashes on a long word',
  severity: 'HIGH',
  steps: '1. Open the search.\n2. Type a long word.',
  expected: 'A list of notes.',
  actual: 'The app closes.',
  appVersion: '1.1',
}

/** A campaign with Ann as Tester 1 and Bob as Tester 2. */
const begun = async (terms: Record<string, unknown> = {}): Promise<{ campaign: Campaign; annsTest: string }> => {
  const campaign = await liveCampaign(developer, admin, { title: 'Notes', ...terms })
  const { id: annsTest } = await joinedBy(ann, campaign.id)
  await joinedBy(bob, campaign.id)
  return { campaign, annsTest }
}
const report = async (person: Person, campaign: { id: string }, more: Record<string, unknown> = {}): Promise<Bug> => {
  const { status, body } = await person.call<Bug>('POST', `/campaigns/${campaign.id}/bugs`, { ...crash, ...more })
  expect([status, body]).toMatchObject([201, {}])
  return body
}
const bugFor = (person: Person, { id }: { id: string }) => person.call<Bug>('GET', `/bugs/${id}`)
const listFor = (person: Person, { id }: { id: string }, query = '') =>
  person.call<BugSummary[]>('GET', `/campaigns/${id}/bugs${query}`)
const say = (person: Person, { id }: { id: string }, comment: object) =>
  person.call<Bug>('POST', `/bugs/${id}/comments`, comment)
const fileStatus = async (person: Person, id: string) => {
  await person.call('GET', '/users/me')
  const headers = { authorization: `Bearer ${person.accessToken}` }
  return (await t.app.inject({ method: 'GET', url: `/api/v1/attachments/${id}`, headers })).statusCode
}
const newest = async (person: Person) =>
  (await person.call<Notification[]>('GET', '/users/me/notifications?limit=1')).body[0]!

test('a reported bug has a number, the device of its test and its tester’s alias, and its developer is told', async () => {
  const { campaign, annsTest } = await begun()
  const bug = await report(bob, campaign)
  expect(bug).toMatchObject({ ...crash, number: 1, status: 'OPEN', alias: 'Tester 2', own: true, actions: ['comment'] })
  expect(bug.device).toEqual({ platform: 'android', osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' })
  expect((await report(ann, campaign)).number).toBe(2)
  const { body } = await bugFor(developer, bug)
  expect(body).toMatchObject({ number: 1, alias: 'Tester 2', own: false, campaign: { title: 'Notes' } })
  expect(body.testId).not.toBe(annsTest)
  expect(JSON.stringify(body)).not.toContain(bob.user.name)
  const told = await newest(developer)
  expect(told.subject).toBe('Bug #2 reported: Notes')
  expect(told.text).toContain('Tester 1 reported a bug in “Notes”, severity high: #2 “Search crashes on a long word”.')
  expect((await listFor(developer, campaign)).body.map(each => each.number)).toEqual([2, 1])
})

test('a tester sees their own bugs, and only number, title and state of others’ bugs with a similar title', async () => {
  const { campaign } = await begun()
  const [bugOfAnn, bugOfBob] = [await report(ann, campaign), await report(bob, campaign, { title: 'Ö is missing' })]
  expect((await listFor(ann, campaign)).body.map(({ id }) => id)).toEqual([bugOfAnn.id])
  expect((await bugFor(ann, bugOfBob)).status).toBe(404)
  expect((await say(ann, bugOfBob, { text: 'Me too' })).status).toBe(404)
  const similar = (person: Person, title: string) =>
    person.call<KnownBug[]>('GET', `/campaigns/${campaign.id}/similar-bugs?title=${encodeURIComponent(title)}`)
  expect((await similar(bob, 'search crash long')).body).toEqual([
    {
      id: bugOfAnn.id,
      number: 1,
      title: crash.title,
      status: 'OPEN',
      fixedIn: null,
      own: false,
      mayOpen: false,
    },
  ])
  expect((await similar(ann, 'Crash in the search')).body).toMatchObject([{ own: true, mayOpen: true }])
  expect((await similar(bob, 'Battery drains')).body).toEqual([])
  expect((await similar(bob, 'sea')).body).toEqual([])
  const stranger = await t.signUp('TESTER')
  expect((await similar(stranger, 'search crash')).status).toBe(404)
  expect((await listFor(stranger, campaign)).body).toEqual([])
  expect((await stranger.call('POST', `/campaigns/${campaign.id}/bugs`, crash)).status).toBe(404)
  const other = await t.signUp('DEVELOPER')
  for (const path of ['bugs', 'bugs.csv', 'bugs.md', 'similar-bugs'])
    expect((await other.call('GET', `/campaigns/${campaign.id}/${path}`)).status).toBe(404)
  expect((await bugFor(other, bugOfAnn)).status).toBe(404)
  expect((await other.call('PATCH', `/bugs/${bugOfAnn.id}`, { status: 'CONFIRMED' })).status).toBe(404)
})

test('the table contains all bugs for the owner, and for a tester their own', async () => {
  const { campaign } = await begun()
  await report(ann, campaign)
  await report(bob, campaign, { title: 'Ö is missing' })
  const tableFor = async ({ accessToken }: Person) => {
    const url = `/api/v1/campaigns/${campaign.id}/bugs.csv`
    const headers = { authorization: `Bearer ${accessToken}` }
    const { statusCode, payload } = await t.app.inject({ url, headers })
    expect(statusCode).toBe(200)
    return payload.trimEnd().split('\r\n').slice(1)
  }
  expect(await tableFor(developer)).toHaveLength(2)
  for (const [person, title] of [
    [ann, crash.title],
    [bob, 'Ö is missing'],
  ] as const)
    expect(await tableFor(person)).toEqual([expect.stringContaining(title)])
  expect(await tableFor(await t.signUp('TESTER'))).toEqual([])
})

test('the list is filtered by status, severity, words and number, and is read page by page', async () => {
  const { campaign } = await begun()
  await report(ann, campaign)
  await report(bob, campaign, { title: '100 % of the battery', severity: 'LOW' })
  const third = await report(bob, campaign, { title: 'Nothing happens', severity: 'CRITICAL' })
  await developer.call('PATCH', `/bugs/${third.id}`, { status: 'CONFIRMED' })
  const numbers = async (query: string) => (await listFor(developer, campaign, query)).body.map(({ number }) => number)
  expect(await numbers('?status=CONFIRMED')).toEqual([3])
  expect(await numbers('?severity=LOW')).toEqual([2])
  expect(await numbers(`?search=${encodeURIComponent('0 %')}`)).toEqual([2])
  expect(await numbers('?search=%231')).toEqual([1])
  const first = await listFor(developer, campaign, '?limit=2')
  expect(first.body.map(({ number }) => number)).toEqual([3, 2])
  expect(String(first.headers['link'])).toContain(`cursor=${first.body[1]!.id}`)
  expect(await numbers(`?limit=2&cursor=${first.body[1]!.id}`)).toEqual([1])
})

test('both sides and admins see the files of a report and its thread, and nobody else does', async () => {
  const { campaign } = await begun()
  const [ofReport, video] = [await uploaded(t, ann, await picture()), await uploaded(t, ann, film())]
  const bug = await report(ann, campaign, { attachmentIds: [ofReport.id, video.id] })
  expect(bug.events[0]?.attachments.map(({ id }) => id)).toEqual([ofReport.id, video.id])
  const answer = await uploaded(t, developer, await picture({ width: 50 }))
  const said = await say(developer, bug, { text: 'Do you see this?', attachmentIds: [answer.id] })
  expect(said.body.events.at(-1)).toMatchObject({
    kind: 'COMMENTED',
    by: 'DEVELOPER',
    alias: null,
    own: true,
    attachments: [{ id: answer.id }],
  })
  expect(said.body.changedAt).toBe(said.body.events.at(-1)!.at)
  expect((await newest(ann)).text).toContain(
    'The developer wrote about bug #1 “Search crashes on a long word” and attached a file.',
  )
  for (const { id } of [ofReport, video, answer]) {
    for (const person of [ann, developer, admin]) expect(await fileStatus(person, id)).toBe(200)
    expect(await fileStatus(bob, id)).toBe(404)
  }
  const again = await say(ann, bug, { text: 'Again', attachmentIds: [ofReport.id] })
  expect(again).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  const foreign = await uploaded(t, bob, await picture({ width: 60 }))
  expect((await say(ann, bug, { text: 'His', attachmentIds: [foreign.id] })).status).toBe(404)
  // The files belong to the thread, so the test's proof and days do not show them.
  const { body } = await ann.call<object>('GET', `/testers/campaign-testers/${bug.testId}`)
  expect(JSON.stringify(body)).not.toContain(ofReport.id)
})

test('a comment reaches the other side under an alias, with a link to the bug', async () => {
  const { campaign } = await begun()
  const bug = await report(ann, campaign)
  await say(developer, bug, { text: 'Which keyboard do you use?' })
  const asked = await newest(ann)
  expect(asked.text).toContain('The developer wrote about bug #1 “Search crashes on a long word”.\n\nWhich keyboard')
  expect(asked.about && screenOf(asked.about)).toBe(paths.bug(bug.id))
  await say(ann, bug, { text: 'Gboard.' })
  const answered = await newest(developer)
  expect(answered.text).toContain('Tester 1 wrote about bug #1')
  await say(admin, bug, { text: 'Please keep to the matter.' })
  for (const person of [ann, developer]) expect((await newest(person)).text).toContain('Fieldtest wrote about bug #1')
  const { body } = await bugFor(ann, bug)
  expect(body.events.map(({ kind, by, alias, own }) => [kind, by, alias, own])).toEqual([
    ['REPORTED', 'TESTER', 'Tester 1', true],
    ['COMMENTED', 'DEVELOPER', null, false],
    ['COMMENTED', 'TESTER', 'Tester 1', true],
    ['COMMENTED', 'ADMIN', null, false],
  ])
  expect(body.comments).toBe(3)
  expect((await say(ann, bug, { text: ' ' })).body).toMatchObject({
    fields: { text: 'Write something, or attach a file' },
  })
})

test('a test reports at most 20 bugs within 24 hours, and a thread has a limit', async () => {
  const { campaign } = await begun()
  const replies = await inParallel(mostBugsPerDay + 3, () => ann.call('POST', `/campaigns/${campaign.id}/bugs`, crash))
  expect(tally(replies)).toEqual({ 201: mostBugsPerDay, 409: 3 })
  const numbers = (await listFor(developer, campaign)).body.map(({ number }) => number)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: mostBugsPerDay }, (_, index) => index + 1))
  await t.advance(23)
  const refused = await ann.call('POST', `/campaigns/${campaign.id}/bugs`, crash)
  expect(refused.body).toMatchObject({ code: 'LIMIT_REACHED' })
  await t.advance(1)
  const bug = await report(ann, campaign)
  await t.look('update bugs set comments = $1 where id = $2', [mostCommentsPerBug - 1, bug.id])
  expect((await say(ann, bug, { text: 'The last.' })).status).toBe(201)
  expect((await say(developer, bug, { text: 'One more.' })).body).toMatchObject({ code: 'LIMIT_REACHED' })
})

test('one person writes at most 100 comments on bugs within 24 hours, on whichever bugs and however many at once', async () => {
  const writer = await t.signUp('TESTER')
  const bugOfNewCampaign = async () => {
    const campaign = await liveCampaign(developer, admin)
    await joinedBy(writer, campaign.id)
    return report(writer, campaign)
  }
  const [one, other] = [await bugOfNewCampaign(), await bugOfNewCampaign()]
  await t.look(
    `insert into bug_events (bug_id, at, author_id, role, kind, text)
      select bug_id, at, author_id, role, 'COMMENTED', 'Again.' from bug_events, generate_series(1, $2) where bug_id = $1`,
    [one.id, mostCommentsPerDay - 1],
  )
  const replies = await inParallel(8, index =>
    writer.call('POST', `/bugs/${index % 2 === 0 ? one.id : other.id}/comments`, { text: 'More.' }, `more-${index}`),
  )
  expect(tally(replies)).toEqual({ 201: 1, 409: 7 })
  expect((await say(writer, other, { text: 'And more.' })).body).toMatchObject({
    code: 'LIMIT_REACHED',
    message: 'You have reached the limit of 100 comments on bugs in 24 hours. Continue tomorrow.',
  })
  expect((await say(developer, one, { text: 'Enough.' })).status).toBe(201)
  await t.advance(24)
  expect((await say(writer, other, { text: 'The next day.' })).status).toBe(201)
})

test('before accepting the NDA, a tester can neither report nor see what others reported', async () => {
  const campaign = await liveCampaign(developer, admin, { durationDays: 1, testersRequired: 3 })
  const [before, after] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const { id: participationId } = await joinedBy(before, campaign.id)
  const own = await report(before, campaign)
  const setNda = (text: string) => developer.call('PUT', `/campaigns/${campaign.id}/nda`, { text })
  const accept = (person: Person, version: number) =>
    person.call('POST', `/campaigns/${campaign.id}/nda/accept`, { name: 'Tess Tester', version })
  await setNda('Tell nobody.')
  await joinedBy(after, campaign.id)
  const asked = async (person: Person) => [
    (await person.call('GET', `/campaigns/${campaign.id}/similar-bugs?title=search+crashes`)).status,
    (await person.call('POST', `/campaigns/${campaign.id}/bugs`, crash)).status,
  ]
  for (const person of [before, after]) expect(await asked(person)).toEqual([409, 409])
  expect((await after.call('POST', `/campaigns/${campaign.id}/bugs`, crash)).body).toMatchObject({
    code: 'WRONG_STATE',
    message: 'Accept the NDA of this test first. You can then report bugs.',
  })
  // Their own bug stays visible.
  expect((await listFor(before, campaign)).body.map(({ id }) => id)).toEqual([own.id])
  expect((await say(before, own, { text: 'It is still there.' })).status).toBe(201)
  await accept(after, 1)
  expect(await asked(after)).toEqual([200, 201])
  await setNda('Tell nobody at all.')
  expect(await asked(after)).toEqual([200, 201])
  await daysAndProof(t, [{ person: before, participationId }], 1)
  await developer.call('POST', `/campaign-testers/${participationId}/verify`)
  expect(await asked(before)).toEqual([409, 409])
  await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
  // A cancelled campaign asks for no NDA any more: the titles are visible, and only the campaign's end prevents a report.
  expect(await asked(before)).toEqual([200, 409])
})

test('the same key reports once', async () => {
  const { campaign } = await begun()
  const send = () => ann.call<Bug>('POST', `/campaigns/${campaign.id}/bugs`, crash, 'one-bug')
  const [first, second] = [await send(), await send()]
  expect([first.status, second.body.id]).toEqual([201, first.body.id])
  expect((await listFor(ann, campaign)).body).toHaveLength(1)
})

test('a key of a comment is refused for the same text with another file', async () => {
  const { campaign } = await begun()
  const bug = await report(ann, campaign)
  const send = (body: object) => ann.call<Bug>('POST', `/bugs/${bug.id}/comments`, body, 'one-comment')
  expect((await send({ text: 'See here.' })).status).toBe(201)
  const { id } = await uploaded(t, ann, await picture())
  expect(await send({ text: 'See here.', attachmentIds: [id] })).toMatchObject({
    status: 422,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
})

test('a tester who left can no longer report; a verified tester can while the campaign runs', async () => {
  const { campaign, annsTest } = await begun({ durationDays: 1, testersRequired: 3 })
  const bug = await report(bob, campaign)
  await bob.call('POST', `/testers/campaign-testers/${bug.testId}/leave`)
  const refused = await bob.call('POST', `/campaigns/${campaign.id}/bugs`, crash)
  expect(refused).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  expect((await say(bob, bug, { text: 'Still there.' })).status).toBe(201)
  // They cannot see what others report either, but their own bugs stay visible.
  const asks = (person: Person) => person.call('GET', `/campaigns/${campaign.id}/similar-bugs?title=search+crashes`)
  expect(await asks(bob)).toMatchObject({
    status: 409,
    body: { message: 'Your test is over, so you cannot see what others reported.' },
  })
  expect((await listFor(bob, campaign)).body.map(({ id }) => id)).toEqual([bug.id])
  expect((await asks(ann)).status).toBe(200)
  await daysAndProof(t, [{ person: ann, participationId: annsTest }], 1)
  await developer.call('POST', `/campaign-testers/${annsTest}/verify`)
  await report(ann, campaign)
  await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
  expect((await asks(ann)).status).toBe(200)
  expect((await ann.call('POST', `/campaigns/${campaign.id}/bugs`, crash)).status).toBe(409)
})

test('missing or too long values are refused at their field', async () => {
  const { campaign } = await begun()
  const path = `/campaigns/${campaign.id}/bugs`
  const { body } = await ann.call('POST', path, { title: 'x'.repeat(141), severity: 'BAD', steps: '', actual: 'a' })
  expect(Object.keys(body.fields ?? {}).toSorted()).toEqual(['severity', 'steps', 'title'])
  const ids = Array.from({ length: 6 }, () => crypto.randomUUID())
  expect((await ann.call('POST', path, { ...crash, attachmentIds: ids })).body.fields).toEqual({
    attachmentIds: 'Attach at most 5 files',
  })
})

test('an account’s export contains its bugs and comments; deleting the account erases the files of an unpaid test', async () => {
  const campaign = await liveCampaign(developer, admin, { title: 'Left' })
  const leaver = await t.signUp('TESTER')
  const { id: testId } = await joinedBy(leaver, campaign.id)
  const file = await uploaded(t, leaver, await picture())
  const bug = await report(leaver, campaign, { attachmentIds: [file.id] })
  const answer = await uploaded(t, developer, await picture())
  await say(developer, bug, { text: 'Thank you.', attachmentIds: [answer.id] })
  const { body } = await leaver.call<Record<string, { title?: string; kind?: string }[]>>('GET', '/users/me/export')
  expect([body['bugs']?.map(each => each.title), body['bugEvents']?.map(each => each.kind)]).toEqual([
    [crash.title],
    ['REPORTED'],
  ])
  await leaver.call('POST', `/testers/campaign-testers/${testId}/leave`)
  expect((await leaver.call('DELETE', '/users/me', { password })).status).toBe(204)
  expect([await fileStatus(developer, file.id), await fileStatus(developer, answer.id)]).toEqual([404, 200])
  const left = (await bugFor(developer, bug)).body
  expect(left).toMatchObject({ alias: 'Tester 1', title: crash.title, device: { model: 'Deleted' } })
  expect(left.events[0]?.attachments).toEqual([])
})
