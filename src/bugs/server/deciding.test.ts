/** Decisions on bugs, who is told of them, and what a retest reopens. */
import { afterAll, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Notification } from '../../notifications/contract.ts'
import { rejection } from '../../testing/appeals.ts'
import { daysAndProof, joinedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { migrateAgain } from '../../testing/migrating.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Bug, KnownBug } from '../contract.ts'
import { retestOf } from '../rules.ts'
import { mostDecisionsPerBug, mostEntriesPerDay, mostSimilar } from '../terms.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const ann = signedUp(t, 'TESTER')
const bob = signedUp(t, 'TESTER')
afterAll(async () => expect(await brokenChecks()).toEqual([]))

const found = { title: 'It crashes', severity: 'HIGH', steps: 'Open it.', actual: 'It closes.' }

/** Ann's bug, #1, and Bob's, #2. */
const twoBugs = async ([one, other] = [ann, bob] as [Person, Person], terms = {}) => {
  const { id } = await liveCampaign(developer, admin, { title: 'Notes', ...terms })
  await joinedBy(one, id)
  await joinedBy(other, id)
  const first = (await one.call<Bug>('POST', `/campaigns/${id}/bugs`, found)).body
  const second = (await other.call<Bug>('POST', `/campaigns/${id}/bugs`, { ...found, title: 'Crash at start' })).body
  return { campaignId: id, first, second }
}
/** Two bugs of new testers, because each tester may have only a few open tests. */
const twoNewBugs = async (terms = {}) => {
  const [one, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  return { one, other, ...(await twoBugs([one, other], terms)) }
}
const decide = (person: Person, { id }: { id: string }, change: object) =>
  person.call<Bug>('PATCH', `/bugs/${id}`, change)
const bugFor = async (person: Person, { id }: { id: string }) => (await person.call<Bug>('GET', `/bugs/${id}`)).body
const newest = async (person: Person) =>
  (await person.call<Notification[]>('GET', '/users/me/notifications?limit=1')).body[0]!
const retest = (person: Person, { id }: { id: string }, answer: object) =>
  person.call<Bug>('POST', `/bugs/${id}/retest`, answer)

test('each decision appears in the thread with its note, and the tester is told', async () => {
  const { first } = await twoBugs()
  const confirmed = await decide(developer, first, { status: 'CONFIRMED', note: 'We see it too.' })
  expect(confirmed.body).toMatchObject({ status: 'CONFIRMED', fixedIn: null })
  expect((await newest(ann)).text).toBe('Bug #1 “It crashes” of “Notes” is now marked as confirmed.\n\nWe see it too.')
  const { body: rated } = await decide(developer, first, { severity: 'LOW' })
  expect(rated.changedAt).toBe(rated.events.at(-1)!.at)
  expect((await newest(ann)).text).toBe('Bug #1 “It crashes” of “Notes” has a new severity: low.')
  await decide(developer, first, { status: 'WONT_FIX', severity: 'MEDIUM', note: 'It is how the system works.' })
  expect((await newest(ann)).text).toContain('is now marked as won’t fix.\n\nIt is how')
  await decide(developer, first, { status: 'OPEN' })
  expect((await newest(ann)).text).toContain('is open again.')
  const { events, severity, actions } = await bugFor(ann, first)
  expect(events.map(({ kind, text }) => [kind, text])).toEqual([
    ['REPORTED', null],
    ['CONFIRMED', 'We see it too.'],
    ['SEVERITY_CHANGED', null],
    // The note explains the decision, and is said once.
    ['SEVERITY_CHANGED', null],
    ['WONT_FIX', 'It is how the system works.'],
    ['REOPENED', null],
  ])
  expect([severity, actions]).toEqual(['MEDIUM', ['comment']])
})

test('only the owner and admins decide, and both sides are told of an admin’s decision', async () => {
  const { first } = await twoBugs()
  expect((await decide(ann, first, { status: 'CONFIRMED' })).status).toBe(403)
  await decide(admin, first, { status: 'CONFIRMED' })
  const told = async () => [(await newest(ann)).text, (await newest(developer)).text]
  expect(await told()).toEqual([
    'Bug #1 “It crashes” of “Notes” is now marked as confirmed.',
    'An admin changed bug #1 “It crashes” of “Notes”: it is now marked as confirmed.',
  ])
  expect((await bugFor(ann, first)).events.at(-1)).toMatchObject({ by: 'ADMIN', alias: null, own: false })
  await decide(admin, first, { status: 'FIXED', fixedIn: '1.2' })
  expect(await told()).toEqual([
    expect.stringMatching(/^Bug #1 “It crashes” of “Notes” is marked as fixed in version 1\.2\.\n\nUpdate the app/),
    'An admin changed bug #1 “It crashes” of “Notes”: it is fixed in 1.2.',
  ])
})

/** Adds entries of this author and kind to the bug's thread, dated like its report. */
const fill = ({ id }: Bug, person: Person, kind: string, count: number) =>
  t.look(
    `with filled as (insert into bug_events (bug_id, at, author_id, role, kind, text)
        select bug_id, at, $2, $3, $4, 'Again.' from bug_events, generate_series(1, $5) where bug_id = $1 and kind = 'REPORTED')
      update bugs set comments = comments + $5 where id = $1 and $4 = 'COMMENTED'`,
    [id, person.user.id, person.user.role, kind, count],
  )

test('a bug takes at most 50 decisions, since its tester is told of each; comments, retests and admins are not limited by that', async () => {
  const { one, first } = await twoNewBugs()
  await fill(first, developer, 'CONFIRMED', mostDecisionsPerBug - 1)
  await fill(first, developer, 'COMMENTED', 5)
  await fill(first, one, 'RETEST_BROKEN', 5)
  expect((await decide(developer, first, { severity: 'LOW' })).status).toBe(200)
  expect(await decide(developer, first, { severity: 'HIGH' })).toMatchObject({
    status: 409,
    body: {
      code: 'LIMIT_REACHED',
      message: 'Bug #1 has reached the limit of 50 decisions. You can still comment on it.',
    },
  })
  expect((await developer.call('POST', `/bugs/${first.id}/comments`, { text: 'It is high.' })).status).toBe(201)
  expect((await decide(admin, first, { severity: 'HIGH' })).status).toBe(200)
})

test('a developer writes and decides at most 300 times within 24 hours, on whichever bugs and however many at once', async () => {
  const { first, second } = await twoNewBugs()
  const already = await t.look<{ entries: number }>(
    `select count(*)::int as entries from bug_events where author_id = $1 and at > (select at from bug_events
      where bug_id = $2 and kind = 'REPORTED') - interval '24 hours'`,
    [developer.user.id, first.id],
  )
  await fill(second, developer, 'COMMENTED', mostEntriesPerDay - 1 - already[0]!.entries)
  const replies = await inParallel(6, index =>
    decide(developer, index % 2 === 0 ? first : second, { severity: index < 2 ? 'LOW' : 'MEDIUM' }),
  )
  expect(tally(replies)).toEqual({ 200: 1, 409: 5 })
  const told = 'You have reached the limit of 300 comments and decisions on bugs in 24 hours. Continue tomorrow.'
  expect((await decide(developer, first, { status: 'CONFIRMED' })).body).toMatchObject({ message: told })
  const comment = await developer.call('POST', `/bugs/${first.id}/comments`, { text: 'And more.' })
  expect(comment).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED', message: told } })
  await t.advance(24)
  expect((await decide(developer, first, { status: 'CONFIRMED' })).status).toBe(200)
})

test('a tester who left sees the number and state of the original of their bug, but not its title', async () => {
  const { one, other, campaignId, first, second } = await twoNewBugs()
  await other.call('POST', `/testers/campaign-testers/${second.testId}/leave`)
  await decide(developer, second, { status: 'DUPLICATE', duplicateOf: first.id })
  expect((await newest(other)).text).toBe('Bug #2 “Crash at start” of “Notes” is a duplicate of #1.')
  expect((await bugFor(other, second)).duplicateOf).toMatchObject({ number: 1, title: null, status: 'OPEN' })
  expect((await bugFor(developer, second)).duplicateOf).toMatchObject({ title: 'It crashes' })
  const mine = (await other.call<Bug>('GET', `/campaigns/${campaignId}/bugs`)).body
  expect(mine).toMatchObject([{ number: 2, duplicateOf: { title: null } }])
  // Of their own bugs they do see the title.
  const third = (await one.call<Bug>('POST', `/campaigns/${campaignId}/bugs`, found)).body
  await one.call('POST', `/testers/campaign-testers/${first.testId}/leave`)
  await decide(developer, third, { status: 'DUPLICATE', duplicateOf: first.id })
  expect((await bugFor(one, third)).duplicateOf).toMatchObject({ title: 'It crashes' })
})

test('a tester whose proof was rejected sees that title until the rejection is final', async () => {
  const { other, first, second } = await twoNewBugs({ durationDays: 1 })
  await daysAndProof(t, [{ person: other, participationId: second.testId }], 1)
  await decide(developer, second, { status: 'DUPLICATE', duplicateOf: first.id })
  expect((await developer.call('POST', `/campaign-testers/${second.testId}/reject`, rejection)).status).toBe(200)
  expect((await bugFor(other, second)).duplicateOf).toMatchObject({ title: 'It crashes' })
  await t.advance(72)
  expect((await bugFor(other, second)).duplicateOf).toMatchObject({ number: 1, title: null })
})

test('a tester who left or is suspended is told of a fix but not asked to retest, and nobody waits for them', async () => {
  const { one, other, first, second } = await twoNewBugs()
  await one.call('POST', `/testers/campaign-testers/${first.testId}/leave`)
  for (const deletedAt of ['created_at', 'null']) {
    await t.look(`update users set deleted_at = ${deletedAt} where id = $1`, [other.user.id])
    expect((await bugFor(developer, second)).canTestAgain).toBe(deletedAt === 'null')
  }
  await t.look(`update users set suspended_at = created_at, suspension_reason = 'Sold it.' where id = $1`, [
    other.user.id,
  ])
  for (const [bug, number] of [
    [first, 1],
    [second, 2],
  ] as const) {
    expect((await bugFor(developer, bug)).canTestAgain).toBe(false)
    const { body } = await decide(developer, bug, { status: 'FIXED', fixedIn: '1.2' })
    expect(body).toMatchObject({ status: 'FIXED', retest: { version: '1.2', withdrawnAt: expect.any(String) } })
    const told = await t.look<{ kind: string; text: string }>(
      'select kind, text from notifications where about_id = $1 order by id desc limit 1',
      [bug.id],
    )
    expect(told[0]).toEqual({
      kind: 'BUG_CHANGED',
      text: expect.stringMatching(`^Bug #${number} .* is fixed in 1.2.$`),
    })
  }
  expect((await bugFor(one, first)).actions).toEqual(['comment'])
})

const retestsOf = async (person: Person) => {
  const { body } = await person.call<{ needs: { kind: string }[] }>('GET', '/dashboard/needs')
  return body.needs.filter(({ kind }) => kind === 'RETEST').length
}

test('a tester is no longer asked to retest a fix that the developer takes back', async () => {
  const { one, first } = await twoNewBugs()
  await decide(developer, first, { status: 'FIXED', fixedIn: '1.2' })
  expect(await retestsOf(one)).toBe(1)
  // After two weeks the question is still there for who wants to answer it, but asks for nothing.
  const askedAgo = (hours: number) =>
    t.look('update bug_retests set asked_at = $2 where bug_id = $1', [first.id, hoursAfter(clock.now(), -hours)])
  await askedAgo(14 * 24)
  expect([await retestsOf(one), (await bugFor(one, first)).actions]).toEqual([0, ['comment', 'retest']])
  await askedAgo(14 * 24 - 1)
  expect(await retestsOf(one)).toBe(1)
  expect((await decide(developer, first, { status: 'OPEN' })).status).toBe(200)
  expect(await retestsOf(one)).toBe(0)
})

test('a tester who leaves after being asked to retest is no longer asked, and nobody waits for them', async () => {
  const { one, first } = await twoNewBugs()
  const retests = () => retestsOf(one)
  await decide(developer, first, { status: 'FIXED', fixedIn: '1.2' })
  expect([await retests(), retestOf(await bugFor(developer, first))]).toEqual([1, 'ASKED'])
  await one.call('POST', `/testers/campaign-testers/${first.testId}/leave`)
  expect([await retests(), retestOf(await bugFor(developer, first))]).toEqual([0, null])
})

test('actions that the state does not allow are refused with a sentence', async () => {
  const { first, second } = await twoBugs()
  const message = async (change: object) => {
    const { status, body } = await developer.call('PATCH', `/bugs/${first.id}`, change)
    return [status, body.fields ? Object.values(body.fields)[0] : body.message]
  }
  expect(await message({ status: 'OPEN' })).toEqual([409, 'Bug #1 is already open.'])
  await decide(developer, first, { status: 'WONT_FIX' })
  expect(await message({ status: 'CONFIRMED' })).toEqual([409, 'Bug #1 is closed as won’t fix. Reopen it first.'])
  expect(await message({})).toEqual([400, 'Say what to change'])
  expect(await message({ status: 'FIXED' })).toEqual([400, 'Say in which version it is fixed'])
  expect(await message({ status: 'DUPLICATE' })).toEqual([400, 'Choose the bug that it is a duplicate of'])
  expect(await message({ status: 'OPEN', fixedIn: '1.2' })).toEqual([400, 'Only a fixed bug can name a version'])
  await decide(developer, first, { status: 'OPEN' })
  expect(await message({ status: 'DUPLICATE', duplicateOf: first.id })).toEqual([
    400,
    'A bug cannot be a duplicate of itself.',
  ])
  const elsewhere = (await twoBugs()).first
  expect(await message({ status: 'DUPLICATE', duplicateOf: elsewhere.id })).toEqual([
    400,
    'There is no such bug in this campaign.',
  ])
  await decide(developer, second, { status: 'DUPLICATE', duplicateOf: first.id })
  expect(await message({ status: 'DUPLICATE', duplicateOf: second.id })).toEqual([
    400,
    '#2 is itself a duplicate. Choose #1.',
  ])
})

test('a duplicate leads to its original, of which its tester sees only title and state; duplicates move with it', async () => {
  const { campaignId, first, second } = await twoBugs()
  const third = (await ann.call<Bug>('POST', `/campaigns/${campaignId}/bugs`, { ...found, title: 'Dies' })).body
  await decide(developer, second, { status: 'DUPLICATE', duplicateOf: first.id })
  expect((await newest(bob)).text).toBe('Bug #2 “Crash at start” of “Notes” is a duplicate of #1 “It crashes”.')
  expect((await bugFor(bob, second)).duplicateOf).toEqual({
    id: first.id,
    number: 1,
    title: 'It crashes',
    status: 'OPEN',
    fixedIn: null,
    own: false,
    mayOpen: false,
  })
  expect((await bugFor(developer, first)).duplicates.map(({ number }) => number)).toEqual([2])
  expect((await bugFor(ann, first)).duplicates).toEqual([])
  await decide(developer, first, { status: 'DUPLICATE', duplicateOf: third.id, note: 'As you said on the phone.' })
  const moved = await bugFor(bob, second)
  expect([moved.duplicateOf?.number, moved.changedAt]).toEqual([3, moved.events.at(-1)!.at])
  // Only Ann gets the note; Bob learns that his bug has another original now.
  expect((await bugFor(ann, first)).events.at(-1)).toMatchObject({ duplicateOf: 3, text: 'As you said on the phone.' })
  expect(moved.events.at(-1)).toMatchObject({ kind: 'MARKED_DUPLICATE', duplicateOf: 3, text: null })
  expect((await newest(bob)).text).toBe('Bug #2 “Crash at start” of “Notes” is a duplicate of #3 “Dies”.')
  expect(moved.events.map(({ duplicateOf }) => duplicateOf)).toEqual([null, 1, 3])
  expect((await bugFor(developer, third)).duplicates.map(({ number }) => number)).toEqual([1, 2])
})

test('the original is found however many duplicates it has', async () => {
  const [one, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const { campaignId, first, second } = await twoBugs([one, other])
  for (let count = 0; count < mostSimilar + 1; count++) {
    const { body } = await one.call<Bug>('POST', `/campaigns/${campaignId}/bugs`, { ...found, title: 'Crash at start' })
    await decide(developer, body, { status: 'DUPLICATE', duplicateOf: second.id })
  }
  const numbers = async (path: string) =>
    (await developer.call<KnownBug[]>('GET', `/campaigns/${campaignId}/${path}`)).body.map(({ number }) => number)
  expect(await numbers(`similar-bugs?title=crash+at+start&originalsFor=${first.id}`)).toEqual([2])
  expect(await numbers(`bugs?search=crash&limit=5&originalsFor=${first.id}`)).toEqual([2])
})

test('a fix asks everyone who reported the bug to retest; “works now” settles it', async () => {
  const { first, second } = await twoBugs()
  await decide(developer, second, { status: 'DUPLICATE', duplicateOf: first.id })
  expect((await retest(ann, first, { result: 'WORKS' })).status).toBe(409)
  const { body } = await decide(developer, first, { status: 'FIXED', fixedIn: '1.2', note: 'A limit was missing.' })
  expect(body).toMatchObject({ status: 'FIXED', fixedIn: '1.2', retest: { version: '1.2', result: null } })
  for (const [person, number] of [
    [ann, 1],
    [bob, 2],
  ] as const)
    expect((await newest(person)).subject).toBe(`Does it work now? Bug #${number}: Notes`)
  expect((await bugFor(bob, second)).actions).toEqual(['comment', 'retest'])
  const answered = await retest(bob, second, { result: 'WORKS', note: 'On two phones.' })
  expect(answered.body).toMatchObject({ status: 'DUPLICATE', retest: { result: 'WORKS' }, actions: ['comment'] })
  expect((await newest(developer)).text).toBe(
    'Tester 2 retested bug #2 “Crash at start” in version 1.2: it works now.\n\nOn two phones.',
  )
  expect((await retest(bob, second, { result: 'STILL_BROKEN' })).status).toBe(409)
  expect((await bugFor(ann, first)).actions).toContain('retest')
})

test('“still broken” reopens the original, and nobody else has to look', async () => {
  const { first, second } = await twoBugs()
  await decide(developer, second, { status: 'DUPLICATE', duplicateOf: first.id })
  await decide(developer, first, { status: 'FIXED', fixedIn: '1.2' })
  await retest(bob, second, { result: 'STILL_BROKEN', note: 'On a tablet.' })
  const original = await bugFor(ann, first)
  expect(original).toMatchObject({ status: 'CONFIRMED', fixedIn: null, actions: ['comment'] })
  expect(original.retest?.withdrawnAt).not.toBeNull()
  // Testers do not learn each other's alias.
  expect(original.events.at(-1)).toMatchObject({ kind: 'REOPENED', by: 'TESTER', alias: null, own: false })
  expect((await bugFor(developer, first)).events.at(-1)).toMatchObject({ kind: 'REOPENED', alias: 'Tester 2' })
  expect((await newest(ann)).text).toContain('is open again: another tester still sees it.')
  expect((await newest(developer)).subject).toBe('Still broken, bug #2: Notes')
  await decide(developer, first, { status: 'FIXED', fixedIn: '1.3' })
  expect((await bugFor(bob, second)).retest).toMatchObject({ version: '1.3', result: null })
})

test('a bug that is marked as a duplicate of a fixed one is retested, and so are its own duplicates', async () => {
  const { campaignId, first, second } = await twoBugs()
  const third = (await ann.call<Bug>('POST', `/campaigns/${campaignId}/bugs`, found)).body
  await decide(developer, third, { status: 'DUPLICATE', duplicateOf: second.id })
  await decide(developer, first, { status: 'FIXED', fixedIn: '1.2' })
  await decide(developer, second, { status: 'DUPLICATE', duplicateOf: first.id })
  for (const [person, bug] of [
    [bob, second],
    [ann, third],
  ] as const)
    expect((await bugFor(person, bug)).retest).toMatchObject({ version: '1.2', result: null })
  await decide(developer, first, { status: 'OPEN' })
  expect((await retest(bob, second, { result: 'WORKS' })).status).toBe(409)
})

test('of two decisions at the same moment, only one takes effect', async () => {
  const { first, second } = await twoBugs([await t.signUp('TESTER'), await t.signUp('TESTER')])
  const replies = await Promise.all([
    decide(developer, first, { status: 'DUPLICATE', duplicateOf: second.id }),
    decide(developer, second, { status: 'DUPLICATE', duplicateOf: first.id }),
  ])
  expect(tally(replies)).toEqual({ 200: 1, 400: 1 })
})

test('a tester who deleted their account is not asked whether a fix works, and no longer waited for', async () => {
  const { one, campaignId, first, second } = await twoNewBugs()
  const asked = (await one.call<Bug>('POST', `/campaigns/${campaignId}/bugs`, found)).body
  await decide(developer, asked, { status: 'FIXED', fixedIn: '1.1' })
  const [mine] = await t.look<{ id: string }>('select id from participations where tester_id = $1', [one.user.id])
  expect((await one.call('POST', `/testers/campaign-testers/${mine!.id}/leave`)).status).toBe(200)
  expect((await one.call('DELETE', '/users/me', { password })).status).toBe(204)
  for (const bug of [first, second])
    expect((await decide(developer, bug, { status: 'FIXED', fixedIn: '1.2' })).status).toBe(200)
  expect((await bugFor(developer, asked)).retest).toMatchObject({ result: null, withdrawnAt: expect.any(String) })
  expect((await bugFor(developer, first)).retest).toBeNull()
  expect((await bugFor(developer, second)).retest).toMatchObject({ version: '1.2', result: null, withdrawnAt: null })
  // The state before a deletion withdrew it.
  await t.look('update bug_retests set withdrawn_at = null where bug_id = $1', [asked.id])
  expect((await bugFor(developer, asked)).retest?.withdrawnAt).toBeNull()
  await migrateAgain(t, '174-asked-of-deleted-accounts.sql')
  expect((await bugFor(developer, asked)).retest?.withdrawnAt).not.toBeNull()
  expect((await bugFor(developer, second)).retest?.withdrawnAt).toBeNull()
})
