import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Queries } from '../../../testing/web/Queries.tsx'
import { queryClient } from '../query.ts'
import { FailureLine, InfiniteQuery, Query } from './Query.tsx'
import { EmptyState } from './States.tsx'

/** The list's answer, which comes when a test says so. */
let answer: PromiseWithResolvers<string>
const ask = () => {
  answer = Promise.withResolvers()
  return answer.promise
}
const List = () => {
  const rows = useQuery({ queryKey: ['list'], queryFn: ask, retry: false })
  return (
    <main>
      <FailureLine of={rows} title="Failed to load the figures" />
      <Query of={rows} loading={<p>Loading</p>} errorTitle="Failed to load the list">
        {loaded => <p>{loaded}</p>}
      </Query>
    </main>
  )
}
const refuse = () => act(async () => answer.reject(new Error('No.')))

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test.each([
  ['the figures', 0],
  ['the list', 1],
])('Try Again of %s leaves the focus in the screen, whether it fails again or not', async (_, place) => {
  render(<List />, { wrapper: Queries })
  await refuse()
  for (const next of [refuse, () => act(async () => answer.resolve('Rows'))]) {
    const button = (await screen.findAllByRole('button', { name: 'Try Again' }))[place]!
    button.focus()
    fireEvent.click(button)
    await screen.findByText('Loading')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
    await next()
    expect(document.activeElement).toBe(screen.getByRole('main'))
  }
  await screen.findByText('Rows')
})

test('rows that stay after a failed reload are below the screen’s own sentence, and not below the title of an empty screen', async () => {
  const Users = () => (
    <Query
      of={useQuery({ queryKey: ['users'], queryFn: ask, retry: false })}
      loading={<p>Loading</p>}
      errorTitle="Error Loading Users"
      errorMessage="Failed to load users data"
    >
      {loaded => <p>{loaded}</p>}
    </Query>
  )
  render(<Users />, { wrapper: Queries })
  await act(async () => answer.resolve('Rows'))
  await screen.findByText('Rows')
  const before = answer
  void queryClient.invalidateQueries()
  await waitFor(() => expect(answer).not.toBe(before))
  await refuse()
  await screen.findByText('Failed to load users data. What you see may be out of date.')
  expect([screen.getByText('Rows').isConnected, screen.queryByText(/Error Loading/)]).toEqual([true, null])
})

test('if an empty list’s action fills the list, the focus stays on the screen', async () => {
  const Filtered = () => {
    const [all, setAll] = useState(false)
    return (
      <main>
        {all ? 'Rows' : <EmptyState title="None" action={<button onClick={() => setAll(true)}>Show all</button>} />}
      </main>
    )
  }
  render(<Filtered />)
  const button = screen.getByRole('button')
  button.focus()
  fireEvent.click(button)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

test('a list whose pages are empty so far does not say so before the last page has come', async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  const pages = [Promise.withResolvers<string | null>(), Promise.withResolvers<string | null>()]
  const Pages = () => {
    const rows = useInfiniteQuery({
      queryKey: ['pages'],
      queryFn: async ({ pageParam }) => ({ items: [] as string[], nextCursor: await pages[pageParam]!.promise }),
      initialPageParam: 0,
      getNextPageParam: ({ nextCursor }) => (nextCursor === null ? undefined : 1),
    })
    return (
      <InfiniteQuery
        of={rows}
        loading={<p>Loading</p>}
        errorTitle="Failed to load the list"
        empty={<p>Nothing here</p>}
      >
        {items => items.join()}
      </InfiniteQuery>
    )
  }
  render(<Pages />, { wrapper: Queries })
  await act(async () => pages[0]!.resolve('next'))
  const more = await screen.findByRole('button', { name: 'Load more' })
  expect(screen.queryByText('Nothing here')).toBeNull()
  fireEvent.click(more)
  await screen.findByRole('button', { name: /Load/, busy: true })
  expect(screen.queryByText('Nothing here')).toBeNull()
  await act(async () => pages[1]!.resolve(null))
  await screen.findByText('Nothing here')
})

test('a filter that finds nothing is announced: the place of the sentence is there before it', async () => {
  const Filtered = () => {
    const [search, setSearch] = useState('')
    const rows = useQuery({
      queryKey: ['filtered', search],
      queryFn: async () => (search === '' ? ['A row'] : []),
      placeholderData: previous => previous,
    })
    return (
      <>
        <button type="button" onClick={() => setSearch('x')}>
          Search
        </button>
        <Query of={rows} loading={<p>Loading</p>} errorTitle="Failed" empty={<EmptyState title="No rows found" />}>
          {loaded => <p>{loaded.join()}</p>}
        </Query>
      </>
    )
  }
  render(<Filtered />, { wrapper: Queries })
  await screen.findByText('A row')
  const place = screen.getByRole('status')
  expect(place.textContent).toBe('')
  fireEvent.click(screen.getByRole('button', { name: 'Search' }))
  await waitFor(() => expect(place.textContent).toBe('No rows found'))
  expect([place.isConnected, screen.queryByText('A row')]).toEqual([true, null])
})
