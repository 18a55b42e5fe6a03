import { expect, test } from 'vitest'
import { prerender } from './prerender.ts'
import { buildPages, pageWith } from './testing.ts'

const greeting = prerender({ page: 'index.html', mark: '<!--greeting-->', module: 'greeting.ts', render: 'renderIt' })

test('the page contains the markup that the module renders, character for character', async () => {
  const { read } = await buildPages(
    {
      'index.html': pageWith('<!--greeting-->'),
      'name.ts': `export const name: string = 'Ann'`,
      'greeting.ts': `import { name } from './name.ts'\nexport const renderIt = () => '<h1>' + name + " paid $& and $1</h1>"`,
    },
    [greeting],
  )
  expect(await read('index.html')).toContain('<h1>Ann paid $& and $1</h1>')
})

test('a page without the mark fails the build', async () => {
  const files = { 'index.html': pageWith(''), 'greeting.ts': `export const renderIt = () => 'Hello'` }
  await expect(buildPages(files, [greeting])).rejects.toThrow('the page has <!--greeting--> 0 times')
})

test('a module without the function fails the build', async () => {
  const files = { 'index.html': pageWith('<!--greeting-->'), 'greeting.ts': `export const render = () => 'Hello'` }
  await expect(buildPages(files, [greeting])).rejects.toThrow('greeting.ts has no function renderIt')
})
