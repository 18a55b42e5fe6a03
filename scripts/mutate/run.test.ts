import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asLine, keptIn, resultsOf } from './report.ts'
import { type Result, type State, mutate } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'mutate-test-'))
const root = join(folder, 'tree')
const temporary = join(folder, 'tmp')
const before = process.env['TMPDIR']

const files = {
  'vitest.config.ts':
    "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: [{ test: { name: 'unit', include: ['src/**/*.test.ts'] } }] } })\n",
  'src/shop/rules.ts': `export const mayBuy = (age: number): boolean => age >= 18
export const mayReturn = (days: number): boolean => days < 30
export const mayRefund = (cents: number): boolean => cents > 100
export const steps = (count: number): number => {
  let done = 0
  for (let left = count; left > 0; left -= 1) done += 1
  return done
}
`,
  'src/shop/rules.test.ts': `import { expect, it } from 'vitest'
import { mayBuy, mayReturn, steps } from './rules.ts'
it('sells from 18 on', () => {
  expect([mayBuy(17), mayBuy(18)]).toEqual([false, true])
})
it('never asks about the thirtieth day', () => {
  expect([mayReturn(1), mayReturn(40)]).toEqual([true, false])
})
it('ends', () => {
  expect(steps(3)).toBe(3)
})
`,
}

const everyFile = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(entry => join(entry.parentPath, entry.name))
    .toSorted()
    .map(path => [path, readFileSync(path, 'utf8')])

const runOn = (
  choice: { operator?: string; line?: number },
  options: { signal?: AbortSignal; known?: ReadonlyMap<string, State>; limitOf?: () => number } = {},
) =>
  mutate({
    root,
    choice: { slices: [], seed: '', ...choice },
    workers: 1,
    patienceMs: Infinity,
    limitOf: () => 60_000,
    say: () => undefined,
    onResult: () => undefined,
    signal: new AbortController().signal,
    ...options,
  })

const stateOf = (results: readonly Result[], after: string, line: number) =>
  results.find(({ mutant }) => mutant.after === after && mutant.line === line)?.state

describe('a run of mutants', { timeout: 120_000 }, () => {
  beforeAll(() => {
    mkdirSync(join(root, 'src/shop'), { recursive: true })
    mkdirSync(join(root, 'node_modules'))
    mkdirSync(temporary)
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
    for (const name of ['vitest', 'vite', 'typescript'])
      symlinkSync(join(import.meta.dirname, '../../node_modules', name), join(root, 'node_modules', name))
    process.env['TMPDIR'] = temporary
  })
  afterAll(() => {
    process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true })
  })

  it('distinguishes killed, survived and never run, leaves the tree unchanged and no copy behind', async () => {
    const original = everyFile()
    const { results, failing } = await runOn({ operator: 'comparison' })
    expect(failing).toEqual([])
    expect(stateOf(results, '>', 1)).toBe('killed')
    expect(stateOf(results, '<=', 2)).toBe('survived')
    expect(stateOf(results, '>=', 3)).toBe('unreached')
    expect(everyFile()).toEqual(original)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('counts a mutant that never ends as killed, and continues', async () => {
    const { results } = await runOn({ operator: 'arithmetic' }, { limitOf: () => 3000 })
    expect(results.map(({ mutant, state }) => [mutant.before, state])).toEqual([
      ['-=', 'killed'],
      ['+=', 'killed'],
    ])
    expect(results[0]?.reason).toMatch(/did not end/)
  })

  it('continues where an earlier run ended', async () => {
    const { results: earlier } = await runOn({ operator: 'comparison' })
    const known = new Map(earlier.slice(1).map(({ mutant, state }) => [mutant.id, state]))
    const { chosen, results } = await runOn({ operator: 'comparison' }, { known })
    expect(results.map(({ mutant }) => mutant.id)).toEqual([earlier[0]!.mutant.id])
    const kept = keptIn([...earlier, ...results].map(asLine).join('\n'))
    expect(resultsOf(chosen, kept).map(({ state }) => state)).toEqual(earlier.map(({ state }) => state))
  })

  it('cleans up when it is stopped', async () => {
    const original = everyFile()
    const stop = new AbortController()
    stop.abort()
    expect((await runOn({ operator: 'comparison' }, { signal: stop.signal })).results).toEqual([])
    expect(everyFile()).toEqual(original)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('leaves out a test that fails without a mutant, and names it', async () => {
    writeFileSync(join(root, 'src/shop/broken.test.ts'), "import './rules.ts'\nthrow new Error('broken')\n")
    const { results, failing } = await runOn({ operator: 'comparison', line: 2 })
    expect(failing).toEqual(['src/shop/broken.test.ts'])
    expect(results.map(({ state }) => state)).toEqual(['survived'])
  })
})
