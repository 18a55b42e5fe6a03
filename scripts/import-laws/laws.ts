/** The laws about pairs of files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { circlesOf } from './circles.ts'
import type { Graph, Import, Violation } from './modules.ts'
import { isTest, mayUse, type Place, placeOf } from './places.ts'

/** The packages that a slice's contract and rules may use. */
const contractPackages = new Set(['zod'])

const pure = 'a contract and the rules beside it are pure: they import contracts, rules, src/kit/*.ts and zod.'

/** What other slices may import from a slice's server and web folders: its use cases; its components and its query keys. */
const publicFilesOf = ({ folder, area }: Place) =>
  area === 'server'
    ? [`src/${folder}/server/${folder}.ts`]
    : [`src/${folder}/web/face.tsx`, `src/${folder}/web/keys.ts`]

/** Why `from` may not import `to`, as the end of a sentence that begins with both files; null if it may. */
const forbidden = (from: Place, to: Place): string | null => {
  if (isTest(to.path)) return 'tests may not be imported.'
  if (from.folder === 'unknown' || to.folder === 'unknown')
    return 'this folder is missing from the order in scripts/import-laws/places.ts.'
  if (from.folder === 'testing' || from.folder === 'outside') return null
  const test = isTest(from.path)
  if (to.folder === 'testing') return test ? null : 'src/testing is for tests, scripts, bench and e2e only.'
  if (to.folder === 'outside')
    return test ? null : 'the product may not import from scripts, build, bench, e2e, checks or configuration files.'
  // A test may use the whole product to bring its subject into a state.
  if (!test && !mayUse(from.folder, to.folder))
    return `wrong direction: ${from.folder} comes before ${to.folder} in the order of the folders.`
  if (from.area === 'root' && to.area !== 'root' && !test)
    return from.folder === 'kit' ? 'the shared files of src/kit may import neither server nor web.' : pure
  if (from.area === 'web' && to.area === 'server') return 'the page may not import from the server.'
  if (from.area === 'server' && to.area === 'web') return 'the server may not import from the page.'
  const open = from.folder === to.folder || to.folder === 'kit' || to.area === 'root' || from.folder === 'app'
  if (test && to.folder === 'app') return null
  if (open || publicFilesOf(to).includes(to.path)) return null
  return `another slice's ${to.area} folder is private, except ${publicFilesOf(to).join(' and ')}.`
}

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

const forbiddenPackage = ({ path, folder, area }: Place, specifier: string): string | null => {
  if (area !== 'root' || folder === 'kit' || folder === 'app' || isTest(path)) return null
  return contractPackages.has(packageOf(specifier)) ? null : pure
}

/** Packages that a server loads only when it needs them: PDFs and passkeys alone took 20 MB in an idle one. */
const loadedWhenNeeded = new Set([
  '@aws-sdk/client-s3',
  '@fastify/busboy',
  '@simplewebauthn/server',
  'any-ascii',
  'file-type',
  'fontkit',
  'nodemailer',
  'pdfkit',
  'stripe',
])

const startsAt = 'src/app/server/main.ts'

/** What is loaded before the server gets its first request. */
const loadedAtStart = (graph: Graph): Import[] => {
  const seen = new Set([startsAt])
  for (const path of seen) for (const { to, atOnce } of graph.get(path) ?? []) if (atOnce && to !== null) seen.add(to)
  return [...seen].flatMap(path => graph.get(path) ?? []).filter(({ atOnce }) => atOnce)
}

/** Every import in the graph that breaks a law. */
export const lawsBrokenIn = (root: string, graph: Graph): Violation[] => {
  const violations: Violation[] = []
  for (const { from, line, specifier, to } of [...graph.values()].flat()) {
    const reason =
      to === null
        ? forbiddenPackage(placeOf(from), specifier)
        : existsSync(join(root, to))
          ? forbidden(placeOf(from), placeOf(to))
          : 'there is no such file (imports include the extension, .ts or .tsx).'
    if (reason !== null) violations.push({ from, line, sentence: `imports ${to ?? specifier}: ${reason}` })
  }
  for (const { from, line, specifier, to } of loadedAtStart(graph)) {
    if (to === null && loadedWhenNeeded.has(packageOf(specifier)))
      violations.push({
        from,
        line,
        sentence: `loads ${specifier} when the server starts: import it dynamically where it is first needed.`,
      })
  }
  for (const circle of circlesOf(graph)) {
    const { from, line } = circle[0]!
    violations.push({
      from,
      line,
      sentence: `is part of an import cycle: ${circle.map(step => step.from).join(' → ')} → ${from}.`,
    })
  }
  return violations
}
