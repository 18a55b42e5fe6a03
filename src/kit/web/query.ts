/** The cache of server state, with the spec's defaults (§9): unused entries 5 minutes, 3 retries, 1 s doubling to 30 s. */
import { QueryClient, type QueryKey, infiniteQueryOptions, partialMatchKey } from '@tanstack/react-query'
import type { Page } from '../endpoint.ts'
import { isRefusal } from './apiError.ts'
import { type Follows, withFollowers } from './follows.ts'
import { nextPaint } from './nextPaint.ts'
import { session } from './session.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: 5 * 60_000,
      staleTime: 5000,
      retry: (failures, error) => failures < 3 && !isRefusal(error),
      // A prefetch that was refused is not repeated when the screen is shown a moment later.
      // oxlint-disable-next-line no-restricted-properties -- the library's time, not the server's
      retryOnMount: ({ state }) => !isRefusal(state.error) || Date.now() - state.errorUpdatedAt > 1000,
      retryDelay: attempt => Math.min(1000 * 2 ** attempt, 30_000),
      // A server on the same machine answers without a network.
      networkMode: 'always',
      // Wraps each query's function. Existing data is shown first, since sending a request takes a slow phone 5 ms.
      persister: async (ask, context, { state }) => {
        if (state.data !== undefined) await nextPaint()
        return ask(context)
      },
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

let owner = session.user()?.id

/** What one person has loaded is never shown to the next. */
session.subscribe(() => {
  if (session.user()?.id === owner) return
  owner = session.user()?.id
  queryClient.clear()
})

let follows: Follows = {}

/** Provides which slices follow which. Call it once, before the first query (src/app/web/layout/DashboardLayout.tsx). */
export const provideFollows = (table: Follows): void => {
  follows = table
}

/**
 * After a change, marks everything under these keys as out of date, and everything of the slices that follow theirs. What is on
 * screen is reloaded now, the rest when it is next shown. Resolves when the reload is done.
 */
export const invalidate = (...keys: QueryKey[]): Promise<void> => {
  const changed = new Set(keys.map(([slice]) => String(slice)))
  const reached = withFollowers(changed, follows)
  const isStale = (queryKey: QueryKey) => {
    const slice = String(queryKey[0])
    return changed.has(slice) ? keys.some(key => partialMatchKey(queryKey, key)) : reached.has(slice)
  }
  // One call for all keys: a second one would cancel and repeat the requests of the first.
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey) })
}

/** Loads everything on screen again, where something has changed that this page was not told. */
export const refreshShown = (): Promise<void> =>
  queryClient.invalidateQueries({ type: 'active' }, { cancelRefetch: false })

type FetchPage<T> = (at: { cursor: string | undefined; signal: AbortSignal }) => Promise<Page<T>>

/** A keyset-paged list, page after page: for `useInfiniteQuery` and `<InfiniteQuery>`. */
export const pagesOf = <T>(queryKey: QueryKey, fetchPage: FetchPage<T>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage({ cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<T>) => last.nextCursor ?? undefined,
    placeholderData: previous => previous,
  })
