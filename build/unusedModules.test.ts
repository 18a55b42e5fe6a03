import { expect, test } from 'vitest'
import { buildPages, pageWith } from './testing.ts'
import { unusedModules } from './unusedModules.ts'

const files = {
  'index.html': pageWith('<script type="module" src="/main.js"></script>'),
  'main.js': `document.body.onclick = () => [import('./slice/list.js'), import('./slice/upload.js')]`,
  'slice/face.js': `export { show } from './show.js'\nexport { upload } from './parts.js'`,
  'slice/show.js': `export const show = (document.title, name => 'shown ' + name)`,
  'slice/parts.js': `export const upload = (document.title, name => 'uploaded ' + name)`,
  'slice/list.js': `import { show } from './face.js'\nexport const list = () => show('a list')`,
  'slice/upload.js': `import { show, upload } from './face.js'\nexport const form = () => show(upload('a form'))`,
}
const plugins = [unusedModules(/\/slice\//)]

/** The text of the file that contains `text`, and of everything that it imports statically. */
const loadedWith = async (text: string, use: typeof plugins) => {
  const { names, read } = await buildPages(files, use)
  const scripts = new Map<string, string>()
  for (const name of names) if (name.endsWith('.js')) scripts.set(name.split('/').at(-1)!, await read(name))
  const follow = (script: string): string => {
    const imported = [...script.matchAll(/from\s*["']\.\/([^"']+)/g)].map(([, name]) => follow(scripts.get(name!)!))
    return [script, ...imported].join('\n')
  }
  return follow([...scripts.values()].find(script => script.includes(text))!)
}

test('a screen loads only what it uses of a face', async () => {
  expect(await loadedWith('a list', [])).toContain('uploaded')
  const loaded = await loadedWith('a list', plugins)
  expect(loaded).toContain('shown')
  expect(loaded).not.toContain('uploaded')
})

test('a screen that uses more of the face loads more', async () => {
  const loaded = await loadedWith('a form', plugins)
  expect(loaded).toContain('shown')
  expect(loaded).toContain('uploaded')
})

test('importing a module of such a folder only to run it fails the build', async () => {
  const build = buildPages({ ...files, 'slice/list.js': `import './show.js'\nexport const list = 'a list'` }, plugins)
  await expect(build).rejects.toThrow('imports ./show.js for its side effects')
})

test('a module elsewhere may be imported only to run it', async () => {
  const { names, read } = await buildPages(
    { ...files, 'main.js': `import './start.js'\n${files['main.js']}`, 'start.js': `document.title = 'started'` },
    plugins,
  )
  const scripts = await Promise.all(names.filter(name => name.endsWith('.js')).map(read))
  expect(scripts.join('\n')).toContain('started')
})
