import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Mutant } from './find.ts'
import { compiled } from './types.ts'

const sources = {
  'src/kit/size.ts': `export const size = (): number => 1\n`,
  'src/shop/price.ts': `import { size } from '../kit/size.ts'\nexport const price = (): number => size() * 2\n`,
  'src/shop/sale.ts': `import { price } from './price.ts'\nexport const isDear = (): boolean => price() > 3\n`,
  'src/shop/label.ts': `import { price } from './price.ts'\nexport const label: string = price().toFixed()\n`,
  'src/help/text.ts': `export const text: string = 'help'\n`,
}

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    allowImportingTsExtensions: true,
    types: [],
    skipLibCheck: true,
  },
}

const project = () => {
  const root = mkdtempSync(join(tmpdir(), 'mutate-types-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, source] of Object.entries(sources)) write(path, source)
  write('tsconfig.server.json', JSON.stringify(settings))
  write('package.json', '{"type":"module"}')
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  return { root, temporary: root, write }
}

/** A mutant that replaces `before` with `after`. */
const mutant = (path: keyof typeof sources, before: string, after: string): Mutant => {
  const start = sources[path].indexOf(before)
  const edits = [{ start, end: start + before.length, text: after }]
  return { id: `${path} ${after}`, path, line: 1, group: 'rules', operator: 'value', edits, before, after, text: '' }
}

test.each([
  ['a type that breaks its importer', mutant('src/kit/size.ts', '(): number => 1', `(): string => 'one'`)],
  [
    'a type that breaks only an importer of its importer',
    mutant('src/shop/price.ts', ': number => size() * 2', ' => [size()]'),
  ],
])('%s is refused, and mutants of the importers are not refused for it', async (_, breaking) => {
  const others = [
    mutant('src/shop/sale.ts', '> 3', '> 4'),
    mutant('src/shop/label.ts', 'price().toFixed()', `''`),
    mutant('src/help/text.ts', `'help'`, `''`),
    mutant('src/help/text.ts', `'help'`, '1'),
  ]
  const all = [...others, breaking]
  const found = new Map<string, boolean>()
  const options = { signal: new AbortController().signal, wants: () => true }
  for await (const [{ id }, compiles] of compiled(project(), new Map(Object.entries(sources)), all, options))
    found.set(id, compiles)
  expect(Object.fromEntries(found)).toEqual({
    [breaking.id]: false,
    'src/shop/sale.ts > 4': true,
    "src/shop/label.ts ''": true,
    "src/help/text.ts ''": true,
    'src/help/text.ts 1': false,
  })
})
