/** Checkout Sessions, and the payments made in them. */
import { invalidParameters, invalidRequest } from './refusals.ts'
import type { Fields, StripeObject, State } from './state.ts'

type LineItem = { quantity?: number; price_data?: { currency: string; unit_amount?: number } }

const totalOf = (items: readonly LineItem[]) =>
  items.reduce((sum, { quantity = 1, price_data: price }) => sum + quantity * (price?.unit_amount ?? 0), 0)

/** Stripe keeps 2.9 % and 30 cents of a payment with a domestic card. */
const feeOf = (amount: number) => Math.floor((amount * 29 + 500) / 1000) + 30

const stripesPages = 'https://checkout.stripe.com'

export const createSession = (state: State, params: Fields): StripeObject => {
  const { line_items: items = [], expires_at: until, ...rest } = params
  if (params.mode !== 'payment') throw invalidParameters('The fake knows sessions of mode `payment` only.', 'mode')
  const amount = totalOf(items as LineItem[])
  if (amount < 50) {
    throw invalidRequest('The Checkout Session’s total amount must convert to at least 50 cents.', {
      code: 'amount_too_small',
    })
  }
  const created = state.seconds()
  const expiresAt = until === undefined ? created + 86_400 : Number(until)
  if (expiresAt < created + 1800 || expiresAt > created + 86_400) {
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      {
        param: 'expires_at',
      },
    )
  }
  const id = state.newId('cs_test')
  return state.add('checkout.session', id, {
    cancel_url: rest.cancel_url ?? null,
    success_url: rest.success_url,
    client_reference_id: rest.client_reference_id ?? null,
    customer_email: rest.customer_email ?? null,
    customer_details: null,
    metadata: rest.metadata ?? {},
    mode: 'payment',
    amount_subtotal: amount,
    amount_total: amount,
    currency: 'usd',
    expires_at: expiresAt,
    // Since 2022-08-01 the payment intent is created only when somebody pays.
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    currency_conversion: null,
    shipping_cost: null,
    url: `${state.pages ?? stripesPages}/c/pay/${id}`,
    // Not a field of Stripe's: what the payment intent is created from.
    fake_intent: rest.payment_intent_data ?? {},
  })
}

/** Ends sessions that have expired. */
export const endSessions = (state: State): void => {
  for (const session of state.all('checkout.session')) {
    if (session.status === 'open' && Number(session.expires_at) <= state.seconds()) expire(state, session)
  }
}

const expire = (state: State, session: StripeObject) => {
  Object.assign(session, { status: 'expired', url: null })
  state.emit('checkout.session.expired', session)
}

export const expireSession = (state: State, id: string): StripeObject => {
  const session = state.find(id, 'checkout.session')
  if (session.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${String(session.status)}\`.`,
    )
  }
  expire(state, session)
  return session
}

const openSession = (state: State, id: string) => {
  endSessions(state)
  const session = state.find(id, 'checkout.session')
  if (session.status !== 'open') throw new Error(`this session is ${String(session.status)}: nobody can pay in it`)
  return session
}

const intentFor = (state: State, session: StripeObject, fields: Fields) => {
  const asked = session.fake_intent as Fields
  const known = state.objectOf(String(session.payment_intent))
  const intent =
    known ??
    state.add('payment_intent', state.newId('pi'), {
      amount: session.amount_total,
      currency: 'usd',
      metadata: asked.metadata ?? {},
      description: asked.description ?? null,
      transfer_group: asked.transfer_group ?? null,
      last_payment_error: null,
      canceled_at: null,
      transfer_data: null,
      next_action: null,
      processing: null,
      payment_method: state.newId('pm'),
    })
  if (!known) state.emit('payment_intent.created', intent)
  session.payment_intent = intent.id
  return Object.assign(intent, fields)
}

const chargeFor = (state: State, intent: StripeObject, fields: Fields) => {
  const { amount, metadata, description, transfer_group } = intent
  const charge = state.add('charge', state.newId('ch'), {
    amount,
    amount_refunded: 0,
    metadata,
    description,
    transfer_group,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    balance_transaction: null,
    refunded: false,
    disputed: false,
    source: null,
    transfer_data: null,
    ...fields,
  })
  intent.latest_charge = charge.id
  return charge
}

const book = (state: State, charge: StripeObject): void => {
  const amount = Number(charge.amount)
  const booking = { type: 'charge', amount, fee: feeOf(amount), source: charge.id, availableInDays: state.pendingDays }
  charge.balance_transaction = state.book(booking).id
}

/** Books a payment that was captured in the background. */
export const bookPayment = (state: State, intentId: string): void => {
  const charge = state.find(String(state.find(intentId, 'payment_intent').latest_charge), 'charge')
  book(state, charge)
  state.emit('charge.updated', charge)
}

const succeed = (state: State, intent: StripeObject, isBooked = true): void => {
  const amount = Number(intent.amount)
  const charge = chargeFor(state, intent, { paid: true, captured: true, amount_captured: amount, status: 'succeeded' })
  if (isBooked) book(state, charge)
  Object.assign(intent, { status: 'succeeded', amount_received: amount, last_payment_error: null })
  state.emit('payment_intent.succeeded', intent)
  state.emit('charge.succeeded', charge)
}

/** A person pays. Returns the payment intent's id. `isBooked`: whether Stripe knows its fee at once. */
export const pay = (state: State, sessionId: string, isBooked = true): string => {
  const session = openSession(state, sessionId)
  const intent = intentFor(state, session, {})
  succeed(state, intent, isBooked)
  Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
  state.emit('checkout.session.completed', session)
  return intent.id
}

/**
 * A person pays by a method whose outcome, which `settlePayment` sets, is known only days later. `requires_action`: not before
 * they have verified their bank account.
 */
export const payLater = (
  state: State,
  sessionId: string,
  status: 'processing' | 'requires_action' = 'processing',
): string => {
  const session = openSession(state, sessionId)
  const intent = intentFor(state, session, { status })
  Object.assign(session, { status: 'complete', payment_status: 'unpaid', url: null })
  state.emit(`payment_intent.${status}`, intent)
  state.emit('checkout.session.completed', session)
  return intent.id
}

const declined = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
}

const fail = (state: State, intent: StripeObject) => {
  const charge = chargeFor(state, intent, {
    paid: false,
    captured: false,
    status: 'failed',
    failure_code: declined.code,
    failure_message: declined.message,
  })
  Object.assign(intent, { status: 'requires_payment_method', last_payment_error: declined })
  state.emit('payment_intent.payment_failed', intent)
  state.emit('charge.failed', charge)
}

export const settlePayment = (state: State, sessionId: string, outcome: 'succeeded' | 'failed'): void => {
  const session = state.find(sessionId, 'checkout.session')
  const intent = state.find(String(session.payment_intent), 'payment_intent')
  if (outcome === 'succeeded') {
    succeed(state, intent)
    session.payment_status = 'paid'
  } else fail(state, intent)
  state.emit(`checkout.session.async_payment_${outcome}`, session)
}

/** The card is declined: the session stays open, and the person may try another card. */
export const declineCard = (state: State, sessionId: string): void => {
  fail(state, intentFor(state, openSession(state, sessionId), {}))
}
