/**
 * Conditional requests: 304 only while nothing has changed, only for the same viewer, and never for replies that must not be
 * stored.
 */
import { request as ask } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { apiTables } from '../../app/server/routes.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { campaignInput, draftOf, joinedBy, liveCampaign } from '../../testing/app.ts'
import { type OtherServer, startOtherServer } from '../../testing/processes.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import type { Endpoint } from '../endpoint.ts'

const secret = 'one secret for both servers, 32 characters'
const t = testApp({ JWT_SECRET: secret })
const developer = signedUp(t, 'DEVELOPER')
const other = signedUp(t, 'DEVELOPER')
const testers = allSignedUp(t, 'TESTER', 2)
const admin = signedUp(t, 'ADMIN')

const get = (path: string, token: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  t.app.inject({ method, url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}`, ...headers } })

let draft: Campaign
beforeAll(async () => {
  draft = await draftOf(developer)
  await draftOf(other)
})

const tagOf = async (path: string, token = developer.accessToken) => String((await get(path, token)).headers.etag)

test('a repeated request for something unchanged gets 304 with the same headers and no body', async () => {
  for (const path of ['/campaigns', `/campaigns/${draft.id}`, '/dashboard/developer', '/users/me/notifications']) {
    const first = await get(path, developer.accessToken)
    const again = await get(path, developer.accessToken, { 'if-none-match': String(first.headers.etag) })
    expect([path, first.statusCode, again.statusCode, again.payload]).toEqual([path, 200, 304, ''])
    for (const { headers } of [first, again]) {
      expect(headers).toMatchObject({
        etag: first.headers.etag,
        'cache-control': 'private, no-cache',
        vary: 'authorization',
      })
      expect(Date.parse(String(headers['x-server-time']))).not.toBeNaN()
    }
    expect(again.headers).not.toHaveProperty('content-type')
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8')
  }
})

test('HEAD has the same tag as GET, and is conditional as well', async () => {
  const path = `/campaigns/${draft.id}`
  const { headers, payload } = await get(path, developer.accessToken)
  const head = await get(path, developer.accessToken, {}, 'HEAD')
  expect([head.statusCode, head.payload, head.headers.etag]).toEqual([200, '', headers.etag])
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(payload)))
  const known = await get(path, developer.accessToken, { 'if-none-match': String(headers.etag) }, 'HEAD')
  expect(known.statusCode).toBe(304)
})

test('a large answer is compressed for those who accept it, and only then', async () => {
  const person = await t.signUp('DEVELOPER')
  const description = 'What the app does, and what to try. '.repeat(100)
  for (let made = 0; made < 6; made++) await draftOf(person, { description })
  const { accessToken } = await t.signIn(person.user.email)
  const plain = await get('/campaigns', accessToken)
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(plain.headers.vary).toBe('authorization, accept-encoding')
  for (const accepted of ['gzip', 'br, gzip;q=0.5', 'GZIP, deflate']) {
    const { headers, rawPayload } = await get('/campaigns', accessToken, { 'accept-encoding': accepted })
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(rawPayload.length),
      vary: 'authorization, accept-encoding',
      // Its bytes are others, what it says is the same.
      etag: `W/${String(plain.headers.etag)}`,
    })
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(gunzipSync(rawPayload).toString()).toBe(plain.payload)
    const known = { 'accept-encoding': accepted, 'if-none-match': String(headers.etag) }
    const unchanged = await get('/campaigns', accessToken, known)
    expect([unchanged.statusCode, unchanged.payload]).toEqual([304, ''])
    expect(unchanged.headers).toMatchObject({ vary: headers.vary, etag: headers.etag })
    expect(unchanged.headers).not.toHaveProperty('content-encoding')
    const head = await get('/campaigns', accessToken, { 'accept-encoding': accepted }, 'HEAD')
    expect([head.payload, head.headers['content-length']]).toEqual(['', headers['content-length']])
  }
  for (const refused of ['', 'identity', 'br', 'gzip;q=0', 'x-gzip']) {
    const { headers, payload } = await get('/campaigns', accessToken, { 'accept-encoding': refused })
    expect([refused, headers['content-encoding'], payload]).toEqual([refused, undefined, plain.payload])
  }
})

test('a small answer is not compressed, nor is one that may not be stored', async () => {
  const { accessToken } = await t.signIn(developer.user.email)
  for (const path of ['/campaigns?limit=1', '/openapi.json']) {
    const { statusCode, headers } = await get(path, accessToken, { 'accept-encoding': 'gzip' })
    expect([path, statusCode, headers['content-encoding']]).toEqual([path, 200, undefined])
  }
  expect((await get('/campaigns?limit=1', accessToken)).headers.vary).toBe('authorization')
})

test('lists of tags, weak tags and * match; another tag does not', async () => {
  const tag = await tagOf('/campaigns')
  const status = async (asked: string) =>
    (await get('/campaigns', developer.accessToken, { 'if-none-match': asked })).statusCode
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `W/"other",W/${tag} , "more"`, '*', ' * ']) {
    expect([known, await status(known)]).toEqual([known, 304])
  }
  for (const unknown of ['"other"', tag.slice(1, -1), `"${tag.slice(2)}`, '""', '', 'W/', '"*"', '"'.repeat(9000)]) {
    expect([unknown, await status(unknown)]).toEqual([unknown, 200])
  }
})

test('no two viewers, roles or addresses share a tag, even if their answers are identical', async () => {
  const newcomers = testers.map(({ accessToken }) => accessToken)
  const answers = await Promise.all(
    [...newcomers, developer.accessToken, other.accessToken].flatMap(token =>
      ['/users/me/notifications?limit=7', '/users/me/notifications?limit=8'].map(path => get(path, token)),
    ),
  )
  expect(new Set(answers.map(({ payload }) => payload))).toEqual(new Set(['[]']))
  expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(answers.length)
})

test('a tag of somebody else does not reveal what they see', async () => {
  const tag = await tagOf(`/campaigns/${draft.id}`)
  for (const asked of [tag, '*']) {
    const reply = await get(`/campaigns/${draft.id}`, other.accessToken, { 'if-none-match': asked })
    expect([reply.statusCode, reply.headers['cache-control'], reply.headers.etag]).toEqual([404, 'no-store', undefined])
  }
  const nobody = await t.app.inject({ url: '/api/v1/campaigns', headers: { 'if-none-match': tag } })
  expect([nobody.statusCode, nobody.headers['cache-control'], nobody.headers.etag]).toEqual([
    401,
    'no-store',
    undefined,
  ])
})

test('when a next page appears, the tag changes although the page’s own rows do not', async () => {
  const person = await t.signUp('DEVELOPER')
  const [older, newer] = [await draftOf(person), await draftOf(person)]
  const turn = (platform: string) => t.look('update campaigns set platform = $2 where id = $1', [older.id, platform])
  const page = () => get('/campaigns?limit=1&platform=android', person.accessToken)
  await turn('ios')
  const alone = await page()
  await turn('android')
  const followed = await page()
  expect([alone.json<Campaign[]>()[0]!.id, followed.payload]).toEqual([newer.id, alone.payload])
  expect([alone.headers.link, typeof followed.headers.link]).toEqual([undefined, 'string'])
  expect(followed.headers.etag).not.toBe(alone.headers.etag)
})

test('the tag changes when only the passing of time has changed the answer', async () => {
  const campaign = await liveCampaign(developer, admin, { testersRequired: 2 })
  const [tester] = testers
  const { id } = await joinedBy(tester!, campaign.id)
  const path = `/testers/campaign-testers/${id}`
  await tester!.call('POST', `${path}/check-ins`, {})
  const before = await tagOf(path, tester!.accessToken)
  expect(await tagOf(path, tester!.accessToken)).toBe(before)
  await t.advance(24)
  const me = await t.signIn(tester!.user.email)
  expect((await get(path, me.accessToken, { 'if-none-match': before })).statusCode).toBe(200)
})

let server: OtherServer
test('a change on one server is seen on another with the very next request', async () => {
  server = await startOtherServer(t, {
    JWT_SECRET: secret,
    FIELDTEST_TEST_CLOCK: '1',
  })
  try {
    const { accessToken } = await t.signIn(developer.user.email)
    const path = `/campaigns/${draft.id}`
    const there = (tag: string) =>
      fetch(`${server.url}/api/v1${path}`, {
        headers: { authorization: `Bearer ${accessToken}`, 'if-none-match': tag },
        cache: 'no-store',
      })
    for (let round = 0; round < 20; round++) {
      const tag = await tagOf(path, accessToken)
      // Both servers make the same tag from the same answer.
      expect((await there(tag)).status).toBe(304)
      const changed = await t.call('PATCH', path, { token: accessToken, body: { title: `Title ${round}` } })
      expect(changed.status).toBe(200)
      const reply = await there(tag)
      expect([reply.status, ((await reply.json()) as Campaign).title]).toEqual([200, `Title ${round}`])
    }
  } finally {
    await server.stop()
  }
})

test('on a real connection a 304 has no body at all, and the request ends', async () => {
  const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { accessToken } = await t.signIn(developer.user.email)
  const seen = await new Promise<{ status: number | undefined; bytes: number; length: unknown }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${accessToken}`, 'if-none-match': '*' }
    ask(`${address}/api/v1/campaigns`, { headers }, reply => {
      let bytes = 0
      reply.on('data', (chunk: Buffer) => (bytes += chunk.length))
      reply.on('end', () => resolve({ status: reply.statusCode, bytes, length: reply.headers['content-length'] }))
    })
      .on('error', reject)
      .end()
  })
  expect(seen).toEqual({ status: 304, bytes: 0, length: undefined })
})

const endpoints = Object.entries<Record<string, Endpoint>>(apiTables).flatMap(([table, api]) =>
  Object.entries(api).map(([name, endpoint]) => ({ name: `${table}.${name}`, endpoint })),
)
const namesIn = (schema: z.ZodType) => {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
  return [...json.matchAll(/"(\w+)":\{/g)].map(([, name]) => name!)
}

test('only reads by signed-in users may be stored, and none that contains a secret or contact data', () => {
  const kept = endpoints.filter(({ endpoint }) => endpoint.revalidated)
  expect(kept.length).toBeGreaterThan(10)
  for (const { name, endpoint } of kept) {
    const { method, access, reply, pageOf, streamed, file } = endpoint
    expect([name, method, access === 'PUBLIC', streamed ?? file]).toEqual([name, 'GET', false, undefined])
    const telling = namesIn((pageOf ?? reply)!).filter(field =>
      /email|token|secret|password|paymentMethod|payoutAddress|recovery|userAgent|^ip$/i.test(field),
    )
    expect([name, telling]).toEqual([name, []])
  }
})

test('what may not be stored has no tag, and is not stored', async () => {
  const { accessToken } = await t.signIn(developer.user.email)
  const paths = ['/users/me', '/users/me/sessions', '/users/me/export', '/users/me/second-factor', '/openapi.json']
  for (const path of paths) {
    const { statusCode, headers } = await get(path, accessToken, { 'if-none-match': '*' })
    expect([path, statusCode, headers['cache-control'], headers.etag]).toEqual([path, 200, 'no-store', undefined])
  }
  const login = await t.call('POST', '/auth/login', {
    body: { email: developer.user.email, password: 'correct horse' },
  })
  expect([login.status, login.headers['cache-control'], login.headers['etag']]).toEqual([200, 'no-store', undefined])
})

test('a write is never answered with 304, and a repeat with its key gets the first answer', async () => {
  const { accessToken } = await t.signIn(developer.user.email)
  const write = () =>
    t.call<Campaign>('POST', '/campaigns', {
      token: accessToken,
      key: 'a-key-of-its-own',
      body: { ...campaignInput, title: 'Once' },
      headers: { 'if-none-match': '*' },
    })
  const [first, again] = [await write(), await write()]
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
  expect([first.headers['cache-control'], first.headers['etag']]).toEqual(['no-store', undefined])
})
