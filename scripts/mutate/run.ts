/** The run: puts each mutant into a copy, runs its tests until one fails, and removes it again. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyEdits } from './edits.ts'
import { type Mutant, type Tree, readTree } from './find.ts'
import { type Choice, choose, noticing } from './choose.ts'
import { type Lane, type TestFile, startLane } from './lanes.ts'
import { isMoneyTest } from './money.ts'
import { databaseProject, histories } from './places.ts'
import { type Measured, measureAll, shareOut } from './reach.ts'
import { functionStatement } from './sqlPlaces.ts'
import { compiled } from './types.ts'
import { openWorkspace } from './workspace.ts'

/** `skipped`: it does not compile, or PostgreSQL refuses it. `unreached`: no test runs its code, so it survived. */
export type State = 'killed' | 'survived' | 'unreached' | 'skipped'
export type Result = {
  mutant: Mutant
  state: State
  /** The failed test and its message, or why it was skipped. */
  reason: string
  /** How many test files ran, and how many could have. */
  ran: number
  able: number
  ms: number
  /** The test file that failed. */
  by?: string
}

/** `chosen` includes those that an earlier run has tried. */
export type Run = { chosen: Mutant[]; results: Result[]; failing: string[] }

type Options = {
  root: string
  choice: Choice
  workers: number
  /** Test files are left out once the nearer ones together take this long without a mutant. */
  patienceMs: number
  /** How long a test file may take before it counts as failed. */
  limitOf: (test: Measured) => number
  /** Earlier measurements of what tests reach are good enough. */
  stale?: boolean
  /** True by default. False: test files that were never measured are left out. */
  measures?: boolean
  /** What an earlier run found; these mutants are not tried again. */
  known?: ReadonlyMap<string, State>
  say: (line: string) => void
  onResult: (result: Result, done: number, of: number) => void
  /** Ends the run early; it returns what was found until then. */
  signal: AbortSignal
}

const sourceOf = (tree: Tree, path: string) => tree.files.find(file => file.path === path)!.source

/** Statements that create the mutated function, and the original one again. */
const functionsOf = (tree: Tree, { path, edits, inFunction }: Mutant) => {
  const source = sourceOf(tree, path)
  const { start, end } = inFunction!
  const mutated = applyEdits(source, edits)
  return {
    mutated: functionStatement(mutated.slice(start, end + mutated.length - source.length)),
    original: functionStatement(source.slice(start, end)),
  }
}

/** Puts the mutant into the lane. Returns why that is impossible, or a function that removes it again. */
const putIn = async (tree: Tree, lane: Lane, mutant: Mutant): Promise<string | (() => Promise<void>)> => {
  const { path, edits, inFunction } = mutant
  if (inFunction) {
    const { mutated, original } = functionsOf(tree, mutant)
    const refused = await lane.sql(mutated)
    if (refused !== null) return refused
    return async () => {
      const still = await lane.sql(original)
      if (still !== null) throw new Error(`${inFunction.name} cannot be put back: ${still}`)
    }
  }
  const source = sourceOf(tree, path)
  lane.copy.write(path, applyEdits(source, edits))
  await lane.changed([path])
  return async () => {
    lane.copy.write(path, source)
    await lane.changed([path])
  }
}

const withinPatience = (tests: readonly Measured[], patienceMs: number) => {
  let spent = 0
  return tests.filter(({ ms }, index) => (spent += ms) <= patienceMs || index === 0)
}

const tryOne = async (
  tree: Tree,
  lane: Lane,
  mutant: Mutant,
  able: Measured[],
  { patienceMs, limitOf }: Pick<Options, 'patienceMs' | 'limitOf'>,
): Promise<Result> => {
  const begun = performance.now()
  const result = (state: State, reason: string, ran: number, by?: string): Result => ({
    mutant,
    ...(by === undefined ? {} : { by }),
    state,
    reason,
    ran,
    able: able.length,
    ms: Math.round(performance.now() - begun),
  })
  if (able.length === 0) return result('unreached', '', 0)
  const takeOut = await putIn(tree, lane, mutant)
  if (typeof takeOut === 'string') return result('skipped', takeOut, 0)
  try {
    let ran = 0
    for (const test of withinPatience(able, patienceMs)) {
      ran++
      const { passed, failure } = await lane.run(test, limitOf(test))
      if (!passed) return result('killed', failure, ran, test.path)
    }
    return result('survived', '', ran)
  } finally {
    await takeOut()
  }
}

/** The page never reaches the server, nor the server the page, so the page's mutants need no test with a database. */
const testsThatMayRun = (chosen: readonly Mutant[], tests: readonly TestFile[], { each }: Choice) => {
  if (each !== undefined) return [...histories, ...tests.filter(({ path }) => isMoneyTest(path))]
  return chosen.every(({ group }) => group === 'page')
    ? tests.filter(({ project }) => project !== databaseProject)
    : tests
}

/** Whether a function or rule has enough mutants; those being tried count until they are skipped. */
const countingRules = (each: number | undefined) => {
  const counts = new Map<string | undefined, number>()
  const add = ({ rule }: Mutant, change: number) => counts.set(rule, (counts.get(rule) ?? 0) + change)
  return { add, isEnough: ({ rule }: Mutant) => each !== undefined && (counts.get(rule) ?? 0) >= each }
}

/** Puts those first that noticed another mutant of the same function or file. */
const rememberingNoticers = () => {
  const times = new Map<string, number>()
  const keyOf = ({ rule, path }: Mutant, test: string) => `${rule ?? path}\0${test}`
  return {
    noticed: (mutant: Mutant, test: string) =>
      times.set(keyOf(mutant, test), (times.get(keyOf(mutant, test)) ?? 0) + 1),
    first: (mutant: Mutant, tests: readonly Measured[]) =>
      tests.toSorted((a, b) => (times.get(keyOf(mutant, b.path)) ?? 0) - (times.get(keyOf(mutant, a.path)) ?? 0)),
  }
}

export const mutate = async (options: Options): Promise<Run> => {
  const { root, choice, workers, stale = false, measures = true, known = new Map(), say, onResult, signal } = options
  const tree = readTree(root)
  const chosen = choose(tree.mutants, choice)
  const rules = countingRules(choice.each)
  for (const mutant of chosen) if ((known.get(mutant.id) ?? 'skipped') !== 'skipped') rules.add(mutant, 1)
  const fresh = chosen.filter(mutant => !known.has(mutant.id))
  say(`${chosen.length} of ${tree.mutants.length} mutants were chosen, ${chosen.length - fresh.length} of them known.`)
  const workspace = openWorkspace(root)
  const lanes: Lane[] = []
  const results: Result[] = []
  const killLanes = () => {
    for (const lane of lanes) lane.kill()
  }
  signal.addEventListener('abort', killLanes)
  try {
    const sources = new Map([...tree.files, ...tree.unmutated].map(({ path, source }) => [path, source]))
    for (let lane = 1; lane <= workers; lane++) lanes.push(await startLane(workspace.copy(String(lane))))
    signal.throwIfAborted()
    const tests = testsThatMayRun(chosen, await lanes[0]!.tests(), choice)
    const measured = await measureAll(root, { lanes, tests, files: tree.files, stale, measures, say })
    const testsFor = noticing(tree, measured, path => readFileSync(join(root, path), 'utf8'))
    const noticers = rememberingNoticers()
    const candidates = compiled(workspace.copy('types'), sources, fresh, {
      signal,
      wants: mutant => !rules.isEnough(mutant),
    })
    await shareOut(lanes, candidates, async (lane, [mutant, compiles]) => {
      signal.throwIfAborted()
      if (rules.isEnough(mutant)) return
      rules.add(mutant, 1)
      const result: Result = compiles
        ? await tryOne(tree, lane, mutant, noticers.first(mutant, testsFor(mutant)), options)
        : { mutant, state: 'skipped', reason: 'does not compile', ran: 0, able: 0, ms: 0 }
      if (result.state === 'skipped') rules.add(mutant, -1)
      if (result.by !== undefined) noticers.noticed(mutant, result.by)
      results.push(result)
      onResult(result, results.length, chosen.length)
    })
    return { chosen, results, failing: measured.filter(({ passes }) => !passes).map(({ path }) => path) }
  } catch (error) {
    if (!signal.aborted) throw error
    return { chosen, results, failing: [] }
  } finally {
    signal.removeEventListener('abort', killLanes)
    await Promise.all(lanes.map(lane => lane.stop()))
    workspace.remove()
  }
}
