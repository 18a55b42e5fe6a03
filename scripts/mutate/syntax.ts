/** The syntax tree of TypeScript, read with vite's parser (oxc). */
import { parseSync } from 'vite'

export type Node = { type: string; start: number; end: number; [key: string]: unknown }
/** A node with the nodes around it, nearest first. */
export type Place = { node: Node; around: readonly Node[] }

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'

/** The tree, or null if the source cannot be parsed. */
export const parse = (path: string, source: string): Node | null => {
  const { program, errors } = parseSync(path, source)
  return errors.length > 0 ? null : (program as unknown as Node)
}

/** TypeScript's own nodes that contain values. */
const valueTypes = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])
const withoutValues = (node: Node) =>
  (node.type.startsWith('TS') && !valueTypes.has(node.type)) ||
  node.type === 'ImportDeclaration' ||
  node.type === 'ExportAllDeclaration'

/** Every node that exists at run time. */
export function* placesIn(node: Node, around: readonly Node[] = []): Generator<Place> {
  if (withoutValues(node)) return
  yield { node, around }
  const inside = [node, ...around]
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* placesIn(child, inside)
}

/** The expression without brackets around it. */
export const bare = (node: Node): Node =>
  node.type === 'ParenthesizedExpression' && isNode(node.expression) ? bare(node.expression) : node

export const stringOf = (value: unknown): string | null =>
  isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : null

export const nameOf = (value: unknown): string | null =>
  isNode(value) && value.type === 'Identifier' && typeof value.name === 'string' ? value.name : null

/** `f` for both `f(x)` and `a.f(x)`. */
export const calledName = (node: Node): string | null => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return null
  const callee = node.callee as Node
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee)
}

export const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
