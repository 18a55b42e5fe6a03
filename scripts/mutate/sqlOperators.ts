/** Operators on SQL: what a statement compares, computes, locks, orders and writes. sqlConditions.ts has those on conditions. */
import type { Edit } from './edits.ts'
import { type Token, endOf, isAt } from './sqlTokens.ts'
import { type Vocabulary, anotherWord } from './vocabulary.ts'

export type Sql = { path: string; source: string; tokens: readonly Token[]; vocabulary: Vocabulary }
export type SqlOperator = { name: string; find: (sql: Sql, index: number) => Edit[][] }

const put = (token: Token, text: string): Edit[] => [{ start: token.start, end: token.end, text }]
/** Replaces the tokens from one index up to another. */
export const span = (tokens: readonly Token[], from: number, to: number, text: string): Edit[] => [
  { start: tokens[from]!.start, end: tokens[to - 1]!.end, text },
]

const otherComparison: Record<string, string> = { '=': '<>', '<>': '=', '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const otherArithmetic: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*' }
const otherFunction: Record<string, string> = {
  least: 'greatest',
  greatest: 'least',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  bool_and: 'bool_or',
  bool_or: 'bool_and',
}
/** An expression begins after these, so that the next `-` is a sign and the next `*` means all columns. */
const before = new Set(
  'select where and or not on set when then else return in between case having by limit distinct returning values'.split(
    ' ',
  ),
)
const isOperand = (token: Token | undefined) =>
  token !== undefined && (token.kind === 'symbol' ? token.text === ')' : !before.has(token.text))
const beginsOperand = (token: Token | undefined) =>
  token !== undefined && (token.kind !== 'symbol' || token.text === '(') && token.text !== 'from'

const endOfSet = new Set(['where', 'from', 'returning', ';'])
/** The `set` of `update … set`, not that of `set local`. */
const beginsSet = (tokens: readonly Token[], index: number) => {
  if (!isAt(tokens, index, 'set')) return false
  const end = endOf(tokens, index, tokens[index]!.depth, endOfSet)
  return tokens.slice(index, end).some(token => token.text === '=')
}

/** The start and end index of each entry in a `set` list. */
const setEntries = (tokens: readonly Token[], index: number): [number, number][] => {
  const { depth } = tokens[index]!
  const end = endOf(tokens, index, depth, endOfSet)
  const entries: [number, number][] = []
  for (let from = index + 1; from < end;) {
    const to = Math.min(end, endOf(tokens, from, depth, new Set([',', ...endOfSet])))
    entries.push([from, to])
    from = to + 1
  }
  return entries
}

/** Every `=` that assigns instead of comparing. */
const assigningIn = (tokens: readonly Token[]): Set<number> => {
  const assigning = new Set<number>()
  for (const index of tokens.keys())
    if (beginsSet(tokens, index))
      for (const [from, to] of setEntries(tokens, index))
        assigning.add(tokens.findIndex((token, at) => at >= from && at < to && token.text === '='))
  return assigning
}
const assignments = new WeakMap<readonly Token[], Set<number>>()
const assigns = ({ tokens }: Sql, index: number) => {
  const known = assignments.get(tokens) ?? assigningIn(tokens)
  assignments.set(tokens, known)
  return known.has(index)
}

const locks = /^for (no key update|update|share|key share)( of \w+)?( skip locked| nowait)?/

const statementsOf = new Set(['perform', 'insert', 'update', 'delete'])
/** Whether a PL/pgSQL statement begins here. */
const beginsStatement = (tokens: readonly Token[], index: number) => {
  const previous = tokens[index - 1]
  return previous?.depth === 0 && [';', 'begin', 'then', 'else', 'loop'].includes(previous.text)
}

/** The column that a word is compared with or written to, if there is one shortly before it. */
const columnBefore = (tokens: readonly Token[], index: number) => {
  for (let at = index - 1; at > Math.max(0, index - 12); at--)
    if (['=', '<>', 'in'].includes(tokens[at]!.text) && tokens[at - 1]?.kind === 'word') return tokens[at - 1]!.text
  return undefined
}

const endOfOrder = new Set(['limit', 'offset', 'for', ';', 'loop', 'rows', 'range', 'union', 'returning'])

export const sqlOperators: SqlOperator[] = [
  {
    name: 'comparison in SQL',
    find: (sql, index) => {
      const token = sql.tokens[index]!
      const other = token.kind === 'symbol' ? otherComparison[token.text] : undefined
      return other && !assigns(sql, index) ? [put(token, other)] : []
    },
  },
  {
    name: 'arithmetic in SQL',
    find: ({ tokens }, index) => {
      const token = tokens[index]!
      const other = token.kind === 'symbol' ? otherArithmetic[token.text] : undefined
      return other && isOperand(tokens[index - 1]) && beginsOperand(tokens[index + 1]) ? [put(token, other)] : []
    },
  },
  {
    name: 'least and greatest',
    find: ({ tokens }, index) => {
      const token = tokens[index]!
      const other = token.kind === 'word' ? otherFunction[token.text] : undefined
      return other && isAt(tokens, index + 1, '(') ? [put(token, other)] : []
    },
  },
  {
    name: 'number in SQL',
    find: ({ tokens }, index) => {
      const token = tokens[index]!
      // `limit 1` is used where there can only be one row.
      if (token.kind !== 'number' || (token.text === '1' && isAt(tokens, index - 1, 'limit'))) return []
      const value = Number(token.text)
      return value > 0
        ? [put(token, String(value + 1)), put(token, String(value - 1))]
        : [put(token, String(value + 1))]
    },
  },
  {
    name: 'enum value replaced in SQL',
    find: ({ path, tokens, vocabulary }, index) => {
      const token = tokens[index]!
      const other =
        token.kind === 'string' ? anotherWord(vocabulary, path, token.text, columnBefore(tokens, index)) : null
      return other === null ? [] : [put(token, `'${other}'`)]
    },
  },
  {
    name: 'boolean flipped in SQL',
    find: ({ tokens }, index) => {
      if (isAt(tokens, index, 'true')) return [put(tokens[index]!, 'false')]
      return isAt(tokens, index, 'false') ? [put(tokens[index]!, 'true')] : []
    },
  },
  {
    name: 'coalesce removed',
    find: ({ source, tokens }, index) => {
      if (!isAt(tokens, index, 'coalesce', '(')) return []
      const inside = tokens[index]!.depth + 1
      const close = endOf(tokens, index + 2, inside, new Set())
      const comma = endOf(tokens, index + 2, inside, new Set([',']))
      if (comma >= close) return []
      return [span(tokens, index, close + 1, source.slice(tokens[index + 2]!.start, tokens[comma - 1]!.end))]
    },
  },
  {
    name: 'lock removed',
    find: ({ source, tokens }, index) => {
      if (!isAt(tokens, index, 'for')) return []
      const { start } = tokens[index]!
      const [lock] = locks.exec(source.slice(start).replaceAll(/\s/g, ' ')) ?? []
      return lock === undefined ? [] : [[{ start, end: start + lock.length, text: '' }]]
    },
  },
  {
    name: 'order reversed',
    find: ({ tokens }, index) => {
      if (!isAt(tokens, index, 'order', 'by')) return []
      const { depth } = tokens[index]!
      const end = endOf(tokens, index, depth, new Set([',', ...endOfOrder]))
      const last = tokens[end - 1]!
      return last.text === 'desc' ? [put(last, 'asc')] : [[{ start: last.end, end: last.end, text: ' desc' }]]
    },
  },
  {
    name: 'distinct removed',
    find: ({ tokens }, index) =>
      isAt(tokens, index, 'distinct') && !isAt(tokens, index + 1, 'from') ? [put(tokens[index]!, '')] : [],
  },
  {
    name: 'union/union all swapped',
    find: ({ tokens }, index) => {
      if (!isAt(tokens, index, 'union')) return []
      return [isAt(tokens, index + 1, 'all') ? put(tokens[index + 1]!, '') : put(tokens[index]!, 'union all')]
    },
  },
  {
    name: 'left join replaced with inner join',
    find: ({ tokens }, index) => (isAt(tokens, index, 'left', 'join') ? [put(tokens[index]!, '')] : []),
  },
  {
    name: 'update assignment removed',
    find: ({ tokens }, index) => {
      if (!beginsSet(tokens, index)) return []
      const entries = setEntries(tokens, index)
      if (entries.length < 2) return []
      return entries.map(([from, to], place) => {
        const next = entries[place + 1]
        return next
          ? [{ start: tokens[from]!.start, end: tokens[next[0]]!.start, text: '' }]
          : [{ start: tokens[entries[place - 1]![1] - 1]!.end, end: tokens[to - 1]!.end, text: '' }]
      })
    },
  },
  {
    name: 'statement removed',
    find: ({ tokens }, index) => {
      const { kind, text, depth } = tokens[index]!
      const isRaise = isAt(tokens, index, 'raise', 'exception')
      if (kind !== 'word' || depth !== 0 || (!statementsOf.has(text) && !isRaise)) return []
      if (!beginsStatement(tokens, index)) return []
      return [span(tokens, index, endOf(tokens, index, 0, new Set([';'])), 'null')]
    },
  },
]
