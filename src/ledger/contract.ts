/** The money as people see it: balance, withdrawals, transactions (spec §3, §5, §7; product.md §4). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, filter, filterOf, Id, Instant, numberedPage, pageQuery } from '../kit/schemas.ts'
import { transactionStatuses, transactionTypes, withdrawalStatuses } from './terms.ts'

export type TransactionType = (typeof transactionTypes)[number]
export type TransactionStatus = (typeof transactionStatuses)[number]

export const Transaction = z.object({
  id: Id,
  type: z.enum(transactionTypes),
  status: z.enum(transactionStatuses),
  /** Always positive; the type says which way it went. */
  amountCents: Cents,
  createdAt: Instant,
  /** What it was for, as a line of a statement. */
  description: z.string(),
  campaign: z.object({ id: Id, title: z.string() }).nullable(),
  /** Why it failed: the provider's reason for a declined charge or payout. */
  failureReason: z.string().nullable(),
  /** The payment that a developer's line is part of; it has a receipt. */
  paymentId: Id.nullable(),
  /** The refund that a developer's line is; it has a credit note. */
  refundId: Id.nullable(),
})
export type Transaction = z.output<typeof Transaction>

export const Balance = z.object({
  balanceCents: Cents,
  /** Withdrawals asked for and not yet paid out. */
  onTheWayCents: Cents,
  /** The least to withdraw now: the system settings say it. */
  minimumWithdrawalCents: Cents,
  recentTransactions: z.array(Transaction),
})
export type Balance = z.output<typeof Balance>

/** One charge of a developer: what its receipt says. */
export const Payment = z.object({
  id: Id,
  createdAt: Instant,
  status: z.enum(['COMPLETED', 'FAILED']),
  campaign: z.object({ id: Id, title: z.string() }),
  developer: z.object({ name: z.string(), email: z.string() }),
  /** Both 0 when it failed: nothing was paid. */
  testersPayCents: Cents,
  feeCents: Cents,
  totalCents: Cents,
  paymentMethod: z.string(),
  failureReason: z.string().nullable(),
})
export type Payment = z.output<typeof Payment>

/** What came back to a developer: what its credit note says. */
export const Refund = Payment.pick({
  id: true,
  createdAt: true,
  campaign: true,
  developer: true,
  testersPayCents: true,
  feeCents: true,
  totalCents: true,
  /** The one that was charged. */
  paymentMethod: true,
}).extend({
  status: z.enum(['PENDING', 'COMPLETED']),
  /** When the provider paid it back; null until then. */
  settledAt: Instant.nullable(),
})
export type Refund = z.output<typeof Refund>

/** The sums of a developer's transactions: each is the sum of the list that its filter shows. */
export const PaymentSummary = z.object({
  /** Testers' pay and fees, DEBIT and FEE, COMPLETED. */
  paidInCents: Cents,
  /** FEE, COMPLETED; part of the above. */
  feeCents: Cents,
  /** CREDIT, COMPLETED. */
  refundedCents: Cents,
  /** CREDIT, PENDING. */
  onTheWayBackCents: Cents,
})
export type PaymentSummary = z.output<typeof PaymentSummary>

const isType = (text: string): text is TransactionType => transactionTypes.some(type => type === text)

/** One, or several with commas: `DEBIT,FEE`. */
const Types = z
  .string({ error: 'There is no such type' })
  .refine(text => text.split(',').every(isType), { error: 'There is no such type' })
  .transform(text => text.split(',').filter(isType))

export const TransactionQuery = pageQuery(20).extend({
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
  /** What is left of the balance. */
  balanceCents: Cents,
})
export type Withdrawal = z.output<typeof Withdrawal>

export const ledgerApi = endpoints({
  balance: {
    method: 'GET',
    path: '/testers/balance',
    access: 'TESTER',
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
        .number({ error: 'Amount has to be a number of cents' })
        .int({ error: 'Amount has to be a whole number of cents' })
        .min(1, { error: 'Amount has to be at least 1 cent' }),
    }),
    reply: Withdrawal,
    status: 201,
    idempotent: true,
  },
  transactions: {
    method: 'GET',
    path: '/users/me/transactions',
    access: 'SIGNED_IN',
    summary: 'One’s own transactions, the newest first.',
    query: TransactionQuery,
    reply: numberedPage(Transaction),
  },
  paymentSummary: {
    method: 'GET',
    path: '/users/me/payments/summary',
    access: 'DEVELOPER',
    summary: 'What was paid in, of it the fees, what came back, and what is on its way back.',
    reply: PaymentSummary,
  },
  payment: {
    method: 'GET',
    path: '/users/me/payments/:id',
    access: 'DEVELOPER',
    summary: 'One’s own payment, as its receipt shows it.',
    params: ById,
    reply: Payment,
  },
  refund: {
    method: 'GET',
    path: '/users/me/refunds/:id',
    access: 'DEVELOPER',
    summary: 'One’s own refund, as its credit note shows it.',
    params: ById,
    reply: Refund,
  },
})
