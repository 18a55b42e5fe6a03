/** Checks requests against Stripe's OpenAPI document (openapi.json) and what the SDK's types add to it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { goneParameters, moreOperations, moreParameters } from './additions.ts'
import { invalidParameters } from './refusals.ts'
import type { Fields } from './state.ts'

type Schema = { properties?: Record<string, unknown>; [more: string]: unknown }
type Parameter = { name: string; in: string; required?: boolean; schema: unknown }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

const formType = 'application/x-www-form-urlencoded'

export const stripeDocument = JSON.parse(readFileSync(join(import.meta.dirname, 'openapi.json'), 'utf8')) as Document

const querySchemaOf = ({ parameters = [] }: Operation): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(parameters.filter(of => of.in === 'query').map(({ name, schema }) => [name, schema])),
})

const bodySchemaOf = (operation: Operation): Schema =>
  operation.requestBody?.content[formType]?.schema ?? { type: 'object', additionalProperties: false }

const schemas = new Map<string, Schema>()
for (const [path, operations] of Object.entries(stripeDocument.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    const name = `${method.toUpperCase()} ${path}`
    const schema = method === 'get' ? querySchemaOf(operation) : bodySchemaOf(operation)
    const properties = { ...schema.properties, ...moreParameters[name] }
    for (const gone of goneParameters[name] ?? []) delete properties[gone]
    schemas.set(name, { ...schema, properties })
  }
}
for (const [name, schema] of Object.entries(moreOperations)) schemas.set(name, schema)

// Form bodies are text: `amount=100` is a number where the document says so.
const ajv = new Ajv2020({
  strict: false,
  coerceTypes: true,
  formats: { 'unix-time': true, currency: true, decimal: true },
})
const validators = new Map<string, ValidateFunction>()

const routes = [...schemas.keys()]
  .map(name => {
    const [method = '', path = ''] = name.split(' ')
    return { name, method, pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '([^/]+)')}$`) }
  })
  // A fixed path takes precedence over one with a parameter.
  .toSorted((a, b) => a.name.split('{').length - b.name.split('{').length)

export type Route = { name: string; id: string }

/** The operation of a request, and the id in its path; undefined when neither the document nor the SDK's types have it. */
export const routeOf = (method: string, path: string): Route | undefined => {
  const route = routes.find(candidate => candidate.method === method && candidate.pattern.test(path))
  return route && { name: route.name, id: decodeURIComponent(route.pattern.exec(path)?.[1] ?? '') }
}

/** The parameters, converted to their types. Throws Stripe's refusal if one does not fit. */
export const checked = (name: string, parameters: Fields): Fields => {
  const validator = validators.get(name) ?? ajv.compile(schemas.get(name) ?? {})
  validators.set(name, validator)
  const typed = structuredClone(parameters)
  if (validator(typed)) return typed
  const [error] = validator.errors ?? []
  const where = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
  const extra = error?.params as { additionalProperty?: string; missingProperty?: string } | undefined
  const param = [where, extra?.additionalProperty ?? extra?.missingProperty].filter(Boolean).join('.')
  if (extra?.additionalProperty !== undefined) throw invalidParameters(`Received unknown parameter: ${param}`, param)
  if (extra?.missingProperty !== undefined) throw invalidParameters(`Missing required param: ${param}.`, param)
  throw invalidParameters(`Invalid ${param || 'request'}: ${error?.message ?? 'does not fit'}`, param)
}
