/** Operators on decisions: conditions, comparisons, guards. */
import { type Operator, operatorReplaced, replaced, textOf } from './operator.ts'
import { type Node, bare, isNode, listOf } from './syntax.ts'

const otherComparison: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
}
const isEquality = ({ type, operator }: Node) => type === 'BinaryExpression' && /^[!=]==?$/.test(String(operator))

const isLogical = (node: Node) => node.type === 'LogicalExpression' && node.operator !== '??'

/** The condition of an `if` or of `?:`. Not that of a loop, which would then never end. */
const testOf = (node: Node) =>
  (node.type === 'IfStatement' || node.type === 'ConditionalExpression') && isNode(node.test) ? node.test : null

const leaves = (node: Node | undefined) =>
  node !== undefined && ['ThrowStatement', 'ReturnStatement', 'ContinueStatement', 'BreakStatement'].includes(node.type)

/** Matches `if (…) throw …` and `if (…) return …`. */
const isGuard = (node: Node) => {
  if (node.type !== 'IfStatement' || isNode(node.alternate) || !isNode(node.consequent)) return false
  const { consequent } = node
  return leaves(consequent.type === 'BlockStatement' ? listOf(consequent.body).at(-1) : consequent)
}

export const conditions: Operator[] = [
  {
    name: 'condition negated',
    find: ({ node }, file) => {
      const asked = testOf(node) ?? (isLogical(node) ? (node.left as Node) : null)
      // An equality has its own operator, and each part of `a && b` is visited separately.
      if (!asked || isEquality(bare(asked)) || isLogical(bare(asked))) return []
      const inner = bare(asked)
      const opposite =
        inner.type === 'UnaryExpression' && inner.operator === '!'
          ? textOf(file, inner.argument as Node)
          : `!(${textOf(file, inner)})`
      return [replaced(asked, opposite)]
    },
  },
  {
    name: 'comparison',
    find: ({ node }, file) => {
      const other = node.type === 'BinaryExpression' ? otherComparison[String(node.operator)] : undefined
      return other ? [operatorReplaced(file, node.left as Node, node.right as Node, String(node.operator), other)] : []
    },
  },
  {
    name: '&&/|| swapped',
    find: ({ node }, file) => {
      if (!isLogical(node)) return []
      const [from, to] = node.operator === '&&' ? ['&&', '||'] : ['||', '&&']
      return [operatorReplaced(file, node.left as Node, node.right as Node, from!, to!)]
    },
  },
  {
    name: 'part of a condition removed',
    find: ({ node }, file) =>
      isLogical(node)
        ? [replaced(node, textOf(file, node.left as Node)), replaced(node, textOf(file, node.right as Node))]
        : [],
  },
  { name: 'guard removed', find: ({ node }) => (isGuard(node) ? [replaced(node, ';')] : []) },
]
