/** The time from pressing a link to the painted screen, and the longest task while nobody presses anything. */
import type { Browser, Page } from '@playwright/test'
import type { Platform } from '../../scripts/screens/platform.ts'
import type { Viewers } from '../../scripts/screens/people.ts'
import { median } from '../place.ts'
import { phoneOf, settled, slowdown } from './phone.ts'

/** Each link is pressed on the screen of the previous one. */
const ways: Record<keyof Viewers, string[]> = {
  DEVELOPER: ['/dashboard/campaigns', '/dashboard/payments', '/dashboard'],
  TESTER: ['/dashboard/campaigns', '/dashboard/my-tests', '/dashboard/balance', '/dashboard'],
  ADMIN: ['/dashboard/campaigns/pending', '/dashboard/users', '/dashboard/fraud', '/dashboard/analytics', '/dashboard'],
}

/**
 * Runs in the page: the time from the press to the frame after the screen has settled at this address. The address changes before
 * the screen does, so the heading of the previous screen must be gone.
 */
const press = (path: string) => `new Promise(painted => {
  const link = [...document.querySelectorAll('a[href="${path}"]')].find(one => one.checkVisibility())
  const before = document.querySelector('main h1')
  const pressed = performance.now()
  link.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  link.click()
  const look = () => {
    // What this frame paints is there already, and a timer fires when it is painted.
    if (location.pathname === '${path}' && !before.isConnected && ${settled})
      setTimeout(() => painted(performance.now() - pressed))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`

/** Waits until nothing has been fetched for a while, so that late requests of one screen do not count toward the next. */
const atRest = `new Promise(rested => {
  const isFetch = ({ name }) => !name.includes('/users/me/events')
  const look = () => {
    const ends = performance.getEntriesByType('resource').filter(isFetch).map(one => one.responseEnd)
    if (performance.now() - Math.max(0, ...ends) > 1500) rested()
    else setTimeout(look, 50)
  }
  look()
})`

const watchTasks = `performance.setResourceTimingBufferSize(10_000); new PerformanceObserver(list => {
  for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask ?? 0, duration)
}).observe({ type: 'longtask', buffered: false })`

const roundOf = async (page: Page, ahead: string[]): Promise<number[]> => {
  const times: number[] = []
  for (const path of ahead) {
    await page.waitForFunction(`[...document.querySelectorAll('a[href="${path}"]')].some(one => one.checkVisibility())`)
    await page.evaluate(atRest)
    times.push(Number(await page.evaluate(press(path))))
  }
  return times
}

type Times = { path: string; fresh: number[]; visited: number[] }

const measureViewer = async (browser: Browser, platform: Platform, viewer: keyof Viewers, runs: number) => {
  const all: Times[] = ways[viewer].map(path => ({ path, fresh: [], visited: [] }))
  let longest = 0
  for (let run = 0; run < runs; run++) {
    const { page } = await phoneOf(browser, platform, viewer)
    await page.goto('/dashboard')
    await page.waitForFunction(settled)
    await page.waitForLoadState('networkidle')
    await page.evaluate(watchTasks)
    for (const kind of ['fresh', 'visited'] as const) {
      const times = await roundOf(page, ways[viewer])
      for (const [at, time] of times.entries()) all[at]![kind].push(time)
    }
    longest = Math.max(longest, Number(await page.evaluate('window.longestTask ?? 0')))
    await page.context().close()
  }
  return { all, longest }
}

export const measureClicks = async (browser: Browser, platform: Platform, runs: number): Promise<void> => {
  console.log(
    `| from press to painted, processor ${slowdown} × slower, ms | first visit | visited before |\n|---|---|---|`,
  )
  for (const viewer of ['DEVELOPER', 'TESTER', 'ADMIN'] as const) {
    const { all, longest } = await measureViewer(browser, platform, viewer, runs)
    for (const { path, fresh, visited } of all)
      console.log(`| ${viewer.toLowerCase()} ${path} | ${median(fresh).toFixed(0)} | ${median(visited).toFixed(0)} |`)
    console.log(`| ${viewer.toLowerCase()}: longest task | ${longest.toFixed(0)} | |`)
  }
}
