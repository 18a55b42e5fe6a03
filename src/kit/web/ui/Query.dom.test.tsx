import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Queries } from '../../../testing/web/Queries.tsx'
import { queryClient } from '../query.ts'
import { foundOf, shownOf } from './foundWords.ts'
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

describe('what a search has found', () => {
  const rows: Record<string, string[]> = {
    '': ['Ann', 'Anton', 'Bea'],
    an: ['Ann', 'Anton'],
    be: ['Bea'],
    ann: ['Ann'],
  }
  const numbered = (names: string[]) => ({
    data: names,
    page: 1,
    limit: 2,
    total: names.length,
    totalIsEstimate: false,
    nextCursor: null,
    previousCursor: null,
  })
  const Users = () => {
    const [search, setSearch] = useState('')
    const users = useQuery({
      queryKey: ['found', search],
      queryFn: async () => numbered(rows[search] ?? []),
      placeholderData: previous => previous,
    })
    return (
      <>
        <input aria-label="Search" value={search} onChange={event => setSearch(event.target.value)} />
        <Query
          of={users}
          loading={<p>Loading</p>}
          errorTitle="Failed"
          empty={<EmptyState title="No users found" />}
          found={{ words: foundOf('user'), by: { search } }}
        >
          {loaded => <p>{loaded.data.join()}</p>}
        </Query>
      </>
    )
  }
  const searchFor = async (search: string, shown: string) => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: search } })
    await screen.findByText(shown)
  }
  const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent)

  test('is announced once it is known, in a place that was there before, and not on arrival', async () => {
    render(<Users />, { wrapper: Queries })
    await screen.findByText('Ann,Anton,Bea')
    const [place] = screen.getAllByRole('status')
    expect(said()).toEqual(['', ''])
    await searchFor('an', 'Ann,Anton')
    await waitFor(() => expect(said()).toEqual(['2 users found', '']))
    expect(place!.isConnected).toBe(true)
    await searchFor('x', 'No users found')
    await waitFor(() => expect(said()).toEqual(['', 'No users found']))
  })

  test('is announced again if the next search finds as many, or nothing again', async () => {
    render(<Users />, { wrapper: Queries })
    await screen.findByText('Ann,Anton,Bea')
    const announcedBy = async (search: string, shown: string, words: string) => {
      await searchFor(search, shown)
      await waitFor(() => expect(said().join('')).toBe(words))
      return screen.getAllByRole('status').find(({ textContent }) => textContent !== '')!.firstElementChild
    }
    const first = await announcedBy('be', 'Bea', '1 user found')
    expect(await announcedBy('ann', 'Ann', '1 user found')).not.toBe(first)
    const nothing = await announcedBy('x', 'No users found', 'No users found')
    await announcedBy('y', 'No users found', 'No users found')
    await waitFor(() => expect(nothing!.isConnected).toBe(false))
  })

  test('is not announced when rows come or go by themselves', async () => {
    render(<Users />, { wrapper: Queries })
    await screen.findByText('Ann,Anton,Bea')
    await searchFor('an', 'Ann,Anton')
    await waitFor(() => expect(said()).toEqual(['2 users found', '']))
    act(() => void queryClient.setQueryData(['found', 'an'], numbered(['Ann', 'Anton', 'Antje'])))
    await screen.findByText('Ann,Anton,Antje')
    expect(said()).toEqual(['2 users found', ''])
  })
})

const page = { data: ['Ann', 'Bea'], page: 1, limit: 2, total: 7, totalIsEstimate: false }
test.each([
  [{ data: ['Ann'], total: 1 }, '1 user found'],
  [{ page: 3 }, '5 to 6 of 7 users'],
  [{ total: 98_765, totalIsEstimate: true }, '1 to 2 of about 99,000 users'],
  [{ data: [], total: 0 }, ''],
])('a page with %j reads "%s"', (more, words) => {
  expect(foundOf('user')({ ...page, nextCursor: null, previousCursor: null, ...more })).toBe(words)
})

test.each([
  [[], ''],
  [['Ann'], '1 user shown'],
])('a list of %j reads "%s"', (items, words) => {
  expect(shownOf('user')(items)).toBe(words)
})
