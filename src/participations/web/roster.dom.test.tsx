import { cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { useWholeRoster } from './roster.ts'

provideCalls({ participations: { ofCampaign: ['GET', '/campaigns/:id/testers', 'page', 0, 0] } })

/** By the cursor that leads to it: '' for the first. */
type Pages = Record<string, { ids: string[]; next?: string } | 'REFUSED'>
let pages: Pages = {}
const asked: string[] = []

const shown = (status: 'SUBMITTED' | null = null) => {
  const { result } = renderHook(() => useWholeRoster('c1', status), { wrapper: Queries })
  return {
    ids: () => result.current.data?.pages.flatMap(({ items }) => items.map(({ id }) => id)),
    isError: () => result.current.isError,
    again: () => result.current.refetch(),
  }
}

beforeEach(() => {
  asked.length = 0
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address.replace('/api/v1/campaigns/c1/testers', ''))
    const page = pages[new URL(address, location.origin).searchParams.get('cursor') ?? '']
    if (page === undefined || page === 'REFUSED') return Response.json({ message: 'No.' }, { status: 403 })
    const link = page.next && `<https://fieldtest.test/?cursor=${page.next}>; rel="next"`
    return Response.json(
      page.ids.map(id => ({ id })),
      { headers: link ? { link } : {} },
    )
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('all pages are loaded by themselves, each once, and then no more', async () => {
  const begun = vi.fn<() => void>()
  const stop = queryClient.getQueryCache().subscribe(event => {
    if (event.type === 'updated' && event.action.type === 'fetch') begun()
  })
  pages = { '': { ids: ['t1', 't2'], next: 'x' }, x: { ids: ['t3'], next: 'y' }, y: { ids: ['t4'] } }
  const { ids } = shown()
  await waitFor(() => expect(ids()).toEqual(['t1', 't2', 't3', 't4']))
  expect(asked).toEqual(['', '?cursor=x', '?cursor=y'])
  expect(begun).toHaveBeenCalledTimes(3)
  stop()
})

test('only those of one status are asked for', async () => {
  pages = { '': { ids: ['t1'], next: 'x' }, x: { ids: ['t2'] } }
  const { ids } = shown('SUBMITTED')
  await waitFor(() => expect(ids()).toEqual(['t1', 't2']))
  expect(asked).toEqual(['?status=SUBMITTED', '?status=SUBMITTED&cursor=x'])
})

test('a page that is refused is not asked for again and again, but when the reader asks', async () => {
  pages = { '': { ids: ['t1'], next: 'x' }, x: 'REFUSED' }
  const { ids, isError, again } = shown()
  await waitFor(() => expect(isError()).toBe(true))
  expect([ids(), asked]).toEqual([['t1'], ['', '?cursor=x']])
  pages['x'] = { ids: ['t2'] }
  await again()
  await waitFor(() => expect(ids()).toEqual(['t1', 't2']))
})
