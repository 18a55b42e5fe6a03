/**
 * `npm run bench:web` measures what a visitor waits for, on the demo, in Chromium as a phone with a processor four times slower:
 * from pressing a link to the painted screen, the longest task after loading, and the heap over many navigations. Then it opens each
 * screen with nothing cached on a slow connection (with the processor as it is), and runs Lighthouse (mobile) for each. npx fetches
 * Lighthouse on first use. Needs a built page and a quiet machine. Lighthouse's multiplier of 4 is meant for fast machines:
 * `--slowdown` sets another, for example this machine's benchmark index, which is printed at the end, divided by a phone's.
 *
 *     node bench/web.ts [--runs 3] [--navigations 200] [--only developer-campaigns] [--skip clicks|heap|visits|lighthouse] [--slowdown 4]
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/browser.ts'
import { demoPlatform } from '../scripts/screens/platform.ts'
import { startPostgres } from '../src/kit/postgres/embedded.ts'
import { measureClicks } from './web/clicks.ts'
import { measureHeap } from './web/heap.ts'
import { measureScores } from './web/scores.ts'
import { measureVisits } from './web/visits.ts'
import { optionsOf, patternOf, positiveCountOf } from '../scripts/options.ts'

const { values: options } = optionsOf({
  options: {
    runs: { type: 'string', default: '3' },
    navigations: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    skip: { type: 'string', multiple: true, default: [] },
    slowdown: { type: 'string', default: '4' },
  },
})

const runs = positiveCountOf(options.runs, 'runs')
const navigations = positiveCountOf(options.navigations, 'navigations')
const only = patternOf(options.only, 'only')
const slowdown = positiveCountOf(options.slowdown, 'slowdown')

if (!existsSync(join(import.meta.dirname, '..', 'dist/web/index.html')))
  throw new Error('The page is not built: npm run build')

const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-web-'))
const postgres = await startPostgres({ dataDir, durable: false })
const platform = await demoPlatform(join(dataDir, 'demo'), postgres.connectionString)
const executablePath = await chromiumPath()
try {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  if (!options.skip.includes('clicks')) await measureClicks(browser, platform, runs)
  if (!options.skip.includes('heap')) await measureHeap(browser, platform, navigations)
  if (!options.skip.includes('visits')) await measureVisits(browser, platform, only)
  await browser.close()
  if (!options.skip.includes('lighthouse')) {
    await measureScores(platform, { executablePath, runs, only, slowdown })
  }
} finally {
  await platform.stop()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
}
