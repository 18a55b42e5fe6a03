import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type Plugin, defineConfig, runnerImport } from 'vite'

const outDir = 'dist/web'
const texts = new Set(['.js', '.css', '.html', '.svg', '.json', '.txt', '.webmanifest'])

/** Writes `.gz` and `.br` beside each text asset, once per build: the server hands them out and never compresses. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  async writeBundle({ dir = outDir }) {
    const names = await readdir(dir, { recursive: true })
    await Promise.all(names.filter(name => texts.has(extname(name))).map(name => compressFile(join(dir, name))))
  },
})

const compressFile = async (file: string) => {
  const content = await readFile(file)
  const [gz, br] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  ])
  await Promise.all([writeFile(`${file}.gz`, gz), writeFile(`${file}.br`, br)])
}

/**
 * Takes zod's JSON schema writer out of the page: every zod type carries it along, only the server's API document uses
 * it, and it weighs a third of zod. Refuses to build when zod no longer looks as expected.
 */
const zodWithoutJsonSchema = (): Plugin => ({
  name: 'zod-without-json-schema',
  apply: 'build',
  transform(code, id) {
    if (!/[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(id)) return null
    const lean = code
      .replaceAll(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
      .replaceAll(/createStandardJSONSchemaMethod\(this, "(?:input|output)"\)/g, 'undefined')
      .replaceAll('createToJSONSchemaMethod(this, {})(params)', 'undefined')
    if (/processors\.\w+Processor|createStandardJSONSchemaMethod\(|createToJSONSchemaMethod\(/.test(lean)) {
      this.error('zod has changed: see zodWithoutJsonSchema in vite.config.ts')
    }
    return { code: lean, map: null }
  },
})

/**
 * Makes landing.html a page of its own: its text is rendered here, once, its style sheet and the theme's script stand
 * inside, and its own script waits for its turn, so that the page reads after one request. `npm run dev` answers / with
 * it as the server does.
 */
const prerenderLanding = (): Plugin[] => [
  {
    name: 'landing-text',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url?.split('?')[0] === '/') request.url = '/landing.html'
        next()
      })
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { filename }) {
        if (!filename.endsWith('landing.html')) return html
        const { module } = await runnerImport<{ renderFrontPage: () => string }>(
          join(import.meta.dirname, 'src/landing/web/front/prerender.tsx'),
          { configFile: false, logLevel: 'error' },
        )
        return html.replace('<!--page-->', () => module.renderFrontPage())
      },
    },
  },
  {
    name: 'landing-in-one',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { filename, bundle = {} }) {
        if (!filename.endsWith('landing.html')) return html
        // The server names the hash of this script in the page's policy (src/app/server/frontPage.ts).
        const theme = (await readFile(join(import.meta.dirname, 'public/theme.js'), 'utf8')).replaceAll(/^ *\/\/.*\n| {2,}/gm, '')
        const withStyle = html.replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/, (_, file: string) => {
          const sheet = bundle[file]
          if (sheet?.type !== 'asset') throw new Error(`The landing page's style sheet ${file} is not in the build.`)
          delete bundle[file]
          return `<style>${String(sheet.source)}</style>`
        })
        return withStyle
          .replace('<script src="/theme.js"></script>', () => `<script>${theme}</script>`)
          .replaceAll(/ *<link rel="modulepreload"[^>]*>\n/g, '')
      },
    },
  },
]

export default defineConfig({
  plugins: [react(), tailwindcss(), zodWithoutJsonSchema(), prerenderLanding(), precompress()],
  build: {
    outDir,
    emptyOutDir: true,
    rolldownOptions: { input: ['index.html', 'landing.html'] },
    // scripts/bundle-budget.ts reads what each route loads.
    manifest: true,
    target: 'es2023',
    // The page's policy allows scripts from its own files only: nothing inline, no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
