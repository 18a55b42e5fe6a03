/** Operators on effects: calls, assignments, waiting. */
import { type Operator, replaced, textOf } from './operator.ts'
import { type Node, isNode } from './syntax.ts'

const isCall = (node: Node): boolean =>
  node.type === 'CallExpression' ||
  (node.type === 'AwaitExpression' && isNode(node.argument) && isCall(node.argument)) ||
  (node.type === 'UnaryExpression' && node.operator === 'void' && isNode(node.argument) && isCall(node.argument))

export const statements: Operator[] = [
  {
    name: 'call removed',
    find: ({ node }) => {
      if (node.type === 'ExpressionStatement' && isCall(node.expression as Node)) return [replaced(node, ';')]
      // `() => forget(id)`: the type check decides whether its value is used.
      if (node.type === 'ArrowFunctionExpression' && node.expression === true && isCall(node.body as Node))
        return [replaced(node.body as Node, 'undefined')]
      return []
    },
  },
  {
    name: 'assignment removed',
    find: ({ node }) =>
      node.type === 'ExpressionStatement' && (node.expression as Node).type === 'AssignmentExpression'
        ? [replaced(node, ';')]
        : [],
  },
  {
    name: 'await removed',
    find: ({ node }, file) => {
      const awaited = node.type === 'ExpressionStatement' ? (node.expression as Node) : null
      return awaited?.type === 'AwaitExpression' && isCall(awaited)
        ? [replaced(awaited, `void ${textOf(file, awaited.argument as Node)}`)]
        : []
    },
  },
]
