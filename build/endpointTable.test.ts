import { expect, test } from 'vitest'
import { endpointTable } from './endpointTable.ts'
import { buildPages, pageWith } from './testing.ts'

const page = (table: string, main = `import { table } from './src/table.ts'\ndocument.title = table.fund.path`) => ({
  'index.html': pageWith('<script type="module" src="/main.ts"></script>'),
  'main.ts': main,
  'src/contract.ts': `export const contract = { path: '/fund', secret: 'the words of a schema' }`,
  'src/table.ts': table,
})
const table = `import { contract } from './contract.ts'\nexport const table = { fund: { path: contract.path } }`

const scriptOf = async (files: Record<string, string>) => {
  const { names, read } = await buildPages(files, [endpointTable('src/table.ts')])
  return read(names.find(name => name.endsWith('.js'))!)
}

test('the page contains the values of the table, and nothing of what they were computed from', async () => {
  const script = await scriptOf(page(table))
  expect(script).toContain('/fund')
  expect(script).not.toContain('the words of a schema')
})

test.each(['() => 1', '{ price: undefined }', 'new Map()', '{ at: new Date() }'])(
  'a table with %s, which JSON cannot hold, fails the build',
  async value => {
    await expect(scriptOf(page(`export const table = ${value}`))).rejects.toThrow('table is not a plain value')
  },
)

test('a table that the page does not import, for instance because it was moved, fails the build', async () => {
  await expect(scriptOf(page(table, 'document.title = "no table"'))).rejects.toThrow(
    'The page does not import src/table.ts',
  )
})
