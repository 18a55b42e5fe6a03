import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { precompress } from './precompress.ts'
import { buildPages, pageWith } from './testing.ts'

test('every text file of the build has a .gz and a .br next to it, those of public/ too; pictures have none', async () => {
  const { names, folder } = await buildPages(
    {
      'index.html': pageWith('<script type="module" src="/main.js"></script>'),
      'main.js': 'document.title = "Grüße"',
      'public/offline.html': '<p>Offline</p>',
      'public/icon.svg': '<svg/>',
      'public/photo.png': 'a picture',
    },
    [precompress()],
  )
  const script = names.find(name => name.endsWith('.js'))!
  for (const name of ['index.html', 'offline.html', 'icon.svg', script]) {
    const plain = await readFile(join(folder, name))
    expect(gunzipSync(await readFile(join(folder, `${name}.gz`)))).toEqual(plain)
    expect(brotliDecompressSync(await readFile(join(folder, `${name}.br`)))).toEqual(plain)
  }
  expect(names.filter(name => name.startsWith('photo'))).toEqual(['photo.png'])
})
