/**
 * The journeys' `test`: each person gets a separate browser window, and a journey fails if anything goes wrong unseen: an
 * exception, a console error (such as a policy violation), a request to another host.
 */
import { expect, type Page, test as playwright } from '@playwright/test'
import { type Person, signInByCall } from './api.ts'
import { address, type Provider, withProduct } from './product.ts'
import { stripe } from './stripe.ts'
import { openWindow, storeIn, type Wanted, type Window } from './windows.ts'

export { expect, type Page } from '@playwright/test'

/**
 * Tokens expire when a journey moves the clock. The browser then writes each first refusal to its console; the page writes one
 * when the clock moves again before the fresh token is used.
 */
export const outlivedTokens = /status of 401|: 401 Sign in to continue/

type Visitor = Wanted & {
  /** Already signed in, in a session of this window's own. */
  as?: Person
  /** Errors that the journey provokes, as lines of the console. */
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
