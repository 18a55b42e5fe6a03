/** zod → JSON Schema 2020-12, with the contracts' exported schemas as shared components. */
import { z, type ZodType } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

type Contract = { file: string; exports: Record<string, unknown> }

/** Every schema that the contracts export, under its own name. Throws if two have the same name. */
const entitiesOf = (contracts: readonly Contract[]) => {
  const registry = z.registry<{ id: string }>()
  const files = new Map<string, string>()
  for (const { file, exports } of contracts) {
    for (const [id, schema] of Object.entries(exports)) {
      if (!(schema instanceof z.ZodType) || registry.has(schema)) continue
      const other = files.get(id)
      if (other !== undefined) throw new Error(`${file} and ${other} both export a schema called ${id}: rename one`)
      files.set(id, file)
      registry.add(schema, { id })
    }
  }
  return registry
}

export type Schemas = {
  of: (schema: ZodType, io: 'input' | 'output') => JsonSchema
  /** The fields of an object that is sent as parameters. */
  fieldsOf: (schema: ZodType) => { name: string; required: boolean; schema: JsonSchema }[]
  components: Record<string, JsonSchema>
}

export const schemasOf = (contracts: readonly Contract[]): Schemas => {
  const metadata = entitiesOf(contracts)
  const components: Schemas['components'] = {}
  const add = (id: string, schema: JsonSchema) => {
    const known = components[id]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`${id} is sent and answered in different shapes: export one schema for each`)
    components[id] = schema
  }
  const converted = (schema: ZodType, io: 'input' | 'output') => {
    const options = { io, metadata, unrepresentable: 'any', target: 'draft-2020-12', override: tidy } as const
    const { $defs = {}, ...made } = withComponentRefs(z.toJSONSchema(schema, options))
    const own = metadata.get(schema)?.id
    for (const [id, shared] of Object.entries($defs)) if (id !== own) add(id, shared as JsonSchema)
    return own === undefined ? made : ($defs[own] as JsonSchema)
  }
  return {
    components,
    // Wrapped in an object, so that a shared schema becomes a reference here, too.
    of: (schema, io) => converted(z.object({ schema }), io).properties!.schema as JsonSchema,
    fieldsOf: schema => {
      const { properties = {}, required = [] } = converted(schema, 'input')
      return Object.entries(properties).map(([name, field]) => ({
        name,
        required: required.includes(name),
        schema: field as JsonSchema,
      }))
    },
  }
}

const withComponentRefs = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema

/** Leaves out what says nothing new: the pattern of a known format, and limits that every number has. */
const tidy = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) => {
  Object.assign(jsonSchema, z.globalRegistry.get(zodSchema))
  if (jsonSchema.format) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.type === 'integer') jsonSchema.format = 'int64'
  // A reply may get additional fields without a new version of the API.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // Keys of JSON objects are always strings.
  if (jsonSchema.propertyNames) delete jsonSchema.propertyNames
}
