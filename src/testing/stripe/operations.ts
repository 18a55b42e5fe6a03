/** What each call does. The fake refuses the document's other calls by name. */
import { canReceive, createAccount, createAccountLink, createLoginLink, retrieveAccount } from './accounts.ts'
import { createSession, endSessions, expireSession } from './checkout.ts'
import { listed } from './lists.ts'
import { createPayout, createRefund, createTransfer, reverseTransfer, settleRefunds } from './money.ts'
import type { Fields, State } from './state.ts'

type Operation = (state: State, id: string, params: Fields) => Fields

const get =
  (object: string): Operation =>
  (state, id) =>
    state.find(id, object)

const list =
  (object: string, url: string): Operation =>
  (state, _, params) =>
    listed(state.all(object), params, url)

const amounts = (amount: number) => [{ amount, currency: 'usd', source_types: { card: amount } }]

const setMetadata =
  (object: string): Operation =>
  (state, id, { metadata }) => {
    const found = state.find(id, object)
    return Object.assign(found, { metadata: { ...(found.metadata as Fields), ...(metadata as Fields | undefined) } })
  }

export const operations: Record<string, Operation> = {
  'POST /v1/checkout/sessions': (state, _, params) => createSession(state, params),
  'GET /v1/checkout/sessions': list('checkout.session', '/v1/checkout/sessions'),
  'GET /v1/checkout/sessions/{session}': get('checkout.session'),
  'POST /v1/checkout/sessions/{session}/expire': (state, id) => expireSession(state, id),
  'GET /v1/payment_intents': list('payment_intent', '/v1/payment_intents'),
  'GET /v1/payment_intents/{intent}': get('payment_intent'),
  'POST /v1/payment_intents/{intent}': setMetadata('payment_intent'),
  'GET /v1/charges': list('charge', '/v1/charges'),
  'GET /v1/charges/{charge}': get('charge'),
  'POST /v1/refunds': (state, _, params) => createRefund(state, params),
  'GET /v1/refunds': list('refund', '/v1/refunds'),
  'GET /v1/refunds/{refund}': get('refund'),
  'POST /v1/refunds/{refund}': setMetadata('refund'),
  'POST /v1/transfers': (state, _, params) => createTransfer(state, params, id => canReceive(state, id)),
  'GET /v1/transfers': list('transfer', '/v1/transfers'),
  'GET /v1/transfers/{transfer}': get('transfer'),
  'POST /v1/transfers/{transfer}/reversals': reverseTransfer,
  'POST /v1/payouts': (state, _, params) => createPayout(state, params),
  'GET /v1/payouts': list('payout', '/v1/payouts'),
  'GET /v1/payouts/{payout}': get('payout'),
  'GET /v1/balance': state => ({
    object: 'balance',
    livemode: false,
    available: amounts(state.availableCents()),
    pending: amounts(state.pendingCents()),
    connect_reserved: [{ amount: 0, currency: 'usd' }],
  }),
  'GET /v1/balance_transactions': list('balance_transaction', '/v1/balance_transactions'),
  'GET /v1/balance_transactions/{id}': get('balance_transaction'),
  'GET /v1/disputes': list('dispute', '/v1/disputes'),
  'GET /v1/disputes/{dispute}': get('dispute'),
  'GET /v1/events': list('event', '/v1/events'),
  'GET /v1/events/{id}': get('event'),
  'POST /v1/accounts/{account}/login_links': (state, id) => createLoginLink(state, id),
  'POST /v2/core/accounts': (state, _, params) => createAccount(state, params),
  'GET /v2/core/accounts/{account}': retrieveAccount,
  'POST /v2/core/account_links': (state, _, params) => createAccountLink(state, params),
}

/** What happens as time passes. */
export const pass = (state: State): void => {
  endSessions(state)
  settleRefunds(state)
}
