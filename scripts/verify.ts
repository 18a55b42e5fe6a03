/**
 * Runs all checks: `npm run check` (all but the browser) and `npm test` (`--all`).
 * Prints one line per step, the output of those that fail (`--verbose`: of all), and finally `N passed, N failed`.
 * Each static step counts as one test; vitest and Playwright count their own. Every step runs even if one has failed.
 * With CI in the environment, a test that fails is tried twice more. If it then passes, its name is printed, because it reveals a
 * fault: of the test, or a race in the product.
 *
 *     node scripts/verify.ts [--all] [--verbose]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { optionsOf } from './options.ts'

/** Of a step, several times what it takes, because the machine may be busy with other work. */
const limitMs = 75 * 60_000
const graceMs = 10_000
const root = join(import.meta.dirname, '..')

type Counts = { passed: number; failed: number; skipped: number }
/** `names`: the tests that failed; `unsteady`: those that failed once and passed when they were tried again. */
type Reading = Counts & { names: string[]; unsteady: string[] }
type Report = { file: string; read: (json: string) => Reading }
/** `commands` are arguments of node, run in order until one fails. */
type Step = { title: string; commands: string[][]; report?: Report }
type Result = { ok: boolean; output: string; seconds: number }

const tool = {
  tsc: 'node_modules/typescript/bin/tsc',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  oxfmt: 'node_modules/oxfmt/bin/oxfmt',
  knip: 'node_modules/knip/bin/knip.js',
  vite: 'node_modules/vite/bin/vite.js',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js',
}

const firstLine = (text: string) => text.split('\n', 1)[0]!.slice(0, 200)

const vitestReport: Report = {
  file: 'test-results/vitest.json',
  read: json => {
    const { numPassedTests, numTotalTests, testResults } = JSON.parse(json) as {
      numPassedTests: number
      numTotalTests: number
      testResults: {
        name: string
        status: string
        assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
      }[]
    }
    const results = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(test => ({ ...test, name: `${relative(root, name)} > ${test.fullName}` })),
    )
    const failed = results.filter(test => test.status === 'failed')
    // A file that fails before its first test has no failed tests.
    const unloaded = testResults.filter(
      file => file.status === 'failed' && file.assertionResults.every(test => test.status !== 'failed'),
    )
    return {
      passed: numPassedTests,
      failed: failed.length + unloaded.length,
      skipped: numTotalTests - numPassedTests - failed.length,
      names: [...failed.map(test => test.name), ...unloaded.map(file => relative(root, file.name))],
      unsteady: results
        .filter(test => test.status === 'passed' && test.failureMessages.length > 0)
        .map(test => `${test.name}: ${firstLine(test.failureMessages[0]!)}`),
    }
  },
}

type Spec = {
  file: string
  line: number
  title: string
  tests: { status: string; results: { error?: { message?: string } }[] }[]
}
type Suite = { specs: Spec[]; suites?: Suite[] }
const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]
const nameOf = ({ file, line, title }: Spec) => `e2e/${file}:${line} ${title}`

const playwrightReport: Report = {
  file: 'test-results/e2e.json',
  read: json => {
    const { stats, errors, suites } = JSON.parse(json) as {
      stats: { expected: number; unexpected: number; flaky: number; skipped: number }
      errors: unknown[]
      suites: Suite[]
    }
    const specs = suites.flatMap(specsOf)
    const withStatus = (status: string) => specs.filter(({ tests }) => tests.some(test => test.status === status))
    return {
      passed: stats.expected + stats.flaky,
      // An error outside of any test: a worker whose data checks found something.
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
      names: withStatus('unexpected').map(nameOf),
      unsteady: withStatus('flaky').map(spec => {
        const message = spec.tests.flatMap(test => test.results).find(result => result.error)?.error?.message
        return `${nameOf(spec)}: ${firstLine(stripVTControlCharacters(message ?? ''))}`
      }),
    }
  },
}

const staticSteps: Step[] = [
  { title: 'lint', commands: [[tool.oxlint]] },
  { title: 'types of the server', commands: [[tool.tsc, '-p', 'tsconfig.server.json']] },
  { title: 'types of the page', commands: [[tool.tsc, '-p', 'tsconfig.web.json']] },
  { title: 'types of its tests', commands: [[tool.tsc, '-p', 'tsconfig.webtests.json']] },
  { title: 'types of the journeys', commands: [[tool.tsc, '-p', 'tsconfig.e2e.json']] },
  { title: 'format', commands: [[tool.oxfmt, '--check']] },
  { title: 'import laws', commands: [['scripts/import-laws.ts']] },
  { title: 'laws of migrations', commands: [['scripts/migration-laws.ts']] },
  { title: 'dead code', commands: [[tool.knip, '--no-config-hints']] },
  { title: 'build and bundle budget', commands: [[tool.vite, 'build'], ['scripts/bundle-budget.ts']] },
]

const tests: Step = {
  title: 'unit and HTTP tests',
  // With thousands of tests, only those that failed are printed, because a log may show only its first lines.
  commands: [[tool.vitest, 'run', '--allowOnly=false', '--reporter=minimal', '--reporter=json']],
  report: vitestReport,
}

/**
 * Includes the data checks (checks/*.sql), which run on the database that each worker's journeys left behind
 * (e2e/support/product.ts).
 */
const journeys: Step = {
  title: 'browser journeys and data checks',
  commands: [[tool.playwright, 'test', '--forbid-only']],
  report: playwrightReport,
}

const { values: options } = optionsOf({
  options: { all: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
})

const running = new Set<ChildProcess>()
let stopped = false

/** Includes a step's children (PostgreSQL, workers, browser), which are in its process group and stop with it. */
const signalGroup = (child: ChildProcess, signal: NodeJS.Signals) => {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid!, signal)
  } catch {
    // It has already exited.
  }
}

const terminate = (child: ChildProcess) => {
  signalGroup(child, 'SIGTERM')
  setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs).unref()
}

const inColor = process.stdout.isTTY

const runCommand = (command: string[]) =>
  new Promise<{ ok: boolean; output: string }>(done => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      detached: process.platform !== 'win32',
      env: inColor ? { ...process.env, FORCE_COLOR: '1' } : process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    const chunks: Buffer[] = []
    const say = (sentence: string) => chunks.push(Buffer.from(`${sentence}\n`))
    let faulty = false
    const fault = (sentence: string) => {
      faulty = true
      say(sentence)
    }
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))

    const limit = setTimeout(() => {
      fault(`Stopped: it did not finish within ${limitMs / 60_000} minutes.`)
      terminate(child)
    }, limitMs)
    child.on('error', error => {
      clearTimeout(limit)
      running.delete(child)
      done({ ok: false, output: `It could not be started: ${error.message}\n` })
    })
    child.on('exit', (code, signal) => {
      clearTimeout(limit)
      if (signal) fault(`Ended by ${signal}.`)
      // A process that it left behind may still hold its output open, and `close` would never fire.
      const leftBehind = setTimeout(() => {
        fault('Processes that it started were still running.')
        signalGroup(child, 'SIGKILL')
        child.stdout.destroy()
        child.stderr.destroy()
      }, graceMs)
      child.on('close', () => {
        clearTimeout(leftBehind)
        running.delete(child)
        const output = Buffer.concat(chunks).toString('utf8')
        done({ ok: code === 0 && !faulty, output: inColor ? output : stripVTControlCharacters(output) })
      })
    })
  })

const run = async (step: Step): Promise<Result> => {
  const start = performance.now()
  let output = ''
  let ok = !stopped
  if (step.report) rmSync(join(root, step.report.file), { force: true })
  for (const command of step.commands) {
    if (!ok) break
    const result = await runCommand(command)
    output += result.output
    ok = result.ok
  }
  return { ok, output, seconds: (performance.now() - start) / 1000 }
}

/** A step's share of the total. A runner that fails without a failed test, or runs no test, counts as one failure. */
const countsOf = (step: Step, { ok }: Result): Reading & { note: string } => {
  const none: Reading = { passed: 0, failed: 0, skipped: 0, names: [], unsteady: [] }
  if (!step.report) return { ...none, [ok ? 'passed' : 'failed']: 1, note: '' }
  let counts: Reading
  try {
    counts = step.report.read(readFileSync(join(root, step.report.file), 'utf8'))
  } catch {
    return { ...none, failed: 1, note: 'it left no report' }
  }
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1, note: 'it ran no test' }
  if (!ok && counts.failed === 0) return { ...counts, failed: 1, note: 'its tests passed, yet it failed' }
  return { ...counts, note: '' }
}

const sum: Counts = { passed: 0, failed: 0, skipped: 0 }

const runAndTell = async (step: Step) => {
  const result = await run(step)
  const { passed, failed, skipped, note, names, unsteady } = countsOf(step, result)
  sum.passed += passed
  sum.failed += failed
  sum.skipped += skipped
  const tally = step.report
    ? [
        `${passed} passed`,
        failed && `${failed} failed`,
        skipped && `${skipped} skipped`,
        unsteady.length && `${unsteady.length} only on retry`,
      ]
    : []
  const details = [...tally, note].filter(Boolean).join(', ')
  const mark = failed > 0 ? 'FAIL' : 'ok  '
  console.log(`${mark}  ${step.title.padEnd(34)}${`${result.seconds.toFixed(1)} s`.padStart(8)}  ${details}`.trimEnd())
  for (const name of names) console.log(`      failed: ${name}`)
  for (const name of unsteady) console.log(`      only on retry: ${name}`)
  const shown = failed > 0 || options.verbose ? result.output.trimEnd() : ''
  if (shown) console.log(shown.replaceAll(/^/gm, '      '))
}

/** Cheap and independent steps, two at a time. */
const runSideBySide = async (steps: Step[]) => {
  const waiting = [...steps]
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await runAndTell(step)
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopped = true
    for (const child of running) terminate(child)
  })

const start = performance.now()
await runSideBySide(staticSteps)
await runAndTell(tests)
if (options.all) await runAndTell(journeys)

console.log(
  `${((performance.now() - start) / 1000).toFixed(0)} s in all${sum.skipped ? `, ${sum.skipped} skipped` : ''}`,
)
console.log(`${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = stopped ? 130 : sum.failed > 0 ? 1 : 0
