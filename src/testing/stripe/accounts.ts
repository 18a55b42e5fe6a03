/** Connected accounts (Accounts v2) as recipients of transfers. The shapes are those of the SDK's types. */
import { invalidRequest } from './refusals.ts'
import { hourMs, type Fields, type StripeObject, type State } from './state.ts'

/** What a person still has to provide, in Stripe's terms. */
const needed = ['identity.individual.legal_name', 'identity.individual.date_of_birth', 'external_account']

const entryOf = (description: string) => ({
  awaiting_action_from: 'user',
  description,
  errors: [],
  impact: {
    restricts_capabilities: [
      {
        capability: 'stripe_balance.stripe_transfers',
        configuration: 'recipient',
        deadline: { status: 'currently_due' },
      },
    ],
  },
  minimum_deadline: { status: 'currently_due' },
  requested_reasons: [{ code: 'routine_onboarding' }],
})

const iso = (ms: number) => new Date(ms).toISOString()

const hidden = ['configuration', 'defaults', 'identity', 'requirements'] as const

/** v2 returns the larger parts only to callers who ask for them by name. */
const included = (account: StripeObject, include: unknown): Fields => {
  const names = Array.isArray(include) ? include.map(name => String(name).split('.')[0]) : []
  const shown: Fields = { ...account }
  for (const name of hidden) if (!names.includes(name)) shown[name] = null
  return shown
}

type Configuration = {
  recipient?: { capabilities?: { stripe_balance?: { stripe_transfers?: { requested?: unknown } } } }
}

const requested = (configuration: unknown): boolean =>
  (configuration as Configuration | undefined)?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.requested ===
  true

export const createAccount = (state: State, params: Fields): Fields => {
  const { identity, dashboard, contact_email: email, display_name: name, defaults, metadata, configuration } = params
  const country = (identity as Fields | undefined)?.country
  if (typeof country !== 'string' || !/^[a-z]{2}$/i.test(country)) {
    throw invalidRequest('identity.country must be a two-letter country code.', { param: 'identity.country' })
  }
  const isRequested = requested(configuration)
  const account = state.add('v2.core.account', state.newId('acct'), {
    created: iso(state.nowMs()),
    applied_configurations: ['recipient'],
    closed: false,
    configuration: {
      recipient: {
        applied: true,
        capabilities: {
          stripe_balance: {
            stripe_transfers: {
              status: isRequested ? 'restricted' : 'unsupported',
              status_details: isRequested ? [{ code: 'requirements_past_due', resolution: 'provide_info' }] : [],
            },
          },
        },
      },
    },
    contact_email: email ?? null,
    display_name: name ?? null,
    dashboard: dashboard ?? 'none',
    defaults: { currency: 'usd', ...(defaults as Fields | undefined) },
    identity: { entity_type: 'individual', ...(identity as Fields), country: country.toLowerCase() },
    metadata: metadata ?? {},
    requirements: { entries: needed.map(entryOf), summary: { minimum_deadline: { status: 'currently_due' } } },
  })
  return included(account, params.include)
}

export const retrieveAccount = (state: State, id: string, { include }: Fields): Fields =>
  included(state.find(id, 'v2.core.account'), include)

type StripeTransfers = { status: string; status_details: unknown[] }

const transfersOf = (account: StripeObject): StripeTransfers =>
  (account.configuration as { recipient: { capabilities: { stripe_balance: { stripe_transfers: StripeTransfers } } } })
    .recipient.capabilities.stripe_balance.stripe_transfers

export const canReceive = (state: State, id: string): boolean =>
  transfersOf(state.find(id, 'v2.core.account')).status === 'active'

/** A person provides what was asked for: all of it, or only the first entries. */
export const onboard = (state: State, id: string, entries = needed.length): void => {
  const account = state.find(id, 'v2.core.account')
  const left = (account.requirements as { entries: unknown[] }).entries.slice(entries)
  account.requirements = {
    entries: left,
    summary: left.length === 0 ? {} : { minimum_deadline: { status: 'currently_due' } },
  }
  const isDone = left.length === 0
  // A capability that nobody has requested stays as it is.
  if (transfersOf(account).status !== 'unsupported') {
    Object.assign(transfersOf(account), {
      status: isDone ? 'active' : 'restricted',
      ...(isDone && { status_details: [] }),
    })
  }
  // Accounts created with v2 emit the events of v1 as well.
  const event = { id, object: 'account', details_submitted: isDone, payouts_enabled: isDone }
  state.emit('account.updated', event)
}

/** Stripe closes an account: `stripe_transfers` is rejected. */
export const rejectAccount = (state: State, id: string): void => {
  const account = state.find(id, 'v2.core.account')
  const status_details = [{ code: 'rejected_other', resolution: 'contact_stripe' }]
  Object.assign(transfersOf(account), { status: 'rejected', status_details })
  state.emit('account.updated', { id, object: 'account', payouts_enabled: false })
}

export const createAccountLink = (state: State, params: Fields): Fields => {
  const { account, use_case: useCase } = params
  state.find(String(account), 'v2.core.account')
  const pages = state.pages ?? 'https://connect.stripe.com'
  return {
    object: 'v2.core.account_link',
    account,
    created: iso(state.nowMs()),
    expires_at: iso(state.nowMs() + hourMs / 12),
    livemode: false,
    url: `${pages}/setup/e/${String(account)}/${state.newId('link')}`,
    use_case: useCase,
  }
}

export const createLoginLink = (state: State, id: string): Fields => {
  state.find(id, 'v2.core.account')
  if (!canReceive(state, id)) {
    throw invalidRequest('Cannot create a login link for an account that has not completed onboarding.')
  }
  return {
    object: 'login_link',
    created: state.seconds(),
    url: `${state.pages ?? 'https://connect.stripe.com'}/express/${id}`,
  }
}
