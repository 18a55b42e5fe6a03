/** The change log: a version answers bugs, their reporters are asked to retest, and the report uses it. */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bug } from '../../bugs/contract.ts'
import type { Needs } from '../../dashboards/contract.ts'
import type { FeedbackForm } from '../../feedback/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { Report } from '../../reports/contract.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { joinedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { migrateAgain } from '../../testing/migrating.ts'
import { tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { AppVersion } from '../contract.ts'
import { mostChanges, mostFeedbackOfCampaign, mostVersions } from '../terms.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const found = { title: 'It crashes', severity: 'HIGH', steps: 'Open it.', actual: 'It closes.' }

/** Ann reported bug #1, and Bob reported #2, a duplicate of it, and #3. */
const begun = async () => {
  const [ann, bob] = await Promise.all([t.signUp('TESTER'), t.signUp('TESTER')])
  const { id } = await liveCampaign(developer, admin, { title: 'Notes' })
  await joinedBy(ann, id)
  await joinedBy(bob, id)
  const report = async (person: Person, title: string) =>
    (await person.call<Bug>('POST', `/campaigns/${id}/bugs`, { ...found, title })).body
  const bugs = {
    first: await report(ann, 'Crash'),
    again: await report(bob, 'Crash too'),
    other: await report(bob, 'Gray'),
  }
  await developer.call('PATCH', `/bugs/${bugs.again.id}`, { status: 'DUPLICATE', duplicateOf: bugs.first.id })
  return { id, ann, bob, ...bugs }
}
const publish = (id: string, version: string, changes: { text: string; bugIds?: string[] }[], person = developer) =>
  person.call<AppVersion>('POST', `/campaigns/${id}/changes`, { version, changes })
type Picked = { testId: string; questionId: string }
const listFor = async (person: Person, id: string) =>
  (await person.call<AppVersion[]>('GET', `/campaigns/${id}/changes`)).body
const bugFor = async (person: Person, { id }: { id: string }) => (await person.call<Bug>('GET', `/bugs/${id}`)).body

test('a version fixes the bugs that it answers, and their reporters are asked to retest', async () => {
  const { id, ann, bob, first, again, other } = await begun()
  const { status, body } = await publish(id, '1.2', [
    { text: 'No crash any more', bugIds: [first.id] },
    { text: 'A new icon' },
  ])
  expect([status, body.version, body.changes.map(({ text }) => text)]).toEqual([
    201,
    '1.2',
    ['No crash any more', 'A new icon'],
  ])
  expect(await bugFor(ann, first)).toMatchObject({ status: 'FIXED', fixedIn: '1.2', retest: { version: '1.2' } })
  expect((await bugFor(ann, first)).events.at(-1)).toMatchObject({ kind: 'FIXED', text: 'No crash any more' })
  for (const person of [ann, bob]) {
    const [told] = (await person.call<Notification[]>('GET', '/users/me/notifications?limit=1')).body
    expect(told?.subject).toContain('Does it work now?')
    expect(told?.text).toContain('No crash any more')
  }
  expect(await bugFor(bob, other)).toMatchObject({ status: 'OPEN' })
  await bob.call('POST', `/bugs/${again.id}/retest`, { result: 'WORKS' })
  const [shown] = await listFor(developer, id)
  expect(shown?.changes[0]?.bugs).toMatchObject([
    {
      number: 1,
      status: 'FIXED',
      reporters: [
        { bugId: first.id, alias: 'Tester 1', result: null, open: true },
        { bugId: again.id, alias: 'Tester 2', result: 'WORKS', open: false },
      ],
    },
  ])
})

test('a bug that is opened again waits for nobody in the log', async () => {
  const { id, first } = await begun()
  await publish(id, '1.2', [{ text: 'No crash any more', bugIds: [first.id] }])
  const open = async () =>
    (await listFor(developer, id))[0]!.changes[0]!.bugs.flatMap(({ reporters }) => reporters.map(one => one.open))
  expect(await open()).toEqual([true, true])
  await developer.call('PATCH', `/bugs/${first.id}`, { status: 'OPEN' })
  expect(await open()).toEqual([false, false])
})

test('retest results stay with their version when a later one fixes the bug again, and only the later one is still asked about', async () => {
  const { id, ann, first } = await begun()
  await publish(id, '1.2', [{ text: 'First try', bugIds: [first.id] }])
  await ann.call('POST', `/bugs/${first.id}/retest`, { result: 'STILL_BROKEN' })
  await publish(id, '1.3', [{ text: 'Second try', bugIds: [first.id] }])
  await ann.call('POST', `/bugs/${first.id}/retest`, { result: 'WORKS' })
  const results = (await listFor(developer, id)).map(({ version, changes }) => [
    version,
    changes[0]?.bugs[0]?.reporters.map(({ alias, result, open }) => [alias, result, open]),
  ])
  expect(results).toEqual([
    [
      '1.3',
      [
        ['Tester 1', 'WORKS', false],
        ['Tester 2', null, true],
      ],
    ],
    [
      '1.2',
      [
        ['Tester 1', 'STILL_BROKEN', false],
        // The bug was reopened before they looked, so nobody waits for them.
        ['Tester 2', null, false],
      ],
    ],
  ])
})

test('testers of the campaign can read the log, with number, title and state of others’ bugs; strangers cannot', async () => {
  const { id, ann, bob, first, other } = await begun()
  await publish(id, '1.2', [{ text: 'Both', bugIds: [first.id, other.id] }])
  const [forAnn] = await listFor(ann, id)
  expect(forAnn?.changes[0]?.bugs.map(({ number, mayOpen, reporters }) => [number, mayOpen, reporters.length])).toEqual(
    [
      [1, true, 1],
      [3, false, 0],
    ],
  )
  expect(JSON.stringify(forAnn)).not.toContain('Tester 2')
  expect((await listFor(bob, id))[0]?.changes[0]?.bugs.map(({ reporters }) => reporters.length)).toEqual([1, 1])
  const [stranger, otherOwner] = [await t.signUp('TESTER'), await t.signUp('DEVELOPER')]
  for (const person of [stranger, otherOwner])
    expect((await person.call('GET', `/campaigns/${id}/changes`)).status).toBe(404)
  expect((await publish(id, '9', [{ text: 'Mine' }], otherOwner)).status).toBe(404)
  const changeId = forAnn?.changes[0]?.id
  expect((await otherOwner.call('PATCH', `/changes/${changeId}`, { text: 'Mine' })).status).toBe(404)
  expect((await listFor(admin, id))[0]?.version).toBe('1.2')
})

test('a tester who left sees only what answers their own bugs, and not what others called them', async () => {
  const { id, ann, bob, first, again } = await begun()
  await publish(id, '1.2', [{ text: 'Answers Ann', bugIds: [first.id] }, { text: 'A secret screen' }])
  const textsFor = async (person: Person) =>
    (await listFor(person, id)).flatMap(({ changes }) => changes.map(({ text }) => text))
  expect((await textsFor(bob)).toSorted()).toEqual(['A secret screen', 'Answers Ann'])
  await ann.call('POST', `/testers/campaign-testers/${first.testId}/leave`)
  await bob.call('POST', `/testers/campaign-testers/${again.testId}/leave`)
  for (const [person, title] of [
    [ann, 'Crash'],
    [bob, null],
  ] as const) {
    expect(await textsFor(person)).toEqual(['Answers Ann'])
    const [bug] = (await listFor(person, id)).flatMap(({ changes }) => changes.flatMap(({ bugs }) => bugs))
    expect([bug?.number, bug?.title]).toEqual([1, title])
  }
})

test('a bug that cannot be fixed is refused at its field, and nothing is published', async () => {
  const { id, first, again, other } = await begun()
  const refused = await publish(id, '1.2', [{ text: 'A' }, { text: 'B', bugIds: [again.id] }])
  expect(refused).toMatchObject({
    status: 400,
    body: { fields: { 'changes.1.bugIds': '#2 is a duplicate. Choose #1.' } },
  })
  const twice = await publish(id, '1.2', [
    { text: 'A', bugIds: [first.id] },
    { text: 'B', bugIds: [first.id] },
  ])
  expect(twice.body).toMatchObject({
    fields: { 'changes.1.bugIds': 'Only one change of a version can answer the same bug' },
  })
  await developer.call('PATCH', `/bugs/${other.id}`, { status: 'WONT_FIX' })
  expect((await publish(id, '1.2', [{ text: 'C', bugIds: [other.id] }])).status).toBe(409)
  const elsewhere = await begun()
  for (const nowhere of [elsewhere.first.id, randomUUID()])
    expect(await publish(id, '1.2', [{ text: 'D', bugIds: [nowhere] }])).toMatchObject({
      status: 400,
      body: { fields: { 'changes.0.bugIds': 'There is no such bug in this campaign.' } },
    })
  expect(await listFor(developer, id)).toEqual([])
  const tooMany = Array.from({ length: mostChanges }, (_, at) => ({ text: `Change ${at}` }))
  expect((await publish(id, '1.2', tooMany)).status).toBe(201)
  const limitReached = { status: 409, body: { code: 'LIMIT_REACHED' } }
  expect(await publish(id, '1.2', [{ text: 'One more' }])).toMatchObject(limitReached)
  await t.look(
    `insert into versions (id, campaign_id, version, published_at)
      select gen_random_uuid(), $1, '0.' || n, now() from generate_series(3, $2::int) n`,
    [id, mostVersions],
  )
  expect((await publish(id, '1.3', [{ text: 'In the last version' }])).status).toBe(201)
  expect(await publish(id, '1.4', [{ text: 'In one more' }])).toMatchObject(limitReached)
  expect((await publish(id, '1.3', [{ text: 'In the last one as well' }])).status).toBe(201)
})

test('a version gets more changes, however its name is written; correcting one leaves the others, and tells nobody', async () => {
  const { id, first, ann } = await begun()
  await developer.call('PATCH', `/bugs/${first.id}`, { status: 'FIXED', fixedIn: '1.2 Beta' })
  const replies = await Promise.all([
    publish(id, '1.2 Beta', [{ text: 'One', bugIds: [first.id] }]),
    publish(id, '1.2 beta', [{ text: 'Two' }]),
  ])
  expect(tally(replies)).toEqual({ 201: 2 })
  const [version, ...more] = await listFor(developer, id)
  expect([version?.changes.map(({ text }) => text).toSorted(), more]).toEqual([['One', 'Two'], []])
  expect(await publish(id, '1.2 Beta', [{ text: 'Again', bugIds: [first.id] }])).toMatchObject({
    body: { fields: { 'changes.0.bugIds': 'Another change of this version already answers one of these bugs.' } },
  })
  const told = async () => (await ann.call<Notification[]>('GET', '/users/me/notifications')).body.length
  const before = await told()
  const { body } = await developer.call<AppVersion>('PATCH', `/changes/${version?.changes[0]?.id}`, {
    text: 'Corrected',
  })
  expect(body.changes.map(({ text }) => text)).toEqual(['Corrected', version?.changes[1]?.text])
  expect(await told()).toBe(before)
  // Asked only once: the bug was already fixed in this version before the log said so.
  expect(await t.look('select from bug_retests where bug_id = $1', [first.id])).toHaveLength(1)
})

test('a bug that another version has fixed already is not fixed again, unless it is reopened', async () => {
  const { id, first } = await begun()
  await developer.call('PATCH', `/bugs/${first.id}`, { status: 'FIXED', fixedIn: '1.1' })
  const again = () => publish(id, '1.2', [{ text: 'No crash any more', bugIds: [first.id] }])
  expect(await again()).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  expect(await listFor(developer, id)).toEqual([])
  await developer.call('PATCH', `/bugs/${first.id}`, { status: 'OPEN' })
  expect((await again()).status).toBe(201)
  const { body } = await developer.call<{ fixedIn: string }>('GET', `/bugs/${first.id}`)
  expect(body.fixedIn).toBe('1.2')
})

test('the same key publishes once', async () => {
  const { id } = await begun()
  const send = () =>
    developer.call<AppVersion>(
      'POST',
      `/campaigns/${id}/changes`,
      { version: '2', changes: [{ text: 'A' }] },
      'a-version',
    )
  const [one, two] = [await send(), await send()]
  expect([one.status, two.body]).toEqual([201, one.body])
  expect((await listFor(developer, id))[0]?.changes).toHaveLength(1)
})

test('the report contains each bug and change as a fact, and drafts based on them', async () => {
  const { id, ann, first } = await begun()
  await publish(id, '1.2', [{ text: 'No crash any more', bugIds: [first.id] }])
  await ann.call('POST', `/bugs/${first.id}/retest`, { result: 'WORKS' })
  const { body } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(body.bugs).toMatchObject([
    { number: 1, alias: 'Tester 1', status: 'FIXED', fixedIn: '1.2', retest: 'WORKS' },
    { number: 2, alias: 'Tester 2', status: 'DUPLICATE', duplicateOf: 1, fixedIn: '1.2', retest: null },
    { number: 3, status: 'OPEN', fixedIn: null },
  ])
  expect(body.changes).toMatchObject([{ version: '1.2', bugs: [1], works: 1, stillBroken: 0, notTested: 1 }])
  expect(body.answers.find(({ key }) => key === 'changes')?.draft).toBe(
    'In version 1.2 we changed: No crash any more. We fixed 1 of the 2 bugs that testers reported. 1 tester retested and confirmed the fixes.',
  )
  for (const file of ['report.csv', 'report.pdf'])
    expect((await developer.call('GET', `/campaigns/${id}/${file}`)).status).toBe(200)
  // Asked again about a later version, the tester has not answered yet.
  await developer.call('PATCH', `/bugs/${first.id}`, { status: 'OPEN' })
  await publish(id, '1.3', [{ text: 'Really no crash any more', bugIds: [first.id] }])
  const { body: later } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(later.bugs[0]).toMatchObject({ number: 1, fixedIn: '1.3', retest: null })
})

describe('feedback', () => {
  /** With their proofs, Ann and Bob have answered both questions of a form. */
  const answered = async () => {
    const { id, title } = await liveCampaign(developer, admin, { title: 'Told', durationDays: 1 })
    const questions = ['What is missing?', 'What is too slow?'].map(text => ({
      kind: 'LONG_TEXT',
      text,
      required: true,
    }))
    const form = await developer.call<FeedbackForm>('PUT', `/campaigns/${id}/feedback-form`, {
      questions: [...questions, { kind: 'RATING', text: 'How good is it?', required: true }],
    })
    const [missing, slow, good] = form.body.questions.map(question => question.id) as [string, string, string]
    const [ann, bob] = await Promise.all([t.signUp('TESTER'), t.signUp('TESTER')])
    const tests = { ann: (await joinedBy(ann, id)).id, bob: (await joinedBy(bob, id)).id }
    for (const [person, testId] of [
      [ann, tests.ann],
      [bob, tests.bob],
    ] as const) {
      const answers = { [missing]: `A dark look, ${testId}`, [slow]: 'The search', [good]: 4 }
      await person.call('POST', `/testers/campaign-testers/${testId}/feedback`, { version: 1, answers })
    }
    const pick = (testId: string, questionId: string): Picked => ({ testId, questionId })
    return { id, title, ann, bob, tests, missing, slow, good, pick }
  }
  const answering = (id: string, version: string, feedback: Picked[], text = 'A dark look') =>
    developer.call<AppVersion & { fields?: Record<string, string> }>('POST', `/campaigns/${id}/changes`, {
      version,
      changes: [{ text, feedback }],
    })
  const needsOf = async (person: Person) =>
    (await person.call<Needs>('GET', '/dashboard/needs')).body.needs.filter(({ kind }) => kind === 'RETEST')

  test('whose tester leaves after being asked to look again is no longer waited for', async () => {
    const { id, bob, tests, missing, pick } = await answered()
    expect((await answering(id, '1.2', [pick(tests.bob, missing)])).status).toBe(201)
    expect(await needsOf(bob)).toHaveLength(1)
    const publishedAgo = (hours: number) =>
      t.look('update versions set published_at = $2 where campaign_id = $1', [id, hoursAfter(clock.now(), -hours)])
    await publishedAgo(14 * 24)
    expect(await needsOf(bob)).toEqual([])
    await publishedAgo(14 * 24 - 1)
    expect(await needsOf(bob)).toHaveLength(1)
    await bob.call('POST', `/testers/campaign-testers/${tests.bob}/leave`)
    expect(await needsOf(bob)).toEqual([])
  })

  test('is answered by a change: its tester is told once and asked to look again, and the log and the report show both', async () => {
    const { id, ann, bob, tests, missing, slow, pick } = await answered()
    const published = await answering(id, '1.2', [
      pick(tests.ann, missing),
      pick(tests.ann, slow),
      pick(tests.bob, missing),
    ])
    expect(published.status).toBe(201)
    const [change] = published.body.changes
    expect(change?.feedback.map(({ alias, question, quote, open }) => [alias, question, quote, open])).toEqual(
      expect.arrayContaining([
        ['Tester 1', 'What is missing?', `A dark look, ${tests.ann}`, true],
        ['Tester 1', 'What is too slow?', 'The search', true],
        ['Tester 2', 'What is missing?', `A dark look, ${tests.bob}`, true],
      ]),
    )
    const told = (await ann.call<Notification[]>('GET', '/users/me/notifications')).body.filter(({ subject }) =>
      subject.startsWith('Does it work now?'),
    )
    expect(told).toHaveLength(1)
    expect(told[0]?.text).toContain('The search')
    expect(await needsOf(ann)).toMatchObject([{ testId: tests.ann, bugId: null, campaign: { id } }])
    const [own] = await listFor(ann, id)
    expect(own?.changes[0]?.feedback.map(({ own: mine }) => mine)).toEqual([true, true])

    const { status } = await ann.call('POST', `/changes/${change!.id}/retest`, {
      result: 'WORKS',
      note: 'Much better.',
    })
    expect(status).toBe(200)
    expect((await ann.call('POST', `/changes/${change!.id}/retest`, { result: 'STILL_BROKEN' })).status).toBe(409)
    expect((await bob.call('POST', `/changes/${change!.id}/retest`, { result: 'STILL_BROKEN' })).status).toBe(200)
    expect(await needsOf(ann)).toEqual([])
    const [heard] = (await developer.call<Notification[]>('GET', '/users/me/notifications?limit=1')).body
    expect(heard?.subject).toContain('Still broken, Tester 2’s feedback')
    const { body: report } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
    expect(report.changes).toMatchObject([{ version: '1.2', works: 1, stillBroken: 1, notTested: 0 }])
    expect(report.feedback).toMatchObject({ answered: 2, sus: null })
    expect(report.feedback?.questions.map(({ text, answered: of, mean }) => [text, of, mean])).toEqual([
      ['What is missing?', 2, null],
      ['What is too slow?', 2, null],
      ['How good is it?', 2, 4],
    ])
    const draftOf = (key: string) => report.answers.find(answer => answer.key === key)?.draft
    expect(draftOf('feedback')).toContain('2 testers answered the 3 questions of our feedback form')
    expect(draftOf('changes')).toContain('1 change came from the feedback of 2 testers.')
  })

  test('is answered by one change of a version, and only if somebody wrote it; a later version takes over open questions', async () => {
    const { id, ann, tests, missing, good, pick } = await answered()
    const other = await answered()
    const carol = await joinedBy(await t.signUp('TESTER'), id)
    const { body: form } = await developer.call<FeedbackForm>('GET', `/campaigns/${id}/feedback-form`)
    // Asked after she had answered, and not answered with words.
    const changed = await developer.call<FeedbackForm>('PUT', `/campaigns/${id}/feedback-form`, {
      questions: [...form.questions, { kind: 'SHORT_TEXT', text: 'Anything else?', required: false }],
    })
    expect(changed.status).toBe(200)
    const unasked = changed.body.questions.at(-1)!.id
    const refused = async (feedback: Picked[]) => (await answering(id, '1.2', feedback)).body.fields
    const sentence = { 'changes.0.feedback': 'There is no such feedback in this campaign.' }
    expect(await refused([pick(tests.ann, good)])).toEqual(sentence)
    expect(await refused([pick(tests.ann, unasked)])).toEqual(sentence)
    expect(await refused([pick(carol.id, missing)])).toEqual(sentence)
    await t.look(
      `update feedback_answers set answers = jsonb_set(answers, array[$2], '"Four"') where participation_id = $1`,
      [tests.ann, good],
    )
    expect(await refused([pick(tests.ann, good)])).toEqual(sentence)
    expect(await refused([pick(other.tests.ann, other.missing)])).toEqual(sentence)
    expect((await answering(id, '1.2', [pick(tests.ann, missing), pick(tests.ann, missing)])).status).toBe(400)
    expect(await listFor(developer, id)).toEqual([])

    await answering(id, '1.2', [pick(tests.ann, missing)])
    expect(await refused([pick(tests.ann, missing)])).toEqual({
      'changes.0.feedback': 'Another change of this version already answers this feedback.',
    })
    await answering(id, '1.3', [pick(tests.ann, missing)], 'A darker look')
    const [later, earlier] = await listFor(ann, id)
    expect([later, earlier].map(version => version?.changes[0]?.feedback[0]?.open)).toEqual([true, false])
    expect(await needsOf(ann)).toHaveLength(1)
    expect((await ann.call('POST', `/changes/${earlier!.changes[0]!.id}/retest`, { result: 'WORKS' })).status).toBe(409)
    expect((await other.ann.call('POST', `/changes/${later!.changes[0]!.id}/retest`, { result: 'WORKS' })).status).toBe(
      404,
    )
  })

  test('of a tester who left or is suspended can be answered, but they are not asked about it', async () => {
    const { id, ann, bob, tests, missing, slow, pick } = await answered()
    await answering(id, '1.1', [pick(tests.ann, slow)])
    expect(await needsOf(ann)).toHaveLength(1)
    await ann.call('POST', `/testers/campaign-testers/${tests.ann}/leave`)
    expect(await needsOf(ann)).toEqual([])
    const suspend = 'update users set suspended_at = $2, suspension_reason = $3 where id = $1'
    await t.look(suspend, [bob.user.id, clock.now(), 'Sold it.'])
    onTestFinished(async () => {
      await t.look(suspend, [bob.user.id, null, null])
    })
    await answering(id, '1.2', [pick(tests.ann, missing), pick(tests.bob, missing)])
    const feedback = (await listFor(developer, id)).flatMap(({ changes }) => changes.flatMap(each => each.feedback))
    expect(feedback.map(({ open }) => open)).toEqual([false, false, false])
    const told = await t.look(`select from notifications where kind = 'FEEDBACK_RETEST_ASKED' and user_id = any($1)`, [
      [ann.user.id, bob.user.id],
    ])
    expect(told).toHaveLength(1)
  })

  test('of a tester who deleted their account can be answered, and nobody waits for their answer', async () => {
    const { id, ann, tests, missing, slow, pick } = await answered()
    const opened = async () => {
      const feedback = (await listFor(developer, id)).flatMap(({ changes }) => changes.flatMap(each => each.feedback))
      return feedback.map(({ open }) => open)
    }
    await answering(id, '1.2', [pick(tests.ann, missing)])
    expect(await opened()).toEqual([true])
    await ann.call('POST', `/testers/campaign-testers/${tests.ann}/leave`)
    expect((await ann.call('DELETE', '/users/me', { password })).status).toBe(204)
    expect((await answering(id, '1.3', [pick(tests.ann, slow), pick(tests.bob, missing)])).status).toBe(201)
    expect((await opened()).filter(open => open)).toHaveLength(1)
    // The state before a deletion withdrew it.
    const key = [tests.ann, missing]
    const where = 'participation_id = $1 and question_id = $2'
    await t.look(`update change_feedback set withdrawn_at = null where ${where}`, key)
    await migrateAgain(t, '174-asked-of-deleted-accounts.sql')
    expect(await t.look(`select from change_feedback where ${where} and withdrawn_at is null`, key)).toEqual([])
  })

  test('is all that a tester sees of the changes before accepting the NDA, and they can retest it', async () => {
    const { id, ann, tests, missing, pick } = await answered()
    await answering(id, '1.2', [pick(tests.ann, missing)])
    await developer.call('POST', `/campaigns/${id}/changes`, { version: '1.2', changes: [{ text: 'A secret screen' }] })
    await developer.call('POST', `/campaigns/${id}/changes`, { version: '1.3', changes: [{ text: 'Another one' }] })
    await developer.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody.' })
    const late = await t.signUp('TESTER')
    await joinedBy(late, id)
    const textsFor = async (person: Person) =>
      (await listFor(person, id)).map(({ version, changes }) => [version, ...changes.map(({ text }) => text)])
    const whole = await textsFor(developer)
    expect(whole.flat()).toEqual(expect.arrayContaining(['1.3', 'Another one', '1.2', 'A secret screen']))
    const [own] = await listFor(ann, id)
    expect([own!.version, own!.changes.length, own!.changes[0]!.feedback.length]).toEqual(['1.2', 1, 1])
    expect((await textsFor(ann)).flat()).not.toContain('A secret screen')
    expect(await textsFor(late)).toEqual([])
    const retested = await ann.call<AppVersion>('POST', `/changes/${own!.changes[0]!.id}/retest`, { result: 'WORKS' })
    expect([retested.status, retested.body.changes.length]).toEqual([200, 1])
    const stranger = await t.signUp('TESTER')
    expect((await stranger.call('GET', `/campaigns/${id}/changes`)).status).toBe(404)
    for (const person of [ann, late]) {
      await person.call('POST', `/campaigns/${id}/nda/accept`, { name: 'Tess Tester', version: 1 })
      expect(await textsFor(person)).toEqual(whole)
    }
  })

  test('is answered at most a thousand times in a campaign, because all answers are shown together', async () => {
    const { id, tests, missing, pick } = await answered()
    expect((await answering(id, '1.2', [pick(tests.ann, missing)])).status).toBe(201)
    await t.look(
      `insert into change_feedback (change_id, participation_id, question_id, question, quote)
        select f.change_id, f.participation_id, gen_random_uuid(), f.question, f.quote
          from change_feedback f join changes c on c.id = f.change_id join versions v on v.id = c.version_id,
            generate_series(2, $2) where v.campaign_id = $1`,
      [id, mostFeedbackOfCampaign],
    )
    const more = await answering(id, '1.3', [pick(tests.ann, missing)])
    expect(more).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } })
  })
})
