/**
 * Browser windows, each with its cookies and storage. One journey after another uses them: to make one takes the machine longer than
 * most of what a journey does in it.
 */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { address } from './product.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desk = { viewport: { width: 1280, height: 800 } }

export type Wanted = {
  screen?: 'phone' | 'desk'
  javaScript?: boolean
  /** People move slowly enough to see it; journeys do not. */
  motion?: 'reduce' | 'no-preference'
  /** With the service worker, which other journeys do without. */
  worker?: boolean
  /** No journey has used it, nor will: for one that leaves in it what cannot be taken back, such as a script for each document. */
  fresh?: boolean
}

export type Window = {
  page: Page
  /** Begins to tell what goes wrong unseen in it, until it is left. */
  watch: (tell: (fault: string) => void, isOurs: (url: string) => boolean, provokes: RegExp | undefined) => void
  /** Ready for the next journey, or closed. */
  leave: () => Promise<void>
}

/** By the screen. */
const idle: Record<'phone' | 'desk', Window[]> = { phone: [], desk: [] }

export const openWindow = async (browser: Browser, wanted: Wanted): Promise<Window> => {
  const { screen = 'desk', javaScript = true, motion = 'reduce', worker = false, fresh = false } = wanted
  const isUsual = javaScript && motion === 'reduce' && !worker && !fresh
  const used = isUsual ? idle[screen].pop() : undefined
  if (used) return used
  const context = await browser.newContext({
    ...(screen === 'phone' ? phone : desk),
    baseURL: address(),
    timezoneId: 'Europe/Berlin',
    reducedMotion: motion,
    javaScriptEnabled: javaScript,
    ...(worker && { serviceWorkers: 'allow' as const }),
  })
  const page = await context.newPage()
  const watching = watched(context)
  const window: Window = {
    page,
    watch: watching.begin,
    leave: async () => {
      watching.end()
      if (isUsual && !page.isClosed()) {
        await tidy(page, screen)
        idle[screen].push(window)
      } else {
        await context.close()
      }
    },
  }
  return window
}

const watched = (context: BrowserContext) => {
  let watching:
    | { tell: (fault: string) => void; isOurs: (url: string) => boolean; provokes: RegExp | undefined }
    | undefined
  context.on('weberror', error => watching?.tell(`exception: ${error.error().stack ?? error.error().message}`))
  context.on('console', line => {
    if (line.type() !== 'error' || watching?.provokes?.test(line.text())) return
    watching?.tell(`console: ${line.text()} (${line.location().url})`)
  })
  context.on('request', request => {
    if (watching?.isOurs(request.url()) === false) watching.tell(`request to another host: ${request.url()}`)
  })
  const begin: Window['watch'] = (tell, isOurs, provokes) => (watching = { tell, isOurs, provokes })
  return { begin, end: () => (watching = undefined) }
}

/** A document of the product's that does nothing: there its storage can be reached. */
const toQuietPlace = (page: Page) => page.goto('/robots.txt')

const tidy = async (page: Page, screen: 'phone' | 'desk') => {
  const context = page.context()
  for (const heard of ['request', 'response', 'console', 'pageerror', 'dialog', 'download'])
    page.removeAllListeners(heard)
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.setOffline(false)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await toQuietPlace(page)
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name)
  })
  await context.clearCookies()
  await page.setViewportSize((screen === 'phone' ? phone : desk).viewport)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.mouse.move(0, 0)
}

/** As the product stores it. A context’s `storageState` would need a page of its own for it. */
export const storeIn = async (page: Page, items: Record<string, string>): Promise<void> => {
  await toQuietPlace(page)
  await page.evaluate(entries => {
    for (const [name, value] of entries) localStorage.setItem(name, value)
  }, Object.entries(items))
}
