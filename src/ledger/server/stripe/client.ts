/** Stripe’s own client, loaded only where Stripe is set up: it takes memory that a server with the sandbox keeps. */
import type { Stripe } from 'stripe'
import { autocommit } from '../../../kit/server/db.ts'
import * as queries from './queries.ts'

export type StripeSettings = {
  secretKey: string
  webhookSecret: string
  /** For tests, and for a proxy on the way to Stripe: an address without a path. */
  apiBase: string | undefined
  /** Where people come back to. */
  publicUrl: string
}

export type StripeClient = {
  api: Stripe
  settings: StripeSettings
  /** Which installation we are, among all that may use the same account at Stripe. */
  installation: string
}

let client: StripeClient | undefined

/** Undefined where Stripe is not set up. */
export const stripeClient = (): StripeClient | undefined => client

/** Throws where Stripe is not set up. */
export const stripeOrThrow = (): StripeClient => {
  if (!client) throw new Error('Stripe is not set up.')
  return client
}

/** False with a test key, and without any. */
export const paysForReal = (): boolean => client !== undefined && !/^(sk|rk)_test_/.test(client.settings.secretKey)

/** Longer than Stripe takes; a request that waits for a charge gives up earlier, and a job takes it up. */
const timeoutMs = 20_000

export const addressOf = (apiBase: string) => {
  const { protocol, hostname, port } = new URL(apiBase)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { host: hostname, protocol: scheme, port: Number(port || (scheme === 'http' ? 80 : 443)) } as const
}

/** Undefined turns Stripe off. The database has to be connected. */
export const connectStripe = async (settings: StripeSettings | undefined): Promise<void> => {
  client = undefined
  if (!settings) return
  const { Stripe: Client } = await import('stripe')
  const api = new Client(settings.secretKey, {
    // Our jobs try again, under the same key and for days. After a cut connection the client itself does so once all the same.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(settings.apiBase !== undefined && addressOf(settings.apiBase)),
  })
  client = { api, settings, installation: await queries.installationId(autocommit) }
}

const stripesPages = 'https://checkout.stripe.com'

/** Browsers are sent nowhere else to pay. */
export const isCheckoutAddress = (address: string, { apiBase }: Pick<StripeSettings, 'apiBase'>): boolean => {
  if (!URL.canParse(address)) return false
  const { origin } = new URL(address)
  return origin === stripesPages || (apiBase !== undefined && origin === new URL(apiBase).origin)
}
