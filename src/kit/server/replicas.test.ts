/** Reads from a standby, made with the embedded binaries: users see their own writes, however far behind the standby is. */
import Fastify, { type FastifyRequest } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Campaign } from '../../campaigns/contract.ts'
import type { LiveEvents } from '../../events/contract.ts'
import { device, draftOf, liveCampaign, type Person } from '../../testing/app.ts'
import { type Fixtures, fixturesOf } from '../../testing/fixtures.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { delay, type Node, startPrimary, startStandby } from '../../testing/standby.ts'
import { openStream } from '../../testing/streams.ts'
import { everyStep } from '../../testing/walk.ts'
import { endpoints } from '../endpoint.ts'
import { DomainError } from '../errors.ts'
import { autocommit, sql } from './db.ts'
import { mountErrors } from './errorReplies.ts'
import { mount } from './http.ts'
import { currentWork, during, requestWork } from './limits.ts'
import { positionHeader } from './positions.ts'
import { readsBy, readWhereAllowed } from './replicaReads.ts'
import { replicasNow } from './replicas.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

let primary: Node
let standby: Node
beforeAll(async () => {
  primary = await startPrimary()
  standby = await startStandby(primary)
})
afterAll(async () => {
  await standby.stop()
  await primary.stop()
})

const t = testApp(() => ({ DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: standby.url }), {
  via: () => Promise.resolve(primary.url),
})
const developers = allSignedUp(t, 'DEVELOPER', 8)
const admin = signedUp(t, 'ADMIN')
let fixtures: Fixtures
/** The log's position after the fixtures were made. */
let made: string
beforeAll(async () => {
  fixtures = await fixturesOf(t)
  // The fixtures moved the clock, so everybody needs a new token.
  const everybody = [admin, ...developers, ...Object.values(fixtures.people)]
  await Promise.all(everybody.map(person => person.call('GET', '/users/me')))
  made = (await send(admin, 'PATCH', '/users/me', { body: { name: 'Ada' } })).position!
  expect(made).toBeDefined()
})
afterEach(() => delay(standby, 0))

const patient = { timeout: 30_000 }
const isUsable = () => replicasNow().some(({ usable }) => usable)
const usable = async () => {
  await expect.poll(isUsable, patient).toBe(true)
}

/** The position sent by a page that knows of no write. */
const nothingYet = '0'.repeat(16)
const farAway = 'FFFFFFFF00000000'

type Sent = { at?: string | undefined; body?: object; tag?: unknown }
const send = async <T>(
  person: Person,
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  { at, body, tag }: Sent = {},
) => {
  const headers = {
    ...(at !== undefined && { [positionHeader]: at }),
    ...(typeof tag === 'string' && { 'if-none-match': tag }),
  }
  const before = { ...readsBy }
  const reply = await t.call<T>(method, path, { token: person.accessToken, body, headers })
  const by = (['replica', 'primary', 'retried'] as const).filter(each => readsBy[each] > before[each])
  return { ...reply, by, position: reply.headers[positionHeader] as string | undefined }
}

test('joins made by one statement are each answered with its position', async () => {
  await delay(standby, 2_000)
  await usable()
  const live = await Promise.all(developers.map(developer => liveCampaign(developer, admin)))
  const testers = await Promise.all(live.map(() => t.signUp('TESTER')))
  const joined = await Promise.all(
    testers.map((person, at) =>
      send<{ id: string }>(person, 'POST', `/testers/campaigns/${live[at]!.id}/join`, { body: { deviceInfo: device } }),
    ),
  )
  for (const [at, { position, body }] of joined.entries()) {
    expect(position).toMatch(/^[0-9A-F]{16}$/)
    const seen = await send(testers[at]!, 'GET', `/testers/campaign-testers/${body.id}`, { at: position })
    expect(seen.status).toBe(200)
  }
})

const titleIn = ({ body }: { body: Campaign[] }) => body[0]?.title

test('users see their own writes, a thousand times, although the standby is two seconds behind', async () => {
  await delay(standby, 2_000)
  await usable()
  const before = { ...readsBy }
  const roundsOf = async (developer: Person) => {
    const { id } = await draftOf(developer)
    let at: string | undefined
    for (let round = 0; round < 125; round++) {
      const title = `Title number ${round}`
      const written = await send(developer, 'PATCH', `/campaigns/${id}`, { body: { title } })
      expect(written.position).toMatch(/^[0-9A-F]{16}$/)
      expect(written.position! > (at ?? '')).toBe(true)
      at = written.position
      const seen = await send<Campaign[]>(developer, 'GET', '/campaigns', { at })
      expect([seen.status, titleIn(seen)]).toEqual([200, title])
    }
    return { developer, at, title: 'Title number 124' }
  }
  const all = await Promise.all(developers.map(roundsOf))
  // A caller who names an old position sees what the standby has.
  const old = await send<Campaign[]>(all[0]!.developer, 'GET', '/campaigns', { at: nothingYet })
  expect([old.by, titleIn(old) === all[0]!.title]).toEqual([['replica'], false])
  // A caller who names no position, such as a script, sees the write as well.
  const unnamed = await send<Campaign[]>(all[0]!.developer, 'GET', '/campaigns')
  expect([titleIn(unnamed), readsBy.primary - before.primary]).toEqual([all[0]!.title, 1_001])
  // Later the standby itself has caught up.
  for (const { developer, at, title } of all) {
    const seen = () => send<Campaign[]>(developer, 'GET', '/campaigns', { at })
    await expect.poll(async () => (await seen()).by, patient).toEqual(['replica'])
    expect(titleIn(await seen())).toBe(title)
  }
})

test('a tag of the standby’s old answer is no 304 for the user who has changed it since', async () => {
  const [developer] = developers
  const { id } = await draftOf(developer!)
  await usable()
  const before = await send<Campaign[]>(developer!, 'GET', '/campaigns')
  const { etag } = before.headers
  await delay(standby, 10_000)
  const { position } = await send(developer!, 'PATCH', `/campaigns/${id}`, { body: { title: 'Another title' } })
  const after = await send<Campaign[]>(developer!, 'GET', '/campaigns', { at: position, tag: etag })
  expect([after.status, titleIn(after)]).toEqual([200, 'Another title'])
  expect(await send(developer!, 'GET', '/campaigns', { at: position, tag: after.headers['etag'] })).toMatchObject({
    status: 304,
    by: ['primary'],
  })
})

test.each([
  ['of the far future', farAway],
  ['that is none', "'; drop table users --"],
  ['of another shape', '0/16B3748'],
  ['that is sent twice', `${nothingYet}, ${nothingYet}`],
  ['that is empty', ''],
])('a position %s is answered by the primary', async (_, at) => {
  await usable()
  expect(await send(developers[0]!, 'GET', '/campaigns', { at })).toMatchObject({ status: 200, by: ['primary'] })
  expect(await send(developers[0]!, 'GET', '/campaigns', { at: nothingYet })).toMatchObject({ by: ['replica'] })
})

const marked = everyStep.filter(({ endpoint }) => endpoint.replica)

const queries: Record<string, string> = {
  'reputation.developers': '?ids=019e8a00-0000-7000-8000-000000000000',
}

test.each(marked.map(step => ({ ...step, step })))('$name is answered by a standby', async ({ step, allowed }) => {
  const role = allowed[0]!
  const path = `${fixtures.ownPath(step, role)}${queries[step.name] ?? ''}`
  const seen = async () => {
    const { status, by } = await send(fixtures.people[role], 'GET', path, { at: made })
    return { status, by }
  }
  // A standby that has to wait for a processor is passed over for a moment, whenever that is.
  await expect.poll(seen, patient).toEqual({ status: 200, by: ['replica'] })
})

test('an event carries the position of its cause, streamed or polled, and a read with that position sees the cause', async () => {
  await delay(standby, 10_000)
  await usable()
  const tester = await t.signUp('TESTER')
  const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const stream = await openStream(address, tester.accessToken)
  await stream.until('ready')
  const path = '/users/me/notifications'
  const { etag } = (await send(tester, 'GET', path)).headers
  const text = { subject: 'Hello', message: 'From the other side.' }
  await admin.call('POST', `/admin/users/${tester.user.id}/message`, text)
  const { data } = (await stream.change()) as { data: { position?: string } }
  stream.cut()
  const { position } = (await tester.call<LiveEvents>('GET', '/users/me/events?seconds=60')).body
  for (const at of [data.position, position!]) {
    expect(await send(tester, 'GET', path, { at, tag: etag })).toMatchObject({
      status: 200,
      by: ['primary'],
      body: [{ subject: 'Hello' }],
    })
  }
  // The standby itself still has the old answer.
  expect(await send(tester, 'GET', path, { at: nothingYet })).toMatchObject({ by: ['replica'], body: [] })
})

test('something just created is found, even if a standby does not know of it yet', async () => {
  // Well within the lag that a standby may have; the delay takes effect a moment after it is set.
  await delay(standby, 5_000)
  const seen = async () => {
    const { id } = await draftOf(developers[0]!)
    const { status, by } = await send(admin, 'GET', `/campaigns/${id}/activity`, { at: nothingYet })
    return { status, by }
  }
  await expect.poll(seen, patient).toEqual({ status: 200, by: ['retried'] })
})

/** A read of its own, since no handler takes long enough to block the replay. */
const readBy = <T>(statement: (onStandby: boolean) => ReturnType<typeof sql>): Promise<T> => {
  const request = { headers: { [positionHeader]: nothingYet }, signedIn: admin.user } as unknown as FastifyRequest
  return readWhereAllowed({ ...marked[0]!.endpoint, replica: true }, request, replica =>
    during({ ...requestWork('reads'), replica: replica?.pool }, () =>
      autocommit.value<T>(statement(replica !== undefined)),
    ),
  )
}
const readFor = (secondsOnStandby: number) =>
  readBy<boolean>(
    onStandby => sql`select pg_is_in_recovery() from settings, pg_sleep(${onStandby ? secondsOnStandby : 0}) limit 1`,
  )
const connectionRead = () => readBy<number>(() => sql`select pg_backend_pid()`)
const sleeping = async () =>
  (await standby.asSuperuser(`select from pg_stat_activity where wait_event = 'PgSleep'`)).length

test('a read that a standby cancels because it blocks the replay is answered by the primary', async () => {
  await usable()
  expect(await readFor(0)).toBe(true)
  await standby.asSuperuser('alter system set max_standby_streaming_delay = 0', 'select pg_reload_conf()')
  const reading = readFor(4)
  await expect.poll(sleeping, patient).toBe(1)
  await t.look('begin; lock table settings in access exclusive mode; commit')
  expect(await reading).toBe(false)
})

test('the primary has only the time that the standby left of it', async () => {
  const api = endpoints({
    read: { method: 'GET', path: '/read', access: 'SIGNED_IN', replica: true, summary: 'Read.', reply: z.object({}) },
  })
  const ends: (number | undefined)[] = []
  const read = async () => {
    ends.push(currentWork().until)
    if (ends.length === 1) throw new DomainError('NOT_FOUND', 'It is not here yet.')
    return {}
  }
  const app = Fastify()
  app.decorateRequest('signedIn', null).decorate('mounted', [])
  mountErrors(app)
  mount(app, 'testClock', api, { read })
  await usable()
  const headers = { authorization: `Bearer ${admin.accessToken}`, [positionHeader]: nothingYet }
  expect((await app.inject({ url: '/api/v1/read', headers })).statusCode).toBe(200)
  await app.close()
  expect(ends).toEqual([expect.any(Number), ends[0]])
})

test('a standby that hangs is passed over, along with the reads that wait for it, and comes back', async () => {
  await usable()
  const reading = readFor(4)
  await expect.poll(sleeping, patient).toBe(1)
  const unused = await connectionRead()
  const pids = (await standby.asSuperuser(
    `select pid from pg_stat_activity where application_name like 'fieldtest%'`,
  )) as { pid: number }[]
  for (const { pid } of pids) process.kill(pid, 'SIGSTOP')
  expect(await reading).toBe(false)
  for (const { pid } of pids) process.kill(pid, 'SIGCONT')
  await usable()
  // Its address may lead to another standby by now, so no connection from before is read from.
  expect(pids).toContainEqual({ pid: unused })
  expect(await connectionRead()).not.toBe(unused)
})

test('Prometheus is told whether the standby is read from, how far it is behind, and which server answered', async () => {
  await usable()
  const { payload } = await t.app.inject({ method: 'GET', url: '/metrics' })
  const { host } = new URL(standby.url)
  expect(payload).toContain(`fieldtest_replica_usable{replica="${host}"} 1`)
  expect(payload).toMatch(new RegExp(`fieldtest_replica_lag_seconds\\{replica="${host}"\\} \\d`))
  expect(payload).toContain(`fieldtest_replica_reads_total{by="replica"} ${readsBy.replica}`)
})

// Has to be the last, because there is no standby afterwards.
test('a standby that is promoted is no longer read from, and the primary answers', async () => {
  await usable()
  await standby.asSuperuser('select pg_promote()')
  await expect.poll(replicasNow, patient).toEqual([])
  expect(await send(developers[0]!, 'GET', '/campaigns', { at: nothingYet })).toMatchObject({
    status: 200,
    by: ['primary'],
  })
})
