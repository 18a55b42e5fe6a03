/** Chooses the mutants to try, and the test files that could notice each. */
import { posix } from 'node:path'
import { type Mutant, type Tree, sliceOf } from './find.ts'
import { databaseProject, modelProject } from './places.ts'
import { type Measured, called } from './reach.ts'
import { usesIn } from './uses.ts'

export type Choice = {
  /** Slices and groups; all if empty. */
  slices: readonly string[]
  /** Slices to leave out; `ledger` also leaves out everything that moves money. */
  without?: readonly string[]
  path?: string | undefined
  line?: number | undefined
  operator?: string | undefined
  ids?: ReadonlySet<string> | undefined
  /** The maximum per file. */
  most?: number | undefined
  /** The number of mutants in total, in random order: if the run is ended early, those already tried are a fair sample, too. */
  sample?: number | undefined
  /** Only money (money.ts): so many mutants that count for each function and rule, if there are as many. */
  each?: number | undefined
  /** Different seeds choose different mutants. */
  seed: string
}

const order = (seed: string, { id }: Mutant) => {
  // FNV-1a: a file's sample does not depend on other files.
  let hash = 0x811c9dc5
  for (const character of seed + id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash >>> 0
}

/** Replacements for those that do not compile. */
const spare = 4

/** Chooses so many, spread over operators and lines; a larger choice begins with a smaller one. */
const spread = (mutants: readonly Mutant[], count: number): Mutant[] => {
  const left = [...mutants]
  const chosen: Mutant[] = []
  const times = (mutant: Mutant) =>
    2 * chosen.filter(({ operator }) => operator === mutant.operator).length +
    chosen.filter(({ line }) => line === mutant.line).length
  while (chosen.length < count && left.length > 0) {
    const next = left.reduce((best, mutant) => (times(mutant) < times(best) ? mutant : best))
    chosen.push(next)
    left.splice(left.indexOf(next), 1)
  }
  return chosen
}

export const choose = (mutants: readonly Mutant[], choice: Choice): Mutant[] => {
  const { sample, seed } = choice
  const chosen = chooseAll(mutants, choice)
  return sample === undefined ? chosen : chosen.toSorted((a, b) => order(seed, a) - order(seed, b)).slice(0, sample)
}

const chooseAll = (mutants: readonly Mutant[], choice: Choice): Mutant[] => {
  const { slices, without = [], path, line, operator, ids, most, each, seed } = choice
  const fitting = mutants.filter(
    mutant =>
      (slices.length === 0 || slices.includes(sliceOf(mutant)) || slices.includes(mutant.group)) &&
      !without.includes(sliceOf(mutant)) &&
      (each === undefined || mutant.rule !== undefined) &&
      (path === undefined || mutant.path === path) &&
      (ids === undefined || ids.has(mutant.id)) &&
      (line === undefined || mutant.line === line) &&
      (operator === undefined || mutant.operator === operator),
  )
  if (each !== undefined) {
    const byRule = [...Map.groupBy(fitting, mutant => mutant.rule).values()]
    return byRule.flatMap(ones =>
      spread(
        ones.toSorted((a, b) => order(seed, a) - order(seed, b)),
        each + spare,
      ),
    )
  }
  if (most === undefined) return fitting
  const byPath = Map.groupBy(fitting, mutant => mutant.path)
  return [...byPath.values()].flatMap(ones =>
    ones
      .toSorted((a, b) => order(seed, a) - order(seed, b))
      .slice(0, most)
      .toSorted((a, b) => a.line - b.line),
  )
}

/** How many path steps are between two files. */
const distance = (a: string, b: string) =>
  posix.relative(posix.dirname(a), posix.dirname(b)).split('/').filter(Boolean).length

const nearestFirst = (path: string, tests: readonly Measured[]) =>
  tests.toSorted((a, b) => distance(path, a.path) - distance(path, b.path) || a.ms - b.ms)

/** Words that nearly every test contains. */
const commonWords = new Set(['campaign', 'campaigns', 'participation', 'participations', 'testers', 'post', 'after'])

/** First tests that name the function, then the model's histories, then those with most of its words per second of run time. */
const mostRelevantFirst = (name: string, tests: readonly Measured[], sourceOfTest: (path: string) => string) => {
  const itself = new RegExp(String.raw`\b${name}\b`)
  const stems = name
    .split('_')
    .filter(word => word.length > 3 && !commonWords.has(word))
    .map(word => word.slice(0, 5))
  const pattern = new RegExp(stems.join('|'), 'gi')
  const worth = new Map(
    tests.map(test => {
      if (test.project !== modelProject && itself.test(sourceOfTest(test.path)))
        return [test, Number.MAX_VALUE / (2000 + test.ms)]
      // Histories are quick, and look at everything.
      if (test.project === modelProject) return [test, Number.MAX_SAFE_INTEGER]
      const inPath = stems.some(stem => test.path.toLowerCase().includes(stem)) ? 3 : 1
      const times = stems.length === 0 ? 0 : [...sourceOfTest(test.path).matchAll(pattern)].length
      return [test, (inPath * (1 + times)) / (2000 + test.ms)]
    }),
  )
  return tests.toSorted((a, b) => worth.get(b)! - worth.get(a)!)
}

/**
 * For each mutant, the test files that run its code: the nearest first, or for an SQL function the most relevant first. An SQL
 * function in PL/pgSQL needs the files that called it, which PostgreSQL counts. Others need those that run code naming the
 * function, and so on for the functions that call it; one that only a trigger calls needs all files with a database.
 */
export const noticing = (tree: Tree, tests: readonly Measured[], sourceOfTest: (path: string) => string) => {
  const passing = tests.filter(({ passes }) => passes)
  const modules = tree.files.filter(({ path }) => path.endsWith('.ts'))
  const uses = usesIn(modules, tree.unmutated)
  const byRegion = new Map<string, Measured[]>()
  const reaching = (region: string) => {
    const found =
      byRegion.get(region) ??
      passing.filter(
        ({ reached, project }) => reached.includes(region) && (project !== modelProject || region.startsWith('sql:')),
      )
    byRegion.set(region, found)
    return found
  }
  const words = new Map(
    passing
      .filter(({ project }) => project !== modelProject)
      .map(test => [test, new Set(sourceOfTest(test.path).match(/\w+/g))]),
  )
  const naming = (name: string) => passing.filter(test => words.get(test)?.has(name))
  const runningCode = (path: string, edits: Mutant['edits']) => {
    const found = uses.of(path, edits)
    if (!found) return reaching(uses.around(path, edits))
    return [...new Set([...[...found.regions].flatMap(reaching), ...[...found.names].flatMap(naming)])]
  }

  const isCounted = (name: string) => {
    const found = tree.functions.find(one => one.name === name)
    if (!found) return false
    const { source } = tree.files.find(({ path }) => path === found.path)!
    return /language\s+plpgsql/i.test(source.slice(found.start, found.end))
  }
  const byFunction = new Map<string, Measured[]>()
  const runningFunction = (name: string): Measured[] => {
    const known = byFunction.get(name)
    if (known) return known
    // Functions may call each other in a circle.
    byFunction.set(name, [])
    // A call that raises an error is not counted, and a test's own calls are in no module.
    const named = naming(name)
    if (isCounted(name)) {
      const reached = [...new Set([...reaching(called(name)), ...named])]
      byFunction.set(name, reached)
      return reached
    }
    const calling = new RegExp(String.raw`\b${name}\s*\(`, 'g')
    const fromCode = modules.flatMap(({ path, source }) =>
      [...source.matchAll(calling)].flatMap(({ index }) => runningCode(path, [{ start: index, end: index, text: '' }])),
    )
    const fromFunctions = tree.functions
      .filter(caller => {
        const { source } = tree.files.find(({ path }) => path === caller.path)!
        return caller.name !== name && new RegExp(calling).test(source.slice(caller.body.start, caller.body.end))
      })
      .flatMap(caller => runningFunction(caller.name))
    const found = [...new Set([...fromCode, ...fromFunctions, ...named])]
    const all = found.length > 0 ? found : passing.filter(({ project }) => project === databaseProject)
    byFunction.set(name, all)
    return all
  }

  return ({ path, edits, inFunction }: Mutant): Measured[] =>
    inFunction
      ? mostRelevantFirst(inFunction.name, runningFunction(inFunction.name), sourceOfTest)
      : nearestFirst(path, runningCode(path, edits))
}
