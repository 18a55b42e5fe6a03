/**
 * Payout accounts: each tester has their own at Stripe (Accounts v2, a recipient with the Express dashboard), to which withdrawals
 * are transferred. Stripe collects what a country's law requires on its own pages; we store only how far the account is.
 */
import type { Stripe } from 'stripe'
import { pauseHours } from '../../../accounts/rules.ts'
import { assertActiveAlone, pausePayouts } from '../../../accounts/server/accounts.ts'
import { clock } from '../../../kit/clock.ts'
import { countryName } from '../../../kit/countries.ts'
import { DomainError } from '../../../kit/errors.ts'
import type { Cents } from '../../../kit/money.ts'
import { paths } from '../../../kit/paths.ts'
import { autocommit, transact, type Tx } from '../../../kit/server/db.ts'
import { countCall } from '../../../kit/server/hourlyCalls.ts'
import { notify } from '../../../notifications/server/notifications.ts'
import type { PayoutAccount } from '../../contract.ts'
import {
  assertMayOpenAccount,
  belowBankMinimum,
  payoutAccountLimits,
  payoutAccountNeeded,
  tooManyAttempts,
} from '../../rules.ts'
import { type StripeClient, stripeClient } from './client.ts'
import { marked } from './installation.ts'
import { minimumCentsOf, minimumPayoutOf } from './minimums.ts'
import * as queries from './queries.ts'
import { isDefinite } from './refusals.ts'

const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = ['configuration.recipient', 'requirements']

const statusOf = (account: Stripe.V2.Core.Account): queries.AccountStatus => {
  const status = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status
  if (account.closed === true || status === 'rejected' || status === 'unsupported') return 'REJECTED'
  if (status === 'active') return 'READY'
  return status === 'pending' ? 'IN_REVIEW' : 'INCOMPLETE'
}

/** `identity.individual.date_of_birth` → "Date of birth". */
const worded = (requirement: string): string => {
  const words = (requirement.split('.').at(-1) ?? requirement).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const missingOf = ({ requirements }: Stripe.V2.Core.Account): string[] => {
  const owed = requirements?.entries?.filter(entry => entry.awaiting_action_from === 'user') ?? []
  return [...new Set(owed.map(({ description }) => worded(description).slice(0, 100)))].slice(0, 20)
}

/** Asks Stripe how far the account is. */
export const refreshAccount = async ({ api }: StripeClient, accountId: string): Promise<void> => {
  const account = await api.v2.core.accounts.retrieve(accountId, { include })
  const state = { accountId, status: statusOf(account), missing: missingOf(account) }
  await queries.setPayoutAccount(autocommit, state, clock.now())
}

const notNeeded: PayoutAccount = {
  needed: false,
  id: null,
  status: 'READY',
  missing: [],
  country: null,
  minimum: null,
  minimumCents: null,
}

/** For the balance page. An account that is not ready is refreshed, because testers come back to this page from Stripe. */
export const payoutAccount = async (userId: string): Promise<PayoutAccount> => {
  const client = stripeClient()
  if (!client) return notNeeded
  const known = await queries.payoutAccountOf(autocommit, userId)
  if (!known) return { ...notNeeded, needed: true, status: 'NONE' }
  // If Stripe does not answer, the last known state is better than an error.
  if (known.status !== 'READY') await refreshAccount(client, known.accountId).catch(() => undefined)
  const { accountId: id, status, missing, country } = (await queries.payoutAccountOf(autocommit, userId)) ?? known
  const least = { minimum: minimumPayoutOf(country), minimumCents: minimumCentsOf(country) }
  return { needed: true, id, status, missing, country, ...least }
}

/**
 * Called in the transaction of a withdrawal. It uses the last known state, since Stripe itself refuses transfers to an account that
 * is not ready. Returns what to call the account; null if none is needed, so that the payment method is paid.
 */
export const assertCanReceive = async (tx: Tx, userId: string, amountCents: Cents): Promise<string | null> => {
  if (!stripeClient()) return null
  const account = await queries.holdPayoutAccount(tx, userId)
  if (account?.status !== 'READY') throw payoutAccountNeeded(account?.status ?? 'NONE')
  const where = countryName(account.country)
  const minimumCents = minimumCentsOf(account.country)
  if (minimumCents !== null && amountCents < minimumCents) throw belowBankMinimum(minimumCents, where)
  return `Stripe payout account, ${where}`
}

/** The least that can be paid out to this user's bank, as far as it is known in dollars. */
export const bankMinimum = async (tx: Tx, userId: string): Promise<Cents> => {
  const account = stripeClient() ? await queries.payoutAccountOf(tx, userId) : undefined
  return account ? (minimumCentsOf(account.country) ?? 0) : 0
}

/** The destination to record for a payout from before a restore; null if the payment method was paid. */
export const payoutDestination = async (tx: Tx, userId: string): Promise<string | null> => {
  if (!stripeClient()) return null
  const account = await queries.payoutAccountOf(tx, userId)
  return `Stripe payout account${account ? `, ${countryName(account.country)}` : ''}`
}

/**
 * Runs before we ask Stripe. It counts attempts as well, because concurrent ones for several countries would create accounts that
 * nobody records.
 */
const reserveAttempt = (userId: string): Promise<void> =>
  transact(async tx => {
    await assertActiveAlone(tx, userId)
    assertMayOpenAccount(await queries.accountsRemovedAt(tx, userId, payoutAccountLimits.removed), clock.now())
    const { calls, secondsLeft } = await countCall(tx, { kind: 'PAYOUT_ACCOUNT', caller: userId })
    if (calls > payoutAccountLimits.attemptsPerHour) throw tooManyAttempts(secondsLeft)
  })

const makeAccount = async (client: StripeClient, userId: string, country: string): Promise<string> => {
  await reserveAttempt(userId)
  const [{ email }, before] = await Promise.all([
    queries.emailOf(autocommit, userId),
    queries.countRemovedAccounts(autocommit, userId),
  ])
  const { id } = await client.api.v2.core.accounts.create(
    {
      contact_email: email,
      dashboard: 'express',
      identity: { country: country.toLowerCase(), entity_type: 'individual' },
      configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
      defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
      metadata: marked(client, { user: userId }),
      include,
    },
    // With this key Stripe returns an account that was made but not recorded, unless the address has changed since. It never
    // returns a removed account.
    { idempotencyKey: `account:${userId}:${before === 0 ? '' : `${before}:`}${country}:${email}`.slice(0, 255) },
  )
  await transact(async tx => {
    // Stripe may take a while, and the tester may have deleted their account meanwhile.
    await assertActiveAlone(tx, userId)
    const isNew = (await queries.insertPayoutAccount(tx, { userId, accountId: id, country, now: clock.now() })) === 1
    if (!isNew) return
    // The tester's money will go there, and a thief with a stolen session could have opened it.
    await pausePayouts(tx, userId, 'PAYOUT_ACCOUNT_OPENED')
    const pauseFor = pauseHours.PAYOUT_ACCOUNT_OPENED
    await notify(tx, userId, 'PAYOUT_ACCOUNT_OPENED', { userId, country: countryName(country), pauseHours: pauseFor })
  })
  return id
}

export const clientOrThrow = (): StripeClient => {
  const client = stripeClient()
  if (client) return client
  throw new DomainError('WRONG_STATE', 'No payout account is needed here.')
}

/** The country of an account cannot change, so a second call ignores it. */
export const onboard = async (userId: string, country: string): Promise<{ url: string }> => {
  const client = clientOrThrow()
  try {
    const known = await queries.payoutAccountOf(autocommit, userId)
    if (!known) await makeAccount(client, userId, country)
    const account = await queries.payoutAccountOf(autocommit, userId)
    if (!account) throw new Error(`the payout account of ${userId} is gone`)
    const back = (how: string) => `${client.settings.publicUrl}${paths.balance}?payouts=${how}`
    const { url } = await client.api.v2.core.accountLinks.create({
      account: account.accountId,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: { refresh_url: back('again'), return_url: back('set-up') },
      },
    })
    return { url }
  } catch (error) {
    if (error instanceof DomainError) throw error
    if (isDefinite(error)) {
      throw new DomainError('WRONG_STATE', 'Stripe cannot open payout accounts in this country at the moment.')
    }
    throw new DomainError('UNAVAILABLE', 'Stripe cannot be reached at the moment. Try again in a minute.', {
      retryAfterSeconds: 60,
    })
  }
}
