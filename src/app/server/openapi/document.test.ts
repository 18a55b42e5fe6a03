/** The API document agrees with the endpoint tables, and its examples with its schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errorStatus } from '../../../kit/errors.ts'
import { bodyOf } from '../../../kit/schemas.ts'
import { dropReasons } from '../../../participations/terms.ts'
import { testApp } from '../../../testing/prologue.ts'
import { everyStep } from '../../../testing/walk.ts'
import { createApp } from '../app.ts'
import { readEnv } from '../env.ts'
import { contracts } from './contracts.ts'
import { type ApiDocument, apiDocument, type Operation, templateOf } from './document.ts'
import { errorWords } from './errors.ts'
import { schemasOf } from './schemas.ts'

const t = testApp()
let document: ApiDocument
beforeAll(async () => {
  document = (await t.call<ApiDocument>('GET', '/openapi.json')).body
})

const operationOf = ({ path, method }: { path: string; method: string }): Operation => {
  const operation = document.paths[templateOf(path)]?.[method.toLowerCase()]
  expect(operation).toBeDefined()
  return operation!
}

const steps = everyStep.map(step => [step.name, step] as const)

type Named = { name: string; in: string; required: boolean; example: unknown; schema?: { default?: unknown } }
const parametersOf = (operation: Operation, place: string) =>
  ((operation.parameters ?? []) as unknown as Named[]).filter(parameter => parameter.in === place)
const contentOf = (operation: Operation, status: number) =>
  operation.responses[status]?.content?.['application/json'] as
    | { schema: { type?: string }; example: unknown }
    | undefined

describe('each endpoint of the tables', () => {
  test.each(steps)('%s: its name, access, parameters, body and reply', (name, { endpoint }) => {
    const operation = operationOf(endpoint)
    const { parameters = [], requestBody, responses } = operation
    expect(operation.operationId).toBe(name)
    expect(operation.summary).toBe(endpoint.summary)
    expect(operation.description).toBe(`For: ${[endpoint.access].flat().join(', ')}.`)
    expect(operation.security).toEqual(endpoint.access === 'PUBLIC' ? [] : [{ bearer: [] }])
    const named = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter)
    expect(parametersOf(operation, 'path').map(each => each.name)).toEqual(named)
    expect(parametersOf(operation, 'query').length > 0).toBe(endpoint.query !== undefined)
    expect(JSON.stringify(parameters).includes('IdempotencyKey')).toBe(endpoint.idempotent !== undefined)
    expect(Object.keys(requestBody?.content ?? {})).toEqual(
      endpoint.upload ? ['multipart/form-data'] : endpoint.body ? ['application/json'] : [],
    )
    const status = endpoint.status ?? (endpoint.reply || endpoint.pageOf || endpoint.file ? 200 : 204)
    expect(Object.keys(responses).filter(each => each < '300')).toEqual([String(status)])
    expect(responses[status]?.headers?.Link !== undefined).toBe(endpoint.pageOf !== undefined)
    const replied = contentOf(operation, status)
    if (endpoint.pageOf && !endpoint.numbered) expect(replied?.schema.type).toBe('array')
    const types = Object.keys(responses[status]?.content ?? {})
    expect(types).toEqual(endpoint.file ?? (status === 204 ? [] : ['application/json']))
    expect([
      responses[304]?.content,
      responses[304] !== undefined,
      responses[status]?.headers?.ETag !== undefined,
    ]).toEqual([undefined, endpoint.revalidated === true, endpoint.revalidated === true])
  })

  test.each(steps)('%s: its errors, with a code, a status and an example each', (_name, { endpoint }) => {
    const { responses } = operationOf(endpoint)
    const listed = Object.entries(responses).flatMap(([status, response]) => {
      if (status < '400') return []
      const { $ref } = response as { $ref?: string }
      const content = ($ref ? document.components.responses[$ref.split('/').at(-1)!]! : response).content
      return Object.entries(content!['application/json']!.examples!).map(([code, { value }]) => {
        expect(value).toMatchObject({ statusCode: Number(status), code })
        return code
      })
    })
    const implied = [
      ...(endpoint.access === 'PUBLIC' ? [] : ['UNAUTHENTICATED']),
      ...(endpoint.access === 'PUBLIC' || endpoint.access === 'SIGNED_IN' ? [] : ['FORBIDDEN']),
      ...(endpoint.params ? ['NOT_FOUND'] : []),
      ...(endpoint.query || endpoint.method !== 'GET' ? ['INVALID_INPUT'] : []),
      ...(endpoint.idempotent ? ['IDEMPOTENCY_KEY_REUSED'] : []),
    ]
    expect(listed).toEqual(expect.arrayContaining([...implied, ...(endpoint.errors ?? []), 'UNAVAILABLE']))
    expect(new Set(listed).size).toBe(listed.length)
  })

  test.each(steps)(
    '%s: its examples are parsed by its own schemas, and pages are as long as it says by default',
    (_name, { endpoint }) => {
      const operation = operationOf(endpoint)
      const parsed = (schema: z.ZodType | undefined, example: unknown) =>
        expect([example, schema?.safeParse(example).error?.issues ?? null]).toEqual([example, null])
      for (const [place, schema] of [
        ['path', endpoint.params],
        ['query', endpoint.query],
      ] as const) {
        const given = parametersOf(operation, place).map(({ name, example }) => [name, example])
        if (schema) parsed(schema, Object.fromEntries(given))
      }
      const query = parametersOf(operation, 'query')
      const paging = query.filter(({ name }) => name === 'page' || name === 'limit')
      const others = query.filter(each => !paging.includes(each)).map(({ name, example }) => [name, example])
      expect(endpoint.query?.safeParse(Object.fromEntries(others)).data ?? {}).toMatchObject(
        Object.fromEntries(paging.map(({ name, schema }) => [name, schema?.default])),
      )
      if (endpoint.body) parsed(endpoint.body, operation.requestBody!.content['application/json']!.example)
      const replied = contentOf(operation, endpoint.status ?? 200)
      if (replied) parsed(bodyOf(endpoint), replied.example)
    },
  )
})

test('it is OpenAPI 3.1; every reference resolves and every schema compiles', () => {
  expect(document.openapi).toBe('3.1.0')
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(100)
  for (const [, kind, name] of references)
    expect(document.components[kind as 'schemas'], `${kind}/${name}`).toHaveProperty(name!)
  expect(text).not.toContain('$defs')
  const ajv = new Ajv2020({ strict: 'log', strictTypes: false, logger: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  for (const name of Object.keys(document.components.schemas))
    expect([name, typeof ajv.getSchema(`api#/components/schemas/${name}`)]).toEqual([name, 'function'])
})

test('a choice that may be null says so', () => {
  const { Campaign, CampaignEvent } = document.components.schemas
  expect(Campaign).toMatchObject({ properties: { startDate: { anyOf: [{ format: 'date-time' }, { type: 'null' }] } } })
  expect(CampaignEvent).toMatchObject({
    properties: {
      dropReason: { anyOf: [{ enum: [...dropReasons] }, { type: 'null' }] },
    },
  })
})

test('an entity is described once, and lists and single replies refer to it', () => {
  expect(contentOf(operationOf({ path: '/campaigns', method: 'GET' }), 200)?.schema).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/Campaign' },
  })
  expect(contentOf(operationOf({ path: '/campaigns/:id', method: 'GET' }), 200)?.schema).toEqual({
    $ref: '#/components/schemas/Campaign',
  })
})

test('it includes the contract of every slice', () => {
  const src = join(import.meta.dirname, '../../..')
  const files = globSync('*/{contract,*Contract}.ts', { cwd: src }).map(file => `src/${file}`)
  expect(contracts.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
})

test('two different schemas with the same name are refused', () => {
  const contract = (file: string, Thing: z.ZodType) => ({ file, exports: { Thing } })
  expect(() => schemasOf([contract('a', z.string()), contract('b', z.int())])).toThrow(/both export .* Thing/)
})

test('every code is described, and its status has one meaning in the table', () => {
  expect(Object.keys(errorWords).toSorted()).toEqual(Object.keys(errorStatus).toSorted())
})

test('the server is where the document is, or at the public address', async () => {
  expect(document.servers).toEqual([{ url: '/api/v1' }])
  const app = await createApp(readEnv({ PUBLIC_URL: 'https://fieldtest.example/', LOG_LEVEL: 'silent' }))
  const { servers } = (await app.inject('/api/v1/openapi.json')).json<ApiDocument>()
  await app.close()
  expect(servers).toEqual([{ url: 'https://fieldtest.example/api/v1' }])
  expect(apiDocument([]).paths).toEqual({})
})
