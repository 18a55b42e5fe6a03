/** Where SQL is: the bodies of functions in files, and tagged templates in TypeScript. */
import { type Node, isNode, listOf, nameOf, placesIn } from './syntax.ts'
import { type Token, tokensOf } from './sqlTokens.ts'

/** A function as written in its file; `statement` replaces it in a database that has it. */
export type SqlFunction = {
  name: string
  path: string
  start: number
  end: number
  body: { start: number; end: number }
}

const heads = /\bcreate\s+(?:or\s+replace\s+)?function\s+(\w+)\s*\(/gi

/** Kept for servers of the previous release (decision 047); the product no longer calls it. */
const isRetired = (source: string) => source.startsWith('-- Retired:')

const functionsIn = ({ path, source }: { path: string; source: string }): SqlFunction[] =>
  [...(isRetired(source) ? [] : source.matchAll(heads))].flatMap(match => {
    const start = match.index
    const quote = /\bas\s+(\$\w*\$)/i.exec(source.slice(start))
    if (!quote) return []
    const bodyStart = start + quote.index + quote[0].length
    const bodyEnd = source.indexOf(quote[1]!, bodyStart)
    if (bodyEnd === -1) return []
    const end = source.indexOf(';', bodyEnd + quote[1]!.length)
    return [
      {
        name: match[1]!.toLowerCase(),
        path,
        start,
        end: end === -1 ? source.length : end,
        body: { start: bodyStart, end: bodyEnd },
      },
    ]
  })

/** If several files create a function, only the last one runs. */
export const liveFunctions = (files: readonly { path: string; source: string }[]): SqlFunction[] => [
  ...new Map(files.flatMap(functionsIn).map(found => [found.name, found])).values(),
]

/** `source` is the whole file, with or without a change. */
export const functionStatement = (source: string): string =>
  source.replace(/^\s*create\s+(?:or\s+replace\s+)?function/i, 'create or replace function')

/** The tokens of each template tagged with `sql`. */
export const templatesIn = (program: Node, source: string): Token[][] =>
  [...placesIn(program)].flatMap(({ node }) => {
    if (node.type !== 'TaggedTemplateExpression' || nameOf(node.tag) !== 'sql' || !isNode(node.quasi)) return []
    const { quasi } = node
    const holes = listOf(quasi.expressions).map(({ start, end }) => ({
      start: source.lastIndexOf('${', start),
      end: source.indexOf('}', end) + 1,
    }))
    return [tokensOf(source, { start: quasi.start + 1, end: quasi.end - 1 }, holes)]
  })
