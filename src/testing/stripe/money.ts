/** Refunds, transfers, payouts of the platform and disputes: everything except payments that moves the platform's balance. */
import { invalidParameters, invalidRequest } from './refusals.ts'
import { dayMs, type Fields, type StripeObject, type State } from './state.ts'

/** accounts.ts knows what connected accounts hold, and whether they can receive transfers. */
type CanReceive = (accountId: string) => boolean

const chargeOf = (state: State, { charge, payment_intent: intentId }: Fields): StripeObject => {
  if (typeof charge === 'string') return state.find(charge, 'charge')
  if (typeof intentId !== 'string') {
    throw invalidParameters(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  }
  const intent = state.find(intentId, 'payment_intent')
  if (intent.status !== 'succeeded') {
    throw invalidRequest('This PaymentIntent does not have a successful charge to refund.', {
      code: 'payment_intent_unexpected_state',
    })
  }
  return state.find(String(intent.latest_charge), 'charge')
}

const isCovered = (state: State, amount: number) => amount <= state.availableCents()

const takeForRefund = (state: State, refund: StripeObject) => {
  refund.balance_transaction = state.book({ type: 'refund', amount: -Number(refund.amount), source: refund.id }).id
}

export const createRefund = (state: State, params: Fields): StripeObject => {
  const charge = chargeOf(state, params)
  if (charge.disputed === true) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
  const left = Number(charge.amount) - Number(charge.amount_refunded)
  const amount = params.amount === undefined ? left : Number(params.amount)
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  if (amount > left) {
    throw invalidRequest(
      `Refund amount ($${amount / 100}) is greater than unrefunded amount on charge ($${left / 100})`,
      {
        param: 'amount',
      },
    )
  }
  if (amount < 1) throw invalidRequest('Invalid positive integer', { param: 'amount' })
  const covered = isCovered(state, amount)
  if (!covered && state.uncoveredRefunds === 'refuse') state.assertCovered(amount)
  const refund = state.add('refund', state.newId('re'), {
    amount,
    currency: 'usd',
    charge: charge.id,
    payment_intent: charge.payment_intent,
    metadata: params.metadata ?? {},
    reason: params.reason ?? null,
    status: covered ? 'succeeded' : 'pending',
    balance_transaction: null,
  })
  if (covered) takeForRefund(state, refund)
  charge.amount_refunded = Number(charge.amount_refunded) + amount
  charge.refunded = charge.amount_refunded === charge.amount
  state.emit('refund.created', refund)
  state.emit('charge.refunded', charge)
  return refund
}

/** Refunds that waited for the balance are paid once it covers them, oldest first. */
export const settleRefunds = (state: State): void => {
  for (const refund of state.all('refund').toReversed()) {
    if (refund.status !== 'pending' || !isCovered(state, Number(refund.amount))) continue
    refund.status = 'succeeded'
    takeForRefund(state, refund)
    state.emit('refund.updated', refund)
  }
}

/** The customer's bank sends the money back, often days later. */
export const failRefund = (state: State, id: string, status: 'failed' | 'canceled' = 'failed'): void => {
  const refund = state.find(id, 'refund')
  const charge = state.find(String(refund.charge), 'charge')
  if (refund.balance_transaction !== null) {
    const back = { type: 'refund_failure', amount: Number(refund.amount), source: refund.id }
    refund.failure_balance_transaction = state.book(back).id
  }
  charge.amount_refunded = Number(charge.amount_refunded) - Number(refund.amount)
  charge.refunded = false
  Object.assign(refund, { status, failure_reason: 'expired_or_canceled_card' })
  state.emit('refund.updated', refund)
  state.emit('refund.failed', refund)
}

/** A refund that had failed is paid after all. */
export const payFailedRefund = (state: State, id: string): void => {
  const refund = state.find(id, 'refund')
  const charge = state.find(String(refund.charge), 'charge')
  takeForRefund(state, refund)
  charge.amount_refunded = Number(charge.amount_refunded) + Number(refund.amount)
  Object.assign(refund, { status: 'succeeded', failure_reason: null })
  state.emit('refund.updated', refund)
}

export const createTransfer = (state: State, params: Fields, canReceive: CanReceive): StripeObject => {
  const { amount, destination, transfer_group: group, description, metadata } = params
  if (params.source_transaction !== undefined) {
    throw invalidParameters('The fake knows transfers from the balance only.', 'source_transaction')
  }
  const cents = Number(amount)
  if (amount === undefined || cents < 1) throw invalidParameters('Invalid positive integer', 'amount')
  if (state.objectOf(String(destination))?.object !== 'v2.core.account') {
    throw invalidRequest(`No such destination: '${String(destination)}'`, {
      code: 'resource_missing',
      param: 'destination',
    })
  }
  if (!canReceive(String(destination))) {
    throw invalidRequest(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer' },
    )
  }
  state.assertCovered(cents)
  const id = state.newId('tr')
  const transfer = state.add('transfer', id, {
    amount: cents,
    amount_reversed: 0,
    currency: 'usd',
    destination,
    destination_payment: state.newId('py'),
    transfer_group: group ?? `group_${id.slice(3)}`,
    description: description ?? null,
    metadata: metadata ?? {},
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
  })
  transfer.balance_transaction = state.book({ type: 'transfer', amount: -cents, source: id }).id
  state.emit('transfer.created', transfer)
  return transfer
}

/** Done by the platform, or by Stripe when it rejects the account. */
export const reverseTransfer = (state: State, transferId: string, params: Fields = {}): StripeObject => {
  const transfer = state.find(transferId, 'transfer')
  const left = Number(transfer.amount) - Number(transfer.amount_reversed)
  const amount = params.amount === undefined ? left : Number(params.amount)
  if (amount > left || amount < 1) {
    throw invalidRequest(`Transfer ${transferId} has only ${left} left to reverse.`, { param: 'amount' })
  }
  const reversal = state.add('transfer_reversal', state.newId('trr'), {
    amount,
    currency: 'usd',
    transfer: transferId,
    metadata: params.metadata ?? {},
  })
  reversal.balance_transaction = state.book({ type: 'transfer_refund', amount, source: reversal.id }).id
  transfer.amount_reversed = Number(transfer.amount_reversed) + amount
  transfer.reversed = transfer.amount_reversed === transfer.amount
  const list = transfer.reversals as { data: unknown[] }
  list.data.unshift(structuredClone(reversal))
  state.emit('transfer.reversed', transfer)
  return reversal
}

/** Pays the platform's own money to its bank. */
export const createPayout = (state: State, params: Fields): StripeObject => {
  const amount = Number(params.amount)
  if (amount < 1) throw invalidParameters('Invalid positive integer', 'amount')
  state.assertCovered(amount)
  const payout = state.add('payout', state.newId('po'), {
    amount,
    currency: 'usd',
    automatic: false,
    arrival_date: state.seconds() + (2 * dayMs) / 1000,
    metadata: params.metadata ?? {},
    status: 'pending',
  })
  payout.balance_transaction = state.book({ type: 'payout', amount: -amount, source: payout.id }).id
  state.emit('payout.created', payout)
  return payout
}

export const settlePayout = (state: State, id: string, outcome: 'paid' | 'failed'): void => {
  const payout = state.find(id, 'payout')
  payout.status = outcome
  if (outcome === 'failed') {
    Object.assign(payout, { failure_code: 'account_closed', failure_message: 'The bank account has been closed.' })
    const back = { type: 'payout_failure', amount: Number(payout.amount), source: id }
    payout.failure_balance_transaction = state.book(back).id
  }
  state.emit(`payout.${outcome}`, payout)
}

const disputeFee = 1500

export type DisputeTerms = {
  reason?: string
  /** By default all that is left of the charge. */
  amount?: number
  /** The bank only asks, and takes nothing. */
  inquiry?: boolean
}

/** The customer's bank takes the money back until the dispute is decided. */
export const openDispute = (state: State, intentId: string, terms: DisputeTerms = {}): string => {
  const intent = state.find(intentId, 'payment_intent')
  const charge = state.find(String(intent.latest_charge), 'charge')
  const amount = terms.amount ?? Number(charge.amount) - Number(charge.amount_refunded)
  const isInquiry = terms.inquiry === true
  const dispute = state.add('dispute', state.newId('dp'), {
    amount,
    currency: 'usd',
    charge: charge.id,
    payment_intent: intentId,
    reason: terms.reason ?? 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
    is_charge_refundable: isInquiry,
    balance_transactions: [],
    evidence_details: {
      due_by: state.seconds() + (7 * dayMs) / 1000,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      enhanced_eligibility: {},
    },
    metadata: {},
  })
  state.emit('charge.dispute.created', dispute)
  if (isInquiry) return dispute.id
  charge.disputed = true
  bookDispute(state, dispute, -amount, disputeFee)
  state.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute.id
}

const bookDispute = (state: State, dispute: StripeObject, amount: number, fee = 0) => {
  const booked = state.book({ type: 'adjustment', amount, fee, source: dispute.id })
  dispute.balance_transactions = [...(dispute.balance_transactions as unknown[]), structuredClone(booked)]
}

/** The evidence was submitted. */
export const reviewDispute = (state: State, id: string): void => {
  const dispute = state.find(id, 'dispute')
  dispute.status = String(dispute.status).startsWith('warning') ? 'warning_under_review' : 'under_review'
  state.emit('charge.dispute.updated', dispute)
}

/** The bank takes the money of a won dispute again. */
export const disputeAgain = (state: State, id: string): void => {
  const dispute = state.find(id, 'dispute')
  dispute.status = 'appeal_under_review'
  state.find(String(dispute.charge), 'charge').disputed = true
  bookDispute(state, dispute, -Number(dispute.amount))
  state.emit('charge.dispute.funds_withdrawn', dispute)
  state.emit('charge.dispute.updated', dispute)
}

export type DisputeEnd = 'won' | 'lost' | 'warning_closed'

export const closeDispute = (state: State, id: string, outcome: DisputeEnd): void => {
  const dispute = state.find(id, 'dispute')
  dispute.status = outcome
  if (outcome === 'won') {
    state.find(String(dispute.charge), 'charge').disputed = false
    bookDispute(state, dispute, Number(dispute.amount))
    state.emit('charge.dispute.funds_reinstated', dispute)
  }
  state.emit('charge.dispute.closed', dispute)
}
