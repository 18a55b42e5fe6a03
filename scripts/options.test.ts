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
  ['scripts/model.ts', ['--actions', 'many'], '--actions must be a whole number of at least 1.'],
  ['scripts/model.ts', ['--actions'], "Option '--actions <value>' argument missing."],
  ['scripts/faults.ts', ['--kills', '-1'], "Option '--kills' argument is ambiguous."],
  ['scripts/faults.ts', ['--kills=-1'], '--kills must be a whole number of at least 0.'],
  ['scripts/faults.ts', ['--clients', '0'], '--clients must be a whole number of at least 1.'],
  ['scripts/mutate.ts', ['--list', '--most', '0'], '--most must be a whole number of at least 1.'],
  ['scripts/backup.ts', ['--verify', '--to', 'a'], '--verify reads backups: name their place with --from.'],
  ['scripts/backup.ts', ['--from', 'a'], '--from belongs to --verify: name the place to back up to with --to.'],
  ['scripts/screens.ts', ['--only', '('], '--only must be a regular expression.'],
  ['bench/web.ts', ['--runs', 'x'], '--runs must be a whole number of at least 1.'],
  ['bench/growth.ts', ['seed', '--scale', '9'], '--scale must be a number from 0.001 to 2.'],
  ['scripts/backup.ts', ['--to', ''], '--to must not be empty.'],
  ['scripts/release.ts', ['--help'], "Unknown option '--help'."],
  ['scripts/demo.ts', ['all'], "Unexpected argument 'all'. This command does not take positional arguments."],
  ['scripts/dev.ts', ['--port', '1'], "Unknown option '--port'."],
  [
    'scripts/restore.ts',
    ['--from', 'a', '--to', 'b', '--at', '2026-11-31T12:00:00Z'],
    '--at must be a time such as 2026-11-22T14:03:05Z.',
  ],
  [
    'scripts/restore.ts',
    ['--from', 'a', '--to', 'b', '--at', 'noon'],
    '--at must be a time such as 2026-11-22T14:03:05Z.',
  ],
] as const)('%s %j: %s', async ([file, args, sentence]) => {
  expect(await answerOf(file, [...args])).toEqual({ code: 2, said: `${sentence}\n`, printed: '' })
})

test('mutate refuses a slice that does not exist, rather than to measure for minutes', async () => {
  const { code, said } = await answerOf('scripts/mutate.ts', ['ledgre'])
  expect([code, said]).toEqual([2, expect.stringMatching(/^Unknown slice: ledgre\. Choose one of: .*, ledger, /)])
})
