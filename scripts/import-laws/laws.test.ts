/** Each law refuses what it is meant to refuse: each test has a small tree that breaks one law. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lawsBrokenIn } from './laws.ts'
import { readModule } from './modules.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fieldtest-laws-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const broken = (files: Record<string, string>): string[] => {
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), source)
  }
  const modules = Object.keys(files).map(path => ({ path, ...readModule(root, path) }))
  const graph = new Map(modules.map(({ path, imports }) => [path, imports]))
  return [...modules.flatMap(({ violations }) => violations), ...lawsBrokenIn(root, graph)].map(
    ({ from, sentence }) => `${from} ${sentence}`,
  )
}

const nothing = 'export const x = 1'

test.each([
  ['use cases', 'src/ledger/server/payouts.ts', '../../accounts/server/accounts.ts'],
  ['components', 'src/ledger/web/BalancePage.tsx', '../../accounts/web/face.tsx'],
  ['query keys', 'src/ledger/web/BalancePage.tsx', '../../accounts/web/keys.ts'],
])('the %s of a lower slice may be imported', (_, from, to) => {
  const target = new URL(to, `file:///${from}`).pathname.slice(1)
  expect(broken({ [from]: `import { x } from '${to}'\nexport const y = x`, [target]: nothing })).toEqual([])
})

test.each([
  [
    'an import against the order',
    'src/accounts/server/accounts.ts',
    '../../ledger/server/ledger.ts',
    'wrong direction',
  ],
  ['a type import against the order', 'src/accounts/contract.ts', '../ledger/contract.ts', 'wrong direction'],
  ['an import of a slice by kit', 'src/kit/paths.ts', '../campaigns/contract.ts', 'wrong direction'],
  ['an import of the composition by a slice', 'src/fraud/web/Page.tsx', '../../app/web/routes.tsx', 'wrong direction'],
  ['a folder outside the order', 'src/fraud/rules.ts', '../misc/x.ts', 'missing from the order'],
  ['another slice’s private server file', 'src/fraud/server/a.ts', '../../ledger/server/queries.ts', 'is private'],
  ['another slice’s calls', 'src/fraud/web/A.tsx', '../../ledger/web/calls.ts', 'is private'],
  ['another slice’s screen', 'src/fraud/web/A.tsx', '../../ledger/web/BalancePage.tsx', 'is private'],
  [
    'an import of the server by the page',
    'src/ledger/web/A.tsx',
    '../server/ledger.ts',
    'may not import from the server',
  ],
  ['an import of the page by the server', 'src/ledger/server/a.ts', '../web/A.tsx', 'may not import from the page'],
  ['an import that loads data in rules', 'src/ledger/rules.ts', './server/ledger.ts', 'are pure'],
  ['an import of server code by a shared file of kit', 'src/kit/money.ts', './server/db.ts', 'neither server nor web'],
  [
    'an import of a script by the product',
    'src/ledger/server/a.ts',
    '../../../scripts/x.ts',
    'may not import from scripts',
  ],
  ['an import of the test harness by the product', 'src/ledger/server/a.ts', '../../testing/app.ts', 'for tests'],
  ['an import of a test', 'src/ledger/server/b.test.ts', './a.test.ts', 'may not be imported'],
])('%s is refused', (_, from, to, reason) => {
  const target = new URL(to, `file:///${from}`).pathname.slice(1)
  const found = broken({ [from]: `import type { x } from '${to}'\nexport type Y = typeof x`, [target]: nothing })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(from)
  expect(found[0]).toContain(reason)
})

test('lazy imports count', () => {
  expect(
    broken({
      'src/accounts/web/A.tsx': `export const a = () => import('../../ledger/web/face.tsx')`,
      'src/ledger/web/face.tsx': nothing,
    }),
  ).toHaveLength(1)
})

test('the files of a circle are named in its order', () => {
  expect(
    broken({
      'src/kit/a.ts': `import { b } from './b.ts'\nexport const a = () => b`,
      'src/kit/b.ts': `import { a } from './a.ts'\nexport const b = () => a`,
    }),
  ).toEqual(['src/kit/a.ts is part of an import cycle: src/kit/a.ts → src/kit/b.ts → src/kit/a.ts.'])
})

test('a contract may import no package but zod', () => {
  expect(broken({ 'src/ledger/contract.ts': `import pg from 'pg'\nexport const x = pg` })).toHaveLength(1)
  expect(broken({ 'src/ledger/contract.ts': `import { z } from 'zod'\nexport const x = z` })).toEqual([])
})

test('only the clock reads the time, and every import names its file', () => {
  expect(broken({ 'src/ledger/rules.ts': 'export const now = () => new Date()' })).toHaveLength(1)
  expect(broken({ 'src/kit/clock.ts': 'export const now = () => new Date()' })).toEqual([])
  expect(broken({ 'src/kit/web/a.ts': 'export const load = (name: string) => import(name)' })).toHaveLength(1)
})

test('a server that has served no request has loaded no heavy package', () => {
  const startsWith = (paper: string, handlers: string) => ({
    'src/app/server/main.ts': `import '../../ledger/server/ledger.ts'`,
    'src/ledger/server/ledger.ts': handlers,
    'src/ledger/server/paper.ts': paper,
  })
  const draws = `import Pdf from 'pdfkit'\nexport const paper = new Pdf()`
  expect(broken(startsWith(draws, `import { paper } from './paper.ts'\nexport const x = paper`))).toEqual([
    'src/ledger/server/paper.ts loads pdfkit when the server starts: import it dynamically where it is first needed.',
  ])
  expect(broken(startsWith(draws, `export * from './paper.ts'`))).toHaveLength(1)
  expect(broken(startsWith(draws, `export const x = () => import('./paper.ts')`))).toEqual([])
  expect(broken(startsWith(`import { type Pdf } from 'pdfkit'\nexport type X = Pdf`, `import './paper.ts'`))).toEqual(
    [],
  )
})

test('every query key is named in keys.ts', () => {
  expect(broken({ 'src/ledger/web/A.tsx': `useQuery({ queryKey: ['ledger'], queryFn })` })).toHaveLength(1)
  expect(broken({ 'src/ledger/web/A.tsx': `usePages<Line>(['ledger'], load)` })).toHaveLength(1)
  expect(broken({ 'src/ledger/web/A.tsx': `queryClient.setQueryData(['ledger'], lines)` })).toHaveLength(1)
  expect(broken({ 'src/ledger/web/A.tsx': `useQuery({ queryKey: ledgerKeys.all, queryFn })` })).toEqual([])
})

test('an import of a missing file is refused', () => {
  expect(broken({ 'src/kit/a.ts': `import './b.ts'` })).toHaveLength(1)
})
