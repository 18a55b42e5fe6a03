/** What each module imports, type imports and lazy imports included, read with vite's parser (oxc). */
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'
import { isTest } from './places.ts'

/**
 * `to` is the file of a relative specifier, from the root and with slashes; null for a package. `atOnce`: loaded together with
 * the module, unlike types and lazy imports.
 */
export type Import = { from: string; specifier: string; line: number; to: string | null; atOnce: boolean }
export type Violation = { from: string; line: number; sentence: string }
export type Graph = Map<string, Import[]>

const lineAt = (source: string, offset: number) => source.slice(0, offset).split('\n').length

type Node = { type: string; start: number; [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child)
}

const textOf = (value: unknown) =>
  isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : null

const readsTheTime = (node: Node) =>
  (node.type === 'NewExpression' || node.type === 'CallExpression') &&
  isNode(node.callee) &&
  node.callee.type === 'Identifier' &&
  node.callee.name === 'Date' &&
  (node.type === 'CallExpression' || (Array.isArray(node.arguments) && node.arguments.length === 0))

const isArray = (value: unknown) => isNode(value) && value.type === 'ArrayExpression'
const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? value.name : null)
const takesAKey = new Set<unknown>(['usePages', 'setQueryData', 'getQueryData'])

const writesAQueryKey = (node: Node) => {
  if (node.type === 'Property') return nameOf(node.key) === 'queryKey' && isArray(node.value)
  if (node.type !== 'CallExpression' || !isNode(node.callee) || !Array.isArray(node.arguments)) return false
  return takesAKey.has(nameOf(node.callee) ?? nameOf(node.callee.property)) && isArray(node.arguments[0])
}

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

const isOfType = (node: Node) => (node.importKind ?? node.exportKind) === 'type'

const loadsAtOnce = (node: Node) => {
  if (node.type === 'ImportExpression' || node.type === 'TSImportType' || isOfType(node)) return false
  const names = Array.isArray(node.specifiers) ? (node.specifiers as Node[]) : []
  return names.length === 0 || !names.every(isOfType)
}

const localTarget = (from: string, specifier: string) =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier.replace(/[?#].*$/, '')) : null

/** The imports of one file, and the laws that it breaks without regard to other files. */
export const readModule = (root: string, path: string): { imports: Import[]; violations: Violation[] } => {
  const source = readFileSync(join(root, path), 'utf8')
  const { program, errors } = parseSync(path, source)
  const imports: Import[] = []
  const violations: Violation[] = []
  if (errors.length > 0) violations.push({ from: path, line: 1, sentence: `cannot be parsed: ${errors[0]!.message}` })

  const inProduct = path.startsWith('src/') && !path.startsWith('src/testing/') && !isTest(path)
  for (const node of nodesOf(program as unknown as Node)) {
    const line = () => lineAt(source, node.start)
    if (readsTheTime(node) && inProduct && path !== 'src/kit/clock.ts')
      violations.push({ from: path, line: line(), sentence: 'reads the time with `new Date()`: use src/kit/clock.ts.' })

    if (writesAQueryKey(node) && inProduct)
      violations.push({
        from: path,
        line: line(),
        sentence: 'contains a literal query key: define it in the keys.ts of its slice.',
      })

    if (!importing.has(node.type) || node.source === null) continue
    const specifier = textOf(node.source)
    if (specifier !== null) {
      const to = localTarget(path, specifier)
      imports.push({ from: path, specifier, line: line(), to, atOnce: loadsAtOnce(node) })
    } else if (inProduct)
      violations.push({ from: path, line: line(), sentence: 'has an import with a computed path: name the file.' })
  }
  return { imports, violations }
}
