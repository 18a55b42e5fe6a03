import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsInteger, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { Button } from '../../app/web/ui/Button.tsx'
import { Query } from '../../app/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../app/web/ui/States.tsx'
import type { CallInput } from '../../app/endpoint.ts'
import type { ledgerApi } from '../contract.ts'
import { TransactionTable } from './TransactionTable.tsx'
import { api, whilePending } from './calls.ts'

type PageQuery = Required<NonNullable<CallInput<typeof ledgerApi.transactions>['query']>>

/** Spec §9. */
const pageSize = 20
const lastPage = 10_000

/** The page in the address; null when it names none. What is no page of a list is its first. */
export const usePageNumber = () => {
  const [asked, setPage] = useQueryState('page', parseAsInteger.withOptions({ history: 'push', scroll: false }))
  return [asked === null ? null : Math.min(Math.max(asked, 1), lastPage), setPage] as const
}

const useTransactions = (query: PageQuery) =>
  useQuery({
    queryKey: ['ledger', 'transactions', query],
    queryFn: ({ signal }) => api.transactions({ query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whilePending(state.data?.data),
  })

type Props = {
  page: number
  onPage: (page: number) => void
  /** For who has none at all. */
  empty: ReactNode
}

/** Every transaction, 20 to a page. */
export const AllTransactions = ({ page, onPage, empty }: Props) => {
  const transactions = useTransactions({ page, limit: pageSize })
  return (
    <Query
      of={transactions}
      loading={
        <div className="p-5">
          <SkeletonList count={6} className="h-10" />
        </div>
      }
      errorTitle="Failed to load transactions"
      empty={<div className="p-5">{page === 1 ? empty : <NoSuchPage onFirst={() => onPage(1)} />}</div>}
    >
      {({ data, page: shown, limit, total }) => (
        <>
          <TransactionTable transactions={data} />
          {total > limit && <Pager page={shown} limit={limit} total={total} onPage={onPage} />}
        </>
      )}
    </Query>
  )
}

const NoSuchPage = ({ onFirst }: { onFirst: () => void }) => (
  <EmptyState
    title="There is nothing on this page"
    action={
      <Button variant="outline" onClick={onFirst}>
        To the first page
      </Button>
    }
  />
)

type PagerProps = { page: number; limit: number; total: number; onPage: (page: number) => void }

const Pager = ({ page, limit, total, onPage }: PagerProps) => {
  const first = (page - 1) * limit + 1
  const last = Math.min(page * limit, total)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3 border-t px-5 py-3">
      <p className="text-muted-foreground tabular-nums" aria-live="polite">
        {first} to {last} of {total.toLocaleString('en-US')}
      </p>
      <div className="flex gap-2">
        <Button variant="outline" size="sm" disabled={page === 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button variant="outline" size="sm" disabled={last === total} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  )
}
