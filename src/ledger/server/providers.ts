/** The payment providers that exist. */
import type { PaymentProvider } from './provider.ts'
import { sandbox } from './sandbox.ts'
import { stripeClient } from './stripe/client.ts'
import { stripe } from './stripe/provider.ts'

/** The provider for new charges and payouts. */
export const currentProvider = (): PaymentProvider => (stripeClient() ? stripe : sandbox)

/** The provider of an earlier charge or payout. */
export const providerOf = (name: string): PaymentProvider => {
  if (name === sandbox.name) return sandbox
  if (name === stripe.name && stripeClient()) return stripe
  throw new Error(`The payment provider ${name} is not set up.`)
}
