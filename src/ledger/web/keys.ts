import type { StatementFilter } from './statementFilter.ts'

const all = ['ledger'] as const

export const ledgerKeys = {
  all,
  balance: [...all, 'balance'],
  payoutAccount: [...all, 'payout-account'],
  approvals: [...all, 'approvals'],
  summary: [...all, 'summary'],
  transactions: (filter: StatementFilter) => [...all, 'transactions', filter],
  disputes: [...all, 'disputes'],
  owedDisputes: [...all, 'owed-disputes'],
  stuckRefunds: [...all, 'stuck-refunds'],
  dispute: (id: string) => [...all, 'dispute', id],
  payment: (id: string) => [...all, 'payment', id],
  refund: (id: string) => [...all, 'refund', id],
  payoutAdvice: (id: string) => [...all, 'payout-advice', id],
  papers: [...all, 'papers'],
  statement: (month: string) => [...all, 'statement', month],
  statementLines: (month: string) => [...all, 'statement', month, 'lines'],
  yearSummary: (year: string) => [...all, 'year-summary', year],
}
