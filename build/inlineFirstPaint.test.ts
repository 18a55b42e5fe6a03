import type { Plugin } from 'vite'
import { expect, test } from 'vitest'
import { inlineFirstPaint } from './inlineFirstPaint.ts'
import { buildPages, pageWith } from './testing.ts'

const files = {
  'index.html': pageWith(`
    <link rel="stylesheet" href="/main.css">
    <script src="/theme.js"></script>
    <script type="module" src="/main.js"></script>`),
  'main.js': 'document.title = "the app"',
  'main.css': 'p { content: "$&"; color: rebeccapurple }',
  'public/theme.js': '// Before the first paint.\ndocument.dir = "a  b" + `$&`\n',
}
const inline = inlineFirstPaint({ page: 'index.html', scripts: ['theme.js'] })

test('the page contains the style sheet and the small scripts, character for character', async () => {
  const { read } = await buildPages(files, [inline])
  const html = await read('index.html')
  expect(html).toMatch(/<style>p\{content:"\$&".*<\/style>/s)
  const [, script] = /<script>(.+?)<\/script>/s.exec(html) ?? []
  expect(script).toContain('a  b$&')
  expect(script).not.toContain('Before the first paint')
  expect(html).not.toContain('src="/theme.js"')
})

test('the link to the style sheet stays for lazy chunks to find, but disabled, so that it is never fetched', async () => {
  const { names, read } = await buildPages(files, [inline])
  const sheet = names.find(name => name.endsWith('.css'))!
  expect(await read('index.html')).toMatch(new RegExp(`<link rel="stylesheet"[^>]* href="/${sheet}" disabled>`))
})

const linking: Plugin = {
  name: 'another-vite',
  transformIndexHtml: { order: 'post', handler: html => html.replace('rel="stylesheet"', 'rel=stylesheet') },
}
test('a style sheet that Vite links differently fails the build', async () => {
  await expect(buildPages(files, [linking, inline])).rejects.toThrow('0 tags such as <link rel="stylesheet"')
})

test('a page without style sheet, or without one of the scripts, fails the build', async () => {
  const { 'main.css': _, ...without } = files
  const html = files['index.html'].replace('<link rel="stylesheet" href="/main.css">', '')
  await expect(buildPages({ ...without, 'index.html': html }, [inline])).rejects.toThrow('0 tags')
  const deferred = files['index.html'].replace('"/theme.js"', '"/theme.js" defer')
  await expect(buildPages({ ...files, 'index.html': deferred }, [inline])).rejects.toThrow(
    'the page has <script src="/theme.js"></script> 0 times',
  )
})

test('a style sheet that would end its own tag fails the build', async () => {
  const closing = { ...files, 'main.css': 'p { content: "</STYLE >" }' }
  await expect(buildPages(closing, [inline])).rejects.toThrow('would end there')
})
