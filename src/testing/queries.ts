/** The query strings with which a list can be asked for: each value of each filter, as the API document has them. */

type Schema = { enum?: unknown[]; const?: unknown; anyOf?: Schema[]; oneOf?: Schema[]; $ref?: string }
type Parameter = { name: string; in: string; schema: Schema }
export type ApiDocument = {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>
  components?: { schemas?: Record<string, Schema> }
}

/** What to look for where the document names no values. */
export type Examples = Record<string, readonly string[]>

const valuesOf = (schema: Schema, document: ApiDocument): string[] => {
  if (schema.$ref) return valuesOf(document.components?.schemas?.[schema.$ref.split('/').at(-1)!] ?? {}, document)
  const own = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])]
  return [
    ...own.filter(value => typeof value === 'string' && value !== ''),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(each => valuesOf(each, document)),
  ] as string[]
}

/** `path` as in the endpoint tables; the first is the call without any. */
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
