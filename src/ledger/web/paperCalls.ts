import { queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { pagesOf } from '../../kit/web/query.ts'
import type { papersApi } from '../papersContract.ts'
import { ledgerKeys } from './keys.ts'

export const paperApi = client<typeof papersApi>('papers')

export const papersQuery = queryOptions({
  queryKey: ledgerKeys.papers,
  queryFn: ({ signal }) => paperApi.papers({ signal }),
})

export const payoutAdviceQuery = (id: string) =>
  queryOptions({
    queryKey: ledgerKeys.payoutAdvice(id),
    queryFn: ({ signal }) => paperApi.payoutAdvice({ params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? 3000 : false),
  })

/** The sums of a month. */
export const statementQuery = (month: string) =>
  queryOptions({
    queryKey: ledgerKeys.statement(month),
    queryFn: ({ signal }) => paperApi.statement({ query: { month }, signal }),
  })

export const statementLinePages = (month: string) =>
  pagesOf(ledgerKeys.statementLines(month), ({ cursor, signal }) =>
    paperApi.statementLines({ query: { month, ...(cursor !== undefined && { cursor }) }, signal }),
  )

export const yearSummaryQuery = (year: string) =>
  queryOptions({
    queryKey: ledgerKeys.yearSummary(year),
    queryFn: ({ signal }) => paperApi.yearSummary({ query: { year }, signal }),
  })
