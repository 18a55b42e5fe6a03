/** Builds small pages with the real Vite, for the tests of the plugins. */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Plugin, build } from 'vite'
import { onTestFinished } from 'vitest'

type Built = { names: string[]; read: (name: string) => Promise<string>; folder: string }

/** Writes `files` (text by path) into a separate folder and builds its HTML pages. */
export const buildPages = async (files: Record<string, string>, plugins: Plugin[]): Promise<Built> => {
  const root = await mkdtemp(join(tmpdir(), 'fieldtest-build-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: {
      modulePreload: { polyfill: false },
      rolldownOptions: { input: Object.keys(files).filter(path => path.endsWith('.html')) },
    },
  })
  const folder = join(root, 'dist')
  const names = await readdir(folder, { recursive: true })
  return { names, read: name => readFile(join(folder, name), 'utf8'), folder }
}

/** An HTML page that contains these tags. */
export const pageWith = (tags: string): string => `<!doctype html>
<html>
  <head><title>A page</title></head>
  <body>
    ${tags}
  </body>
</html>
`
