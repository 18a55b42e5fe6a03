import { act, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { expect, test } from 'vitest'
import { useStatementFilter } from './statementFilter.ts'

/** The statement at this address, what it shows, and how often Back can be pressed. */
const at = (query: string) => {
  history.pushState(null, '', `/dashboard/payments${query}`)
  const { result } = renderHook(useStatementFilter, { wrapper: BrowserRouter })
  const steps = history.length
  return { list: () => result.current, query: () => location.search, trail: () => history.length - steps }
}

test('a turned page is named in the address, the first one too, and Back undoes it', () => {
  const { list, query, trail } = at('?type=FEE')
  act(() => list().turn({ page: 2 }))
  expect([query(), list().filter.at, trail()]).toEqual(['?type=FEE&page=2', { page: 2 }, 1])
  act(() => list().turn({ page: 11, cursor: 'x' }))
  expect([query(), list().filter.at, trail()]).toEqual(['?type=FEE&page=11&cursor=x', { page: 11, cursor: 'x' }, 2])
  act(() => list().turn({ page: 1 }))
  expect([query(), list().filter.at, trail()]).toEqual(['?type=FEE&page=1', { page: 1 }, 3])
})

test.each(['?type=FEE', '?status=PENDING', '?campaign=c1', '?type=FEE&status=PENDING&campaign=c1&page=2'])(
  'a statement at %s is cleared of its filters and its page, and Back undoes that',
  async address => {
    const { list, query, trail } = at(`${address}&view=wide`)
    expect(list().filtered).toBe(true)
    act(() => list().clear())
    expect([query(), trail()]).toEqual(['?view=wide', 1])
    expect(list()).toMatchObject({ filter: { type: null, status: null, campaign: null, at: null }, filtered: false })
  },
)
