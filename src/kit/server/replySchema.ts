/** zod → JSON schema, for the compiled serializer and for the API document. */
import { z, type ZodType } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** What a request may look like, for the document only. */
export const documentSchema = (schema: ZodType): JsonSchema =>
  withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' }))

/**
 * A reply, for fast-json-stringify: it strips what is not named. "X or null" becomes `nullable`, since its `anyOf`
 * would be decided by a validator on every value; patterns and formats say nothing to a serializer.
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
