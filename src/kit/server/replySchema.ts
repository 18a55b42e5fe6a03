/** zod → JSON schema, for the compiled serializer and for the API document. */
import { z, type ZodType } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The schema of a request, for the document only. */
export const documentSchema = (schema: ZodType): JsonSchema =>
  withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' }))

/**
 * The schema of a reply, for fast-json-stringify, which strips fields that it does not name. "X or null" becomes
 * `nullable`, because an `anyOf` would run a validator on every value; a serializer ignores patterns and formats.
 */
export const replySchema = (schema: ZodType): JsonSchema =>
  withoutDialect(
    z.toJSONSchema(schema, {
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
    }),
  )

const withoutDialect = (schema: JsonSchema): JsonSchema => {
  const { $schema: _, ...rest } = schema
  return rest
}
