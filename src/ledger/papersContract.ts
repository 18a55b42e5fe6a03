/** Papers for bookkeeping: PDFs of payments, refunds and payouts, monthly statements, yearly summaries for taxes, and CSV. */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, Id, Instant, SequenceQuery } from '../kit/schemas.ts'
import { NamedCampaign, PersonOnPaper, TransactionLine } from './entities.ts'

/** Months and years follow the user's time zone. They end before the year 10000, because PostgreSQL cannot read later times. */
const Month = z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/, { error: 'The month must look like 2026-11' })
const Year = z
  .string()
  .regex(/^2\d{3}$/, { error: 'The year must look like 2026' })
  .meta({ examples: ['2026'] })

const month = Month.meta({ examples: ['2026-11'] }).optional()
const year = Year.optional()

/** A tester's withdrawal, as on its payout advice. */
export const PayoutAdvice = z.object({
  id: Id,
  number: z.string(),
  createdAt: Instant,
  /** RETURNED: it was paid, and the destination sent it back. */
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED', 'RETURNED']),
  amountCents: Cents,
  /** The payment method that the tester had set when they requested the withdrawal. */
  destination: z.string(),
  settledAt: Instant.nullable(),
  /** When the money was back in the balance, after a failure or a return. */
  returnedAt: Instant.nullable(),
  failureReason: z.string().nullable(),
  tester: PersonOnPaper,
})
export type PayoutAdvice = z.output<typeof PayoutAdvice>

/** The papers that a user can get, newest first. */
export const Papers = z.object({ timeZone: z.string(), months: z.array(z.string()), years: z.array(z.string()) })
export type Papers = z.output<typeof Papers>

/** A tester's sums. Opening + earned − withdrawn + returned = closing; both balances come from the ledger. */
export const BalanceSums = z.object({
  openingCents: Cents,
  earnedCents: Cents,
  /** Withdrawals requested in this span of time, whatever became of them. */
  withdrawnCents: Cents,
  /** Withdrawals that failed or were sent back, so that the money is in the balance again. */
  returnedCents: Cents,
  closingCents: Cents,
})
export type BalanceSums = z.output<typeof BalanceSums>

/** A developer's sums. */
export const PaymentSums = z.object({
  /** Paid in: the sum of these two. */
  testersPayCents: Cents,
  feeCents: Cents,
  /** Given back: the sum of these two, including what has not arrived yet. */
  refundedPayCents: Cents,
  refundedFeeCents: Cents,
})
export type PaymentSums = z.output<typeof PaymentSums>

/** What a statement and a year's summary share. */
const Period = z.object({
  number: z.string(),
  timeZone: z.string(),
  /** `from` is included, `until` is not. */
  from: Instant,
  until: Instant,
  writtenAt: Instant,
  person: PersonOnPaper,
  /** Null for developers. */
  balance: BalanceSums.nullable(),
  /** Null for testers. */
  payments: PaymentSums.nullable(),
})
export type Period = z.output<typeof Period>

export const Statement = Period.extend({
  month: z.string(),
  /** How many lines it has. */
  lines: z.int(),
  /** Refunds of the month that the provider has yet to pay, already included in the sums; 0 for testers. */
  onTheWayBackCents: Cents,
})
export type Statement = z.output<typeof Statement>

export const StatementLine = TransactionLine.extend({
  /** What the line moved, signed; 0 for a declined payment. */
  movedCents: Cents,
  /** The amount on the line, unsigned. */
  amountCents: Cents,
  /** A tester's balance after the line. */
  balanceCents: Cents.nullable(),
  /** The number of the line's receipt, credit note or payout advice. */
  number: z.string().nullable(),
})
export type StatementLine = z.output<typeof StatementLine>

export const YearSummary = Period.extend({
  year: z.string(),
  /** What the provider paid out in the year, minus what came back in it; 0 for developers. */
  paidOutCents: Cents,
  /** A developer's campaigns with payments or refunds in the year, highest payments first, at most 500. */
  paidFor: z.array(PaymentSums.extend({ campaign: NamedCampaign })),
  /** A tester's campaigns with earnings in the year, highest earnings first, at most 500. */
  earnedFrom: z.array(z.object({ campaign: NamedCampaign, earnedCents: Cents })),
  /** How many more campaigns there are than listed. */
  campaignsLeftOut: z.int(),
})
export type YearSummary = z.output<typeof YearSummary>

const notADay = 'The day must look like 2026-11-21'
const CsvDay = z.iso
  .date({ error: notADay })
  .refine(day => day.startsWith('20'), { error: notADay })
  .meta({ examples: ['2026-11-21'] })
  .optional()

export const CsvQuery = z
  .object({ year, from: CsvDay, to: CsvDay })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    error: 'The last day must not be before the first',
    path: ['to'],
  })
export type CsvQuery = z.output<typeof CsvQuery>

const people = { method: 'GET', access: ['DEVELOPER', 'TESTER'], replica: true } as const
const pdf = { file: ['application/pdf'], streamed: true } as const

export const papersApi = endpoints({
  receiptPdf: {
    method: 'GET',
    path: '/users/me/payments/:id/receipt.pdf',
    access: 'DEVELOPER',
    summary: 'The receipt for a payment by the caller, as a PDF.',
    params: ById,
    ...pdf,
  },
  creditNotePdf: {
    method: 'GET',
    path: '/users/me/refunds/:id/credit-note.pdf',
    access: 'DEVELOPER',
    summary: 'The credit note for a refund to the caller, as a PDF.',
    params: ById,
    ...pdf,
  },
  payoutAdvice: {
    method: 'GET',
    path: '/users/me/withdrawals/:id',
    access: 'TESTER',
    summary: 'A withdrawal by the caller, as on its payout advice.',
    params: ById,
    reply: PayoutAdvice,
  },
  payoutAdvicePdf: {
    method: 'GET',
    path: '/users/me/withdrawals/:id/payout-advice.pdf',
    access: 'TESTER',
    summary: 'The payout advice, as a PDF.',
    params: ById,
    ...pdf,
  },
  papers: {
    ...people,
    path: '/users/me/papers',
    summary: 'The months and years for which the caller has statements, in the caller’s time zone.',
    reply: Papers,
  },
  statement: {
    ...people,
    report: true,
    path: '/users/me/statement',
    summary:
      'The totals of a month, by default the current one: a tester’s balances, or what a developer paid and got back.',
    query: z.object({ month }),
    reply: Statement,
  },
  statementLines: {
    ...people,
    report: true,
    path: '/users/me/statement/lines',
    summary: 'The transactions of a month, oldest first, with a tester’s balance after each.',
    query: SequenceQuery.extend({ month }),
    pageOf: StatementLine,
  },
  statementPdf: {
    ...people,
    ...pdf,
    report: true,
    path: '/users/me/statement.pdf',
    summary: 'The statement of a month as a PDF, with all its lines.',
    query: z.object({ month }),
  },
  yearSummary: {
    ...people,
    report: true,
    path: '/users/me/year-summary',
    summary:
      'Yearly totals for tax purposes: what a developer paid and got back for each campaign, or what a tester earned.',
    query: z.object({ year }),
    reply: YearSummary,
  },
  yearSummaryPdf: {
    ...people,
    ...pdf,
    report: true,
    path: '/users/me/year-summary.pdf',
    summary: 'The summary of a year, as a PDF.',
    query: z.object({ year }),
  },
  transactionsCsv: {
    ...people,
    report: true,
    path: '/users/me/transactions.csv',
    summary:
      'The caller’s transactions as CSV for bookkeeping, oldest first: all of them, those of a year, or those from `from` to `to`.',
    query: CsvQuery,
    file: ['text/csv'],
    streamed: true,
  },
})
