/**
 * The journeys' `test`: each person gets a browser context of their own, and a journey fails on anything that goes wrong unseen:
 * an exception, a console error (such as a policy violation), a request to another host.
 */
import { type Browser, type BrowserContext, expect, type Page, test as playwright } from '@playwright/test'
import { type Person, signInByCall } from './api.ts'
import { address, type Provider, withProduct } from './product.ts'
import { stripe } from './stripe.ts'

export { expect, type Page } from '@playwright/test'

/**
 * A journey that moves the clock outlives its tokens: the browser writes each first refusal into its console, and the page one
 * that comes because the clock moved again before the fresh token was used.
 */
export const outlivedTokens = /status of 401|: 401 Sign in to continue/

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desk = { viewport: { width: 1280, height: 800 } }

type Visitor = {
  /** Signed in already, in a session of this browser's own. */
  as?: Person
  screen?: 'phone' | 'desk'
  /** Errors that the journey provokes: lines of the console that it is about. */
  provokes?: RegExp
  javaScript?: boolean
  /** People move slowly enough to see it; journeys do not. */
  motion?: 'reduce' | 'no-preference'
  /** With the service worker, which other journeys do without. */
  worker?: boolean
}

type Fixtures = {
  open: (visitor?: Visitor) => Promise<Page>
}

const storedSession = async (person: Person) => {
  const { accessToken, refreshToken, user } = await signInByCall(person.email)
  const items = { accessToken, refreshToken, user: JSON.stringify(user) }
  const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin: new URL(address()).origin, localStorage }] }
}

const contextFor = async (
  browser: Browser,
  { as, screen, javaScript, motion, worker }: Visitor,
): Promise<BrowserContext> =>
  browser.newContext({
    ...(screen === 'phone' ? phone : desk),
    baseURL: address(),
    timezoneId: 'Europe/Berlin',
    reducedMotion: motion ?? 'reduce',
    javaScriptEnabled: javaScript ?? true,
    ...(worker && { serviceWorkers: 'allow' as const }),
    ...(as && { storageState: await storedSession(as) }),
  })

const isOurs = (url: string) =>
  /^(data|blob|about):/.test(url) || [new URL(address()).origin, stripe()?.origin].includes(new URL(url).origin)

const watch = (context: BrowserContext, provokes: RegExp | undefined, faults: string[]) => {
  context.on('weberror', error => faults.push(`exception: ${error.error().stack ?? error.error().message}`))
  context.on('console', line => {
    if (line.type() !== 'error' || provokes?.test(line.text())) return
    faults.push(`console: ${line.text()} (${line.location().url})`)
  })
  context.on('request', request => {
    if (!isOurs(request.url())) faults.push(`request to another host: ${request.url()}`)
  })
}

export const test = playwright.extend<Fixtures, { product: string; provider: Provider }>({
  provider: ['sandbox', { option: true, scope: 'worker' }],
  product: [({ provider }, use) => withProduct(provider, use), { scope: 'worker', auto: true, timeout: 60_000 }],
  baseURL: ({ product }, use) => use(product),
  open: async ({ browser }, use) => {
    const contexts: BrowserContext[] = []
    const faults: string[] = []
    await use(async (visitor = {}) => {
      const context = await contextFor(browser, visitor)
      contexts.push(context)
      watch(context, visitor.provokes, faults)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
    expect(faults, 'what went wrong unseen').toEqual([])
  },
})
