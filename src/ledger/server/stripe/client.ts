/**
 * Stripe's own client. It is loaded only if Stripe is set up, because it takes memory that a server with the sandbox can do
 * without.
 */
import type { Stripe } from 'stripe'
import { autocommit } from '../../../kit/server/db.ts'
import * as queries from './queries.ts'

export type StripeSettings = {
  secretKey: string
  webhookSecret: string
  /** An address without a path, for tests or for a proxy in front of Stripe. */
  apiBase: string | undefined
  /** Where people return after Stripe's pages. */
  publicUrl: string
}

export type StripeClient = {
  api: Stripe
  settings: StripeSettings
  /** Tells our installation apart from others that may use the same Stripe account. */
  installation: string
}

let client: StripeClient | undefined

/** Undefined if Stripe is not set up. */
export const stripeClient = (): StripeClient | undefined => client

/** Throws if Stripe is not set up. */
export const stripeOrThrow = (): StripeClient => {
  if (!client) throw new Error('Stripe is not set up.')
  return client
}

/** False with a test key, or without any key. */
export const paysForReal = (): boolean => client !== undefined && !/^(sk|rk)_test_/.test(client.settings.secretKey)

/** Longer than Stripe usually takes. A request that waits for a charge gives up earlier, and a job takes over. */
const timeoutMs = 20_000

export const addressOf = (apiBase: string) => {
  const { protocol, hostname, port } = new URL(apiBase)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { host: hostname, protocol: scheme, port: Number(port || (scheme === 'http' ? 80 : 443)) } as const
}

/** Pass undefined to turn Stripe off. The database has to be connected already. */
export const connectStripe = async (settings: StripeSettings | undefined): Promise<void> => {
  client = undefined
  if (!settings) return
  const { Stripe: Client } = await import('stripe')
  const api = new Client(settings.secretKey, {
    // Our jobs retry under the same key for days. Even with 0, the client retries once after a cut connection.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(settings.apiBase !== undefined && addressOf(settings.apiBase)),
  })
  client = { api, settings, installation: await queries.installationId(autocommit) }
}

const stripesPages = 'https://checkout.stripe.com'

/** Browsers are not sent anywhere else to pay. */
export const isCheckoutAddress = (address: string, { apiBase }: Pick<StripeSettings, 'apiBase'>): boolean => {
  if (!URL.canParse(address)) return false
  const { origin } = new URL(address)
  return origin === stripesPages || (apiBase !== undefined && origin === new URL(apiBase).origin)
}
