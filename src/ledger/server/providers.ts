/** Which payment providers there are. */
import type { PaymentProvider } from './provider.ts'
import { sandbox } from './sandbox.ts'
import { stripeClient } from './stripe/client.ts'
import { stripe } from './stripe/provider.ts'

/** Whom new charges and payouts go to. */
export const currentProvider = (): PaymentProvider => (stripeClient() ? stripe : sandbox)

/** Whom earlier ones went to. */
export const providerOf = (name: string): PaymentProvider => {
  if (name === sandbox.name) return sandbox
  if (name === stripe.name && stripeClient()) return stripe
  throw new Error(`The payment provider ${name} is not set up.`)
}
