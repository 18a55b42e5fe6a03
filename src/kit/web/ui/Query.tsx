import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import type { Page } from '../../endpoint.ts'
import { useDrawnFromTop } from '../drawn.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Announced, type Search, useFound } from './Found.tsx'
import { ErrorState } from './States.tsx'

type Shell<Found> = {
  loading: ReactNode
  /** Shown if loading fails, such as the spec's "Failed to load balance". */
  errorTitle: string
  /** A second message, if the spec has one: "Failed to load users data" below "Error Loading Users". */
  errorMessage?: string
  /** Shown instead of the children if the result is empty. */
  empty?: ReactNode
  /** For a list with a search, filters or pages: announces what each of them has found. */
  found?: Search<Found>
}

/**
 * The three states of a query: loading, error with Try Again, loaded. While reloading, the old data stays; if that
 * fails, a notice says so.
 */
export const Query = <T,>({
  of: query,
  loading,
  errorTitle,
  errorMessage,
  empty,
  found,
  isEmpty = hasNothing,
  children,
}: Shell<T> & { of: UseQueryResult<T>; isEmpty?: (loaded: T) => boolean; children: (loaded: T) => ReactNode }) => {
  const { data: loaded, error, isFetching } = query
  const said = useFound(found, loaded, isFetching)
  const retry = () => void query.refetch()
  if (loaded === undefined) {
    if (!error) return loading
    return <ErrorState title={errorTitle} message={errorMessage} error={error} onRetry={retry} />
  }
  return (
    <>
      {error && <StaleNotice title={errorMessage ?? errorTitle} onRetry={retry} retrying={isFetching} />}
      {found && <Announced of={said} />}
      <Empty says={empty} shown={isEmpty(loaded)} by={said.by} />
      {!(empty && isEmpty(loaded)) && children(loaded)}
    </>
  )
}

/** Present from the start, so that a search or filter that finds nothing is announced, and the next one again. */
const Empty = ({ says, shown, by }: { says: ReactNode; shown: boolean; by: string }) =>
  says && (
    <div role="status" className="empty:sr-only">
      {shown && <Fragment key={by}>{says}</Fragment>}
    </div>
  )

/** For lists, and for numbered pages: `{ data: [] }`. */
const hasNothing = (loaded: unknown): boolean => {
  if (Array.isArray(loaded)) return loaded.length === 0
  return typeof loaded === 'object' && loaded !== null && 'data' in loaded && hasNothing(loaded.data)
}

/** As many as a phone's screen shows. */
const itemsAtATime = 3

/**
 * The same for keyset pages (`pagesOf`): the items so far, and more on scrolling near the end or pressing the button. Pages may
 * be empty, so only the last one tells whether the list is. If tall items are drawn `inSteps`, `drawn` is how many of the first
 * to draw, which grows to all of them.
 */
export const InfiniteQuery = <T,>({
  of: query,
  loading,
  errorTitle,
  errorMessage,
  empty,
  found,
  inSteps = false,
  children,
}: Shell<T[]> & {
  of: UseInfiniteQueryResult<InfiniteData<Page<T>>>
  inSteps?: boolean
  children: (items: T[], drawn: number) => ReactNode
}) => {
  const { data: loaded, error, isFetching, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const items = loaded?.pages.flatMap(page => page.items)
  const count = items?.length ?? 0
  const said = useFound(found, items, isFetching)
  const drawn = useDrawnFromTop(count, inSteps ? itemsAtATime : Infinity)
  const retry = () => void query.refetch()
  if (loaded === undefined || items === undefined) {
    if (!error) return loading
    return <ErrorState title={errorTitle} message={errorMessage} error={error} onRetry={retry} />
  }
  // While the first page is still being drawn, the button would move with each step.
  const isPlaced = drawn === count || loaded.pages.length > 1
  const more = () => void query.fetchNextPage()
  const moreWhenSeen = (mark: HTMLElement | null) => {
    if (!mark || isFetching || isFetchNextPageError || drawn < count) return undefined
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), { rootMargin: '400px' })
    watcher.observe(mark)
    return () => watcher.disconnect()
  }
  return (
    <>
      {error && !isFetchNextPageError && (
        <StaleNotice title={errorMessage ?? errorTitle} onRetry={retry} retrying={isFetching} />
      )}
      {found && <Announced of={said} />}
      <Empty says={empty} shown={count === 0 && !hasNextPage} by={said.by} />
      {!(empty && count === 0) && children(items, drawn)}
      {hasNextPage && isPlaced && (
        <div ref={moreWhenSeen} data-more className="mt-4 grid justify-items-center gap-2 print:hidden">
          {isFetchNextPageError && <p className="text-destructive">{errorTitle}</p>}
          <Button variant="outline" loading={isFetchingNextPage} onClick={more}>
            {isFetchNextPageError ? 'Try Again' : 'Load more'}
          </Button>
        </div>
      )}
    </>
  )
}

/** A one-line error above figures that show "–" until they have loaded. */
export const FailureLine = ({ of: query, title }: { of: UseQueryResult<unknown>; title: string }) =>
  query.error && (
    <StaleNotice
      title={title}
      nothing={query.data === undefined}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  )

type Notice = { title: string; nothing?: boolean; onRetry: () => void; retrying: boolean }

const StaleNotice = ({ title, nothing = false, onRetry, retrying }: Notice) => (
  <Alert tone="yellow" className="mb-4">
    <span className="flex flex-wrap items-center gap-x-3">
      {nothing ? `${title}.` : `${title}. What you see may be out of date.`}
      <Button variant="link" loading={retrying} onClick={onRetry}>
        Try Again
      </Button>
    </span>
  </Alert>
)
