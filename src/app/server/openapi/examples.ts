/** Makes an example of a schema from its shape; fields.ts says what fields usually contain. */
import { fieldExamples } from './fields.ts'
import type { JsonSchema } from './schemas.ts'

export type ExampleOf = (schema: JsonSchema, name?: string) => unknown

const uuidShape = '^[0-9a-f]{8}-'

/** A schema may allow several types, such as `['string', 'null']`. */
const is = ({ type }: JsonSchema, name: string) => ([type].flat() as unknown[]).includes(name)

const componentName = (ref: string) => ref.replace('#/components/schemas/', '')

export const examplesOf = (components: Record<string, JsonSchema>): ExampleOf => {
  const exampleOf: ExampleOf = (schema, name = '') => {
    if (schema.$ref) return exampleOf(components[componentName(schema.$ref)]!, name)
    if (schema.examples?.[0] !== undefined) return schema.examples[0]
    const usual = fieldExamples[name]
    if (usual !== undefined && fits(schema, usual)) return usual
    if (schema.anyOf) return exampleOf(schema.anyOf[0] as JsonSchema, name)
    if (schema.enum) return schema.enum[0]
    return exampleOfType(schema, name)
  }

  /** Checks only what the examples in fields.ts need; document.test.ts parses each whole example. */
  const fits = (schema: JsonSchema, value: unknown): boolean => {
    if (schema.$ref) return fits(components[componentName(schema.$ref)]!, value)
    if (schema.anyOf) return schema.anyOf.some(option => fits(option as JsonSchema, value))
    if (schema.enum) return schema.enum.includes(value as string)
    if (typeof value === 'string' && (schema.format === 'uuid' || schema.pattern))
      return new RegExp(schema.pattern ?? uuidShape, 'u').test(value)
    if (Array.isArray(value)) return is(schema, 'array') && value.every(item => fits(schema.items as JsonSchema, item))
    if (typeof value === 'number') return is(schema, 'integer') || is(schema, 'number')
    return is(schema, value === null ? 'null' : typeof value)
  }

  const exampleOfType = (schema: JsonSchema, name: string): unknown => {
    if (is(schema, 'object')) return exampleOfObject(schema)
    if (is(schema, 'array')) return [exampleOf(schema.items as JsonSchema, name)]
    if (is(schema, 'boolean')) return false
    if (is(schema, 'integer') || is(schema, 'number')) return Math.max(1, schema.minimum ?? 1)
    return exampleOfText(schema, name)
  }

  const exampleOfObject = ({ properties = {} }: JsonSchema) => {
    const fields = Object.entries(properties as Record<string, JsonSchema>)
    // A field that allows any type is accepted and ignored, so the example leaves it out.
    const known = fields.filter(([, field]) => field.$ref ?? field.anyOf ?? field.enum ?? field.type)
    return Object.fromEntries(known.map(([key, field]) => [key, exampleOf(field, key)]))
  }
  return exampleOf
}

const ofFormat: Record<string, string> = {
  uuid: '019ab5a4-6c1e-7d2a-9f0b-3c5d7e8f9a0b',
  'date-time': '2026-11-21T09:30:00.000Z',
  date: '2026-11-21',
  email: 'ada@example.com',
  uri: 'https://play.google.com/apps/testing/com.example.notes',
}

/** `whatToTest` → "What to test". */
const inWords = (name: string) =>
  name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`).replace(/^./, letter => letter.toUpperCase())

const exampleOfText = ({ format, minLength = 1 }: JsonSchema, name: string): string => {
  const words = ofFormat[format ?? ''] ?? inWords(name || 'text')
  return words.length < minLength ? words.padEnd(minLength, '.') : words
}
