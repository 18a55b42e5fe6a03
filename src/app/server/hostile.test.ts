/** Input that no honest client sends: refused at the edge with a sentence, never a 5xx, and nothing changes. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ErrorBody } from '../errors.ts'
import type { Role } from '../roles.ts'
import { type Reply, startTestApp, type TestApp } from '../testing/app.ts'
import { badBodies, badQueryValues } from '../testing/badBodies.ts'
import { type Cast, castOf } from '../testing/cast.ts'
import { everyStep, fingerprint, pathOf, type Step } from '../testing/walk.ts'
import { documentSchema } from './replySchema.ts'

let t: TestApp
let cast: Cast
let before: Record<string, string>

beforeAll(async () => {
  t = await startTestApp()
  cast = await castOf(t)
})
afterAll(() => t.stop())

beforeEach(async () => {
  before = await fingerprint(t)
})
afterEach(async () => {
  expect(await fingerprint(t), 'refused input changed the database').toEqual(before)
})

type Sent = { path?: string; text?: string; type?: string | null; headers?: Record<string, string> }

const isPublic = ({ endpoint }: Step) => endpoint.access === 'PUBLIC'
const roleOf = ({ allowed }: Step): Role => allowed[0]!

const ownPath = (step: Step) => cast.ownPath(step, roleOf(step))

/** Sends text as it is, as somebody who may call this. */
const send = async (step: Step, { path = ownPath(step), text, type = 'application/json', headers }: Sent): Promise<Reply<ErrorBody>> => {
  const reply = await t.app.inject({
    method: step.endpoint.method,
    url: `/api/v1${path}`,
    headers: {
      ...(!isPublic(step) && { authorization: `Bearer ${cast.people[roleOf(step)].accessToken}` }),
      ...(text !== undefined && type !== null && { 'content-type': type }),
      ...headers,
    },
    ...(text !== undefined && { payload: text }),
  })
  const isJson = String(reply.headers['content-type']).startsWith('application/json') && reply.payload !== ''
  return { status: reply.statusCode, body: (isJson ? reply.json() : {}) as ErrorBody, headers: reply.headers }
}

/** zod's and Fastify's own words are for programmers. */
const programmersWords = /^(Invalid|Too (big|small)|Unrecognized|Expected|Body|FST_|Unexpected)|expected |undefined|\bNaN\b/

/** What is wrong with a refusal, in words; null when it is as it should be. */
const faultOf = ({ status, body, headers }: Reply<ErrorBody>, expected: { status: number; code: string; field?: string }) => {
  if (status !== expected.status || body.code !== expected.code) return `${status} ${body.code}: ${body.message}`
  if (body.statusCode !== status) return `statusCode ${body.statusCode} in a ${status}`
  if (typeof body.message !== 'string' || !/^["A-Z].*\.?$/s.test(body.message)) return `no sentence: ${body.message}`
  if (programmersWords.test(body.message)) return `a programmer's sentence: ${body.message}`
  if (!body.requestId || body.requestId !== headers['x-request-id']) return 'no request id'
  const { field } = expected
  const names = Object.keys(body.fields ?? {})
  if (field !== undefined && !names.some(name => name === field || name.startsWith(`${field}.`))) return `fields: ${names.join(', ') || 'none'}`
  return null
}

const invalid = { status: 400, code: 'INVALID_INPUT' }
const withBody = everyStep.filter(({ endpoint }) => endpoint.body)
const withQuery = everyStep.filter(({ endpoint }) => endpoint.query)
const writing = everyStep.filter(({ endpoint }) => endpoint.method !== 'GET')
const named = (steps: readonly Step[]) => steps.map(step => [step.name, step] as const)

test.each(named(withBody))('%s refuses each wrong field with a sentence at that field', async (_name, step) => {
  const bodies = badBodies(step.endpoint.body!, step.body)
  expect(bodies.length).toBeGreaterThan(10)
  const faults: string[] = []
  for (const { why, path, text } of bodies) {
    const isJson = !why.startsWith('not JSON')
    // Of what stands deeper than any field, the sentence is at the field that it stands in.
    const field = isJson && path.length > 0 ? String(path[0]) : undefined
    const fault = faultOf(await send(step, { text }), { ...invalid, ...(field && { field }) })
    if (fault) faults.push(`${path.join('.')} ${why} → ${fault}`)
  }
  expect(faults).toEqual([])
})

const brokenTexts = ['{', '{"a":', '{"a":1', 'nonsense', '{a:1}', "{'a':1}", '[1,]', '\u0000', '\uFEFF{}x', '{"a":1}{"b":2}', '"open']

test.each(named(writing))('%s refuses what is no JSON', async (_name, step) => {
  for (const text of brokenTexts) {
    expect([text, faultOf(await send(step, { text }), invalid)]).toEqual([text, null])
  }
})

test.each(named(withBody))('%s refuses a truncated body', async (_name, step) => {
  const whole = JSON.stringify(step.body)
  for (let length = 1; length < whole.length; length += Math.ceil(whole.length / 12)) {
    const text = whole.slice(0, length)
    expect([text, faultOf(await send(step, { text }), invalid)]).toEqual([text, null])
  }
})

test.each(named(writing))('%s takes its body as application/json only, and at most 1 MB of it', async (_name, step) => {
  const text = JSON.stringify(step.body ?? {})
  const unsupported = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', ';;', null]
  for (const type of types) {
    expect([type, faultOf(await send(step, { text, type }), unsupported)]).toEqual([type, null])
  }
  const large = await send(step, { text: JSON.stringify({ a: 'x'.repeat(2_000_000) }) })
  expect(faultOf(large, { status: 413, code: 'PAYLOAD_TOO_LARGE' })).toBeNull()
})

test('an endpoint that needs a body says so when there is none', async () => {
  const needy = withBody.filter(({ endpoint }) => !endpoint.body!.safeParse(undefined).success)
  expect(needy.length).toBeGreaterThan(8)
  for (const step of needy) {
    for (const sent of [{}, { text: '' }, { text: 'null' }]) {
      expect([step.name, faultOf(await send(step, sent), invalid)]).toEqual([step.name, null])
    }
  }
})

test('a body called __proto__ sets nothing, in the request or anywhere else', async () => {
  const needy = withBody.filter(({ endpoint }) => !endpoint.body!.safeParse({}).success)
  for (const step of needy) {
    const inner = JSON.stringify(step.body)
    for (const text of [`{"__proto__":${inner}}`, `{"constructor":{"prototype":${inner}}}`]) {
      expect([step.name, faultOf(await send(step, { text }), invalid)]).toEqual([step.name, null])
    }
    const nul = await send(step, { text: String.raw`{"__proto__":{"polluted":"\u0000"}}` })
    expect([step.name, faultOf(nul, invalid)]).toEqual([step.name, null])
  }
  expect('polluted' in {}).toBe(false)
})

test.each(named(withQuery))('%s refuses each wrong query parameter at its name', async (_name, step) => {
  const faults: string[] = []
  for (const { why, name, query } of badQueryValues(step.endpoint.query!)) {
    const fault = faultOf(await send(step, { path: `${ownPath(step)}?${query}` }), { ...invalid, field: name })
    if (fault) faults.push(`${name}: ${why} → ${fault}`)
  }
  expect(faults).toEqual([])
})

test('signs that mean something to SQL or to a pattern are only text to a search', async () => {
  const searchable = withQuery.filter(({ endpoint }) => 'search' in (documentSchema(endpoint.query!).properties ?? {}))
  expect(searchable.map(({ name }) => name)).toContain('campaigns.list')
  const words = ["'", '"', '\\', '%', '_', 'a\\', '%\\', "'; drop table users; --", '$1', '{}', '٣', '👩‍🚀', '\u202E', 'İ', 'ß']
  for (const step of searchable) {
    for (const word of words) {
      const { status } = await send(step, { path: `${ownPath(step)}?search=${encodeURIComponent(word)}` })
      expect([step.name, word, status]).toEqual([step.name, word, 200])
    }
  }
})

test('an id that is none is 404, and a broken address is 400 or 404', async () => {
  const faults: string[] = []
  const long = 'a'.repeat(300)
  for (const step of everyStep.filter(({ noun }) => noun !== null)) {
    const text = step.body === undefined ? {} : { text: JSON.stringify(step.body) }
    for (const id of ['7', 'not-a-uuid', '%00', 'a%00b', '..%2f..%2fusers', '%F0%9F%95%B3', long, '019e8a00-0000-7000-8000-000000000000%20', '%ff', '%', '%zz', '%E0%A4%A']) {
      const reply = await send(step, { path: pathOf(step, id), ...text })
      const expected = reply.status === 400 ? invalid : { status: 404, code: 'NOT_FOUND' }
      const fault = faultOf(reply, expected)
      if (fault) faults.push(`${step.name} ${id.slice(0, 20)} → ${fault}`)
    }
  }
  expect(faults).toEqual([])
})

test('an Idempotency-Key has to be 1 to 255 visible ASCII characters', async () => {
  const paying = everyStep.filter(({ endpoint }) => endpoint.idempotent)
  expect(paying.map(({ name }) => name)).toContain('ledger.withdraw')
  for (const step of paying) {
    const text = step.body === undefined ? {} : { text: JSON.stringify(step.body) }
    for (const key of ['', ' ', 'a b', 'k'.repeat(256), 'ключ', 'é', 'a\tb', 'one, two']) {
      const reply = await send(step, { ...text, headers: { 'idempotency-key': key } })
      expect([step.name, key, faultOf(reply, invalid)]).toEqual([step.name, key, null])
    }
  }
})

test('random bodies never make the server fail', async () => {
  const anything = fc.oneof(fc.json({ maxDepth: 4 }), fc.string({ unit: 'binary' }), fc.constantFrom(...brokenTexts))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...withBody), anything, fc.json(), async (step, text, inner) => {
      const key = Object.keys(step.body as object)[0]!
      const halfRight = JSON.stringify({ ...(step.body as object), [key]: JSON.parse(inner) })
      for (const sent of [text, halfRight]) {
        const reply = await send(step, { text: sent })
        expect(reply.status).toBeLessThan(500)
        if (reply.status === 400) expect(faultOf(reply, invalid)).toBeNull()
      }
      before = await fingerprint(t)
    }),
    { numRuns: 300, seed: 20_261_121 },
  )
})

test('who is calling is asked before anything of what was sent is read', async () => {
  for (const step of writing.filter(each => !isPublic(each))) {
    const nobody = await t.call(step.endpoint.method, ownPath(step), { body: '{"broken' })
    expect([step.name, nobody.status]).toEqual([step.name, 401])
    const large = await t.call(step.endpoint.method, ownPath(step), { body: `"${'x'.repeat(2_000_000)}"` })
    expect([step.name, large.status]).toEqual([step.name, 401])
  }
})
