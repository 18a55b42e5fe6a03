/**
 * Holds every request and answer of the HTTP tests against the API document: an answer with a status, a code or a shape
 * that it does not name, and a request that was done although it does not describe it.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { apiDocument, type Operation, type Parameter } from '../app/server/openapi/document.ts'
import type { Header, Response } from '../app/server/openapi/shared.ts'
import { apiBase } from '../kit/server/http.ts'

type Route = { template: string; pattern: RegExp; operations: Record<string, Operation> }

/** Throws unless the exchange is as the document says. Of addresses and methods that it does not have, it says nothing. */
type Conformance = (sent: InjectOptions, reply: LightMyRequestResponse) => void

const options = { strict: false, allErrors: false } as const

export const conformanceTo = (app: FastifyInstance): Conformance => {
  const document = apiDocument(app.mounted)
  const answers = new Ajv2020(options)
  addFormats.default(answers)
  // What is sent may be trimmed before its format is checked, and parameters arrive as text.
  const requests = new Ajv2020({ ...options, validateFormats: false, coerceTypes: true })
  for (const ajv of [answers, requests]) ajv.addSchema(document, 'api')

  const routes: Route[] = Object.entries(document.paths).map(([template, operations]) => ({
    template,
    pattern: new RegExp(`^${apiBase}${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    operations,
  }))
  // As in routing, a fixed path goes before one with a parameter.
  const parameterCount = ({ template }: Route) => template.split('{').length
  routes.sort((a, b) => parameterCount(a) - parameterCount(b))

  const found = <T extends object>(thing: T): T => {
    if (!('$ref' in thing)) return thing
    const [, ...keys] = String(thing.$ref).split('/')
    return keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], document) as T
  }

  const compiled = new Map<string, ValidateFunction>()
  const validator = (ajv: Ajv2020, key: string, schema: object): ValidateFunction => {
    const known = compiled.get(key)
    if (known) return known
    const made = ajv.compile(withAbsoluteRefs(schema))
    compiled.set(key, made)
    return made
  }

  return (sent, reply) => {
    if (typeof sent.url !== 'string') throw new Error('send the address as text')
    const [path = '', query = ''] = sent.url.split('?')
    const method = (sent.method ?? 'GET').toUpperCase()
    const route = isDecodable(path) ? routes.find(({ pattern }) => pattern.test(path)) : undefined
    const operation = route?.operations[method.toLowerCase()]
    if (!route || !operation) return
    const status = reply.statusCode
    const fail = (fault: string) => {
      throw new Error(
        `${method} ${route.template} (${operation.operationId}) against the API document: ${fault}\n${reply.payload.slice(0, 1000)}`,
      )
    }
    const check = (ajv: Ajv2020, what: string, schema: object, value: unknown) => {
      const validate = validator(ajv, `${operation.operationId} ${what}`, schema)
      if (!validate(value)) fail(`${what}: ${inWords(validate.errors)}`)
    }

    const listed = operation.responses[status]
    if (!listed) return fail(`no answer ${status} is listed; name its code in \`errors\` of the endpoint`)
    const response = found<Response>(listed)
    checkHeaders(response, reply, (name, schema, value) =>
      check(requests, `header ${name} of ${status}`, schema, value),
    )
    const content = response.content?.['application/json']
    if (content) {
      if (!String(reply.headers['content-type']).startsWith('application/json')) fail('the answer is not JSON')
      check(answers, `answer ${status}`, content.schema, JSON.parse(reply.payload))
    } else if (reply.payload !== '') fail(`an answer ${status} has no body`)
    if (status >= 300) return

    const body = operation.requestBody
    const { payload = '' } = sent
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    if (body && text !== '') check(requests, 'request', body.content['application/json'].schema, JSON.parse(text))
    if (body?.required && text === '') fail('done without the body that the document requires')
    const given = {
      path: route.pattern.exec(path)?.groups ?? {},
      query: Object.fromEntries(new URLSearchParams(query)),
      header: lowerCased(sent.headers ?? {}),
    }
    for (const parameter of operation.parameters ?? []) {
      const { name, in: place, required, schema } = found(parameter) as Exclude<Parameter, { $ref: string }>
      const value = given[place][place === 'header' ? name.toLowerCase() : name]
      if (value !== undefined) check(requests, `${place} ${name}`, schema, value)
      else if (required) fail(`done without ${place} ${name}`)
    }
  }

  function checkHeaders(
    response: Response,
    reply: LightMyRequestResponse,
    check: (name: string, schema: object, value: unknown) => void,
  ) {
    for (const [name, ref] of Object.entries(response.headers ?? {})) {
      const { required, schema } = found<object>(ref) as Header
      const value = reply.headers[name.toLowerCase()]
      if (value !== undefined || required) check(name, schema, value ?? null)
    }
  }
}

const lowerCased = (headers: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The schemas of the document, added as `api`, refer to each other by its own addresses. */
const withAbsoluteRefs = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/')) as object

const isDecodable = (path: string) => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const inWords = (errors: ErrorObject[] | null | undefined): string =>
  (errors ?? [])
    .map(error => `${error.instancePath || 'it'} ${error.message} ${JSON.stringify(error.params)}`)
    .join('; ')
