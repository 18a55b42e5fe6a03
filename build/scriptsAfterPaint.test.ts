import { runInNewContext } from 'node:vm'
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

/** Runs the inline script like a document would, with frames and timers that the test triggers. */
const pageOf = (html: string) => {
  const script = /<script>(.*)<\/script><\/body>/.exec(html)![1]!.replaceAll('import(', 'load(')
  const page = {
    asked: [] as string[],
    run: [] as string[],
    frames: [] as (() => void)[],
    timers: [] as (() => void)[],
  }
  const document = {
    createElement: () => ({}),
    head: { append: ({ href }: { href: string }) => page.asked.push(href) },
  }
  runInNewContext(script, {
    document,
    load: (file: string) => page.run.push(file),
    requestAnimationFrame: (frame: () => void) => page.frames.push(frame),
    setTimeout: (timer: () => void) => page.timers.push(timer),
  })
  return page
}

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

test('where they are fetched early, all of them are asked for with the first frame and run after it, once', async () => {
  const early = scriptsAfterPaint({ page: 'index.html', fetched: 'early' })
  const { names, read } = await buildPages(files, [early, afterPaint])
  const html = await read('index.html')
  expect(html).not.toMatch(/<script[^>]+src=|<link rel="modulepreload"/)
  const scripts = names.filter(name => /assets\/(index|shared)-.*\.js$/.test(name))
  expect(scripts).toHaveLength(2)
  const page = pageOf(html)
  expect(page.asked).toEqual([])
  page.frames.forEach(frame => frame())
  expect(page.asked.toSorted()).toEqual(scripts.map(name => `/${name}`).toSorted())
  expect(page.run).toEqual([])
  page.timers.forEach(timer => timer())
  expect(page.run).toEqual([scripts.map(name => `/${name}`).find(name => name.includes('index'))])
})

test('a tab without frames runs them all the same', async () => {
  const early = scriptsAfterPaint({ page: 'index.html', fetched: 'early' })
  const page = pageOf(await (await buildPages(files, [early, afterPaint])).read('index.html'))
  page.timers.forEach(timer => timer())
  expect(page.run).toHaveLength(1)
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
