/** Refunds, transfers, payouts of the platform and disputes: everything except payments that moves the platform's balance. */
import { invalidParameters, invalidRequest } from './refusals.ts'
import { dayMs, type Fields, type StripeObject, type World } from './world.ts'

/** accounts.ts knows what connected accounts hold, and whether they can receive transfers. */
type CanReceive = (accountId: string) => boolean

const chargeOf = (world: World, { charge, payment_intent: intentId }: Fields): StripeObject => {
  if (typeof charge === 'string') return world.find(charge, 'charge')
  if (typeof intentId !== 'string') {
    throw invalidParameters(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  }
  const intent = world.find(intentId, 'payment_intent')
  if (intent.status !== 'succeeded') {
    throw invalidRequest('This PaymentIntent does not have a successful charge to refund.', {
      code: 'payment_intent_unexpected_state',
    })
  }
  return world.find(String(intent.latest_charge), 'charge')
}

const isCovered = (world: World, amount: number) => amount <= world.availableCents()

const takeForRefund = (world: World, refund: StripeObject) => {
  refund.balance_transaction = world.book({ type: 'refund', amount: -Number(refund.amount), source: refund.id }).id
}

export const createRefund = (world: World, params: Fields): StripeObject => {
  const charge = chargeOf(world, params)
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
  const covered = isCovered(world, amount)
  if (!covered && world.uncoveredRefunds === 'refuse') world.assertCovered(amount)
  const refund = world.add('refund', world.newId('re'), {
    amount,
    currency: 'usd',
    charge: charge.id,
    payment_intent: charge.payment_intent,
    metadata: params.metadata ?? {},
    reason: params.reason ?? null,
    status: covered ? 'succeeded' : 'pending',
    balance_transaction: null,
  })
  if (covered) takeForRefund(world, refund)
  charge.amount_refunded = Number(charge.amount_refunded) + amount
  charge.refunded = charge.amount_refunded === charge.amount
  world.emit('refund.created', refund)
  world.emit('charge.refunded', charge)
  return refund
}

/** Refunds that waited for the balance are paid once it covers them, oldest first. */
export const settleRefunds = (world: World): void => {
  for (const refund of world.all('refund').toReversed()) {
    if (refund.status !== 'pending' || !isCovered(world, Number(refund.amount))) continue
    refund.status = 'succeeded'
    takeForRefund(world, refund)
    world.emit('refund.updated', refund)
  }
}

/** The customer's bank sends the money back, often days later. */
export const failRefund = (world: World, id: string, status: 'failed' | 'canceled' = 'failed'): void => {
  const refund = world.find(id, 'refund')
  const charge = world.find(String(refund.charge), 'charge')
  if (refund.balance_transaction !== null) {
    const back = { type: 'refund_failure', amount: Number(refund.amount), source: refund.id }
    refund.failure_balance_transaction = world.book(back).id
  }
  charge.amount_refunded = Number(charge.amount_refunded) - Number(refund.amount)
  charge.refunded = false
  Object.assign(refund, { status, failure_reason: 'expired_or_canceled_card' })
  world.emit('refund.updated', refund)
  world.emit('refund.failed', refund)
}

/** A refund that had failed is paid after all. */
export const payFailedRefund = (world: World, id: string): void => {
  const refund = world.find(id, 'refund')
  const charge = world.find(String(refund.charge), 'charge')
  takeForRefund(world, refund)
  charge.amount_refunded = Number(charge.amount_refunded) + Number(refund.amount)
  Object.assign(refund, { status: 'succeeded', failure_reason: null })
  world.emit('refund.updated', refund)
}

export const createTransfer = (world: World, params: Fields, canReceive: CanReceive): StripeObject => {
  const { amount, destination, transfer_group: group, description, metadata } = params
  if (params.source_transaction !== undefined) {
    throw invalidParameters('The fake knows transfers from the balance only.', 'source_transaction')
  }
  const cents = Number(amount)
  if (amount === undefined || cents < 1) throw invalidParameters('Invalid positive integer', 'amount')
  if (world.objectOf(String(destination))?.object !== 'v2.core.account') {
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
  world.assertCovered(cents)
  const id = world.newId('tr')
  const transfer = world.add('transfer', id, {
    amount: cents,
    amount_reversed: 0,
    currency: 'usd',
    destination,
    destination_payment: world.newId('py'),
    transfer_group: group ?? `group_${id.slice(3)}`,
    description: description ?? null,
    metadata: metadata ?? {},
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
  })
  transfer.balance_transaction = world.book({ type: 'transfer', amount: -cents, source: id }).id
  world.emit('transfer.created', transfer)
  return transfer
}

/** Done by the platform, or by Stripe when it rejects the account. */
export const reverseTransfer = (world: World, transferId: string, params: Fields = {}): StripeObject => {
  const transfer = world.find(transferId, 'transfer')
  const left = Number(transfer.amount) - Number(transfer.amount_reversed)
  const amount = params.amount === undefined ? left : Number(params.amount)
  if (amount > left || amount < 1) {
    throw invalidRequest(`Transfer ${transferId} has only ${left} left to reverse.`, { param: 'amount' })
  }
  const reversal = world.add('transfer_reversal', world.newId('trr'), {
    amount,
    currency: 'usd',
    transfer: transferId,
    metadata: params.metadata ?? {},
  })
  reversal.balance_transaction = world.book({ type: 'transfer_refund', amount, source: reversal.id }).id
  transfer.amount_reversed = Number(transfer.amount_reversed) + amount
  transfer.reversed = transfer.amount_reversed === transfer.amount
  const list = transfer.reversals as { data: unknown[] }
  list.data.unshift(structuredClone(reversal))
  world.emit('transfer.reversed', transfer)
  return reversal
}

/** Pays the platform's own money to its bank. */
export const createPayout = (world: World, params: Fields): StripeObject => {
  const amount = Number(params.amount)
  if (amount < 1) throw invalidParameters('Invalid positive integer', 'amount')
  world.assertCovered(amount)
  const payout = world.add('payout', world.newId('po'), {
    amount,
    currency: 'usd',
    automatic: false,
    arrival_date: world.seconds() + (2 * dayMs) / 1000,
    metadata: params.metadata ?? {},
    status: 'pending',
  })
  payout.balance_transaction = world.book({ type: 'payout', amount: -amount, source: payout.id }).id
  world.emit('payout.created', payout)
  return payout
}

export const settlePayout = (world: World, id: string, outcome: 'paid' | 'failed'): void => {
  const payout = world.find(id, 'payout')
  payout.status = outcome
  if (outcome === 'failed') {
    Object.assign(payout, { failure_code: 'account_closed', failure_message: 'The bank account has been closed.' })
    const back = { type: 'payout_failure', amount: Number(payout.amount), source: id }
    payout.failure_balance_transaction = world.book(back).id
  }
  world.emit(`payout.${outcome}`, payout)
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
export const openDispute = (world: World, intentId: string, terms: DisputeTerms = {}): string => {
  const intent = world.find(intentId, 'payment_intent')
  const charge = world.find(String(intent.latest_charge), 'charge')
  const amount = terms.amount ?? Number(charge.amount) - Number(charge.amount_refunded)
  const isInquiry = terms.inquiry === true
  const dispute = world.add('dispute', world.newId('dp'), {
    amount,
    currency: 'usd',
    charge: charge.id,
    payment_intent: intentId,
    reason: terms.reason ?? 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
    is_charge_refundable: isInquiry,
    balance_transactions: [],
    evidence_details: {
      due_by: world.seconds() + (7 * dayMs) / 1000,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      enhanced_eligibility: {},
    },
    metadata: {},
  })
  world.emit('charge.dispute.created', dispute)
  if (isInquiry) return dispute.id
  charge.disputed = true
  bookDispute(world, dispute, -amount, disputeFee)
  world.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute.id
}

const bookDispute = (world: World, dispute: StripeObject, amount: number, fee = 0) => {
  const booked = world.book({ type: 'adjustment', amount, fee, source: dispute.id })
  dispute.balance_transactions = [...(dispute.balance_transactions as unknown[]), structuredClone(booked)]
}

/** The evidence was submitted. */
export const reviewDispute = (world: World, id: string): void => {
  const dispute = world.find(id, 'dispute')
  dispute.status = String(dispute.status).startsWith('warning') ? 'warning_under_review' : 'under_review'
  world.emit('charge.dispute.updated', dispute)
}

/** The bank takes the money of a won dispute again. */
export const disputeAgain = (world: World, id: string): void => {
  const dispute = world.find(id, 'dispute')
  dispute.status = 'appeal_under_review'
  world.find(String(dispute.charge), 'charge').disputed = true
  bookDispute(world, dispute, -Number(dispute.amount))
  world.emit('charge.dispute.funds_withdrawn', dispute)
  world.emit('charge.dispute.updated', dispute)
}

export type DisputeEnd = 'won' | 'lost' | 'warning_closed'

export const closeDispute = (world: World, id: string, outcome: DisputeEnd): void => {
  const dispute = world.find(id, 'dispute')
  dispute.status = outcome
  if (outcome === 'won') {
    world.find(String(dispute.charge), 'charge').disputed = false
    bookDispute(world, dispute, Number(dispute.amount))
    world.emit('charge.dispute.funds_reinstated', dispute)
  }
  world.emit('charge.dispute.closed', dispute)
}
