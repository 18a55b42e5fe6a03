/**
 * Compares every request and answer of the HTTP tests with the API document. It refuses an answer whose status, code or shape
 * the document does not name, and a request that succeeded although the document does not describe it.
 */
import { gunzipSync } from 'node:zlib'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { isDecodable } from '../app/server/routedUrl.ts'
import { type ApiDocument, apiDocument, type Operation } from '../app/server/openapi/document.ts'
import type { Header, Response } from '../app/server/openapi/shared.ts'
import { apiBase, type Mounted } from '../kit/server/http.ts'

/** Throws unless the exchange is as the document says. Ignores addresses and methods that the document does not have. */
type Conformance = (sent: InjectOptions, reply: LightMyRequestResponse) => void

const known = new Map<string, Conformance>()

/** Made once for all applications of a test file that have the same endpoints. */
export const conformanceTo = (app: FastifyInstance): Conformance => {
  const names = app.mounted.map(({ table, name }) => `${table}.${name}`).join()
  const conformance = known.get(names) ?? conformanceOf(app.mounted)
  known.set(names, conformance)
  return conformance
}

const conformanceOf = (mounted: readonly Mounted[]): Conformance => {
  const document = apiDocument(mounted)
  const routeTo = routerOf(document)
  const check = checkerOf(document)
  return (sent, reply) => {
    if (typeof sent.url !== 'string') throw new Error('send the address as text')
    const method = (sent.method ?? 'GET').toLowerCase()
    const [path = '', query = ''] = sent.url.split('?')
    const route = routeTo(path)
    const operation = route?.operations[method]
    if (!route || !operation) return
    try {
      checkReply(document, check, operation, reply)
      const { payload = '', headers = {} } = sent
      if (reply.statusCode < 300)
        checkRequest(document, check, operation, { path: route.params, query, headers, payload })
    } catch (error) {
      const what = `${method.toUpperCase()} ${route.template} (${operation.operationId})`
      throw new Error(`${what} against the API document: ${String(error)}\n${reply.payload.slice(0, 1000)}`, {
        cause: error,
      })
    }
  }
}

const routerOf = ({ paths }: ApiDocument) => {
  const routes = Object.entries(paths).map(([template, operations]) => ({
    template,
    pattern: new RegExp(`^${apiBase}${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    operations,
  }))
  // As in routing, a fixed path takes precedence over one with a parameter.
  const fixedFirst = routes.toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)
  return (path: string) => {
    const route = isDecodable(path) ? fixedFirst.find(({ pattern }) => pattern.test(path)) : undefined
    return route && { ...route, params: route.pattern.exec(path)?.groups ?? {} }
  }
}

/** What is checked: the JSON of an answer or a request, or the text of a parameter or a header. */
type Side = 'answer' | 'body' | 'text'

/** `what` names the schema, so that it is compiled only once. */
type Check = (side: Side, what: string, schema: object, value: unknown) => void

const checkerOf = (document: ApiDocument): Check => {
  const options = { strict: false, allErrors: false } as const
  const sides: Record<Side, Ajv2020> = {
    answer: new Ajv2020(options),
    // The server may trim input before it checks the format.
    body: new Ajv2020({ ...options, validateFormats: false }),
    text: new Ajv2020({ ...options, coerceTypes: true }),
  }
  addFormats.default(sides.answer)
  addFormats.default(sides.text)
  for (const side of Object.values(sides)) side.addSchema(document, 'api')
  const compiled = new Map<string, ValidateFunction>()
  return (side, what, schema, value) => {
    const validate = compiled.get(what) ?? sides[side].compile(withAbsoluteRefs(schema))
    compiled.set(what, validate)
    if (!validate(value)) throw new Error(`${what}: ${inWords(validate.errors)}`)
  }
}

/** The document is added as `api`, and its schemas refer to each other by addresses within it. */
const withAbsoluteRefs = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/')) as object

const inWords = (errors: ErrorObject[] | null | undefined): string =>
  (errors ?? [])
    .map(error => `${error.instancePath || 'it'} ${error.message} ${JSON.stringify(error.params)}`)
    .join('; ')

const found = (document: ApiDocument, thing: object): object => {
  if (!('$ref' in thing)) return thing
  const [, ...keys] = String(thing.$ref).split('/')
  return keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], document) as object
}

const mediaTypeOf = (header: unknown) => (typeof header === 'string' ? header.split(';')[0]!.trim().toLowerCase() : '')

const textOf = ({ headers, payload, rawPayload }: LightMyRequestResponse): string =>
  headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload).toString() : payload

const checkReply = (document: ApiDocument, check: Check, operation: Operation, reply: LightMyRequestResponse) => {
  const { operationId: id, responses } = operation
  const status = reply.statusCode
  const listed = responses[status]
  if (!listed) throw new Error(`no answer ${status} is listed; name its code in \`errors\` of the endpoint`)
  const { headers = {}, content } = found(document, listed) as Response
  for (const [name, ref] of Object.entries(headers)) {
    const { required, schema } = found(document, ref) as Header
    const value = reply.headers[name.toLowerCase()]
    if (value !== undefined || required) check('text', `${id} ${status} ${name}`, schema, value ?? null)
  }
  const type = mediaTypeOf(reply.headers['content-type'])
  const json = content?.['application/json']
  if (json?.schema) {
    if (type !== 'application/json') throw new Error('the answer is not JSON')
    check('answer', `${id} ${status}`, json.schema, JSON.parse(textOf(reply)))
  } else if (content) {
    if (!(type in content)) throw new Error(`the answer is ${type || 'of no type'}`)
  } else if (reply.payload !== '') throw new Error(`an answer ${status} has no body`)
}

type Sent = { path: Record<string, string>; query: string; headers: object; payload: unknown }
type PlainParameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: object }

const asReceived = (payload: unknown): unknown =>
  JSON.parse(typeof payload === 'string' ? payload : JSON.stringify(payload))

/** Checks a request that succeeded. Bodies other than JSON, such as an upload of 50 MB, are not read. */
const checkRequest = (document: ApiDocument, check: Check, operation: Operation, sent: Sent) => {
  const { operationId: id, requestBody, parameters = [] } = operation
  const { path, query, payload } = sent
  const json = requestBody?.content['application/json']
  if (json?.schema && payload !== '') check('body', `${id} body`, json.schema, asReceived(payload))
  if (requestBody?.required && payload === '') throw new Error('done without the body that the document requires')
  const headers = Object.entries<unknown>(sent.headers as Record<string, unknown>).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ])
  const sentType = mediaTypeOf(Object.fromEntries(headers)['content-type'])
  if (requestBody && !json && !(sentType in requestBody.content)) throw new Error(`done with a body of ${sentType}`)
  const given: Record<PlainParameter['in'], Record<string, unknown>> = {
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    header: Object.fromEntries(headers),
  }
  for (const parameter of parameters) {
    const { name, in: place, required, schema } = found(document, parameter) as PlainParameter
    const value = given[place][place === 'header' ? name.toLowerCase() : name]
    if (value !== undefined) check('text', `${id} ${place} ${name}`, schema, value)
    else if (required) throw new Error(`done without ${place} ${name}`)
  }
}
