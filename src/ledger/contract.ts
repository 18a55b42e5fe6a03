/** Money as users see it: balance, withdrawals, transactions (spec §3, §5, §7; product.md §4). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, EmailAddress, filter, filterOf, Id, Instant, numberedQuery } from '../kit/schemas.ts'
import { transactionStatuses, transactionTypes, withdrawalStatuses } from './terms.ts'

export type TransactionType = (typeof transactionTypes)[number]
export type TransactionStatus = (typeof transactionStatuses)[number]

export const Transaction = z.object({
  id: Id,
  type: z.enum(transactionTypes),
  status: z.enum(transactionStatuses),
  /** Always positive; the type gives the direction. */
  amountCents: Cents,
  createdAt: Instant,
  /** What it was for, as shown on a statement. */
  description: z.string(),
  campaign: z.object({ id: Id, title: z.string() }).nullable(),
  /** The provider's reason for a declined charge or payout. */
  failureReason: z.string().nullable(),
  /** The payment that a developer's transaction belongs to; it has a receipt. */
  paymentId: Id.nullable(),
  /** Of a payment's DEBIT line: the whole payment, fee included. */
  paymentCents: Cents.nullable(),
  /** The refund that a developer's transaction represents; it has a credit note. */
  refundId: Id.nullable(),
})
export type Transaction = z.output<typeof Transaction>

export const Balance = z.object({
  balanceCents: Cents,
  /** Requested withdrawals that are not paid out yet. */
  onTheWayCents: Cents,
  /** The current minimum withdrawal, from the system settings. */
  minimumWithdrawalCents: Cents,
  recentTransactions: z.array(Transaction),
})
export type Balance = z.output<typeof Balance>

/** A developer's payment, as on its receipt. */
export const Payment = z.object({
  id: Id,
  createdAt: Instant,
  status: z.enum(['COMPLETED', 'FAILED']),
  campaign: z.object({ id: Id, title: z.string() }),
  developer: z.object({ name: z.string(), email: EmailAddress }),
  /** Both are 0 when the payment failed. */
  testersPayCents: Cents,
  feeCents: Cents,
  totalCents: Cents,
  paymentMethod: z.string(),
  failureReason: z.string().nullable(),
})
export type Payment = z.output<typeof Payment>

/** A refund to a developer, as on its credit note. */
export const Refund = Payment.pick({
  id: true,
  createdAt: true,
  campaign: true,
  developer: true,
  testersPayCents: true,
  feeCents: true,
  totalCents: true,
}).extend({
  status: z.enum(['PENDING', 'COMPLETED']),
  /** When the provider had paid all parts; null until then. */
  settledAt: Instant.nullable(),
  /** What each payment gives back, the newest payment first. */
  parts: z.array(
    z.object({
      paymentId: Id,
      /** The payment method that was charged, and gets the money back. */
      paymentMethod: z.string(),
      amountCents: Cents,
      settledAt: Instant.nullable(),
    }),
  ),
})
export type Refund = z.output<typeof Refund>

/** Sums of a developer's transactions, each over the list that its filter shows. */
export const PaymentSummary = z.object({
  /** Testers' pay and fees, DEBIT and FEE, COMPLETED. */
  paidInCents: Cents,
  /** FEE, COMPLETED; included above. */
  feeCents: Cents,
  /** CREDIT, COMPLETED. */
  refundedCents: Cents,
  /** CREDIT, PENDING. */
  onTheWayBackCents: Cents,
})
export type PaymentSummary = z.output<typeof PaymentSummary>

const isType = (text: string): text is TransactionType => transactionTypes.some(type => type === text)

/** One or several, separated by commas: `DEBIT,FEE`. */
const Types = z
  .string({ error: 'There is no such type' })
  .refine(text => text.split(',').every(isType), { error: 'There is no such type' })
  .meta({ examples: ['DEBIT,FEE'] })
  .transform(text => text.split(',').filter(isType))

export const TransactionQuery = numberedQuery(20, {
  type: filterOf(Types, 'There is no such type'),
  status: filter(transactionStatuses, 'There is no such status'),
  campaignId: filterOf(z.uuid({ error: 'This is no id of a campaign' }), 'This is no id of a campaign'),
})
export type TransactionQuery = z.output<typeof TransactionQuery>

export const Withdrawal = z.object({
  id: Id,
  amountCents: Cents,
  status: z.enum(withdrawalStatuses),
  destination: z.string(),
  createdAt: Instant,
  /** The remaining balance. */
  balanceCents: Cents,
})
export type Withdrawal = z.output<typeof Withdrawal>

export const ledgerApi = endpoints({
  balance: {
    method: 'GET',
    path: '/testers/balance',
    access: 'TESTER',
    revalidated: true,
    summary: 'The tester’s balance and the newest transactions.',
    reply: Balance,
  },
  withdraw: {
    method: 'POST',
    path: '/testers/withdraw',
    access: 'TESTER',
    summary:
      'Ask for a payout: at least the minimum of the settings (1000 cents), at most the balance, not within 24 h of a new payment method.',
    body: z.object({
      amountCents: z
        .number({ error: 'Amount must be a number of cents' })
        .int({ error: 'Amount must be a whole number of cents' })
        .min(1, { error: 'Amount must be at least 1 cent' }),
    }),
    reply: Withdrawal,
    stepUp: true,
    status: 201,
    idempotent: true,
    errors: ['INSUFFICIENT_BALANCE', 'PAYOUT_METHOD_PAUSED', 'EMAIL_NOT_CONFIRMED', 'SUSPENDED'],
  },
  transactions: {
    method: 'GET',
    path: '/users/me/transactions',
    access: 'SIGNED_IN',
    revalidated: true,
    summary: 'The caller’s transactions, newest first.',
    query: TransactionQuery,
    pageOf: Transaction,
    numbered: true,
  },
  paymentSummary: {
    method: 'GET',
    path: '/users/me/payments/summary',
    access: 'DEVELOPER',
    summary: 'Sums paid in, fees included, refunded, and being refunded.',
    reply: PaymentSummary,
  },
  payment: {
    method: 'GET',
    path: '/users/me/payments/:id',
    access: 'DEVELOPER',
    summary: 'A payment of the caller, as on its receipt.',
    params: ById,
    reply: Payment,
  },
  refund: {
    method: 'GET',
    path: '/users/me/refunds/:id',
    access: 'DEVELOPER',
    summary: 'A refund to the caller, as on its credit note.',
    params: ById,
    reply: Refund,
  },
})
