import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

// Each test starts a Node process that loads much of the product.
vi.setConfig({ testTimeout: 60_000 })

const root = join(import.meta.dirname, '..')

const answerOf = (file: string, args: string[]) =>
  new Promise<{ code: unknown; said: string; printed: string }>(resolve => {
    const env = { ...process.env, BACKUP_KEY: Buffer.alloc(32).toString('base64'), NODE_OPTIONS: '' }
    execFile(process.execPath, [file, ...args], { cwd: root, env }, (error, printed, said) =>
      resolve({ code: error?.code ?? 0, said, printed }),
    )
  })

test('every command reads its options through options.ts', () => {
  const files = globSync(['scripts/**/*.ts', 'bench/**/*.ts'], { cwd: root }).filter(file => !file.endsWith('.test.ts'))
  const reading = files.filter(file => readFileSync(join(root, file), 'utf8').includes('parseArgs'))
  expect(reading).toEqual(['scripts/options.ts'])
})

test.for([
  'bench/growth.ts',
  'bench/web.ts',
  'scripts/admin.ts',
  'scripts/backup.ts',
  'scripts/faults.ts',
  'scripts/import-laws.ts',
  'scripts/model.ts',
  'scripts/mutate.ts',
  'scripts/restore.ts',
  'scripts/resume.ts',
  'scripts/screens.ts',
  'scripts/verify.ts',
])('%s answers an unknown option with a sentence and exit code 2', async file => {
  expect(await answerOf(file, ['--bogus'])).toEqual({ code: 2, said: "Unknown option '--bogus'.\n", printed: '' })
})

test('reconcile exits with 1 instead, because its 2 says that all differences settle themselves', async () => {
  expect(await answerOf('scripts/reconcile.ts', ['--bogus'])).toEqual({
    code: 1,
    said: "Unknown option '--bogus'.\n",
    printed: '',
  })
})

test.for([
  ['scripts/model.ts', ['--actions', 'many'], '--actions has to be a whole number from 1 on.'],
  ['scripts/model.ts', ['--actions'], "Option '--actions <value>' argument missing."],
  ['scripts/faults.ts', ['--kills', '-1'], "Option '--kills' argument is ambiguous."],
  ['scripts/faults.ts', ['--kills=-1'], '--kills has to be a whole number from 0 on.'],
  ['scripts/faults.ts', ['--clients', '0'], '--clients has to be a whole number from 1 on.'],
  ['scripts/mutate.ts', ['--list', '--most', '0'], '--most has to be a whole number from 1 on.'],
  ['scripts/screens.ts', ['--only', '('], '--only has to be a regular expression.'],
  ['bench/web.ts', ['--runs', 'x'], '--runs has to be a whole number from 1 on.'],
  ['bench/growth.ts', ['seed', '--scale', '9'], '--scale has to be a number from 0.001 to 2.'],
  [
    'scripts/restore.ts',
    ['--from', 'a', '--to', 'b', '--at', 'noon'],
    '--at has to be a time such as 2026-11-22T14:03:05Z.',
  ],
] as const)('%s %j: %s', async ([file, args, sentence]) => {
  expect(await answerOf(file, [...args])).toEqual({ code: 2, said: `${sentence}\n`, printed: '' })
})
