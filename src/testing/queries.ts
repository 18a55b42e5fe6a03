/** The query strings that a list accepts: each value of each filter, from the API document. */

type Schema = { enum?: unknown[]; const?: unknown; anyOf?: Schema[]; oneOf?: Schema[]; $ref?: string }
type Parameter = { name: string; in: string; schema: Schema }
export type ApiDocument = {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>
  components?: { schemas?: Record<string, Schema> }
}

/** Values for filters whose values the document does not list. */
export type Examples = Record<string, readonly string[]>

const valuesOf = (schema: Schema, document: ApiDocument): string[] => {
  if (schema.$ref) return valuesOf(document.components?.schemas?.[schema.$ref.split('/').at(-1)!] ?? {}, document)
  const own = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])]
  return [
    ...own.filter(value => typeof value === 'string' && value !== ''),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(each => valuesOf(each, document)),
  ] as string[]
}

/** `path` is written as in the endpoint tables. The first result has no query. */
export const queriesOf = (document: ApiDocument, path: string, examples: Examples): string[] => {
  const template = path.replaceAll(/:(\w+)/g, '{$1}')
  const parameters = (document.paths[template]?.get?.parameters ?? []).filter(each => each.in === 'query')
  const queries = parameters.flatMap(({ name, schema }) =>
    [...new Set([...valuesOf(schema, document), ...(examples[name] ?? [])])].map(
      value => `?${name}=${encodeURIComponent(value)}`,
    ),
  )
  return ['', ...queries]
}
