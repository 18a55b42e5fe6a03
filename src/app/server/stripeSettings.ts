import type { StripeSettings } from '../../ledger/server/stripe/client.ts'
import type { Env } from './env.ts'

/** Both are set, or neither. Undefined if Stripe is not configured. */
export const stripeSettings = (env: Env, publicUrl: string): StripeSettings | undefined =>
  env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_WEBHOOK_SECRET !== undefined
    ? {
        secretKey: env.STRIPE_SECRET_KEY,
        webhookSecret: env.STRIPE_WEBHOOK_SECRET,
        apiBase: env.STRIPE_API_BASE,
        publicUrl,
      }
    : undefined
