import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type Plugin, defineConfig, normalizePath, runnerImport } from 'vite'

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
 * Runs src/app/web/endpointTable.ts here and gives the page its values: the contracts that it imports, and zod under
 * them, stay out of the page.
 */
const endpointTable = (): Plugin => {
  const file = normalizePath(join(import.meta.dirname, 'src/app/web/endpointTable.ts'))
  return {
    name: 'endpoint-table',
    async load(id) {
      if (id.split('?')[0] !== file) return null
      const { module, dependencies } = await runnerImport<object>(file, { configFile: false, logLevel: 'error' })
      for (const contract of dependencies) this.addWatchFile(contract)
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}

/** Makes landing.html a page of its own: its text is rendered here, once. `npm run dev` answers / with it as the server does. */
const prerenderLanding = (): Plugin => ({
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
})

/** Puts the first picture of each screen into index.html: src/app/web/shells.tsx tells why. */
const prerenderShells = (): Plugin => ({
  name: 'shells',
  transformIndexHtml: {
    order: 'pre',
    async handler(html, { filename }) {
      if (!filename.endsWith('index.html')) return html
      const { module } = await runnerImport<{ renderShells: () => string }>(
        join(import.meta.dirname, 'src/app/web/shells.tsx'),
        { configFile: false, logLevel: 'error' },
      )
      return html.replace('<!--shells-->', () => module.renderShells())
    },
  },
})

const inlineScript = async (html: string, name: string) => {
  const tag = `<script src="/${name}"></script>`
  if (!html.includes(tag)) return html
  const source = await readFile(join(import.meta.dirname, 'public', name), 'utf8')
  return html.replace(tag, () => `<script>${source.replaceAll(/^ *\/\/.*\n| {2,}/gm, '')}</script>`)
}

/**
 * Writes the style sheet and the small scripts of the first paint into the pages, so that the first paint waits for one
 * request and for nothing else: the scripts' hashes stand in each page's policy (src/app/server/htmlDocument.ts). The
 * landing page's own script comes after that paint.
 */
const paintAtOnce = (): Plugin => ({
  name: 'paint-at-once',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(page, { filename, bundle = {} }) {
      const sheet = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/.exec(page)
      const style = bundle[sheet?.[1] ?? '']
      if (!sheet || style?.type !== 'asset') throw new Error('vite writes its pages in another way: see vite.config.ts')
      const isLanding = filename.endsWith('landing.html')
      // Lazy parts ask for their entry's sheet unless a link to it stands here; a disabled one is never fetched.
      const link = isLanding ? '' : sheet[0].replace('>', ' disabled>')
      const styled = page.replace(sheet[0], () => `<style>${String(style.source)}</style>${link}`)
      const html = await inlineScript(await inlineScript(styled, 'theme.js'), 'shell.js')
      return isLanding ? scriptsAfterPaint(html) : html
    },
  },
})

const scriptsAfterPaint = (html: string) => {
  const entry = /<script type="module"[^>]* src="([^"]+)"><\/script>/.exec(html)
  if (!entry) throw new Error('vite writes landing.html in another way: see vite.config.ts')
  const then = `addEventListener('load',()=>requestAnimationFrame(()=>setTimeout(()=>{import('${entry[1]}');import('/offline-ready.js')})))`
  return html
    .replace(entry[0], () => `<script>${then}</script>`)
    .replace(/<script src="\/offline-ready.js" defer[^>]*><\/script>/, '')
    .replaceAll(/ *<link rel="modulepreload"[^>]*>\n/g, '')
}

/**
 * Modules that stand in one file together: one file for each that is shared would cost a screen thirty requests and
 * 8 kB. The landing page loads none of these. Should a public screen load `signed-in`, the bundle budget would tell.
 */
const groups = {
  everywhere: [
    String.raw`/node_modules/(react|react-dom|react-router|scheduler|clsx)/`,
    String.raw`/src/app/(money|paths|web/(api|arrival|auth|deviceFingerprint|endpointTable|guards|newVersion|paths|press|task))\.tsx?$`,
    String.raw`/src/app/web/ui/(Alert|Brand|Button|DocumentTitle|Input|inputLook|pressLock|Spinner|toast)\.tsx?$`,
    String.raw`/lucide-react/dist/esm/(?!icons/)`,
    String.raw`/lucide-react/dist/esm/icons/(loader|info|circle-check|circle-exclamation|triangle)`,
  ],
  'signed-in': [
    String.raw`/node_modules/@tanstack/`,
    String.raw`/src/app/web/(now|query|urlFilters)\.ts$`,
    String.raw`/src/app/web/ui/(Badge|Card|Dialog|DropdownMenu|lazyParts|PageHeader|Query|States|Table|Values)\.tsx?$`,
    String.raw`/web/face\.tsx$`,
    String.raw`/lucide-react/dist/esm/icons/(?!eye)`,
  ],
}

const groupOf = (name: keyof typeof groups, minShareCount: number, priority: number) => {
  const members = new RegExp(groups[name].join('|'))
  return { name, test: (id: string) => members.test(normalizePath(id)), minShareCount, priority }
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    endpointTable(),
    zodWithoutJsonSchema(),
    prerenderShells(),
    prerenderLanding(),
    paintAtOnce(),
    precompress(),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    rolldownOptions: {
      input: ['index.html', 'landing.html'],
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [groupOf('everywhere', 2, 2), groupOf('signed-in', 6, 1)],
        },
      },
    },
    // scripts/bundle-budget.ts reads what each route loads.
    manifest: true,
    target: 'es2023',
    // The page's policy allows scripts from its own files only: nothing inline, no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
