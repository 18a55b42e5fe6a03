/** What the fake Stripe has about a campaign or a withdrawal, and what the project's commands report. */
import { type Ran, runScript } from '../installation.ts'
import type { StripeApp } from './app.ts'
import type { StripeFake } from './fake.ts'

export const metadataOf = (of: unknown): Record<string, string | undefined> =>
  (of as { metadata?: Record<string, string> } | undefined)?.metadata ?? {}

/** The successful payments of a campaign. */
export const intentsOf = (fake: StripeFake, campaign: { id: string }) =>
  fake
    .all('payment_intent')
    .filter(intent => metadataOf(intent)['campaign'] === campaign.id && intent['status'] === 'succeeded')

/** Includes failed ones. */
export const refundsOf = (fake: StripeFake, intent: string) =>
  fake.all('refund').filter(each => each['payment_intent'] === intent)

export const transfersOf = (fake: StripeFake, withdrawal: string) =>
  fake.all('transfer').filter(each => each['transfer_group'] === `withdrawal_${withdrawal}`)

export const sumOf = (all: readonly Record<string, unknown>[]): number =>
  all.reduce((cents, { amount }) => cents + Number(amount), 0)

/** `npm run NAME`, run by an operator who uses this Stripe. */
export const command = (
  { fake, databaseUrl }: Pick<StripeApp, 'fake' | 'databaseUrl'>,
  name: string,
  more: Record<string, string | undefined> = {},
): Promise<Ran> =>
  runScript(name, [], {
    DATABASE_URL: databaseUrl,
    STRIPE_SECRET_KEY: fake.secretKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
    STRIPE_API_BASE: fake.origin,
    ...more,
  })
