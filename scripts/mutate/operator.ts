/** What a mutation operator is, and the edits that several of them make. */
import type { Edit } from './edits.ts'
import type { Node, Place } from './syntax.ts'
import type { Vocabulary } from './vocabulary.ts'

export type SourceFile = { path: string; source: string; vocabulary: Vocabulary }

/** Returns the changes that it can make at a place, each of which is a mutant. */
export type Operator = { name: string; find: (place: Place, file: SourceFile) => Edit[][] }

export const replaced = ({ start, end }: Pick<Node, 'start' | 'end'>, text: string): Edit[] => [{ start, end, text }]

export const textOf = ({ source }: SourceFile, { start, end }: Node): string => source.slice(start, end)

/** Replaces the operator between two operands. */
export const operatorReplaced = (file: SourceFile, left: Node, right: Node, from: string, to: string): Edit[] => {
  const start = file.source.indexOf(from, left.end)
  return start === -1 || start >= right.start ? [] : [{ start, end: start + from.length, text: to }]
}

/** Removes one element of a list, with one comma. */
export const memberRemoved = (members: readonly Node[], index: number): Edit[] => {
  const member = members[index]!
  const next = members[index + 1]
  const previous = members[index - 1]
  if (next) return [{ start: member.start, end: next.start, text: '' }]
  return [{ start: previous ? previous.end : member.start, end: member.end, text: '' }]
}
