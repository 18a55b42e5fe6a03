/**
 * `npm run screens`: takes screenshots of every screen, for every role, in every state (loaded, empty, loading, error), on a
 * phone and a desktop, light and dark, into dist/screens, with contact sheets for an overview. Uses a demo marketplace and an
 * empty one, both in a temporary folder. Takes several minutes.
 *
 *     npm run screens -- --only admin-users        those whose name matches: role-screen-state
 *     npm run screens -- --folder /tmp/pictures
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import pg from 'pg'
import { startPostgres } from '../src/kit/postgres/embedded.ts'
import { chromiumPath } from './browser.ts'
import { findBreach } from './screens/held.ts'
import { newcomer, signIn } from './screens/people.ts'
import { contextFor, demoPlatform, password, peopleOfDemo, type Platform } from './screens/platform.ts'
import { screensOf, type Viewer } from './screens/routes.ts'
import { startServer } from './screens/server.ts'
import { contactSheets } from './screens/sheets.ts'
import { type State, states, type Visit, visit } from './screens/visits.ts'
import { optionsOf, patternOf } from './options.ts'

const { values: options } = optionsOf({
  options: { only: { type: 'string', default: '' }, folder: { type: 'string', default: 'dist/screens' } },
})

const widths = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } }
const schemes = ['light', 'dark'] as const
const viewers = ['VISITOR', 'DEVELOPER', 'TESTER', 'ADMIN'] satisfies Viewer[]

const say = (line: string) => process.stdout.write(`${line}\n`)

const wanted = patternOf(options.only, 'only')

const isWanted = ({ viewer, name, state }: Visit) => wanted.test(`${viewer.toLowerCase()}-${name}-${state}`)

/** Public screens load nothing from the server; an empty platform has no detail screens. */
const visitsOf = (viewer: Viewer, state: State, { ids }: Platform): Visit[] => {
  if (viewer === 'VISITOR' && state !== 'loaded') return []
  const nothing = {
    campaign: '',
    review: '',
    closed: '',
    draft: '',
    test: '',
    wayIn: '',
    payment: '',
    refund: '',
    withdrawal: '',
    month: '',
    user: '',
    bug: '',
    myBug: '',
    open: '',
    appeal: '',
    dispute: '',
  }
  const needsOne = Object.entries(screensOf(viewer, nothing)).filter(([, path]) => /\/(\?|\/|$)/.test(path.slice(1)))
  const left = ids ? [] : needsOne.map(([name]) => name)
  return Object.entries(screensOf(viewer, ids ?? nothing))
    .filter(([name]) => !left.includes(name))
    .map(([name, path]) => ({ state, viewer, name, path }))
    .filter(isWanted)
}

/** The window is as high as the page, so that what is fixed to the window's edges is at the picture's edges. */
const tallest = 4000

/** Loads once for four screenshots, because only size and colors change. */
const photograph = async (page: Page, { state, viewer, name }: Visit) => {
  for (const [width, viewport] of Object.entries(widths)) {
    await page.setViewportSize(viewport)
    await page.waitForFunction(`innerHeight === ${viewport.height}`)
    await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    await page.setViewportSize({ ...viewport, height: Math.min(height, tallest) })
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      await page.waitForFunction(`document.documentElement.dataset.theme === '${colorScheme}'`)
      const file = `${viewer.toLowerCase()}-${name}-${state}-${width}-${colorScheme}.png`
      await page.screenshot({ path: join(options.folder, file), fullPage: true, animations: 'disabled' })
    }
  }
}

const photographAll = async (browser: Browser, platform: Platform, visitsFor: (viewer: Viewer) => Visit[]) => {
  for (const viewer of viewers) {
    const visits = visitsFor(viewer)
    if (visits.length === 0) continue
    const context = await contextFor(browser, platform.address, viewer === 'VISITOR' ? null : platform.people[viewer])
    for (const each of visits) {
      const page = await context.newPage()
      await visit(page, each).catch((cause: unknown) => {
        throw new Error(`${each.viewer} ${each.name} ${each.state} does not settle`, { cause })
      })
      await photograph(page, each)
      await page.close()
    }
    await context.close()
    say(
      `${viewer.toLowerCase()}: ${visits.length} screens ${[...new Set(visits.map(({ state }) => state))].join(', ')}`,
    )
  }
}

/** The screens that show that withdrawals are stopped. */
const stopped: { viewer: Viewer; name: string; path: string }[] = [
  { viewer: 'ADMIN', name: 'operations-stopped', path: '/dashboard/operations' },
  { viewer: 'TESTER', name: 'balance-stopped', path: '/dashboard/balance' },
]

const emptyPlatform = async (dataDir: string, url: string) => {
  const server = await startServer(dataDir, url, { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: password })
  const people = {
    DEVELOPER: await newcomer(server.address, 'Maya Lindqvist', 'DEVELOPER'),
    TESTER: await newcomer(server.address, 'Sofia Almeida', 'TESTER'),
    ADMIN: await signIn(server.address, 'admin@example.com', password),
  }
  return { ...server, people, ids: null }
}

/** Creates a second database in the same PostgreSQL. */
const anotherDatabase = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create database empty_platform')
  await client.end()
  const other = new URL(url)
  other.pathname = '/empty_platform'
  return other.href
}

const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-screens-'))
const postgres = await startPostgres({ dataDir, durable: false })
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  await mkdir(options.folder, { recursive: true })
  say('Filling the demo …')
  const demo = await demoPlatform(join(dataDir, 'demo'), postgres.connectionString)
  const full = states.filter(state => state !== 'empty')
  await photographAll(browser, demo, viewer => full.flatMap(state => visitsOf(viewer, state, demo)))
  await findBreach(postgres.connectionString)
  const again = { ...demo, people: await peopleOfDemo(demo.address) }
  await photographAll(browser, again, viewer =>
    stopped
      .map(each => ({ ...each, state: 'loaded' as const }))
      .filter(each => each.viewer === viewer && isWanted(each)),
  )
  await demo.stop()
  const empty = await emptyPlatform(join(dataDir, 'empty'), await anotherDatabase(postgres.connectionString))
  await photographAll(browser, empty, viewer => visitsOf(viewer, 'empty', empty))
  await empty.stop()
  say(`${await contactSheets(browser, options.folder)} contact sheets in ${join(options.folder, 'sheets')}`)
} finally {
  await browser.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
