import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../../kit/web/ui/States.tsx'

export const failedToLoad = 'Failed to load dashboard data'

/** A failed card stands alone; only when nothing at all could be loaded does the page say so, once. */
export const UnlessAllFailed = ({
  queries,
  beside,
  children,
}: {
  queries: readonly UseQueryResult[]
  /** What needs no data, and stays. */
  beside: ReactNode
  children: ReactNode
}) => {
  const failed = queries.every(({ data: loaded, error }) => loaded === undefined && error !== null)
  if (!failed) return children
  return (
    <>
      <ErrorState
        title={failedToLoad}
        error={queries[0]?.error}
        onRetry={() => {
          for (const query of queries) void query.refetch()
        }}
        retrying={queries.some(query => query.isFetching)}
      />
      {beside}
    </>
  )
}
