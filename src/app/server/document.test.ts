/** The API document says what the tables say. */
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { everyStep } from '../../testing/walk.ts'

type Operation = {
  summary: string
  description: string
  security?: { bearer: [] }[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: { properties?: object } }> }
  responses: Record<string, { content?: Record<string, { schema: { type?: string } }> }>
}
type ApiDocument = { openapi: string; paths: Record<string, Record<string, Operation>> }

const t = testApp()
let document: ApiDocument
beforeAll(async () => {
  document = (await t.call<ApiDocument>('GET', '/openapi.json')).body
})

describe('the document lists every endpoint of the tables', () => {
  test.each(everyStep.map(step => [step.name, step] as const))(
    '%s: its access, its parameters, its body and its reply',
    (_name, { endpoint }) => {
      const operation =
        document.paths[`/api/v1${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`]?.[endpoint.method.toLowerCase()]
      expect(operation).toBeDefined()
      const { summary, description, security, parameters = [], requestBody, responses } = operation!
      expect(summary).toBe(endpoint.summary)
      expect(description).toBe(`For: ${[endpoint.access].flat().join(', ')}.`)
      expect(security).toEqual(endpoint.access === 'PUBLIC' ? undefined : [{ bearer: [] }])
      expect(parameters.some(parameter => parameter.in === 'path')).toBe(endpoint.params !== undefined)
      expect(parameters.some(parameter => parameter.in === 'query')).toBe(endpoint.query !== undefined)
      expect(parameters.some(({ name }) => name === 'idempotency-key')).toBe(endpoint.idempotent !== undefined)
      expect(requestBody !== undefined).toBe(endpoint.body !== undefined)
      const status = endpoint.status ?? (endpoint.reply || endpoint.pageOf ? 200 : 204)
      expect(Object.keys(responses)).toContain(String(status))
      const replied = responses[status]?.content?.['application/json']?.schema
      if (endpoint.pageOf) expect(replied?.type).toBe('array')
      if (endpoint.reply) expect(replied).toBeDefined()
    },
  )
})

test('the page that reads it is HTML and names no other host', async () => {
  let reply = await t.app.inject({ method: 'GET', url: '/docs' })
  if (reply.statusCode >= 300 && reply.statusCode < 400) {
    reply = await t.app.inject({
      method: 'GET',
      url: new URL(String(reply.headers.location), 'http://localhost/docs').pathname,
    })
  }
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toMatch(/^text\/html/)
  expect(reply.payload).toContain('/api/v1/openapi.json')
  expect(reply.payload.match(/(?:https?:)?\/\/[\w.-]+\.[a-z]{2,}/gi) ?? []).toEqual([])
  const policy = String(reply.headers['content-security-policy'])
  expect(policy).toContain("connect-src 'self'")
  expect(policy).not.toMatch(/https?:|\*/)
  // Its script comes from here too.
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(reply.payload) ?? []
  const source = await t.app.inject({ method: 'GET', url: new URL(script!, 'http://localhost/docs/').pathname })
  expect([source.statusCode, source.headers['content-type']]).toEqual([
    200,
    expect.stringContaining('javascript') as string,
  ])
})
