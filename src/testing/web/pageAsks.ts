/** Lets the page ask the server without a browser, and records requests and answers. */
import type { QueryKey } from '@tanstack/react-query'
import { afterAll, beforeEach, vi } from 'vitest'

export type Question = {
  queryKey: QueryKey
  queryFn?: unknown
  getNextPageParam?: unknown
  placeholderData?: unknown
  refetchInterval?: unknown
  staleTime?: unknown
}
type Sent = { method: string; address: string; signal: AbortSignal | undefined }

const standForBrowser = () => {
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
}
// Modules of the page use the browser while they are being loaded.
standForBrowser()
const { provideCalls } = await import('../../kit/web/api.ts')
const { provideFollows, queryClient } = await import('../../kit/web/query.ts')
const { endpointTable } = await import('../../app/web/endpointTable.ts')

/** By default every list is empty. */
const empty = (address: string) => Response.json(address.endsWith('/feedback') ? { questions: [] } : [])

/** The path without the base, with its query parameters sorted by name. */
export const tidy = (address: string): string => {
  const { pathname, searchParams } = new URL(address.replace('/api/v1', ''), 'http://localhost')
  searchParams.sort()
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

export const ask = (
  { queryFn }: Question,
  pageParam?: string,
  signal = new AbortController().signal,
): Promise<unknown> =>
  (queryFn as (at: { signal: AbortSignal; pageParam: string | undefined }) => Promise<unknown>)({ signal, pageParam })

export const pageAsks = () => {
  let sent: Sent[] = []
  let answer = empty
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  beforeEach(() => {
    standForBrowser()
    provideCalls(endpointTable)
    provideFollows({})
    queryClient.clear()
    vi.stubGlobal('fetch', async (address: string, { method, signal }: { method: string; signal?: AbortSignal }) => {
      sent.push({ method, address, signal })
      return answer(address)
    })
    sent = []
    answer = empty
  })
  afterAll(() => {
    provideFollows({})
    queryClient.clear()
    logged.mockRestore()
    vi.unstubAllGlobals()
  })
  return {
    sent: (): readonly Sent[] => sent,
    asked: () => sent.map(({ method, address }) => (method === 'GET' ? '' : `${method} `) + tidy(address)),
    answerBy: (of: (address: string) => Response) => {
      answer = of
    },
    answerWith: (body: unknown, status = 200) => {
      answer = () => Response.json(body, { status })
    },
  }
}
