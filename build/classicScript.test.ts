import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { classicScript } from './classicScript.ts'
import { buildPages, pageWith } from './testing.ts'

test('a module becomes one classic script under its name, with what it imports', async () => {
  const { read } = await buildPages(
    {
      'index.html': pageWith('<script type="module" src="/main.js"></script>'),
      'main.js': 'document.title = "A page"',
      'added.js': 'import { added } from "./value.js"; globalThis.added = added',
      'value.js': 'export const added = "added"',
    },
    [classicScript({ module: 'added.js', fileName: 'added.js', target: 'es2022' })],
  )
  const page = { added: '' }
  runInNewContext(await read('added.js'), page)
  expect(page.added).toBe('added')
})
