/** Stripe in a journey: our fake, whose pages a browser can use. A file requests it with `test.use({ provider: 'stripe' })`. */
import { expect } from '@playwright/test'
import { freePort } from '../../scripts/screens/freePort.ts'
import { type StripeFake, startStripeFake } from '../../src/testing/stripe/fake.ts'

const webhookSecret = 'whsec_of_the_journeys'

let running: { fake: StripeFake; offsetMs: number } | undefined

/** Undefined while the product uses the sandbox. */
export const stripe = (): StripeFake | undefined => running?.fake

/** Starts the fake, and returns the product's settings for it. */
export const beginStripe = async (): Promise<Record<string, string>> => {
  const state = { offsetMs: 0 }
  const fake = await startStripeFake({ ownPages: true, pendingDays: 0, now: () => Date.now() + state.offsetMs })
  running = Object.assign(state, { fake })
  const port = await freePort()
  return {
    STRIPE_SECRET_KEY: fake.secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: fake.origin,
    // People return to this address.
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
  }
}

export const endStripe = async (): Promise<void> => {
  await running?.fake.stop()
  running = undefined
}

/** Sets its clock to the product's, because a signature of another time is refused. */
export const setStripesClock = (now: string): void => {
  if (running) running.offsetMs = Date.parse(now) - Date.now()
}

/** Delivers what has happened at Stripe to the product. */
export const stripeTells = async (product: string): Promise<void> => {
  const { webhooks } = running!.fake
  const send = async (body: string, headers: Record<string, string>) =>
    (await fetch(`${product}/api/v1/payments/webhooks/stripe`, { method: 'POST', headers, body })).status
  webhooks.configure({ secret: webhookSecret, send })
  const told = await webhooks.deliver()
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]))
}
