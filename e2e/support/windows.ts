/**
 * Browser windows, each with its own cookies and storage. They are reused by one journey after another, because opening one
 * takes longer than most of what a journey does in it.
 */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { address } from './product.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desk = { viewport: { width: 1280, height: 800 } }

export type Wanted = {
  screen?: 'phone' | 'desk'
  javaScript?: boolean
  /** The user's preference; reduced by default, so that journeys do not wait for animations. */
  motion?: 'reduce' | 'no-preference'
  /** Keeps the service worker, which other journeys run without. */
  worker?: boolean
  /** Used by no other journey: for one that leaves behind what cannot be removed, such as a script that runs in each document. */
  fresh?: boolean
}

export type Window = {
  page: Page
  /** Reports what goes wrong unseen in it, until `leave`. */
  watch: (tell: (fault: string) => void, isOurs: (url: string) => boolean, provokes: RegExp | undefined) => void
  /** Prepares it for the next journey, or closes it. */
  leave: () => Promise<void>
}

/** Idle windows by the size of their screen. */
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

/** A document of ours without scripts, from which the storage can be reached. */
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

/** Stores these as the product does. A context’s `storageState` would open a page of its own for that. */
export const storeIn = async (page: Page, items: Record<string, string>): Promise<void> => {
  await toQuietPlace(page)
  await page.evaluate(entries => {
    for (const [name, value] of entries) localStorage.setItem(name, value)
  }, Object.entries(items))
}
