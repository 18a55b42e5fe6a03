/** Each screen in each state, and what has to happen before its screenshot. */
import type { Page, Route } from '@playwright/test'
import type { Viewer } from './routes.ts'

export const states = ['loaded', 'empty', 'loading', 'error'] as const
export type State = (typeof states)[number]

export type Visit = { state: State; viewer: Viewer; name: string; path: string }

const calls = '**/api/v1/**'

/** A 4xx, because the page retries for seven seconds after any other failure. */
const refuse = (route: Route) =>
  route.fulfill({
    status: 418,
    json: { statusCode: 418, code: 'NOPE', message: 'The server could not answer. Please try again.' },
  })

/** Brings the screen into the given state. */
export const arranged: Record<State, (page: Page) => Promise<unknown>> = {
  loaded: async () => undefined,
  empty: async () => undefined,
  loading: page => page.route(calls, () => undefined),
  error: page => page.route(calls, refuse),
}

/**
 * The heading is there, and nothing visible is loading. Scrolls to what is still loading, because charts load only near the
 * viewport. A string, because it runs in the page, whose types are not known to scripts.
 */
const settled = `(() => {
  const onTheirWay = [...document.querySelectorAll('.animate-pulse, .animate-spin')].find(one => one.checkVisibility())
  onTheirWay?.scrollIntoView({ behavior: 'instant' })
  return document.querySelector('h1') !== null && onTheirWay === undefined
})()`

/** Everything that does not need an answer is rendered. */
const waiting = `document.querySelector('h1, .animate-pulse, .animate-spin, [role=status], output') !== null`

export const visit = async (page: Page, { state, path }: Visit): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await arranged[state](page)
  await page.goto(path)
  await page.waitForFunction(state === 'loading' ? waiting : settled)
  if (state !== 'loading') await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
  await page.waitForFunction('document.fonts.status === "loaded"')
}
