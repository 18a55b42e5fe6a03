/** The OpenAPI 3.1 document, made from the mounted endpoint tables. */
import type { z } from 'zod'
import type { Endpoint, Upload } from '../../../kit/endpoint.ts'
import { bodyOf } from '../../../kit/schemas.ts'
import { apiBase, type Mounted, successOf } from '../../../kit/server/http.ts'
import { contracts, tagOf } from './contracts.ts'
import { errorsOf } from './errors.ts'
import { examplesOf } from './examples.ts'
import { type JsonSchema, type Schemas, schemasOf } from './schemas.ts'
import { errorSchema, headers, parameters, refTo, type Response, responseOf } from './shared.ts'

type Parameter =
  | { $ref: string }
  | { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema; example?: unknown }
/** By media type; files have neither schema nor example. */
type Content = Record<string, { schema?: JsonSchema; example?: unknown; encoding?: object }>

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: { bearer: [] }[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response>
}

export type ApiDocument = {
  openapi: string
  info: object
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    headers: typeof headers
    parameters: typeof parameters
    securitySchemes: object
  }
}

/** `/campaigns/:id` → `/campaigns/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

/** `origin` is the public address of the server; if it is '', the server is where the document is. */
export const apiDocument = (mounted: readonly Mounted[], origin = ''): ApiDocument => {
  const schemas = schemasOf(contracts)
  const exampleOf = examplesOf(schemas.components)
  const responses: ApiDocument['components']['responses'] = {}
  const paths: ApiDocument['paths'] = {}
  schemas.components.Error = errorSchema
  for (const each of mounted) {
    const operation = operationOf(each, schemas, exampleOf, responses)
    ;(paths[templateOf(each.endpoint.path)] ??= {})[each.endpoint.method.toLowerCase()] = operation
  }
  return {
    openapi: '3.1.0',
    info: { ...info, contact: { name: 'Fieldtest', ...(origin && { url: origin }) } },
    servers: [{ url: origin + apiBase }],
    tags: [...new Set(mounted.map(({ table }) => table))].map(tagOf),
    paths,
    components: { schemas: schemas.components, responses, headers, parameters, securitySchemes },
  }
}

const info = {
  title: 'Fieldtest API',
  version: '1',
  description:
    'Developers post app-testing campaigns and pay testers.\n\n' +
    'Money is whole cents (USD). Instants are ISO 8601 in UTC. All errors have the same shape, and each operation lists its codes; ' +
    'other methods at the same address get 405 METHOD_NOT_ALLOWED with an `Allow` header. ' +
    'Lists without page numbers are bare arrays, paged by `limit` and `cursor`; the `Link` header has the next page. ' +
    'Lists with page numbers go up to page 500; their `Link` header leads to the next, previous and first page, ' +
    'without a limit. Their `total` is exact up to 10,000 and an estimate beyond, as `totalIsEstimate` says. ' +
    'Answers with an `ETag` may be cached: sent back as `If-None-Match`, it is answered with 304 while nothing has changed. ' +
    'Of 16 kB and more, they are sent with gzip if `Accept-Encoding` allows it. ' +
    'Files are sent as multipart/form-data. ' +
    'Calls that create something or move money accept an `Idempotency-Key`: repeated with the same key, they take effect only once.',
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The `accessToken` of a login.' },
}

type ExampleOf = ReturnType<typeof examplesOf>

const operationOf = (
  { table, name, endpoint }: Mounted,
  schemas: Schemas,
  exampleOf: ExampleOf,
  shared: Record<string, Response>,
): Operation => {
  const content = (schema: JsonSchema): Content => ({ 'application/json': { schema, example: exampleOf(schema) } })
  const { summary, access, params, query, body, upload, idempotent } = endpoint
  const given = [
    ...parametersIn('path', params, schemas, exampleOf),
    ...parametersIn('query', query, schemas, exampleOf),
    ...(idempotent ? [refTo('parameters', 'IdempotencyKey')] : []),
    ...(endpoint.revalidated ? [refTo('parameters', 'IfNoneMatch')] : []),
    ...(endpoint.replica ? [refTo('parameters', 'Position')] : []),
  ]
  return {
    operationId: `${table}.${name}`,
    tags: [table],
    summary,
    description: `For: ${[access].flat().join(', ')}.`,
    security: access === 'PUBLIC' ? [] : [{ bearer: [] }],
    ...(given.length > 0 && { parameters: given }),
    ...(body && {
      requestBody: { required: !body.safeParse(undefined).success, content: content(schemas.of(body, 'input')) },
    }),
    ...(upload && { requestBody: { required: true, content: fileForm(upload) } }),
    responses: {
      [successOf(endpoint)]: success(endpoint, schemas, content),
      ...(endpoint.revalidated && { 304: unchanged(endpoint) }),
      ...Object.fromEntries(
        [...errorsOf(endpoint)].map(([status, codes]) => {
          if (codes.length > 1) return [status, responseOf(status, codes)]
          shared[codes[0]!] ??= responseOf(status, codes)
          return [status, refTo('responses', codes[0]!)]
        }),
      ),
    },
  }
}

/** The only field of an upload. */
const fileForm = ({ types }: Upload): Content => ({
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      required: ['file'],
    },
    encoding: { file: { contentType: types.join(', ') } },
  },
})

const fileContent = (types: readonly string[]): Content => Object.fromEntries(types.map(type => [type, {}]))

const headersOf = ({ method, pageOf, numbered, revalidated }: Endpoint): Response['headers'] => ({
  'X-Request-Id': refTo('headers', 'RequestId'),
  'X-Server-Time': refTo('headers', 'ServerTime'),
  ...(pageOf && { Link: refTo('headers', numbered ? 'OtherPages' : 'NextPage') }),
  ...(revalidated && { ETag: refTo('headers', 'Tag') }),
  ...(method !== 'GET' && { 'Fieldtest-Position': refTo('headers', 'Position') }),
})

const unchanged = (endpoint: Endpoint): Response => ({
  description: 'Nothing has changed since the answer with this tag.',
  headers: headersOf(endpoint),
})

const success = (endpoint: Endpoint, schemas: Schemas, content: (schema: JsonSchema) => Content): Response => {
  const { pageOf, file } = endpoint
  const answered = bodyOf(endpoint)
  return {
    description: pageOf ? 'One page.' : file ? 'The file.' : answered ? 'Done.' : 'Done, with no content.',
    headers: headersOf(endpoint),
    ...(answered && { content: content(schemas.of(answered, 'output')) }),
    ...(file && { content: fileContent(file) }),
  }
}

const parametersIn = (
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  schemas: Schemas,
  exampleOf: ExampleOf,
): Parameter[] => {
  if (!schema) return []
  return schemas.fieldsOf(schema).map(field => ({ ...field, in: place, example: exampleOf(field.schema, field.name) }))
}
