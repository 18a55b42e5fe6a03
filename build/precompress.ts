/** Writes `.gz` and `.br` next to each text file of the build, so that the server never compresses files itself. */
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const texts = new Set(['.js', '.css', '.html', '.svg', '.json', '.txt', '.webmanifest'])

export const precompress = (): Plugin => {
  let folder: string
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    // By then the files of public/ have been copied as well.
    async writeBundle() {
      const names = await readdir(folder, { recursive: true })
      await Promise.all(names.filter(name => texts.has(extname(name))).map(name => compressFile(join(folder, name))))
    },
  }
}

const compressFile = async (file: string) => {
  const content = await readFile(file)
  const [gz, br] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  ])
  await Promise.all([writeFile(`${file}.gz`, gz), writeFile(`${file}.br`, br)])
}
