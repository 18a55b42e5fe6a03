/** Events reach the users concerned, in order and once, even users who were disconnected. */
import type { RequestListener } from 'node:http'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { useGuard } from '../../kit/server/guard.ts'
import { joinedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { connectBeside } from '../../testing/observed.ts'
import { roundTripsOf } from '../../testing/recorded.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { eventsOf, openStream, type Stream, type StreamEvent, told } from '../../testing/streams.ts'
import { forgetEvents } from './events.ts'
import { openStreams } from './streams.ts'

const t = testApp({}, { own: true })
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let address: string
beforeAll(async () => {
  address = await t.app.listen({ port: 0, host: '127.0.0.1' })
})

const open: Stream[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.cut()
})

/** Opens a page's stream. */
const listen = async (accessToken: string, lastEventId?: string, query = ''): Promise<Stream> => {
  const stream = await openStream(address, accessToken, { ...(lastEventId !== undefined && { lastEventId }), query })
  open.push(stream)
  return stream
}
/** Resolves once the stream receives events. */
const ready = async (person: Pick<Person, 'accessToken'>) => {
  const stream = await listen(person.accessToken)
  const [first] = await stream.until('ready')
  return { ...stream, at: first!.id }
}
const place = ({ id }: StreamEvent) => id.split('-').map(Number) as [number, number]
const poll = eventsOf

describe('a stream', () => {
  test('tells a developer of a join and the tester of the campaign’s pause, but nobody else', async () => {
    const { id } = await liveCampaign(developer, admin)
    const [tester, stranger] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const owner = await ready(developer)
    const other = await ready(stranger)
    const { id: testId } = await joinedBy(tester, id)
    expect(told((await owner.next())!)).toBe(`CAMPAIGN ${id}`)
    const own = await ready(tester)
    await developer.call('POST', `/campaigns/${id}/pause`)
    expect(told((await own.next())!)).toBe(`TEST ${testId}`)
    await stranger.call('POST', '/users/me/notifications/read', {})
    await admin.call('POST', `/admin/users/${stranger.user.id}/message`, { subject: 'Welcome', message: 'Hello.' })
    expect(told((await other.next())!)).toBe('NOTICES')
  })

  test('tells the tester of money, the developer of a check-in, and admins of what waits for them', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1 })
    const tester = await t.signUp('TESTER')
    const { id: testId } = await joinedBy(tester, id)
    const [owner, own, office] = [await ready(developer), await ready(tester), await ready(admin)]
    await tester.call('POST', `/testers/campaign-testers/${testId}/check-ins`, {})
    expect(told((await owner.next())!)).toBe(`CAMPAIGN ${id}`)
    expect(told((await own.next())!)).toBe(`TEST ${testId}`)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    const money: string[] = []
    while (!money.includes('MONEY')) money.push(told((await own.next())!))
    expect(told((await office.next())!)).toBe('QUEUE')
  })

  test('that was interrupted brings what was missed, once and in order, and then continues', async () => {
    const tester = await t.signUp('TESTER')
    const first = await ready(tester)
    first.cut()
    const say = (subject: string) =>
      admin.call('POST', `/admin/users/${tester.user.id}/message`, { subject, message: 'Hello.' })
    await say('One')
    await say('Two')
    const back = await listen(tester.accessToken, first.at)
    const seen = [await back.change(), await back.change()]
    const places = seen.map(place)
    expect(places).toEqual(places.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
    await say('Three')
    const third = await back.change()
    expect(await poll(tester, `?after=${seen[1]!.id}`)).toMatchObject({ events: [{ cursor: third.id }], reset: false })
    expect((await poll(tester, `?after=${third.id}`)).events).toEqual([])
  })

  test('brings what happened while the page was loading', async () => {
    const tester = await t.signUp('TESTER')
    await admin.call('POST', `/admin/users/${tester.user.id}/message`, { subject: 'Early', message: 'Hello.' })
    const stream = await listen(tester.accessToken, undefined, '?seconds=60')
    expect(told(await stream.change())).toBe('NOTICES')
  })

  test('holds back events that commit before an older transaction does, so no cursor skips a late one', async () => {
    const { user } = await t.signUp('TESTER')
    const person = await t.signIn(user.email)
    const [early, slow, quick] = [await connectBeside(t), await connectBeside(t), await connectBeside(t)]
    const insert = `insert into user_events (user_id, topic) values ('${user.id}', $1)`
    const [stream, passing] = [await ready(person), await ready(developer)]
    await early.query('begin')
    await early.query(`insert into user_events (user_id, topic) values ('${developer.user.id}', 'MONEY')`)
    // The slow transaction gets the lower transaction number but the higher row number, and commits last. Then the other way
    // round.
    await slow.query('begin')
    await slow.query('select pg_current_xact_id()')
    await quick.query(insert, ['MONEY'])
    // Now the server has read what is before the slow transaction, and passed what is after it.
    await early.query('commit')
    expect(told((await passing.next())!)).toBe('MONEY')
    const during = await poll(person, `?after=${stream.at}`)
    await slow.query(insert, ['NOTICES'])
    await slow.query('commit')
    expect(during.events).toEqual([])
    const both = [(await stream.next())!, (await stream.next())!]
    expect(both.map(told).toSorted()).toEqual(['MONEY', 'NOTICES'])
    await quick.query('begin')
    await quick.query('select pg_current_xact_id()')
    await slow.query('begin')
    await slow.query(insert, ['MONEY'])
    await quick.query(insert, ['NOTICES'])
    await quick.query('commit')
    expect(told((await stream.next())!)).toBe('NOTICES')
    await slow.query('commit')
    expect(told((await stream.next())!)).toBe('MONEY')
    // Continuing from any of the cursors brings exactly what follows it.
    const { events } = await poll(person, `?after=${stream.at}`)
    expect(events.map(({ topic }) => topic)).toEqual([...both.map(({ data }) => data.topic), 'NOTICES', 'MONEY'])
    for (const [index, { cursor }] of events.entries())
      expect((await poll(person, `?after=${cursor}`)).events).toEqual(events.slice(index + 1))
    await Promise.all([early.end(), slow.end(), quick.end()])
  })

  test('outlives the token that opened it, and ends with its session', async () => {
    const { user, accessToken } = await t.signUp('TESTER')
    const stream = await ready({ user, accessToken } as Person)
    clock.setOffsetMs(clock.offsetMs() + 20 * 60_000)
    await admin.call('POST', `/admin/users/${user.id}/message`, { subject: 'Later', message: 'Hello.' })
    expect(told((await stream.next())!)).toBe('NOTICES')
    await admin.call('POST', `/admin/users/${user.id}/ban`, { reason: 'Several accounts on one device.' })
    expect((await stream.until('never')).at(-1)?.event).not.toBe('never')
    expect((await listen(accessToken)).status).toBe(401)
  })

  test.each<[string, (person: Person) => Promise<unknown>]>([
    ['signing out', person => person.call('POST', '/auth/logout')],
    [
      'a sign-out of all other devices',
      async ({ user }) => (await t.signIn(user.email)).call('DELETE', '/users/me/sessions'),
    ],
    [
      'a new password, set on another device',
      async ({ user }) =>
        (await t.signIn(user.email)).call('POST', '/users/me/password', {
          currentPassword: password,
          newPassword: 'another good passphrase',
        }),
    ],
    ['the deletion of the account', person => person.call('DELETE', '/users/me', { password })],
    ['a suspension', ({ user }) => admin.call('POST', `/admin/users/${user.id}/ban`, { reason: 'Several accounts.' })],
  ])('ends with %s, and its token cannot open another one', async (_, end) => {
    const person = await t.signUp('TESTER')
    const stream = await ready(person)
    expect(await end(person)).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) as number })
    expect((await stream.until('the end')).filter(({ event }) => event !== 'change')).toEqual([])
    expect((await listen(person.accessToken)).status).toBe(401)
  })

  test('ends with a session that has expired, or whose end was not announced, within seconds', async () => {
    // The server's clock of these looks starts with the first stream, so that has to be one of this test.
    await expect.poll(openStreams).toBe(0)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const [expired, ended, live] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
      const streams = [await ready(expired), await ready(ended), await ready(live)]
      // One that is announced ends its stream without such a look.
      const left = await t.signUp('TESTER')
      const leaving = await ready(left)
      await left.call('POST', '/auth/logout')
      expect(await leaving.next()).toBeNull()
      await t.look(`update sessions set expires_at = $2 where user_id = $1`, [expired.user.id, clock.now()])
      await t.look(`update sessions set ended_at = $2, end_reason = 'LOGOUT' where user_id = $1`, [
        ended.user.id,
        clock.now(),
      ])
      vi.advanceTimersByTime(15_000)
      for (const stream of streams.slice(0, 2)) expect(await stream.next()).toBeNull()
      await admin.call('POST', `/admin/users/${live.user.id}/message`, { subject: 'Still there', message: 'Hello.' })
      let seen: StreamEvent | null = null
      void streams[2]!.next().then(event => (seen = event))
      // A transaction of another database of this PostgreSQL may hold the event back until a later look.
      const look = () => {
        vi.advanceTimersByTime(1_000)
        return seen && told(seen)
      }
      await expect.poll(look).toBe('NOTICES')
      for (const stream of open.splice(0)) stream.cut()
      await expect.poll(openStreams).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('gives every event an id from which a client can continue', async () => {
    const tester = await t.signUp('TESTER')
    const stream = await ready(tester)
    for (const subject of ['One', 'Two'])
      await admin.call('POST', `/admin/users/${tester.user.id}/message`, { subject, message: 'Hello.' })
    const ids = [stream.at, (await stream.change()).id, (await stream.change()).id]
    for (const id of ids) expect(id).toMatch(/^\d+-\d+$/)
    expect(new Set(ids).size).toBe(3)
    const [ready1] = await (await listen(tester.accessToken, ids[2])).until('ready')
    expect(ready1).toMatchObject({ event: 'ready', id: expect.stringMatching(/^\d+-\d+$/) as string })
  })

  test('is woken by a signal outside any transaction, because transactions that notify would wait for each other', async () => {
    const { id } = await liveCampaign(developer, admin)
    const tester = await t.signUp('TESTER')
    const own = await ready(tester)
    const statements = (
      await roundTripsOf(async () => {
        await joinedBy(tester, id)
        await developer.call('POST', `/campaigns/${id}/pause`)
        await own.change()
      })
    ).flat()
    expect(statements.length).toBeGreaterThan(3)
    expect(statements.filter(statement => /notify/i.test(statement))).toEqual([])
    expect(
      await t.look(`select proname from pg_proc where prosrc ~* 'notify' and pronamespace = 'public'::regnamespace`),
    ).toEqual([])
  })

  test('ends if the reader could not start, so nothing is lost between missed and new events', async () => {
    const tester = await t.signUp('TESTER')
    await expect.poll(openStreams).toBe(0)
    const beside = await connectBeside(t)
    await beside.query('begin')
    await beside.query('lock table user_events in access exclusive mode')
    // The server replies only with the first event or the end.
    const listening = listen(tester.accessToken)
    // Only the reader's first statement is waiting now; missed events are looked up after it.
    const cancel = `select pg_cancel_backend(pid) from pg_locks
      where relation = 'user_events'::regclass and not granted`
    await expect.poll(async () => (await beside.query(cancel)).rowCount).toBe(1)
    await beside.query('commit')
    expect(await (await listening).until('ready')).toEqual([])
    await beside.end()
  })

  test('is refused beyond ten per user', async () => {
    const tester = await t.signUp('TESTER')
    for (let n = 0; n < 10; n++) await ready(tester)
    expect((await listen(tester.accessToken)).status).toBe(429)
  })

  test('does not count if its caller disconnects before it begins, so ten of them do not lock the caller out', async () => {
    const tester = await t.signUp('TESTER')
    const gate = Promise.withResolvers<void>()
    const seen = { waiting: 0, left: 0 }
    const assertMayPass = () => {
      seen.waiting += 1
      return gate.promise
    }
    const guard = useGuard({ concerns: (_, { id }) => id === tester.user.id, assertMayPass })
    const onRequest: RequestListener = (_, reply) => reply.once('close', () => (seen.left += 1))
    t.app.server.on('request', onRequest)
    const gone = new AbortController()
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${tester.accessToken}` }
    const call = () => fetch(`${address}/api/v1/users/me/events`, { headers, signal: gone.signal }).catch(() => null)
    const calls = Array.from({ length: 10 }, call)
    await expect.poll(() => seen.waiting).toBe(10)
    gone.abort()
    await Promise.all(calls)
    await expect.poll(() => seen.left).toBe(10)
    t.app.server.off('request', onRequest)
    gate.resolve()
    expect((await listen(tester.accessToken)).status).toBe(200)
    useGuard(guard)
  })
})

test('events are deleted after a week, and an older cursor, or one of another database, starts anew', async () => {
  const tester = await t.signUp('TESTER')
  const { cursor } = await poll(tester, '')
  const say = () =>
    admin.call('POST', `/admin/users/${tester.user.id}/message`, { subject: 'Hello', message: 'Hello.' })
  await say()
  // Transactions of other databases of this PostgreSQL may hold the event back for a moment.
  await expect
    .poll(() => poll(tester, `?after=${cursor}`), { timeout: 30_000 })
    .toMatchObject({ events: [{ topic: 'NOTICES' }], reset: false })
  await t.look(`update user_events set at = at - interval '6 days'`)
  await forgetEvents.run({})
  expect((await poll(tester, `?after=${cursor}`)).events).toHaveLength(1)
  await t.look(`update user_events set at = at - interval '2 days'`)
  await forgetEvents.run({})
  expect(await t.look('select from user_events')).toEqual([])
  const later = await poll(tester, `?after=${cursor}`)
  expect(later).toMatchObject({ events: [], reset: true })
  expect((await poll(tester, `?after=${later.cursor}`)).reset).toBe(false)
  expect((await poll(tester, '?after=999999999999999-1')).reset).toBe(true)
  for (const from of [cursor, 'garbage', '-1', '9'.repeat(40)]) {
    const stream = await listen(tester.accessToken, from)
    expect((await stream.until('ready')).map(({ event }) => event)).toEqual(['reset', 'ready'])
  }
})

test('who missed 200 events gets them, and who missed more has to load everything', async () => {
  const tester = await t.signUp('TESTER')
  const { cursor } = await poll(tester, '')
  const happen = (count: number) =>
    t.look(`insert into user_events (user_id, topic) select $1, 'MONEY' from generate_series(1, $2::int)`, [
      tester.user.id,
      count,
    ])
  const missed = async () => {
    const { events, reset } = await poll(tester, `?after=${cursor}`)
    return [events.length, reset]
  }
  // Transactions of other databases of this PostgreSQL may hold events back for a moment.
  await happen(200)
  await expect.poll(missed, { timeout: 30_000 }).toEqual([200, false])
  await happen(1)
  await expect.poll(missed, { timeout: 30_000 }).toEqual([0, true])
})

test('a topic that only a newer server knows is passed on, on a stream and to who asks', async () => {
  const person = await t.signUp('TESTER')
  await t.look('alter table user_events drop constraint user_events_topic_check')
  const stream = await ready(person)
  await t.look(`insert into user_events (user_id, topic) values ($1, 'MADE_UP')`, [person.user.id])
  await person.call('PATCH', '/users/me', { name: 'Renamed' })
  expect(told((await stream.next())!)).toBe('MADE_UP')
  const { status, events } = await fetch(`${address}/api/v1/users/me/events?seconds=600`, {
    headers: { authorization: `Bearer ${person.accessToken}` },
  }).then(async reply => ({ status: reply.status, ...((await reply.json()) as { events: { topic: string }[] }) }))
  expect([status, events.map(({ topic }) => topic)]).toEqual([200, ['MADE_UP']])
})

// The last: the server takes no connections afterwards.
test('a server that is told to stop ends its streams at once', async () => {
  const stream = await ready(await t.signUp('TESTER'))
  const drained = t.app.drain(0)
  expect(await stream.next()).toBeNull()
  await drained
})
