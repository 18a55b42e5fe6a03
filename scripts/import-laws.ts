/**
 * The import laws: which file may import which (docs: ARCHITECTURE.md, "the laws"). Reads every module of the repository
 * with the parser that vite carries (oxc), type imports and lazy imports included, and ends with 1 when a law is broken
 * or when it read fewer modules than there are, so that it can never pass by reading nothing.
 *
 * Why not dependency-cruiser: under TypeScript 7 it needs `parser: 'swc'`, and that cannot read .tsx (17.4.3).
 *
 *     node scripts/import-laws.ts [root]
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix, resolve, sep } from 'node:path'
import { parseSync } from 'vite'

const fewestModules = 10

/** Files that put the slices together: they may import every slice's handlers, jobs and pages. */
const wiring = new Set([
  'src/app/server/routes.ts',
  'src/kit/server/jobs.ts',
  'src/app/web/routes.tsx',
  'src/app/web/shells.tsx',
])
/** What a slice's contract and rules may use besides each other. */
const contractPackages = new Set(['zod'])

type Area = 'root' | 'server' | 'web' | 'testing'
/** Where a file stands: `slice` is `app` for the wiring; `outside` is scripts, bench, e2e, checks and configurations. */
type Place = { path: string; slice: string; area: Area } | { path: string; slice: null; area: 'outside' }

type Import = { from: string; specifier: string; line: number; to: string | null }
type Violation = { from: string; line: number; sentence: string }

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path)
const isModule = (path: string) => /\.(ts|tsx)$/.test(path)

const placeOf = (path: string): Place => {
  const match = /^src\/([^/]+)\/(?:(server|web|testing)\/)?/.exec(path)
  if (!match) return { path, slice: null, area: 'outside' }
  const area = (match[2] ?? 'root') as Area
  return { path, slice: match[1]!, area: area === 'testing' && match[1] !== 'app' ? 'root' : area }
}

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

/** What one file imports, and what in it can only be seen by reading it. */
const readModule = (root: string, path: string): { imports: Import[]; violations: Violation[] } => {
  const source = readFileSync(join(root, path), 'utf8')
  const { program, errors } = parseSync(path, source)
  const imports: Import[] = []
  const violations: Violation[] = []
  if (errors.length > 0) violations.push({ from: path, line: 1, sentence: `cannot be parsed: ${errors[0]!.message}` })

  for (const node of nodesOf(program as unknown as Node)) {
    const line = () => lineAt(source, node.start)
    const inProduct = path.startsWith('src/') && !path.startsWith('src/app/testing/') && !isTest(path)
    if (readsTheTime(node) && inProduct && path !== 'src/kit/clock.ts')
      violations.push({ from: path, line: line(), sentence: 'reads the time with `new Date()`: ask src/kit/clock.ts.' })

    const importing = [
      'ImportDeclaration',
      'ExportNamedDeclaration',
      'ExportAllDeclaration',
      'ImportExpression',
      'TSImportType',
    ].includes(node.type)
    if (!importing || node.source === null) continue
    const specifier = textOf(node.source)
    if (specifier === null) {
      if (inProduct)
        violations.push({ from: path, line: line(), sentence: 'imports an address that is computed: name the file.' })
      continue
    }
    imports.push({ from: path, specifier, line: line(), to: localTarget(path, specifier) })
  }
  return { imports, violations }
}

/** The file behind `./x.ts` or `../y.css?url`, from the root, with slashes; null for a package. */
const localTarget = (from: string, specifier: string) =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier.replace(/[?#].*$/, '')) : null

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** Why `from` may not import `to`, as the end of a sentence that begins with the two files; null when it may. */
const forbidden = (from: Place, to: Place): string | null => {
  const sameSlice = from.slice === to.slice
  const test = isTest(from.path)

  if (isTest(to.path)) return 'a test is imported by nothing.'
  if (from.slice === 'app' && from.area === 'testing') return null
  if (to.slice === 'app' && to.area === 'testing')
    return test || from.slice === null ? null : 'src/app/testing is for tests, scripts, bench and e2e only.'
  if (from.slice !== null && to.slice === null && !test)
    return 'the product imports nothing from scripts, bench, e2e, checks or configurations.'
  if (to.slice === null || to.area === 'root') {
    if (from.slice === 'app' && from.area === 'root' && to.slice !== null && to.slice !== 'app')
      return 'the shared files of src/app know no slice.'
    return null
  }

  // From here on, `to` stands in somebody's server or web folder.
  if (from.slice !== null && from.area === 'root' && !test)
    return from.slice === 'app'
      ? 'the shared files of src/app import neither server nor web.'
      : 'a contract and the rules beside it are pure: they import contracts, rules, src/app/*.ts and zod.'
  if (from.area === 'web' && to.area === 'server') return 'the page never reaches the server.'
  if (from.area === 'server' && to.area === 'web') return 'the server never reaches the page.'
  if (sameSlice || to.slice === 'app' || wiring.has(from.path)) return null

  const face = to.area === 'server' ? `src/${to.slice}/server/${to.slice}.ts` : `src/${to.slice}/web/face.tsx`
  if (to.path === face) return null
  return `another slice's ${to.area} folder is private, except ${face}.`
}

const forbiddenPackage = (from: Place, specifier: string): string | null => {
  if (from.slice === null || from.slice === 'app' || from.area !== 'root' || isTest(from.path)) return null
  return contractPackages.has(packageOf(specifier))
    ? null
    : 'a contract and the rules beside it are pure: they import contracts, rules, src/app/*.ts and zod.'
}

/** The first way around in each knot of files that import each other (Tarjan's strongly connected components). */
const cyclesOf = (graph: Map<string, Import[]>): Import[][] => {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const knots: Set<string>[] = []
  const visit = (path: string) => {
    index.set(path, index.size)
    low.set(path, index.get(path)!)
    stack.push(path)
    for (const { to } of graph.get(path) ?? []) {
      if (to === null || !graph.has(to)) continue
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(path, Math.min(low.get(path)!, low.get(to)!))
    }
    if (low.get(path) !== index.get(path)) return
    const knot = new Set(stack.splice(stack.indexOf(path)))
    if (knot.size > 1 || graph.get(path)!.some(({ to }) => to === path)) knots.push(knot)
  }
  for (const path of graph.keys()) if (!index.has(path)) visit(path)

  return knots.map(knot => wayAround(graph, knot))
}

/** The shortest way from one file of a knot back to itself. */
const wayAround = (graph: Map<string, Import[]>, knot: Set<string>): Import[] => {
  const start = [...knot].toSorted()[0]!
  const ways: Import[][] = [[]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const step of graph.get(way.at(-1)?.to ?? start) ?? []) {
      if (step.to === start) return [...way, step]
      if (step.to === null || !knot.has(step.to) || seen.has(step.to)) continue
      seen.add(step.to)
      ways.push([...way, step])
    }
  }
  return []
}

const lawsBrokenIn = (root: string, graph: Map<string, Import[]>): Violation[] => {
  const violations: Violation[] = []
  for (const { from, line, specifier, to } of [...graph.values()].flat()) {
    const target = to ?? specifier
    const reason =
      to === null
        ? forbiddenPackage(placeOf(from), specifier)
        : existsSync(join(root, to))
          ? forbidden(placeOf(from), placeOf(to))
          : 'there is no such file (imports carry their .ts or .tsx).'
    if (reason !== null) violations.push({ from, line, sentence: `imports ${target}: ${reason}` })
  }
  for (const [first, ...rest] of cyclesOf(graph))
    violations.push({
      from: first!.from,
      line: first!.line,
      sentence: `stands in a circle: ${[first!, ...rest].map(step => step.from).join(' → ')} → ${first!.from}.`,
    })
  return violations
}

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'))
const paths = globSync(['src/**', 'scripts/**', 'bench/**', 'e2e/**', 'checks/**', 'build/**', '*.config.ts'], {
  cwd: root,
})
  .map(path => path.split(sep).join('/'))
  .filter(path => isModule(path) && !path.endsWith('.d.ts'))
  .toSorted()
const modules = paths.map(path => ({ path, ...readModule(root, path) }))
const graph = new Map(modules.map(({ path, imports }) => [path, imports]))
const violations = [...modules.flatMap(module => module.violations), ...lawsBrokenIn(root, graph)]
const importCount = modules.reduce((sum, { imports }) => sum + imports.length, 0)

for (const { from, line, sentence } of violations) console.error(`${from}:${line} ${sentence}`)
if (modules.length < fewestModules || importCount === 0)
  console.error(
    `Only ${modules.length} modules with ${importCount} imports were read below ${root}: the check itself is broken.`,
  )
else console.log(`${modules.length} modules, ${importCount} imports, ${violations.length} laws broken.`)
process.exitCode = violations.length > 0 || modules.length < fewestModules || importCount === 0 ? 1 : 0
