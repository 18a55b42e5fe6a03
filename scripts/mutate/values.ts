/** Operators on computed values: numbers, words, lists, objects, defaults. */
import { type Operator, memberRemoved, operatorReplaced, replaced, textOf } from './operator.ts'
import { type Node, calledName, isNode, listOf, nameOf, stringOf } from './syntax.ts'
import { anotherWord, definesWords } from './vocabulary.ts'

const otherArithmetic: Record<string, string> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
}
const otherRounding: Record<string, string> = {
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  trunc: 'ceil',
  min: 'max',
  max: 'min',
}
const otherMethod = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['toLowerCase', 'toUpperCase'],
])
/** Methods whose receiver works without them: a forgotten filter, a less strict schema. */
const leftOut = new Set(
  (
    'filter slice trim toLowerCase toUpperCase toSorted toReversed normalize replaceAll ' +
    'min max int regex refine positive nonnegative strict nullable optional default'
  ).split(' '),
)

const isText = (node: Node) => stringOf(node) !== null || node.type === 'TemplateLiteral'

const accessOf = (value: Node): string[] => {
  const role = stringOf(value)
  if (role === null) return ["'SIGNED_IN'"]
  const others: Record<string, string[]> = {
    PUBLIC: ['SIGNED_IN'],
    SIGNED_IN: ['PUBLIC', 'ADMIN'],
    DEVELOPER: ['SIGNED_IN', 'TESTER'],
    TESTER: ['SIGNED_IN', 'DEVELOPER'],
    ADMIN: ['SIGNED_IN', 'DEVELOPER'],
  }
  return (others[role] ?? []).map(other => `'${other}'`)
}

const isAccess = (node: Node) => node.type === 'Property' && nameOf(node.key) === 'access'

/** The pattern with one part made less strict. */
const looser = (pattern: string): string[] => [
  ...(pattern.startsWith('^') ? [pattern.slice(1)] : []),
  ...(/[^\\]\$$/.test(pattern) ? [pattern.slice(0, -1)] : []),
]

export const values: Operator[] = [
  {
    name: 'arithmetic',
    find: ({ node }, file) => {
      const other = otherArithmetic[String(node.operator)]
      if (!other || (node.type !== 'BinaryExpression' && node.type !== 'AssignmentExpression')) return []
      const [left, right] = [node.left as Node, node.right as Node]
      if (isText(left) || isText(right)) return []
      return [operatorReplaced(file, left, right, String(node.operator), other)]
    },
  },
  {
    name: 'minus sign removed',
    find: ({ node }, file) =>
      node.type === 'UnaryExpression' && node.operator === '-'
        ? [replaced(node, textOf(file, node.argument as Node))]
        : [],
  },
  {
    name: 'rounding, min and max',
    find: ({ node }) => {
      if (node.type !== 'MemberExpression' || nameOf(node.object) !== 'Math') return []
      const other = otherRounding[nameOf(node.property) ?? '']
      return other ? [replaced(node.property as Node, other)] : []
    },
  },
  {
    name: 'number',
    find: ({ node, around }) => {
      if (node.type !== 'Literal' || typeof node.value !== 'number') return []
      const isKey = around[0]?.type === 'Property' && around[0].key === node
      const more = replaced(node, String(node.value + 1))
      return isKey ? [] : node.value > 0 ? [more, replaced(node, String(node.value - 1))] : [more]
    },
  },
  {
    name: 'enum value replaced',
    find: ({ node, around }, { path, vocabulary }) => {
      const word = stringOf(node)
      const [parent] = around
      if (word === null || !parent || isAccess(parent) || definesWords(around)) return []
      if (parent.type === 'Property' && parent.key === node) return []
      if (parent.type.startsWith('JSX') || parent.type === 'ImportExpression') return []
      const other = anotherWord(vocabulary, path, word)
      return other === null ? [] : [replaced(node, `'${other}'`)]
    },
  },
  {
    name: 'boolean flipped',
    find: ({ node }) =>
      node.type === 'Literal' && typeof node.value === 'boolean' ? [replaced(node, String(!node.value))] : [],
  },
  {
    name: 'default removed',
    find: ({ node }, file) => {
      const isDefault =
        (node.type === 'LogicalExpression' && node.operator === '??') || node.type === 'AssignmentPattern'
      return isDefault ? [replaced(node, textOf(file, node.left as Node))] : []
    },
  },
  {
    name: 'method call removed',
    find: ({ node }, file) => {
      const name = calledName(node)
      if (name === null || !leftOut.has(name) || !isNode(node.callee)) return []
      const { callee } = node
      if (callee.type !== 'MemberExpression' || nameOf(callee.object) === 'Math') return []
      return [replaced(node, textOf(file, callee.object as Node))]
    },
  },
  {
    name: 'method replaced',
    find: ({ node }) => {
      if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'MemberExpression') return []
      const other = otherMethod.get(nameOf(node.callee.property) ?? '')
      return other ? [replaced(node.callee.property as Node, other)] : []
    },
  },
  {
    name: 'list element removed',
    find: ({ node, around }) => {
      if (node.type !== 'ArrayExpression' || (around[0] && isAccess(around[0]))) return []
      const members = listOf(node.elements)
      return members.map((_, index) => memberRemoved(members, index))
    },
  },
  {
    name: 'property removed',
    find: ({ node }) => {
      if (node.type !== 'ObjectExpression') return []
      const members = listOf(node.properties)
      return members.flatMap((member, index) =>
        isAccess(member) || (isNode(member.value) && isText(member.value)) ? [] : [memberRemoved(members, index)],
      )
    },
  },
  {
    name: 'access',
    find: ({ node }) =>
      isAccess(node) && isNode(node.value) ? accessOf(node.value).map(text => replaced(node.value as Node, text)) : [],
  },
  {
    name: 'pattern anchor removed',
    find: ({ node }) => {
      if (node.type !== 'Literal' || typeof node.regex !== 'object' || node.regex === null) return []
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      return looser(pattern).map(text => replaced(node, `/${text}/${flags}`))
    },
  },
]
