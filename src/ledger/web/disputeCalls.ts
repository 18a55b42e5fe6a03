import { queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { pagesOf } from '../../kit/web/query.ts'
import type { Dispute, disputesApi } from '../disputesContract.ts'
import { ledgerKeys } from './keys.ts'

export const disputesCalls = client<typeof disputesApi>('disputes')

/** Disputes that wait, oldest first. */
export const disputePages = pagesOf<Dispute>(ledgerKeys.disputes, ({ cursor, signal }) =>
  disputesCalls.disputes({ query: { cursor, limit: 20, status: 'OPEN' }, signal }),
)

/** Debts for lost disputes, and settled ones to give back, oldest first. */
export const owedPages = pagesOf<Dispute>(ledgerKeys.owedDisputes, ({ cursor, signal }) =>
  disputesCalls.disputes({ query: { cursor, limit: 20, status: 'OWED' }, signal }),
)

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ledgerKeys.dispute(id),
    queryFn: ({ signal }) => disputesCalls.dispute({ params: { id }, signal }),
  })
