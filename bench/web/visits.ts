/**
 * What a first visit waits for: the largest paint and the layout shift of each screen as the browser reports them, and until when
 * something visible is still loading, with nothing cached, on a phone's width and a slow connection. Lighthouse computes such times
 * from a fast visit; here they pass.
 */
import type { Browser, Page } from '@playwright/test'
import { contextFor, type Platform } from '../../scripts/screens/platform.ts'
import { screensOf, type Viewer } from '../../scripts/screens/routes.ts'
import { median } from '../place.ts'
import { settled } from './phone.ts'

/** The slow 4G of Lighthouse's mobile preset. */
const connection = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }

const targetMs = 1500

/** Runs in the page before anything else. */
const watchPaints = `window.paints = { largest: 0, of: '', shift: 0, complete: 0 }
new PerformanceObserver(list => {
  for (const { startTime, element } of list.getEntries()) {
    paints.largest = startTime
    paints.of = (element?.textContent ?? '').trim().replace(/[\\s|]+/g, ' ').slice(0, 60)
  }
}).observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver(list => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) paints.shift += value
}).observe({ type: 'layout-shift', buffered: true })
const look = () => {
  // The document's own shell is replaced by the screen.
  if (document.querySelector('[data-content], #root:empty') || !(${settled})) paints.complete = performance.now()
  requestAnimationFrame(look)
}
look()`

type Paints = { largest: number; of: string; shift: number; complete: number }

const visit = async (page: Page, path: string): Promise<Paints> => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  // An open stream is a request that never ends.
  await cdp.send('Network.setBlockedURLs', { urls: ['*/api/v1/users/me/events*'] })
  await cdp.send('Network.emulateNetworkConditions', connection)
  await page.addInitScript(watchPaints)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(`!document.querySelector('main h1') || ${settled}`)
  return (await page.evaluate('paints')) as Paints
}

export const measureVisits = async (browser: Browser, platform: Platform, only: RegExp): Promise<void> => {
  console.log(
    '\n| first visit, nothing cached | largest paint, s | its text | complete, s | shift |\n|---|---|---|---|---|',
  )
  const all: Paints[] = []
  for (const viewer of ['VISITOR', 'DEVELOPER', 'TESTER', 'ADMIN'] as const satisfies Viewer[]) {
    for (const [name, path] of Object.entries(screensOf(viewer, platform.ids!))) {
      if (!only.test(`${viewer.toLowerCase()}-${name}`)) continue
      const session = viewer === 'VISITOR' ? null : platform.people[viewer]
      const context = await contextFor(browser, platform.address, session)
      const page = await context.newPage()
      await page.setViewportSize({ width: 390, height: 844 })
      const paints = await visit(page, path)
      await context.close()
      all.push(paints)
      const { largest, of, complete, shift } = paints
      const cells = [(largest / 1000).toFixed(2), of, (complete / 1000).toFixed(2), shift.toFixed(3)]
      console.log(`| ${viewer.toLowerCase()} ${name} | ${cells.join(' | ')} |`)
    }
  }
  if (all.length === 0) return
  const times = all.map(({ largest }) => largest)
  const within = times.filter(time => time <= targetMs).length
  const seconds = (time: number) => `${(time / 1000).toFixed(2)} s`
  console.log(
    `\nLargest paint within ${seconds(targetMs)}: ${within} of ${all.length}. Median ${seconds(median(times))}, highest ${seconds(Math.max(...times))}.`,
  )
  console.log(`Complete: median ${seconds(median(all.map(({ complete }) => complete)))}.`)
}
