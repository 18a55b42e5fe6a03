/** Which mutants are tried, and which test files could notice each. */
import { posix } from 'node:path'
import type { Mutant, Tree } from './find.ts'
import { databaseProject, sliceOf } from './places.ts'
import type { Measured } from './reach.ts'
import { usesIn } from './uses.ts'

export type Choice = {
  /** Slices and groups; none: all. */
  slices: readonly string[]
  path?: string | undefined
  line?: number | undefined
  operator?: string | undefined
  ids?: ReadonlySet<string> | undefined
  /** Of each file at most so many. */
  most?: number | undefined
  /** Other seeds choose others. */
  seed: string
}

const order = (seed: string, { id }: Mutant) => {
  // FNV-1a: a file's sample stays the same when another file changes.
  let hash = 0x811c9dc5
  for (const character of seed + id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash >>> 0
}

export const choose = (mutants: readonly Mutant[], choice: Choice): Mutant[] => {
  const { slices, path, line, operator, ids, most, seed } = choice
  const fitting = mutants.filter(
    mutant =>
      (slices.length === 0 || slices.includes(sliceOf(mutant.path)) || slices.includes(mutant.group)) &&
      (path === undefined || mutant.path === path) &&
      (ids === undefined || ids.has(mutant.id)) &&
      (line === undefined || mutant.line === line) &&
      (operator === undefined || mutant.operator === operator),
  )
  if (most === undefined) return fitting
  const byPath = Map.groupBy(fitting, mutant => mutant.path)
  return [...byPath.values()].flatMap(ones =>
    ones
      .toSorted((a, b) => order(seed, a) - order(seed, b))
      .slice(0, most)
      .toSorted((a, b) => a.line - b.line),
  )
}

/** How many steps apart two files stand. */
const distance = (a: string, b: string) =>
  posix.relative(posix.dirname(a), posix.dirname(b)).split('/').filter(Boolean).length

const nearestFirst = (path: string, tests: readonly Measured[]) =>
  tests.toSorted((a, b) => distance(path, a.path) - distance(path, b.path) || a.ms - b.ms)

/**
 * For each mutant the test files that run its code, the nearest first. A mutant of an SQL function needs those that run
 * a module's code in which the function is named, and so on for the functions that call it; a function that only a
 * trigger calls needs all that have a database.
 */
export const noticing = (tree: Tree, tests: readonly Measured[], sourceOfTest: (path: string) => string) => {
  const passing = tests.filter(({ passes }) => passes)
  const modules = tree.files.filter(({ path }) => path.endsWith('.ts'))
  const uses = usesIn(modules, tree.unmutated)
  const byRegion = new Map<string, Measured[]>()
  const reaching = (region: string) => {
    const found = byRegion.get(region) ?? passing.filter(({ reached }) => reached.includes(region))
    byRegion.set(region, found)
    return found
  }
  const words = new Map(passing.map(test => [test, new Set(sourceOfTest(test.path).match(/\w+/g))]))
  const naming = (name: string) => passing.filter(test => words.get(test)!.has(name))
  const runningCode = (path: string, edits: Mutant['edits']) => {
    const found = uses.of(path, edits)
    if (!found) return reaching(uses.around(path, edits))
    return [...new Set([...[...found.regions].flatMap(reaching), ...[...found.names].flatMap(naming)])]
  }

  const byFunction = new Map<string, Measured[]>()
  const runningFunction = (name: string): Measured[] => {
    const known = byFunction.get(name)
    if (known) return known
    // Functions may call each other in a circle.
    byFunction.set(name, [])
    const called = new RegExp(String.raw`\b${name}\s*\(`, 'g')
    const fromCode = modules.flatMap(({ path, source }) =>
      [...source.matchAll(called)].flatMap(({ index }) => runningCode(path, [{ start: index, end: index, text: '' }])),
    )
    const fromFunctions = tree.functions
      .filter(caller => {
        const { source } = tree.files.find(({ path }) => path === caller.path)!
        return caller.name !== name && new RegExp(called).test(source.slice(caller.body.start, caller.body.end))
      })
      .flatMap(caller => runningFunction(caller.name))
    const found = [...new Set([...fromCode, ...fromFunctions])]
    const all = found.length > 0 ? found : passing.filter(({ project }) => project === databaseProject)
    byFunction.set(name, all)
    return all
  }

  return ({ path, edits, inFunction }: Mutant): Measured[] =>
    nearestFirst(path, inFunction ? runningFunction(inFunction.name) : runningCode(path, edits))
}
