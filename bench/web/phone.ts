/** A phone with a slow processor that is signed in to the demo. */
import type { Browser, CDPSession, Page } from '@playwright/test'
import { contextFor, type Platform } from '../../scripts/screens/platform.ts'
import type { Viewers } from '../../scripts/screens/people.ts'

/** How many times slower the processor is than this machine's. */
export const slowdown = 4

export const phoneOf = async (
  browser: Browser,
  { address, people }: Platform,
  viewer: keyof Viewers,
): Promise<{ page: Page; cdp: CDPSession }> => {
  const context = await contextFor(browser, address, people[viewer])
  const page = await context.newPage()
  await page.setViewportSize({ width: 390, height: 844 })
  const cdp = await context.newCDPSession(page)
  // An open stream is a request that never ends, so the network would never become idle. A route of Playwright would disable the
  // browser's cache, and send each request through this process.
  await cdp.send('Network.enable')
  await cdp.send('Network.setBlockedURLs', { urls: ['*/api/v1/users/me/events*'] })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return { page, cdp }
}

/** Nothing on screen is loading; anything below may wait until it is scrolled to. A string, because it runs in the page. */
export const settled = `(document.querySelector('main h1') !== null &&
  ![...document.querySelectorAll('.animate-pulse, .animate-spin')].some(one => one.checkVisibility() &&
    one.getBoundingClientRect().top < innerHeight))`
