/** Which lines and page of a statement are shown: kept in the URL and applied by the server. */
import type { Role } from '../../kit/roles.ts'
import { filtersIn, oneOf, type PageAt, pageIn, useUrlFilters, useUrlValue } from '../../kit/web/urlFilters.ts'
import { transactionStatuses } from '../terms.ts'

const types = ['DEBIT,FEE', 'DEBIT', 'FEE', 'CREDIT', 'PAYOUT'] as const

/** Spec §9. */
export const pageSize = 20

export type Lines = { type: (typeof types)[number] | null; status: (typeof transactionStatuses)[number] | null }
export type StatementFilter = Lines & { campaign: string | null; at: PageAt | null }

const readers = { type: oneOf(types), status: oneOf(transactionStatuses), campaign: (id: string) => id || null }

const named = (text: string) => text || null

export const statementFilterIn = (params: URLSearchParams): StatementFilter => ({
  ...filtersIn(readers, params),
  at: params.get('page') ? pageIn(params) : null,
})

/** The filter and page in the URL; null if the URL names no page. */
export const useStatementFilter = () => {
  const [page] = useUrlValue('page', named)
  const { filters, filtered, at, change, turn } = useUrlFilters(readers)
  const filter: StatementFilter = { ...filters, at: page === null ? null : at }
  return {
    filter,
    filtered,
    turn: (to: PageAt) => turn(to, named),
    clear: () => change({ type: null, status: null, campaign: null }, { push: true }),
  }
}

/** The URL of these lines, relative to their screen. */
export const linesAt = ({ type, status }: Lines): string =>
  `?${new URLSearchParams({ page: '1', ...(type && { type }), ...(status && { status }) })}`

export const isShowing = (lines: Lines, { type, status, campaign }: StatementFilter): boolean =>
  campaign === null && lines.type === type && lines.status === status

/** What the URL's filter shows, as in "Showing …". */
export const linesInWords = ({ type, status }: Lines, role: Role): string => {
  if (type === 'CREDIT' && role === 'DEVELOPER') return status === 'PENDING' ? 'refunds on the way' : 'refunds'
  if (type === 'PAYOUT') return status === 'PENDING' ? 'withdrawals on the way' : 'withdrawals'
  const words = { 'DEBIT,FEE': 'payments', DEBIT: 'payments', FEE: 'platform fees', CREDIT: 'earnings' }
  return type ? words[type] : 'transactions'
}
