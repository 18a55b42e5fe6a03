import type { StatementFilter } from './statementFilter.ts'

const all = ['ledger'] as const

export const ledgerKeys = {
  all,
  balance: [...all, 'balance'],
  summary: [...all, 'summary'],
  transactions: (filter: StatementFilter) => [...all, 'transactions', filter],
  payment: (id: string) => [...all, 'payment', id],
  refund: (id: string) => [...all, 'refund', id],
}
