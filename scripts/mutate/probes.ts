/**
 * Finds out which test file runs which code. In a copy of each module, every function body and every branch in it begins with a
 * call that notes its number. A mutant needs only the test files that ran the innermost region around it.
 */
import { posix } from 'node:path'
import { type Edit, applyEdits } from './edits.ts'
import { type Node, isNode, parse, placesIn } from './syntax.ts'

/** Number 0 is the module itself, which runs when it is imported. */
export type Region = { start: number; end: number }

/** At the root of a copy: what the modules call. It writes at once, so that nothing is lost when a process is killed. */
export const recorderName = 'reached.mjs'
export const reachedFile = 'reached.txt'
export const recorder = `import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
// By its text: in a test with a document, URL is the document's.
const file = join(dirname(fileURLToPath(import.meta.url)), '${reachedFile}')
const seen = new Set()
export const reached = name => {
  if (seen.has(name)) return
  seen.add(name)
  appendFileSync(file, name + '\\n')
}
`

type Probe = Region & { block: boolean }

const probeOf = (node: unknown): Probe[] =>
  isNode(node) ? [{ start: node.start, end: node.end, block: node.type === 'BlockStatement' }] : []

const probesAt = (node: Node): Probe[] => {
  if (['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(node.type))
    return probeOf(node.body)
  if (node.type === 'ConditionalExpression') return [...probeOf(node.consequent), ...probeOf(node.alternate)]
  if (node.type === 'LogicalExpression') return probeOf(node.right)
  // A branch without braces has no room for a second statement, so the region around it stands for it.
  if (node.type === 'IfStatement')
    return [...probeOf(node.consequent), ...probeOf(node.alternate)].filter(({ block }) => block)
  return []
}

const probesIn = (program: Node): Probe[] => [...placesIn(program)].flatMap(({ node }) => probesAt(node))

export const regionsOf = (path: string, source: string): Region[] => {
  const program = parse(path, source)
  if (!program) throw new Error(`${path} cannot be parsed`)
  return [{ start: 0, end: source.length }, ...probesIn(program)]
}

/** The innermost region that contains all of the edits. */
export const regionAround = (regions: readonly Region[], edits: readonly Edit[]): number => {
  const start = Math.min(...edits.map(edit => edit.start))
  const end = Math.max(...edits.map(edit => edit.end))
  const size = (index: number) => regions[index]!.end - regions[index]!.start
  return regions.reduce(
    (best, region, index) => (region.start <= start && end <= region.end && size(index) <= size(best) ? index : best),
    0,
  )
}

export const regionName = (path: string, index: number): string => `${path}#${index}`

/** The source with a probe in every region; its line numbers stay the same. */
export const instrumented = (path: string, source: string): string => {
  const [, ...probes] = regionsOf(path, source) as [Region, ...Probe[]]
  const call = (index: number) => `__reached(${JSON.stringify(regionName(path, index))})`
  const numbered = probes.map((probe, index) => ({ ...probe, number: index + 1 }))
  const opening = numbered
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map(({ start, block, number }): Edit =>
      block
        ? { start: start + 1, end: start + 1, text: `${call(number)};` }
        : { start, end: start, text: `(${call(number)}, ` },
    )
  const closing = numbered
    .filter(({ block }) => !block)
    .toSorted((a, b) => a.end - b.end || b.start - a.start)
    .map(({ end }): Edit => ({ start: end, end, text: ')' }))
  const head = `import { reached as __reached } from '${posix.relative(posix.dirname(path), recorderName)}';${call(0)};`
  return head + applyEdits(source, [...closing, ...opening])
}
