/** Migrations, read with PostgreSQL's own parser. */
import { loadModule, type Node, parseSync } from 'libpg-query'

export { loadModule }

export type SqlText = { name: string; text: string }

/** `note` is the comment above the statement. */
export type Statement = { node: Node; text: string; note: string }

/** PostgreSQL counts in bytes. */
export const parsed = ({ name, text }: SqlText): Statement[] => {
  const bytes = Buffer.from(text)
  let end = 0
  try {
    return (parseSync(text).stmts ?? []).map(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
      const note = bytes.subarray(end, start).toString().replaceAll(/^;/g, '').trim()
      end = length === undefined ? bytes.length : start + length
      return { node: stmt!, text: bytes.subarray(start, end).toString().trim(), note }
    })
  } catch (error) {
    throw new Error(`migrations/${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** `{ IndexStmt: … }` → `['IndexStmt', …]` */
export const kindOf = (node: Node): string => Object.keys(node)[0]!

/** All objects inside `value`, and `value` itself. */
export const within = function* (value: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(value)) for (const each of value) yield* within(each)
  else if (typeof value === 'object' && value !== null) {
    yield value as Record<string, unknown>
    for (const each of Object.values(value)) yield* within(each)
  }
}
