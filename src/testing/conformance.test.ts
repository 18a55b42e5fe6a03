/** The check that every HTTP test makes of requests and answers, besides its own assertions. */
import Fastify, { type InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints, type Handlers } from '../kit/endpoint.ts'
import { DomainError } from '../kit/errors.ts'
import { mountErrors } from '../kit/server/errorReplies.ts'
import { mount } from '../kit/server/http.ts'
import { ById, Instant } from '../kit/schemas.ts'
import { conformanceTo } from './conformance.ts'

const Thing = z.object({ at: Instant, color: z.enum(['RED', 'BLUE']).nullable() })

const api = endpoints({
  get: { method: 'GET', path: '/things/:id', access: 'PUBLIC', summary: 'One thing.', params: ById, reply: Thing },
  fixed: { method: 'GET', path: '/things/newest', access: 'PUBLIC', summary: 'Another.', reply: Thing },
  list: { method: 'GET', path: '/things', access: 'PUBLIC', summary: 'A page of things.', pageOf: Thing },
  paint: {
    method: 'POST',
    path: '/things/:id/paint',
    access: 'PUBLIC',
    summary: 'Paint a thing.',
    params: ById,
    body: z.object({ color: z.string().min(2) }),
    errors: ['WRONG_STATE'],
  },
})

type Thing = z.output<typeof Thing>
const good: Thing = { at: '2026-11-21T09:30:00.000Z', color: null }
let answer: () => unknown = () => good

const handlers: Handlers<typeof api> = {
  get: async () => answer() as Thing,
  fixed: async () => answer() as Thing,
  list: async () => ({ items: [answer() as Thing], nextCursor: null }),
  paint: async () => void answer(),
}

const app = Fastify({ genReqId: () => crypto.randomUUID() })
beforeAll(async () => {
  app.decorateRequest('signedIn', null).decorate('mounted', [])
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  mountErrors(app)
  mount(app, 'testClock', api, handlers)
  await app.ready()
})
afterAll(() => app.close())

const id = crypto.randomUUID()
const refuse = (code: ConstructorParameters<typeof DomainError>[0]) => () => {
  throw new DomainError(code, 'No.')
}

/** Sends a request, and returns how it differs from the API document. */
const faultOf = async (sent: InjectOptions, answers: () => unknown, change: object = {}) => {
  answer = answers
  const reply = await app.inject(sent)
  try {
    conformanceTo(app)({ ...sent, ...change }, reply)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const get = { url: `/api/v1/things/${id}` }
const paint = { method: 'POST', url: `/api/v1/things/${id}/paint`, payload: { color: 'red' } } as const

test('an exchange that the document describes passes', async () => {
  expect(await faultOf(get, () => good)).toBeNull()
  expect(await faultOf({ url: '/api/v1/things?limit=3' }, () => good)).toBeNull()
  expect(await faultOf({ url: '/api/v1/things/newest' }, () => good)).toBeNull()
  expect(await faultOf(paint, () => undefined)).toBeNull()
  expect(await faultOf(paint, refuse('WRONG_STATE'))).toBeNull()
  expect(await faultOf(get, refuse('NOT_FOUND'))).toBeNull()
})

test('an error code that the endpoint’s table does not name is refused, even under a status that it names', async () => {
  expect(await faultOf(get, refuse('WRONG_STATE'))).toMatch(/testClock\.get.* no answer 409 is listed.*`errors`/)
  expect(await faultOf(paint, refuse('CAMPAIGN_FULL'))).toMatch(/paint 409: .*"WRONG_STATE"/)
  expect(await faultOf({ url: '/api/v1/things/newest' }, refuse('NOT_FOUND'))).toMatch(
    /testClock\.fixed.* no answer 404/,
  )
})

test('an answer of a different shape is refused', async () => {
  expect(await faultOf(get, () => ({ ...good, color: 'GREEN' }))).toMatch(/get 200: \/color/)
  expect(await faultOf(get, () => ({ ...good, at: 'yesterday' }))).toMatch(/get 200: \/at must match format/)
  expect(await faultOf({ url: '/api/v1/things' }, () => ({ ...good, at: '' }))).toMatch(/list 200: \/0\/at/)
})

test('a request that succeeds although the document does not describe it is refused', async () => {
  expect(await faultOf(paint, () => undefined, { payload: { tint: 'red' } })).toMatch(/body: .*color/)
  expect(await faultOf(paint, () => undefined, { payload: { color: 'r' } })).toMatch(/body: \/color/)
  expect(await faultOf(paint, () => undefined, { payload: '' })).toMatch(/without the body/)
})

test('addresses and methods that the document does not have are ignored', async () => {
  expect(await faultOf({ url: '/api/v1/nothing' }, () => good)).toBeNull()
  expect(await faultOf({ method: 'PUT', url: get.url }, () => good)).toBeNull()
})
