/** A client that has never seen our code and knows only the document's address. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../../../testing/prologue.ts'

type Example = { content: { 'application/json': { example: unknown } } }
type Operation = {
  operationId: string
  security: object[]
  parameters?: { $ref?: string; name?: string; in?: string; example?: unknown }[]
  requestBody?: Example
  responses: Record<string, unknown>
}
type ApiDocument = { servers: { url: string }[]; paths: Record<string, Record<string, Operation>>; components: object }

const t = testApp({}, { own: true })
let documentUrl: string
beforeAll(async () => {
  documentUrl = `${await t.app.listen({ port: 0, host: '127.0.0.1' })}/api/v1/openapi.json`
})
afterAll(() => t.app.server.closeAllConnections())

/** Calls operations by id, with the document's examples unless told otherwise. */
const strangeClient = async () => {
  const document = (await (await fetch(documentUrl)).json()) as ApiDocument
  const base = new URL(document.servers[0]!.url, documentUrl).href
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, { path, method, operation }]),
    ),
  )
  const found = (parameter: NonNullable<Operation['parameters']>[number]) =>
    parameter.$ref === undefined
      ? parameter
      : (parameter.$ref
          .split('/')
          .slice(1)
          .reduce<object>((inner, key) => inner[key as never], document) as typeof parameter)
  let token = ''

  return {
    useToken: (accessToken: string) => {
      token = accessToken
    },
    call: async <T>(operationId: string, { path: given = {}, body }: { path?: object; body?: unknown } = {}) => {
      const { path, method, operation } = operations.get(operationId)!
      const headers: Record<string, string> = {}
      if (operation.security.length > 0) headers.authorization = `Bearer ${token}`
      for (const parameter of (operation.parameters ?? []).map(found))
        if (parameter.in === 'header')
          headers[parameter.name!] = `${operationId} ${String(parameter.example)}`.replace(' ', ':')
      const sent = body ?? operation.requestBody?.content['application/json'].example
      if (sent !== undefined) headers['content-type'] = 'application/json'
      const url = base + path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(given[name as never]))
      const reply = await fetch(url, {
        method: method.toUpperCase(),
        headers,
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      })
      expect([operationId, ...Object.keys(operation.responses)]).toContain(String(reply.status))
      return { status: reply.status, body: (await reply.json()) as T }
    },
  }
}

type Campaign = { id: string; status: string; fundedCents: number; feeCents: number; outstandingCents: number }

test('the document alone is enough to register, create a campaign and pay for it, with its examples', async () => {
  const client = await strangeClient()
  const registered = await client.call<{ accessToken: string; user: { role: string } }>('accounts.register')
  expect(registered).toMatchObject({ status: 201, body: { user: { role: 'DEVELOPER' } } })
  client.useToken(registered.body.accessToken)

  const created = await client.call<Campaign>('campaigns.create')
  expect(created).toMatchObject({ status: 201, body: { status: 'DRAFT', outstandingCents: 3450 } })
  const path = { id: created.body.id }
  const paid = await client.call<Campaign>('campaigns.fund', { path })
  expect(paid).toMatchObject({ status: 200, body: { status: 'PENDING_APPROVAL', fundedCents: 3000, feeCents: 450 } })

  const again = await client.call<{ code: string }>('campaigns.start', { path })
  expect(again).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  expect(await client.call<Campaign[]>('campaigns.list')).toMatchObject({ status: 200, body: [{ id: path.id }] })
})
