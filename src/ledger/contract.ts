/** The money as people see it: balance, withdrawals, transactions (spec §3, §5, §7; product.md §4). */
import { z } from 'zod'
import { endpoints } from '../app/endpoint.ts'
import { Cents, Id, Instant, numberedPage, pageQuery } from '../app/schemas.ts'

export const transactionTypes = ['CREDIT', 'DEBIT', 'PAYOUT', 'FEE'] as const
export type TransactionType = (typeof transactionTypes)[number]
export const transactionStatuses = ['COMPLETED', 'PENDING', 'FAILED', 'REFUNDED'] as const
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

export const withdrawalStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const

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

/** Spec §9; the system settings may say otherwise. */
export const minimumWithdrawalCents = 1000

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
    summary: 'Ask for a payout: at least the minimum of the settings (1000 cents), at most the balance, not within 24 h of a new payment method.',
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
    query: pageQuery(20),
    reply: numberedPage(Transaction),
  },
})
