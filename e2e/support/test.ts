/**
 * The journeys' `test`: each person gets a browser window of their own, and a journey fails on anything that goes wrong unseen:
 * an exception, a console error (such as a policy violation), a request to another host.
 */
import { expect, type Page, test as playwright } from '@playwright/test'
import { type Person, signInByCall } from './api.ts'
import { address, type Provider, withProduct } from './product.ts'
import { stripe } from './stripe.ts'
import { openWindow, storeIn, type Wanted, type Window } from './windows.ts'

export { expect, type Page } from '@playwright/test'

/**
 * A journey that moves the clock outlives its tokens: the browser writes each first refusal into its console, and the page one
 * that comes because the clock moved again before the fresh token was used.
 */
export const outlivedTokens = /status of 401|: 401 Sign in to continue/

type Visitor = Wanted & {
  /** Signed in already, in a session of this browser's own. */
  as?: Person
  /** Errors that the journey provokes: lines of the console that it is about. */
  provokes?: RegExp
}

type Fixtures = {
  open: (visitor?: Visitor) => Promise<Page>
}

const storedSession = async (person: Person) => {
  const { accessToken, refreshToken, user } = await signInByCall(person.email)
  return { accessToken, refreshToken, user: JSON.stringify(user) }
}

const isOurs = (url: string) =>
  /^(data|blob|about):/.test(url) || [new URL(address()).origin, stripe()?.origin].includes(new URL(url).origin)

export const test = playwright.extend<Fixtures, { product: string; provider: Provider }>({
  provider: ['sandbox', { option: true, scope: 'worker' }],
  product: [({ provider }, use) => withProduct(provider, use), { scope: 'worker', auto: true, timeout: 60_000 }],
  baseURL: ({ product }, use) => use(product),
  open: async ({ browser }, use) => {
    const opened: Window[] = []
    const faults: string[] = []
    await use(async ({ as, provokes, ...wanted } = {}) => {
      const window = await openWindow(browser, wanted)
      opened.push(window)
      window.watch(fault => faults.push(fault), isOurs, provokes)
      if (as) await storeIn(window.page, await storedSession(as))
      return window.page
    })
    for (const window of opened) await window.leave()
    expect(faults, `what went wrong unseen: ${faults.join(' · ')}`).toEqual([])
  },
})
