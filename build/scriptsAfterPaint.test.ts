import type { Plugin } from 'vite'
import { expect, test } from 'vitest'
import { scriptsAfterPaint } from './scriptsAfterPaint.ts'
import { buildPages, pageWith } from './testing.ts'

const entry = '<script type="module" src="/main.js"></script>'
const offline = '<script src="/offline.js" defer></script>'
const shared = `export const say = words => { document.title = words }`
const files = {
  'landing.html': pageWith(entry + offline),
  'index.html': pageWith('<script type="module" src="/app.js"></script>'),
  'main.js': `import { say } from './shared.js'\nsay('landing')`,
  'app.js': `import { say } from './shared.js'\nsay('app')`,
  'shared.js': shared,
  'public/offline.js': 'navigator.onLine',
}
const afterPaint = scriptsAfterPaint({ page: 'landing.html', deferred: ['offline.js'] })

test('the page has no script that is fetched before its first paint', async () => {
  const { names, read } = await buildPages(files, [afterPaint])
  const html = await read('landing.html')
  expect(html).not.toMatch(/<script[^>]+src=|modulepreload/)
  const main = names.find(name => /assets\/landing-.*\.js$/.test(name))
  expect(html).toContain(`setTimeout(()=>{import("/${main}");import("/offline.js")})`)
})

test('other pages load their scripts at once, and preload what these import', async () => {
  const html = await (await buildPages(files, [afterPaint])).read('index.html')
  expect(html).toMatch(/<script type="module"[^>]* src="\/assets\/index-/)
  expect(html).toContain('modulepreload')
})

const writing: Plugin = {
  name: 'another-vite',
  transformIndexHtml: { order: 'post', handler: html => html.replace('type="module"', 'type=module') },
}
test('an entry that Vite writes differently fails the build', async () => {
  await expect(buildPages(files, [writing, afterPaint])).rejects.toThrow('0 tags such as <script type="module"')
})

test('a deferred script that the page does not have fails the build', async () => {
  const without = { ...files, 'landing.html': pageWith(entry) }
  await expect(buildPages(without, [afterPaint])).rejects.toThrow('the page has <script src="/offline.js" defer>')
})
