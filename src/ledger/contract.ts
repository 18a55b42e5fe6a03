/** Money as users see it: balance, withdrawals, transactions (spec §3, §5, §7; product.md §4). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { countryCodes } from '../kit/countries.ts'
import { ById, Cents, filter, filterOf, Id, idOr, Instant, numberedQuery, SequenceQuery, text } from '../kit/schemas.ts'
import { NamedCampaign, NamedPerson, PersonOnPaper, TransactionLine } from './entities.ts'
import {
  approvalOutcomes,
  holdKinds,
  payoutAccountStatuses,
  payoutActions,
  transactionStatuses,
  transactionTypes,
  withdrawalStatuses,
} from './terms.ts'

export type TransactionType = (typeof transactionTypes)[number]
export type TransactionStatus = (typeof transactionStatuses)[number]

/** A reason why money stays where it is, as a sentence for its owner. */
export const Hold = z.object({
  kind: z.enum(holdKinds),
  /** If no time ends the hold, the sentence says what does. */
  sentence: z.string(),
  since: Instant.nullable(),
  until: Instant.nullable(),
})
export type Hold = z.output<typeof Hold>

export const Transaction = TransactionLine.extend({
  /** Always positive; the type gives the direction. */
  amountCents: Cents,
  /** On a payment's DEBIT line: the whole payment, fee included. */
  paymentCents: Cents.nullable(),
  /** On a withdrawal that is not paid out yet: what holds it up; null while nothing does. */
  hold: Hold.nullable(),
})
export type Transaction = z.output<typeof Transaction>

export const Balance = z.object({
  balanceCents: Cents,
  /** Requested withdrawals that are not paid out yet. */
  onTheWayCents: Cents,
  /** The current minimum withdrawal, from the system settings. */
  minimumWithdrawalCents: Cents,
  /** Withdrawals above this wait for two admins. It is what remains of the limit after the last 7 days; null without a limit. */
  approvalAboveCents: Cents.nullable(),
  /** What holds up new withdrawals, the one that ends last first. */
  holds: z.array(Hold),
  recentTransactions: z.array(Transaction),
})
export type Balance = z.output<typeof Balance>

/** Where a tester's withdrawals go at the payment provider. */
export const PayoutAccount = z.object({
  /** False if the provider needs no account. */
  needed: z.boolean(),
  /** The provider's own id for the account, which a removal names; null until there is an account. */
  id: z.string().nullable(),
  status: z.enum(payoutAccountStatuses),
  /** What the provider still asks for, in words. */
  missing: z.array(z.string()),
  /** ISO 3166-1 alpha-2; null until there is an account. */
  country: z.string().nullable(),
  /** The smallest payout to a bank of the country, such as `3000 ALL`; null where it is about one unit of its currency. */
  minimum: z.string().nullable(),
  /** The same minimum if it is in dollars; smaller withdrawals are refused. We know no exchange rate for other currencies. */
  minimumCents: Cents.nullable(),
})
export type PayoutAccount = z.output<typeof PayoutAccount>

/** A payment whose result is not known yet. */
export const WaitingPayment = z.object({
  status: z.literal('PENDING').meta({ examples: ['PENDING'] }),
  amountCents: Cents,
  /** The page on which to pay; null if the provider has none, and once the payment is on its way. */
  checkoutUrl: z.url().nullable(),
})
export type WaitingPayment = z.output<typeof WaitingPayment>

/** The latest payment for a campaign, if it was declined. */
export const DeclinedPayment = z.object({ amountCents: Cents, reason: z.string(), at: Instant })
export type DeclinedPayment = z.output<typeof DeclinedPayment>

/** A developer's payment, as on its receipt. */
export const Payment = z.object({
  id: Id,
  createdAt: Instant,
  status: z.enum(['COMPLETED', 'FAILED']),
  campaign: NamedCampaign,
  developer: PersonOnPaper,
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
  /** When the provider had paid all parts; null before that. */
  settledAt: Instant.nullable(),
  /** What goes back to each payment, newest payment first. */
  parts: z.array(
    z.object({
      paymentId: Id,
      /** The payment method that was charged, which gets the money back. */
      paymentMethod: z.string(),
      amountCents: Cents,
      settledAt: Instant.nullable(),
      /** The reference of a payment by other means, made because the payment method refused the refund; null otherwise. */
      paidOutside: z.string().nullable(),
      /** The bank gave this part back when it took the payment back after a dispute. */
      paidByBank: z.boolean(),
    }),
  ),
})
export type Refund = z.output<typeof Refund>

/** A payment of the developer whose result is not known yet. */
export const PaymentOnTheWay = z.object({
  id: Id,
  campaign: NamedCampaign,
  amountCents: Cents,
  createdAt: Instant,
  /** The payment is waiting for the developer on the provider's page; the campaign links to that page. */
  isUnfinished: z.boolean(),
  /** The campaign no longer needs this payment: when it arrives, it is refunded. */
  goesBack: z.boolean(),
})
export type PaymentOnTheWay = z.output<typeof PaymentOnTheWay>

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
  /** The newest 20; none of them is included in the sums. Absent in replies of servers one release older. */
  paymentsOnTheWay: z.array(PaymentOnTheWay).optional(),
})
export type PaymentSummary = z.output<typeof PaymentSummary>

const isType = (name: string): name is TransactionType => transactionTypes.some(type => type === name)

/** One type, or several separated by commas: `DEBIT,FEE`. */
const Types = z
  .string({ error: 'Unknown type' })
  .refine(names => names.split(',').every(isType), { error: 'Unknown type' })
  .meta({ examples: ['DEBIT,FEE'] })
  .transform(names => names.split(',').filter(isType))

export const TransactionQuery = numberedQuery(20, {
  type: filterOf(Types, 'Unknown type'),
  status: filter(transactionStatuses, 'Unknown status'),
  campaignId: filterOf(idOr('This is not a campaign ID'), 'This is not a campaign ID'),
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
  /** What holds it up; null while nothing does. */
  hold: Hold.nullable(),
})
export type Withdrawal = z.output<typeof Withdrawal>

/** A withdrawal that takes a tester above the configured limit for 7 days: one admin releases it, and another confirms. */
export const PayoutApproval = z.object({
  id: Id,
  amountCents: Cents,
  destination: z.string(),
  requestedAt: Instant,
  tester: NamedPerson,
  /** The admin who released it. A release counts only while that admin is active. */
  releasedBy: NamedPerson.nullable(),
  releasedAt: Instant.nullable(),
  /**
   * LAPSED: there is nothing left to decide, because the tester removed the payout account, or because it was paid before a
   * restore.
   */
  outcome: z.enum(approvalOutcomes).nullable(),
  decidedBy: NamedPerson.nullable(),
  decidedAt: Instant.nullable(),
  /** Why it was refused. */
  reason: z.string().nullable(),
  /** What else holds it up, or why it cannot be decided now; null if neither applies. */
  blocked: z.string().nullable(),
  /** What the caller can do with it now. */
  actions: z.array(z.enum(payoutActions)),
})
export type PayoutApproval = z.output<typeof PayoutApproval>

const onPayout = {
  method: 'POST',
  access: 'ADMIN',
  params: ById,
  reply: PayoutApproval,
  stepUp: true,
  idempotent: true,
  errors: ['WRONG_STATE'],
} as const

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
      'Request a withdrawal: at least the minimum in the settings (1000 cents), at most the balance, and not within 24 hours of a new payment method or payout account.',
    body: z.object({
      amountCents: z
        .number({ error: 'Amount must be a number of cents' })
        .int({ error: 'Amount must be a whole number of cents' }),
    }),
    reply: Withdrawal,
    stepUp: true,
    status: 201,
    idempotent: true,
    errors: ['INSUFFICIENT_BALANCE', 'PAYOUT_METHOD_PAUSED', 'EMAIL_NOT_CONFIRMED', 'SUSPENDED', 'WRONG_STATE'],
  },
  payoutAccount: {
    method: 'GET',
    path: '/testers/payout-account',
    access: 'TESTER',
    summary: 'The status of the tester’s payout account at the payment provider.',
    reply: PayoutAccount,
  },
  onboard: {
    method: 'POST',
    path: '/testers/payout-account/link',
    access: 'TESTER',
    stepUp: true,
    summary:
      'Get a link to the provider’s page for setting up or completing a payout account. The country is used only the first time, which also pauses withdrawals for 24 hours.',
    body: z.object({
      country: z
        .string({ error: 'Choose a country' })
        .refine(code => countryCodes.includes(code), { error: 'Choose a country from the list' })
        .meta({ examples: ['DE'] }),
    }),
    reply: z.object({ url: z.url() }),
    errors: ['SUSPENDED', 'WRONG_STATE', 'UNAVAILABLE'],
  },
  removePayoutAccount: {
    method: 'DELETE',
    path: '/testers/payout-account',
    access: 'TESTER',
    stepUp: true,
    summary:
      'Remove a payout account, so that another one can be set up. Waiting withdrawals go back to the balance; 409 while one may already be on its way. `account` is the `id` of the account to remove; if a different one has been set up since, it is kept and returned.',
    query: z.object({
      account: z
        .string({ error: 'The id of the payout account is required' })
        .min(1, { error: 'The id of the payout account is required' })
        .max(100, { error: 'This is not a payout account ID' })
        .meta({ examples: ['acct_1Nv0FGQ9RKHgCVdK'] }),
    }),
    reply: PayoutAccount,
    errors: ['SUSPENDED', 'WRONG_STATE'],
  },
  payoutApprovals: {
    method: 'GET',
    path: '/admin/payouts',
    access: 'ADMIN',
    summary:
      'Withdrawals waiting for two admins, because they exceed the limit in the settings alone or together with others within 7 days, oldest first.',
    query: SequenceQuery,
    pageOf: PayoutApproval,
  },
  releasePayout: {
    ...onPayout,
    path: '/admin/payouts/:id/release',
    summary: 'Release a payout, as the first of two admins. 409 if another admin has released it.',
  },
  confirmPayout: {
    ...onPayout,
    path: '/admin/payouts/:id/confirm',
    summary: 'Confirm a payout that another admin has released, so that it is paid. 409 for the admin who released it.',
  },
  refusePayout: {
    ...onPayout,
    path: '/admin/payouts/:id/refuse',
    summary: 'Refuse a payout: the money goes back to the balance, and the tester sees the reason.',
    body: z.object({ reason: text('The reason', 2000) }),
  },
  transactions: {
    method: 'GET',
    path: '/users/me/transactions',
    replica: true,
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
    summary: 'Totals paid in (fees included), refunded and being refunded, and the payments in progress.',
    reply: PaymentSummary,
  },
  payment: {
    method: 'GET',
    path: '/users/me/payments/:id',
    access: 'DEVELOPER',
    summary: 'A payment by the caller, as on its receipt.',
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
