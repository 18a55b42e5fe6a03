/**
 * Measures what a first visit downloads: the gzipped JavaScript of a screen, from the build's manifest (`build.manifest: true`).
 * It counts the scripts of index.html, the screen's own lazy chunks, and their static imports, but not what loads later (charts,
 * dialogs). Many small scripts are slow, too: a browser requests few at a time from a server without HTTP/2. The document is limited,
 * too, since every first visit loads it before anything is shown.
 *
 *     node scripts/bundle-budget.ts     after `vite build`
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

type Budget = {
  screens: string
  entry?: string
  page: RegExp | null
  around: string[]
  limitKB: number
  mostScripts: number
}

/** In kB (1000 bytes) of gzipped JavaScript. `entry` is the HTML that names the scripts, `around` the lazy layouts of `page`. */
const budgets: Budget[] = [
  // 80 would be allowed, but besides its HTML the page needs only the form.
  { screens: '/', entry: 'landing.html', page: null, around: [], limitKB: 15, mostScripts: 4 },
  {
    screens: '/login',
    page: /^src\/accounts\/web\/(Login|ForgotPassword|ResetPassword|VerifyEmail|UndoEmailChange)Page\.tsx$/,
    around: [],
    limitKB: 140,
    mostScripts: 16,
  },
  {
    screens: '/dashboard',
    page: /^src\/(app\/web\/screens\/.+Screen|[^/]+\/web\/(?!Login|Register|ForgotPassword|ResetPassword|VerifyEmail|UndoEmailChange|NotFound)(.+\/)?[^/]+Page)\.tsx$/,
    around: ['src/app/web/layout/DashboardLayout.tsx'],
    limitKB: 175,
    mostScripts: 30,
  },
  {
    screens: '/dashboard, by role',
    page: /^src\/dashboards\/web\/(Admin|Developer|Tester)Dashboard\.tsx$/,
    around: ['src/app/web/layout/DashboardLayout.tsx', 'src/dashboards/web/DashboardPage.tsx'],
    limitKB: 175,
    mostScripts: 24,
  },
  {
    // Loaded beside every signed-in screen.
    screens: '/dashboard, ahead',
    page: /^src\/app\/web\/ahead\.ts$/,
    around: ['src/app/web/layout/DashboardLayout.tsx'],
    limitKB: 165,
    mostScripts: 16,
  },
]

/** index.html with its shells, style sheet and inlined scripts (docs/decisions/010-first-paint.md). */
const documentLimitKB = 35

type Chunk = { file: string; imports?: string[]; isEntry?: boolean; isDynamicEntry?: boolean }
type Manifest = Record<string, Chunk>

const dist = join(import.meta.dirname, '..', 'dist', 'web')

const readManifest = (): Manifest | null => {
  const path = join(dist, '.vite', 'manifest.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : null
}

/** The files of these chunks and of their static imports. */
const filesOf = (manifest: Manifest, keys: string[], seen = new Set<string>()): Set<string> => {
  const files = new Set<string>()
  for (const key of keys) {
    if (seen.has(key)) continue
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The manifest has no chunk ${key}: is that file still loaded lazily?`)
    files.add(chunk.file)
    for (const file of filesOf(manifest, chunk.imports ?? [], seen)) files.add(file)
  }
  return files
}

/** An inlined script may load others, as public/older.js does in some browsers. */
const withoutInlined = (html: string) => html.replaceAll(/<script>[^]*?<\/script>/g, '')

/** The scripts in the HTML, as files below dist/web. */
const scriptsOf = (entry: string): string[] =>
  [...withoutInlined(readFileSync(join(dist, entry), 'utf8')).matchAll(/<script[^>]+src="\/([^"]+)"/g)].map(
    ([, file]) => file!,
  )

const gzBytes = (file: string) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length
const kB = (bytes: number) => (bytes / 1000).toFixed(1)

/** Prints one line per screen; returns how many are too heavy or missing. */
const measure = (manifest: Manifest): number => {
  const lazy = Object.keys(manifest).filter(key => manifest[key]!.isDynamicEntry)
  let failures = 0
  for (const { screens, entry = 'index.html', page, around, limitKB, mostScripts } of budgets) {
    const pages = page ? lazy.filter(key => page.test(key)) : [entry]
    if (pages.length === 0) {
      failures += 1
      console.error(`${screens}: no lazy chunk of the build fits ${page}.`)
    }
    for (const key of pages) {
      const files = new Set([...scriptsOf(entry), ...filesOf(manifest, [entry, ...around, key])])
      const scripts = [...files].filter(file => file.endsWith('.js'))
      const bytes = scripts.reduce((sum, file) => sum + gzBytes(file), 0)
      const faults = [
        bytes > limitKB * 1000 && 'too heavy',
        scripts.length > mostScripts && `more than ${mostScripts} scripts`,
        scripts.some(carriesZod) && 'it loads zod',
      ].filter(Boolean)
      if (faults.length > 0) failures += 1
      const line = `${screens} ${key}: ${kB(bytes)} of ${limitKB} kB gz in ${scripts.length} scripts`
      if (faults.length === 0) console.log(line)
      else console.error([`${line}: ${faults.join(', ')}`, ...heaviest(scripts)].join('\n'))
    }
  }
  return failures
}

/** Prints one line for the document; returns 1 if it is too heavy. */
const measureDocument = (): number => {
  const bytes = gzBytes('index.html')
  const line = `index.html: ${kB(bytes)} of ${documentLimitKB} kB gz`
  if (bytes <= documentLimitKB * 1000) {
    console.log(line)
    return 0
  }
  console.error(`${line}: too heavy`)
  return 1
}

/** A first screen needs no schema: terms.ts has the enum values and limits, and forms import their schema when they are used. */
const carriesZod = (file: string) => readFileSync(join(dist, file), 'utf8').includes('._zod.')

const heaviest = (scripts: string[]): string[] =>
  scripts
    .map(file => ({ file, bytes: gzBytes(file) }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 8)
    .map(({ file, bytes }) => `    ${kB(bytes)} kB ${file}`)

const manifest = readManifest()
if (!manifest) console.error(`There is no manifest in ${dist}. Run vite build with build.manifest: true.`)
process.exitCode = manifest && measure(manifest) + measureDocument() === 0 ? 0 : 1
