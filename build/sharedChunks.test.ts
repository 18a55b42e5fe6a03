import { expect, test } from 'vitest'
import { sharedChunks } from './sharedChunks.ts'
import { buildPages, pageWith } from './testing.ts'

const files = {
  'index.html': pageWith('<script type="module" src="/main.js"></script>'),
  'main.js': `for (const button of document.forms) button.onclick = () => [import('./one.js'), import('./two.js')]`,
  'one.js': `import { card } from './ui/Card.js'\nimport { table } from './ui/Table.js'\ndocument.title = card + table + 1`,
  'two.js': `import { card } from './ui/Card.js'\nimport { table } from './ui/Table.js'\ndocument.title = card + table + 2`,
  'ui/Card.js': `export const card = 'a card'.repeat(Math.random())`,
  'ui/Table.js': `export const table = 'a table'.repeat(Math.random())`,
}
const group = { name: 'everywhere', minShareCount: 2, priority: 1 }

test('shared modules are bundled into the file of their group', async () => {
  const { names, read } = await buildPages(files, [
    sharedChunks([
      { ...group, members: ['ui/Card.js'] },
      { ...group, name: 'tables', members: [/\/Table\.js$/] },
    ]),
  ])
  const everywhere = names.filter(name => name.startsWith('assets/everywhere'))
  expect(everywhere).toHaveLength(1)
  expect(await read(everywhere[0]!)).toContain('a card')
  expect(await read(everywhere[0]!)).not.toContain('a table')
  expect(await read(names.find(name => name.startsWith('assets/tables'))!)).toContain('a table')
})

test('a folder includes everything in it', async () => {
  const { names, read } = await buildPages(files, [sharedChunks([{ ...group, members: ['ui/'] }])])
  const text = await read(names.find(name => name.startsWith('assets/everywhere'))!)
  expect(text).toContain('a card')
  expect(text).toContain('a table')
})

test.each(['ui/Badge.js', 'ui/badges/', /\/Badge\.js$/, 'i/Card.js'])(
  'a member that matches no module of the page, such as %s, fails the build',
  async member => {
    const plugin = sharedChunks([{ ...group, members: ['ui/Card.js', member] }])
    await expect(buildPages(files, [plugin])).rejects.toThrow(`The page has no module ${String(member)}`)
  },
)

test('files that import each other fail the build: the page would not start', async () => {
  const tied = {
    ...files,
    'ui/Card.js': `import { calls } from '../calls.js'\nexport const card = 'a card'.repeat(calls)`,
    'calls.js': `import { table } from './ui/Table.js'\nexport const calls = table.length`,
  }
  const build = buildPages(tied, [sharedChunks([{ ...group, members: ['ui/'] }])])
  await expect(build).rejects.toThrow(/Files of the page import each other: .*everywhere/)
})
