/** Operators on the conditions of SQL: where, on, if, when. */
import type { Edit } from './edits.ts'
import { type Sql, type SqlOperator, span } from './sqlOperators.ts'
import { type Token, endOf, isAt } from './sqlTokens.ts'

const put = (token: Token, text: string): Edit[] => [{ start: token.start, end: token.end, text }]

const begins = new Set(['where', 'on', 'having', 'if', 'elsif', 'when'])
const ends = new Set(
  'group order limit union returning for then window having where left right inner cross join loop offset on ; ,'.split(
    ' ',
  ),
)

/** The `and` of `between … and …` does not join conditions. */
const isBetween = (tokens: readonly Token[], index: number) => {
  const { depth } = tokens[index]!
  for (let at = index - 1; at >= 0 && tokens[at]!.depth >= depth; at--) {
    if (tokens[at]!.depth > depth) continue
    if (tokens[at]!.text === 'between') return true
    if (['and', 'or', 'where', 'on', 'if', 'when'].includes(tokens[at]!.text)) return false
  }
  return false
}

/** Whether `when` begins a condition: it does in `case when x > 1`, but not in `case x when 'A'` or `exception when`. */
const asks = (tokens: readonly Token[], index: number): boolean => {
  const open: boolean[] = []
  for (let at = 0; at < index; at++) {
    if (isAt(tokens, at, 'case') && !isAt(tokens, at - 1, 'end')) open.push(isAt(tokens, at + 1, 'when'))
    else if (isAt(tokens, at, 'end') && !['if', 'loop'].includes(tokens[at + 1]?.text ?? '')) open.pop()
  }
  return open.at(-1) ?? false
}

type Condition = { from: number; to: number; keyword: string }

/** The condition that begins with a keyword at `index`. */
const conditionAt = (tokens: readonly Token[], index: number): Condition | null => {
  const { kind, text, depth } = tokens[index]!
  if (kind !== 'word' || !begins.has(text)) return null
  if (text === 'on' && isAt(tokens, index + 1, 'conflict')) return null
  if (text === 'if' && isAt(tokens, index - 1, 'end')) return null
  if (text === 'when' && !asks(tokens, index)) return null
  const to = endOf(tokens, index + 1, depth, ends)
  return to > index + 1 ? { from: index + 1, to, keyword: text } : null
}

/** The parts between occurrences of `word`, as indexes; only one if the word does not occur. */
const parts = (tokens: readonly Token[], { from, to }: Pick<Condition, 'from' | 'to'>, word: string) => {
  const { depth } = tokens[from]!
  const found: { from: number; to: number }[] = []
  let start = from
  for (let at = from; at < to; at++) {
    const { text, depth: here } = tokens[at]!
    if (text !== word || here !== depth || (word === 'and' && isBetween(tokens, at))) continue
    found.push({ from: start, to: at })
    start = at + 1
  }
  return [...found, { from: start, to }]
}

const isTrue = (tokens: readonly Token[], { from, to }: { from: number; to: number }) =>
  to === from + 1 && tokens[from]!.text === 'true'

/** Replaces each part of an `and` with true, and each part of an `or` with false. */
const weakened = ({ tokens }: Sql, condition: Pick<Condition, 'from' | 'to'>): Edit[][] => {
  const alternatives = parts(tokens, condition, 'or')
  const refused = alternatives.length > 1 ? alternatives.map(part => span(tokens, part.from, part.to, 'false')) : []
  const accepted = alternatives.flatMap(alternative => {
    const conjuncts = parts(tokens, alternative, 'and')
    return conjuncts.length > 1 ? conjuncts.filter(part => !isTrue(tokens, part)) : []
  })
  return [...refused, ...accepted.map(part => span(tokens, part.from, part.to, 'true'))]
}

/** A pair of brackets within a condition, as operand of `and`, `or` and the like. */
const isNested = ({ tokens }: Sql, index: number) =>
  isAt(tokens, index, '(') && ['and', 'or', 'where', 'if', 'when', 'on', 'not'].includes(tokens[index - 1]?.text ?? '')

const leavesOnly = (tokens: readonly Token[], then: number) => {
  const end = endOf(tokens, then, 0, new Set(['end', 'else', 'elsif']))
  const firstStop = endOf(tokens, then, 0, new Set([';']))
  return (
    ['return', 'raise'].includes(tokens[then + 1]?.text ?? '') &&
    firstStop === end - 1 &&
    isAt(tokens, end, 'end', 'if')
  )
}

export const sqlConditions: SqlOperator[] = [
  {
    name: 'and/or swapped',
    find: ({ tokens }, index) => {
      if (isAt(tokens, index, 'and') && !isBetween(tokens, index)) return [put(tokens[index]!, 'or')]
      return isAt(tokens, index, 'or') && !isAt(tokens, index + 1, 'replace') ? [put(tokens[index]!, 'and')] : []
    },
  },
  {
    name: 'part of a condition removed in SQL',
    find: (sql, index) => {
      const { tokens } = sql
      if (isNested(sql, index)) {
        const to = endOf(tokens, index + 1, tokens[index]!.depth + 1, new Set())
        return isAt(tokens, index + 1, 'select') || to === index + 1 ? [] : weakened(sql, { from: index + 1, to })
      }
      const condition = conditionAt(tokens, index)
      return condition ? weakened(sql, condition) : []
    },
  },
  {
    name: 'where removed',
    find: ({ tokens }, index) => {
      const condition = isAt(tokens, index, 'where') ? conditionAt(tokens, index) : null
      return condition && !isTrue(tokens, condition) ? [span(tokens, condition.from, condition.to, 'true')] : []
    },
  },
  {
    name: 'condition negated in SQL',
    find: ({ source, tokens }, index) => {
      const condition = conditionAt(tokens, index)
      if (!condition || !['if', 'elsif', 'when'].includes(condition.keyword)) return []
      const { from, to } = condition
      const text = source.slice(tokens[from]!.start, tokens[to - 1]!.end)
      return [span(tokens, from, to, isAt(tokens, from, 'not') && to === from + 2 ? text.slice(4) : `not (${text})`)]
    },
  },
  {
    name: 'guard removed in SQL',
    find: ({ tokens }, index) => {
      const condition = isAt(tokens, index, 'if') ? conditionAt(tokens, index) : null
      return condition && leavesOnly(tokens, condition.to) ? [span(tokens, condition.from, condition.to, 'false')] : []
    },
  },
  {
    name: 'null check negated',
    find: ({ tokens }, index) => {
      if (isAt(tokens, index, 'is', 'null')) return [put(tokens[index]!, 'is not')]
      if (isAt(tokens, index, 'is', 'not', 'null')) return [put(tokens[index + 1]!, '')]
      if (isAt(tokens, index, 'is', 'distinct')) return [put(tokens[index]!, 'is not')]
      return isAt(tokens, index, 'is', 'not', 'distinct') ? [put(tokens[index + 1]!, '')] : []
    },
  },
  {
    name: 'not operator removed',
    find: ({ tokens }, index) => {
      if (!isAt(tokens, index, 'not') || isAt(tokens, index - 1, 'is') || isAt(tokens, index - 1, 'if')) return []
      return ['null', 'materialized', 'nothing'].includes(tokens[index + 1]?.text ?? '')
        ? []
        : [put(tokens[index]!, '')]
    },
  },
]
