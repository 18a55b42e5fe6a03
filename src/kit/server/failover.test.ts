/** When another primary takes over, or connections break midway, nothing is lost and nothing is done twice. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { campaignInput, draftOf } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { type OtherServer, startOtherServer } from '../../testing/processes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { type Node, startPrimary, startStandby } from '../../testing/standby.ts'
import { openStream } from '../../testing/streams.ts'
import { openWire, type Wire } from '../../testing/wire.ts'
import { answers } from './connections.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })
const patient = { timeout: 30_000 }
const jwtSecret = 'one secret that both of the servers know'

let primary: Node
let standby: Node
let wire: Wire
/** Only for the last test, because its jobs commit as well. */
let other: OtherServer | undefined
beforeAll(async () => {
  primary = await startPrimary()
  standby = await startStandby(primary)
  wire = await openWire(primary.url)
})

const t = testApp(() => ({ JWT_SECRET: jwtSecret, DATABASE_URL: wire.url, DATABASE_REPLICA_URLS: standby.url }), {
  via: () => Promise.resolve(wire.url),
  onError: () => undefined,
})
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
afterAll(async () => {
  await other?.stop()
  await wire.stop()
  await standby.stop()
  await primary.stop()
})

const statusOf = async (id: string) =>
  ((await onPrimary(`select status from campaigns where id = '${id}'`)) as { status: string }[])[0]?.status
const paymentsOf = async (id: string) => (await t.look('select from payments where campaign_id = $1', [id])).length
const fund = ({ id, totalCostCents }: Campaign, key?: string) =>
  developer.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents: totalCostCents }, key)

describe('a connection that breaks during the commit', () => {
  /** Breaks the connection of the next commit, before or after the commit has been delivered. */
  const breakAtCommit = async (delivered: boolean, isDone: () => Promise<boolean>) => {
    await wire.freezeAt('commit', { delivered })
    if (delivered) await expect.poll(isDone, patient).toBe(true)
    wire.cut()
  }
  const chargesOf = async (id: string) => (await onPrimary(`select from charges where campaign_id = '${id}'`)).length
  const isBegun = (id: string) => async () => (await chargesOf(id)) === 1

  test.each([
    ['after it was done', true],
    ['before it arrived', false],
  ])('%s: with a key, the same request gets its answer, and is paid once', async (_, delivered) => {
    const draft = await draftOf(developer)
    const breaking = breakAtCommit(delivered, isBegun(draft.id))
    const paying = fund(draft, randomUUID())
    await breaking
    expect(await paying).toMatchObject({ status: 200, body: { status: 'PENDING_APPROVAL' } })
    expect(await paymentsOf(draft.id)).toBe(1)
  })

  test.each([
    ['after it was done', true, 1],
    ['before it arrived', false, 0],
  ])('%s: without a key, the answer says that the outcome is unknown', async (_, delivered, charges) => {
    const draft = await draftOf(developer)
    const breaking = breakAtCommit(delivered, isBegun(draft.id))
    const paying = fund(draft)
    await breaking
    expect(await paying).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { code: 'UNAVAILABLE', message: expect.stringContaining('may or may not have taken effect') as string },
    })
    expect([await statusOf(draft.id), await chargesOf(draft.id)]).toEqual(['DRAFT', charges])
  })

  test('before anything was to be committed: the request is retried, and nobody notices', async () => {
    const draft = await draftOf(developer)
    const frozen = wire.freezeAt('begin_charge', { delivered: true })
    const paying = fund(draft)
    await frozen
    wire.cut()
    expect(await paying).toMatchObject({ status: 200, body: { status: 'PENDING_APPROVAL' } })
    expect(await paymentsOf(draft.id)).toBe(1)
  })
})

/** On a connection that does not pass the wire. */
const onPrimary = async (query: string) => {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    return (await client.query<object>(query)).rows
  } finally {
    await client.end()
  }
}

test('an unanswered question about how far the primary has come does not block readiness checks', async () => {
  const question = 'pg_current_wal_flush_lsn'
  const sent = wire.passed(question)
  wire.freezeThose(question)
  await sent
  await expect.poll(answers, patient).toBe(true)
  wire.thaw()
})

test('a primary that has become a standby is left, and a write waits for the next primary', async () => {
  const rename = (name: string) => developer.call('PATCH', '/users/me', { name })
  wire.lead(standby.url)
  wire.cut()
  // Reads work on a standby as well.
  await expect.poll(async () => (await developer.call('GET', '/campaigns')).status, patient).toBe(200)
  const renaming = rename('Written later')
  await wire.passed('begin;')
  wire.lead(primary.url)
  expect((await renaming).status).toBe(200)
  expect(await onPrimary(`select name from users where id = '${developer.user.id}'`)).toEqual([
    { name: 'Written later' },
  ])
})

const sentMail = `select from pgboss.job j join notifications n on n.id::text = j.data->>'notificationId'
  where j.name = 'notifications.send-mail' and j.state = 'completed' and n.subject = 'Hello'`

// Has to be the last, because the first primary is gone afterwards.
test('in a switchover under load, each answered write is there once, and streams, sessions, jobs and reads go on', async () => {
  const server = await startOtherServer(t, {
    DATABASE_URL: wire.url,
    JWT_SECRET: jwtSecret,
    LOG_LEVEL: 'silent',
    WORK: '1',
  })
  other = server
  const tester = await t.signUp('TESTER')
  const left = await t.signUp('TESTER')
  const stream = await openStream(server.url, tester.accessToken)
  await stream.until('ready')
  const going = new AbortController()
  const refused: number[] = []
  /** As the page does: with the same key until there is an answer. */
  const create = async (title: string, address: string) => {
    const key = randomUUID()
    for (;;) {
      const reply = await fetch(`${address}/api/v1/campaigns`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${developer.accessToken}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ ...campaignInput, title }),
      })
      await reply.text()
      if (reply.status === 201) return
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2'])
      refused.push(reply.status)
    }
  }
  const here = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const titles: string[] = []
  const writer = async (name: string, address: string) => {
    for (let number = 0; !going.signal.aborted; number++) {
      const title = `Written by ${name} as number ${number}`
      await create(title, address)
      titles.push(title)
    }
  }
  const writing = ['One', 'Two', 'Three', 'Four'].map((name, index) =>
    writer(name, index % 2 === 0 ? here : server.url),
  )
  await expect.poll(() => titles.length, patient).toBeGreaterThan(20)
  await primary.halt()
  wire.lead(standby.url)
  const before = titles.length
  await standby.asSuperuser('select pg_promote()')
  await expect.poll(() => titles.length, patient).toBeGreaterThan(before + 20)
  going.abort()
  await Promise.all(writing)

  const found = await t.look<{ title: string }>(`select title from campaigns where title like 'Written by %'`)
  expect(found.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
  expect(await brokenChecks()).toEqual([])
  const message = { subject: 'Hello', message: 'From the new primary.' }
  expect((await admin.call('POST', `/admin/users/${tester.user.id}/message`, message)).status).toBe(200)
  expect((await stream.change()).data.topic).toBe('NOTICES')
  stream.cut()
  const sent = async () => (await t.look(sentMail)).length
  await expect.poll(sent, patient).toBe(1)
  // Signed out through one server, refused by the other.
  await left.call('POST', '/auth/logout')
  const asked = async () =>
    (await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${left.accessToken}` } })).status
  await expect.poll(asked, patient).toBe(401)
})
