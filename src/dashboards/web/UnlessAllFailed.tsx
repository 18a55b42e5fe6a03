import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../../kit/web/ui/States.tsx'

export const failedToLoad = 'Failed to load dashboard data'

/** A failed card shows its own error, but if every query has failed, the page shows a single one. */
export const UnlessAllFailed = ({
  queries,
  beside,
  children,
}: {
  queries: readonly UseQueryResult[]
  /** Content that needs no data and is always shown. */
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
      />
      {beside}
    </>
  )
}
