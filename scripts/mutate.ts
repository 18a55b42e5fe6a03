/**
 * `npm run mutate [-- slice or group …]`: changes the product in small ways, one at a time, and sees whether a test fails. A
 * mutant that survives shows a guarantee that no test checks. docs/testing.md has the operators and the figures. Not a part of
 * `npm test`, because a whole run takes hours. It only reads the checkout; mutants live in copies.
 *
 * Why not Stryker: 10.1.1 ends before its first mutant, because TypeScript 7 no longer has the functions that it calls
 * (`ts.parseConfigFileTextToJson is not a function`), and it does not support SQL.
 *
 *     node scripts/mutate.ts [slice|group …] [--without slice] [--each N|--all] [--most N] [--sample N] [--file path] [--line N] [--operator name] [--list]
 *       [--results file.jsonl] [--resume|--again] [--stale] [--measured] [--patience seconds] [--workers N] [--seed text] [--survivors file.md]
 *
 * `ledger` alone means the money: a few mutants of each function that moves it and of each rule of the ledger, spread over
 * operators and lines (--each; --all for every mutant of the slice).
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { choose } from './mutate/choose.ts'
import { operatorNames, readTree, sliceOf } from './mutate/find.ts'
import { groups } from './mutate/places.ts'
import {
  asLine,
  describe,
  keptIn,
  resultsOf,
  short,
  survivors,
  survivorsIn,
  table,
  tableOfRules,
  tally,
} from './mutate/report.ts'
import { mutate } from './mutate/run.ts'
import { optionsOf, positiveCountOf, refuse } from './options.ts'

const root = join(import.meta.dirname, '..')

const { values: options, positionals: slices } = optionsOf({
  allowPositionals: true,
  options: {
    most: { type: 'string' },
    sample: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    file: { type: 'string' },
    line: { type: 'string' },
    operator: { type: 'string' },
    list: { type: 'boolean', default: false },
    each: { type: 'string' },
    all: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    stale: { type: 'boolean', default: false },
    measured: { type: 'boolean', default: false },
    results: { type: 'string', default: join(root, 'node_modules/.cache/mutate/results.jsonl') },
    patience: { type: 'string' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: '' },
    survivors: { type: 'string' },
  },
})

const wholeNumber = (text: string | undefined, name: string) =>
  text === undefined ? undefined : positiveCountOf(text, name)

const { operator } = options
if (operator !== undefined && !operatorNames.includes(operator))
  refuse(`Unknown operator: ${operator}. Choose one of: ${operatorNames.join('; ')}.`)

const readKept = () => keptIn(existsSync(options.results) ? readFileSync(options.results, 'utf8') : '')

const isMoney = slices.length === 1 && slices[0] === 'ledger' && !options.all && options.most === undefined
const choice = {
  slices,
  without: options.without,
  each: wholeNumber(options.each, 'each') ?? (isMoney ? 3 : undefined),
  path: options.file,
  line: wholeNumber(options.line, 'line'),
  operator,
  most: wholeNumber(options.most, 'most'),
  sample: wholeNumber(options.sample, 'sample'),
  seed: options.seed,
  // Only those that survived an earlier run.
  ids: options.again ? survivorsIn(readKept()) : undefined,
}

/** A misspelled slice would choose nothing, after minutes of measuring. */
const refuseUnknown = (names: readonly string[]) => {
  if (names.length === 0) return
  const { mutants } = readTree(root)
  const known: string[] = [...new Set([...groups, ...mutants.map(sliceOf)])]
  for (const name of names)
    if (!known.includes(name)) refuse(`Unknown slice: ${name}. Choose one of: ${known.toSorted().join(', ')}.`)
}

const list = () => {
  const chosen = choose(readTree(root).mutants, choice)
  for (const mutant of chosen) console.log(describe(mutant))
  console.log(`${chosen.length} mutants`)
}

const run = async () => {
  // A run takes hours, so other work on the machine takes precedence.
  setPriority(Math.max(10, getPriority()))
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  const begun = performance.now()
  if (!options.resume && !options.again) rmSync(options.results, { force: true })
  mkdirSync(dirname(options.results), { recursive: true })
  const known = options.resume ? readKept() : new Map<string, never>()
  const { chosen, failing } = await mutate({
    root,
    choice,
    stale: options.stale,
    measures: !options.measured,
    known: new Map([...known].map(([id, { state }]) => [id, state])),
    workers: Math.min(2, wholeNumber(options.workers, 'workers')!),
    patienceMs: (wholeNumber(options.patience, 'patience') ?? (isMoney ? 60 : Infinity)) * 1000,
    // Generous, because other work on the machine slows tests down; it is meant only for tests that hang.
    limitOf: ({ ms }) => 180_000 + 10 * ms,
    signal: stopped.signal,
    say: line => console.log(line),
    onResult: (result, done, of) => {
      const { mutant, state } = result
      appendFileSync(options.results, `${asLine(result)}\n`)
      if (state === 'survived' || state === 'unreached')
        console.log(`${state === 'survived' ? 'survived' : 'not run '}  ${describe(mutant)}`)
      if (done % 50 === 0) console.log(`${done} of ${of} after ${Math.round((performance.now() - begun) / 1000)} s`)
    },
  })
  const results = resultsOf(chosen, readKept())
  const lines = tally(results)
  if (choice.each !== undefined) console.log(`\n${tableOfRules(results)}`)
  console.log(`\n${table(lines)}\n`)
  if (failing.length > 0) console.log(`These test files fail without a mutant, and were skipped: ${failing.join(', ')}`)
  if (options.survivors !== undefined) writeFileSync(options.survivors, `${survivors(results)}\n`)
  const below = short(lines)
  if (below.length > 0) console.log(`Below the target: ${below.join(', ')}`)
  if (stopped.signal.aborted) console.log('Stopped early.')
  process.exitCode = stopped.signal.aborted ? 130 : below.length > 0 || failing.length > 0 ? 1 : 0
}

refuseUnknown([...slices, ...options.without])
if (options.list) list()
else await run()
