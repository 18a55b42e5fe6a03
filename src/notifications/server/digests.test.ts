/** Digests: one email for each reader, period and morning, with what is still unread and still to be done. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { clock, daysAfter } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { transact } from '../../kit/server/db.ts'
import { daysAndProof, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { partOf } from '../../testing/emailedLinks.ts'
import { emailExamples } from '../../testing/emailExamples.ts'
import { emailsOf, inParallel } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { roundTripsOf } from '../../testing/recorded.ts'
import type { Notification } from '../contract.ts'
import { type EmailKind, makeDigests, notice, notifyMany, sendDigest } from './notifications.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

const choose = (who: Person, topic: string, delivery: string) =>
  who.call('PUT', '/users/me/notification-choices', { choices: [{ topic, delivery }] })
const write = (to: Person, subject: string) =>
  transact(tx => notifyMany(tx, [notice(to.user.id, 'ADMIN_MESSAGE', { subject, text: 'Text' })]))
const reader = async (delivery = 'DAILY', timeZone = 'UTC') => {
  const person = await t.signUp('TESTER', { timeZone })
  await choose(person, 'MESSAGES', delivery)
  return person
}
type Row = { id: string; period: string; day: string }
const digestsOf = (who: Person) =>
  t.look<Row>('select id, period, day::text from digests where user_id = $1 order by made_at', [who.user.id])
const mailed = async (who: Person) => (await emailsOf(t)).filter(line => line.startsWith(who.user.email))
const textOfDigest = async ({ id }: { id: string }) =>
  partOf(await readFile(join(t.mailFolder, `${id}.eml`), 'utf8'), 'text/plain').replaceAll('\r\n', '\n')
const hourIn = (timeZone: string) =>
  Number(
    new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(Date.parse(clock.now())),
  )

/** Moves the clock to the next time that it is this hour in UTC. */
const untilHour = (hour: number) => t.advance((hour + 24 - hourIn('UTC')) % 24 || 24)
beforeAll(() => untilHour(3))
// Every test begins at 3 in the morning, UTC.
beforeEach(() => untilHour(3))

test('a daily digest comes at 8 in the morning of its reader’s zone, with all that is new, and not again', async () => {
  const [here, india] = [await reader('DAILY', 'UTC'), await reader('DAILY', 'Asia/Kolkata')]
  for (const who of [here, india]) for (const subject of ['One', 'Two']) await write(who, subject)
  const dues = await t.look<{ due: string }>(
    `select distinct to_char(digest_due_at at time zone 'UTC', 'HH24:MI') as due from notifications
      where user_id = any($1) order by 1`,
    [[here.user.id, india.user.id]],
  )
  expect(dues.map(({ due }) => due)).toEqual(['02:30', '08:00'])
  // It is past 8 in India already.
  await t.advance(4)
  expect([await mailed(here), await mailed(india)]).toEqual([[], []])
  await t.advance(2)
  expect(await mailed(here)).toEqual([`${here.user.email}: Your daily digest`])
  const [digest] = await digestsOf(here)
  const text = await textOfDigest(digest!)
  expect(text).toContain('- Two (')
  expect(text).toContain('- One (')
  await t.advance(17)
  await t.advance(1)
  expect([await mailed(here), await mailed(india)].map(all => all.length)).toEqual([1, 1])
})

test('a weekly digest comes on a Monday', async () => {
  const person = await reader('WEEKLY')
  await write(person, 'This week')
  for (let day = 0; day < 8; day++) await t.advance(24)
  const digests = await digestsOf(person)
  expect(digests).toHaveLength(1)
  expect(new Date(`${digests[0]!.day}T00:00:00Z`).getUTCDay()).toBe(1)
  const weekly = (await mailed(person)).filter(line => line.endsWith('Your weekly digest'))
  expect(weekly).toHaveLength(1)
  expect(await textOfDigest(digests[0]!)).toContain('This week')
})

test('a daily digest leaves what waits for the weekly one until that is due', async () => {
  const person = await reader()
  for (const subject of ['Of the day', 'Of the week']) await write(person, subject)
  await t.look(
    `update notifications set delivery = 'WEEKLY', digest_due_at = digest_due_at + interval '2 days'
      where user_id = $1 and subject = 'Of the week'`,
    [person.user.id],
  )
  await untilHour(9)
  expect(await digestsOf(person)).toMatchObject([{ period: 'DAILY' }])
  await t.advance(48)
  expect(await digestsOf(person)).toMatchObject([{ period: 'DAILY' }, { period: 'WEEKLY' }])
})

test('nothing is sent when there is nothing to tell, or all of it was read', async () => {
  const [nothing, read] = [await reader(), await reader()]
  await write(read, 'Read in time')
  await read.call('POST', '/users/me/notifications/read')
  await untilHour(9)
  expect([await mailed(nothing), await mailed(read)]).toEqual([[], []])
})

test('what is read after the digest was made and before it is sent is left out', async () => {
  const person = await reader()
  await write(person, 'Read')
  await write(person, 'Unread')
  const { body } = await person.call<Notification[]>('GET', '/users/me/notifications')
  await t.look(`update notifications set digest_due_at = $2 where user_id = $1`, [person.user.id, clock.now()])
  await makeDigests.run({})
  const id = body.find(({ subject }) => subject === 'Read')!.id
  await person.call('POST', '/users/me/notifications/read', { ids: [id] })
  await t.advance(0)
  const [digest] = await digestsOf(person)
  const text = await textOfDigest(digest!)
  expect([text.includes('- Unread'), text.includes('- Read')]).toEqual([true, false])
})

test('a digest groups by campaign, once per matter, and leaves out the proof that was reviewed meanwhile', async () => {
  const developer = await t.signUp('DEVELOPER')
  const testers = await Promise.all([1, 2, 3].map(() => t.signUp('TESTER')))
  await choose(developer, 'PROOFS', 'DAILY')
  const { id } = await liveCampaign(developer, admin, { title: 'Grouped', testersRequired: 3, durationDays: 1 })
  const all: { person: Person; participationId: string }[] = []
  for (const person of testers) all.push({ person, participationId: (await joinedBy(person, id)).id })
  await daysAndProof(t, all, 1)
  await developer.call('POST', `/campaign-testers/${all[0]!.participationId}/verify`)
  await untilHour(9)
  const digests = await digestsOf(developer)
  const text = await textOfDigest(digests.at(-1)!)
  expect(text).toContain(`Grouped\n\n- 2 proofs submitted (`)
  expect(text).toContain(`/dashboard/campaigns/${id}/review\n`)
  expect(text.match(/^- /gm)).toHaveLength(1)
})

test('a digest links bugs to the campaign’s bugs, a tester’s to their test, and several notices of one bug to it', async () => {
  const developer = await t.signUp('DEVELOPER')
  const [several, one] = await Promise.all([1, 2].map(() => t.signUp('TESTER')))
  const { id } = await liveCampaign(developer, admin, { title: 'Buggy', testersRequired: 2 })
  await choose(developer, 'BUG_REPORTS', 'DAILY')
  const report = async (by: Person, title: string) => {
    const found = { title, severity: 'HIGH', steps: 'Open it.', actual: 'It closes.' }
    return (await by.call<{ id: string }>('POST', `/campaigns/${id}/bugs`, found)).body.id
  }
  const decide = (bugId: string, status: string) => developer.call('PATCH', `/bugs/${bugId}`, { status })
  for (const tester of [several!, one!]) await choose(tester, 'BUG_THREADS', 'DAILY')
  const { id: testId } = await joinedBy(several!, id)
  await joinedBy(one!, id)
  const [first, second, third] = [
    await report(several!, 'It crashes'),
    await report(several!, 'It freezes'),
    await report(one!, 'It forgets'),
  ]
  for (const bugId of [first, second, third]) await decide(bugId, 'CONFIRMED')
  await decide(third, 'WONT_FIX')
  await untilHour(9)
  const linkOf = async (who: Person) =>
    (await textOfDigest((await digestsOf(who)).at(-1)!)).match(/\/dashboard\/\S+/)![0]
  expect(await linkOf(developer)).toBe(paths.campaignTab(id, 'bugs'))
  expect(await linkOf(several!)).toBe(paths.myTest(testId))
  expect(await linkOf(one!)).toBe(paths.bug(third))
})

test('a digest leaves out the opt-in and the NDA that were late and have come since, and reminders of them', async () => {
  const developer = await t.signUp('DEVELOPER')
  await choose(developer, 'TESTERS_AT_RISK', 'DAILY')
  const late = async (title: string, terms: object, nda = false) => {
    const { id } = await liveCampaign(developer, admin, { title, dailyCheckIn: false, ...terms })
    if (nda) await developer.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody.' })
    const tester = await t.signUp('TESTER')
    const choices = ['DEADLINES', 'CHECK_INS'].map(topic => ({ topic, delivery: 'DAILY' }))
    await tester.call('PUT', '/users/me/notification-choices', { choices })
    const { id: testId } = await joinedBy(tester, id)
    await t.look('update participations set listed_at = $2 where id = $1', [testId, clock.now()])
    return { id, tester, testId }
  }
  const out = await late('Came in', { accessMode: 'EMAIL_LIST' })
  const closed = await late('Accepted', {}, true)
  const still = await late('Still out', { accessMode: 'EMAIL_LIST' })
  await t.look('update participations set wake_at = $1 where wake_at is not null', [clock.now()])
  await t.advance(48)
  for (const { testId } of [out, closed])
    expect((await developer.call('POST', `/campaign-testers/${testId}/nudge`)).status).toBe(200)
  const optIn = await out.tester.call('POST', `/testers/campaign-testers/${out.testId}/opt-in`, {})
  expect(optIn.status).toBe(200)
  const accepting = { name: 'Tess Tester', version: 1 }
  expect((await closed.tester.call('POST', `/campaigns/${closed.id}/nda/accept`, accepting)).status).toBe(200)
  await untilHour(9)
  for (const { tester } of [out, closed]) expect(await digestsOf(tester)).toEqual([])
  for (const who of [still.tester, developer]) {
    const text = await textOfDigest((await digestsOf(who)).at(-1)!)
    expect(text).toContain('Still out\n\n- ')
    expect(text.match(/^- /gm)).toHaveLength(1)
  }
})

test('three servers at once make one digest for each of many, with as many round trips as for one', async () => {
  const [first] = [await reader()]
  await write(first, 'Alone')
  const due = async () => {
    await t.look(`update notifications set digest_due_at = $1 where digest_due_at is not null`, [clock.now()])
  }
  await due()
  const one = await roundTripsOf(() => makeDigests.run({}))
  const many = await t.look<{ id: string }>(`insert into users (id, email, name, role, password_hash, created_at)
    select id, id || '@example.test', 'Many', 'TESTER', 'none', now() from (
      select gen_random_uuid() as id from generate_series(1, 60)) made returning id`)
  const ids = many.map(({ id }) => id)
  const tell = async () => {
    await t.look(
      `insert into notification_choices (user_id, topic, delivery)
        select id, 'MESSAGES', 'DAILY' from unnest($1::uuid[]) id on conflict do nothing`,
      [ids],
    )
    const facts = { subject: 'To many', text: 'Text' }
    await transact(tx =>
      notifyMany(
        tx,
        ids.flatMap(id => [1, 2].map(() => notice(id, 'ADMIN_MESSAGE', facts))),
      ),
    )
    await due()
  }
  await tell()
  expect(await roundTripsOf(() => makeDigests.run({}))).toEqual(one)
  await t.look('delete from digests')
  await tell()
  await inParallel(3, () => makeDigests.run({}))
  const [counts] = await t.look<{ digests: number; told: number }>(
    `select count(*)::int as digests, sum(cardinality(notification_ids))::int as told from digests where user_id = any($1)`,
    [ids],
  )
  expect(counts).toEqual({ digests: 60, told: 120 })
  expect(await t.look('select from notifications where digest_due_at is not null')).toEqual([])
})

test('a server that dies before the batch is written loses nothing, and one that dies after sending repeats the same email', async () => {
  const person = await reader()
  await write(person, 'Kept')
  await t.look(`update notifications set digest_due_at = $2 where user_id = $1`, [person.user.id, clock.now()])
  await t.look(`create function refuse() returns trigger language plpgsql as $$ begin raise 'dies here'; end $$`)
  await t.look(`create trigger refuse before insert on digests for each row execute function refuse()`)
  await expect(makeDigests.run({})).rejects.toThrow()
  await t.look('drop trigger refuse on digests')
  expect(await digestsOf(person)).toEqual([])
  await makeDigests.run({})
  const [digest] = await digestsOf(person)
  await sendDigest.run({ digestId: digest!.id })
  await sendDigest.run({ digestId: digest!.id })
  await t.advance(0)
  expect(await mailed(person)).toEqual([`${person.user.email}: Your daily digest`])
  expect(await textOfDigest(digest!)).toContain('Kept')
})

test('a clock that jumps ahead sends one digest, and one that was turned back sends none twice', async () => {
  const person = await reader()
  await write(person, 'Before the jump')
  await t.advance(24 * 5)
  expect(await mailed(person)).toHaveLength(1)
  // It comes due on the same day, as it would for a clock that was turned back.
  await write(person, 'Afterwards')
  await t.look(`update notifications set digest_due_at = $2 where digest_due_at is not null and user_id = $1`, [
    person.user.id,
    clock.now(),
  ])
  await t.look(`update digests set day = $2::date where user_id = $1`, [person.user.id, clock.now()])
  await makeDigests.run({})
  await t.advance(0)
  expect(await mailed(person)).toHaveLength(1)
  for (let day = 0; day < 2; day++) await untilHour(9)
  expect(await mailed(person)).toHaveLength(2)
})

test('who chooses another way meanwhile gets what waits by that way', async () => {
  const [weekly, off] = [await reader(), await reader()]
  for (const who of [weekly, off]) await write(who, 'Waits')
  await choose(weekly, 'MESSAGES', 'WEEKLY')
  await choose(off, 'MESSAGES', 'IN_APP')
  for (let day = 0; day < 8; day++) await t.advance(24)
  expect([await mailed(weekly), await mailed(off)]).toEqual([[`${weekly.user.email}: Your weekly digest`], []])
})

test.each([
  ['Pacific/Honolulu', 'Pacific/Auckland'],
  ['Pacific/Auckland', 'Pacific/Honolulu'],
])('what waits when its reader moves from %s to %s comes at 8 in the morning there', async (from, to) => {
  const person = await reader('DAILY', from)
  await write(person, 'Where are you?')
  expect((await person.call('PATCH', '/users/me', { timeZone: to })).status).toBe(200)
  const [row] = await t.look<{ due: string; ahead: boolean }>(
    `select to_char(digest_due_at at time zone $2, 'HH24:MI') as due, digest_due_at <= $3::timestamptz + interval '24 hours' as ahead
      from notifications where user_id = $1 and digest_due_at is not null`,
    [person.user.id, to, clock.now()],
  )
  expect(row).toEqual({ due: '08:00', ahead: true })
})

test('what is due stays due when its reader moves to another zone or saves the same choices again', async () => {
  const person = await reader()
  await write(person, 'Due')
  await t.look('update notifications set digest_due_at = $2 where user_id = $1', [person.user.id, clock.now()])
  expect((await person.call('PATCH', '/users/me', { timeZone: 'Asia/Kolkata' })).status).toBe(200)
  expect((await choose(person, 'MESSAGES', 'DAILY')).status).toBe(200)
  await makeDigests.run({})
  expect(await digestsOf(person)).toHaveLength(1)
})

test('what waits for a reader who has left waits no more', async () => {
  const who = await reader()
  await write(who, 'One')
  await t.look('update users set deleted_at = $2 where id = $1', [who.user.id, clock.now()])
  await untilHour(9)
  const waiting = 'select digest_due_at as due from notifications where user_id = $1 and subject = $2'
  expect(await t.look(waiting, [who.user.id, 'One'])).toEqual([{ due: null }])
})

test('a digest greets by name only whoever has confirmed the address, because a stranger may have chosen both', async () => {
  const [unconfirmed, confirmed] = [await reader(), await reader()]
  await t.look('update users set email_verified_at = now() where id = $1', [confirmed.user.id])
  for (const who of [unconfirmed, confirmed]) await write(who, 'One')
  await untilHour(9)
  const greetingOf = async (who: Person) => (await textOfDigest((await digestsOf(who))[0]!)).split('\n')[0]
  expect([await greetingOf(unconfirmed), await greetingOf(confirmed)]).toEqual([
    'Hello,',
    `Hello ${confirmed.user.name},`,
  ])
})

test('digests are forgotten after 60 days', async () => {
  const person = await reader()
  for (const days of [59, 61])
    await t.look(
      `insert into digests (id, user_id, period, day, notification_ids, made_at) values (gen_random_uuid(), $1, 'DAILY', $2::timestamptz::date, '{}', $2)`,
      [person.user.id, daysAfter(clock.now(), -days)],
    )
  const [newer] = (await digestsOf(person)).toReversed()
  await makeDigests.run({})
  expect(await digestsOf(person)).toEqual([newer])
})

test('while its reader is suspended, a digest leaves out what asks for work, and is not sent for that alone', async () => {
  const [both, work] = [await reader(), await reader()]
  const tell = async (who: Person, kinds: EmailKind[]) => {
    await who.call('PUT', '/users/me/notification-choices', {
      choices: ['BUG_THREADS', 'OPT_INS'].map(topic => ({ topic, delivery: 'DAILY' })),
    })
    await transact(tx =>
      notifyMany(
        tx,
        kinds.map(kind => notice(who.user.id, kind, emailExamples[kind] as never)),
      ),
    )
    await t.look("update users set suspended_at = now(), suspension_reason = 'Two accounts.' where id = $1", [
      who.user.id,
    ])
  }
  await tell(both, ['BUG_COMMENTED', 'OPT_IN_CLEARED', 'OPT_IN_CLEARED'])
  await tell(work, ['BUG_COMMENTED'])
  await untilHour(9)
  expect([await mailed(both), await mailed(work)]).toEqual([[`${both.user.email}: Your daily digest`], []])
  const text = await textOfDigest((await digestsOf(both))[0]!)
  // They name no campaign, so nothing says that they are about the same one: each has a line of its own.
  expect([text.match(/^- Your opt-in counts/gm)?.length, text.includes('New comment on bug')]).toEqual([2, false])
  expect(
    await t.look('select kind from notifications where user_id = $1 and topic is not null and read_at is null', [
      work.user.id,
    ]),
  ).toEqual([{ kind: 'BUG_COMMENTED' }])
})
