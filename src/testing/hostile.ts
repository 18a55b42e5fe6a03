/** Sends what no honest client sends, says what is wrong with the refusal, and checks that nothing has changed. */
import { afterEach, beforeAll, expect } from 'vitest'
import type { ErrorBody } from '../kit/errors.ts'
import type { Role } from '../kit/roles.ts'
import type { Reply, TestApp } from './app.ts'
import { type Fixtures, fixturesOf } from './fixtures.ts'
import { everyRow, type Step } from './walk.ts'

type Sent = { path?: string; text?: string; type?: string | null; headers?: Record<string, string> }

export const isPublic = ({ endpoint }: Step): boolean => endpoint.access === 'PUBLIC'
const roleOf = ({ allowed }: Step): Role => allowed[0]!

type Hostile = {
  /** The endpoint's path, with an object that belongs to the sender. */
  ownPath: (step: Step) => string
  /** Sends raw text as somebody who may call this endpoint. */
  send: (step: Step, sent: Sent) => Promise<Reply<ErrorBody>>
}

const hostileOf = (t: TestApp, fixtures: Fixtures): Hostile => {
  const ownPath = (step: Step) => fixtures.ownPath(step, roleOf(step))
  return {
    ownPath,
    send: async (step, { path = ownPath(step), text, type = 'application/json', headers }) => {
      const reply = await t.app.inject({
        method: step.endpoint.method,
        url: `/api/v1${path}`,
        headers: {
          ...(!isPublic(step) && { authorization: `Bearer ${fixtures.people[roleOf(step)].accessToken}` }),
          ...(text !== undefined && type !== null && { 'content-type': type }),
          ...headers,
        },
        ...(text !== undefined && { payload: text }),
      })
      const isJson = String(reply.headers['content-type']).startsWith('application/json') && reply.payload !== ''
      return { status: reply.statusCode, body: (isJson ? reply.json() : {}) as ErrorBody, headers: reply.headers }
    },
  }
}

/** Sends requests for a file's tests. Each must leave the database as it was before the test, or at the last `changed`. */
export const hostileTo = (t: TestApp): Hostile & { changed: () => Promise<void> } => {
  let hostile: Hostile
  let before: Record<string, string[]>
  const remember = async () => {
    before = await everyRow(t)
  }
  beforeAll(async () => {
    hostile = hostileOf(t, await fixturesOf(t))
    await remember()
  })
  afterEach(async () => {
    const expected = before
    await remember()
    expect(before).toEqual(expected)
  })
  return {
    ownPath: step => hostile.ownPath(step),
    send: (step, sent) => hostile.send(step, sent),
    changed: remember,
  }
}

/** The wording of zod and Fastify is for programmers, and no message may contain it. */
const programmersWords =
  /^(Invalid|Too (big|small)|Unrecognized|Expected|Body|FST_|Unexpected)|expected |undefined|\bNaN\b/

/** Says what is wrong with a refusal; null if nothing is. */
export const faultOf = (
  { status, body, headers }: Reply<ErrorBody>,
  expected: { status: number; code: string; field?: string },
): string | null => {
  if (status !== expected.status || body.code !== expected.code) return `${status} ${body.code}: ${body.message}`
  if (body.statusCode !== status) return `statusCode ${body.statusCode} in a ${status}`
  if (typeof body.message !== 'string' || !/^["\p{L}].{8}/su.test(body.message)) return `no sentence: ${body.message}`
  if (programmersWords.test(body.message)) return `a programmer's sentence: ${body.message}`
  if (!body.requestId || body.requestId !== headers['x-request-id']) return 'no request id'
  const { field } = expected
  const names = Object.keys(body.fields ?? {})
  if (field !== undefined && !names.some(name => name === field || name.startsWith(`${field}.`)))
    return `fields: ${names.join(', ') || 'none'}`
  return null
}

export const invalid = { status: 400, code: 'INVALID_INPUT' }
