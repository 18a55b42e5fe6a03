/** From zod to JSON schema to the compiled serializer. */
import type { FastifySerializerCompiler } from 'fastify'
import buildSerializer, { type Schema } from 'fast-json-stringify'
import { z, type ZodType } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * The schema of a reply for fast-json-stringify, which strips fields that it does not name. "X or null" becomes `nullable`,
 * because an `anyOf` would run a validator on every value; serializers ignore patterns and formats.
 */
export const replySchema = (schema: ZodType): JsonSchema => {
  const made = replySchemas.get(schema) ?? jsonSchemaOf(schema)
  replySchemas.set(schema, made)
  return made
}
const replySchemas = new WeakMap<ZodType, JsonSchema>()

/** Each schema is compiled on first use: compiling all of them at the start took a tenth of a second. */
export const compileSerializer: FastifySerializerCompiler<object> =
  ({ schema }) =>
  data => {
    const serialize = serializers.get(schema) ?? buildSerializer(schema as Schema)
    serializers.set(schema, serialize)
    return serialize(data)
  }
const serializers = new WeakMap<object, (data: unknown) => string>()

const jsonSchemaOf = (schema: ZodType): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      const [first, second, ...more] = jsonSchema.anyOf ?? []
      if (first && second?.type === 'null' && more.length === 0) {
        delete jsonSchema.anyOf
        Object.assign(jsonSchema, first, { nullable: true })
      }
      delete jsonSchema.pattern
      if (jsonSchema.format !== 'uuid') delete jsonSchema.format
      delete jsonSchema.minimum
      delete jsonSchema.maximum
    },
  })
  return rest
}
