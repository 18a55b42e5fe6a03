import { act, cleanup, render } from '@testing-library/react'
import { createElement } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, test } from 'vitest'
import { oneOf, useUrlFilters, useUrlValue, words } from './urlFilters.ts'

type Router = ReturnType<typeof createBrowserRouter>
let router: Router

/** What a hook returns on the screen at this address, and how the address changes. */
const onScreen = <T>(useIt: () => T, address: string) => {
  history.replaceState(null, '', address)
  const drawn: T[] = []
  const shown = () => drawn.at(-1)!
  const Screen = () => {
    drawn.push(useIt())
    return null
  }
  router = createBrowserRouter([{ path: '*', Component: Screen }])
  render(createElement(RouterProvider, { router }))
  const entries = history.length
  return {
    shown,
    /** The address's query after a change, and whether Back undoes it. */
    doing: async (change: (shown: T) => void) => {
      await act(async () => change(shown()))
      return [location.search, history.length > entries]
    },
  }
}

afterEach(() => {
  cleanup()
  router.dispose()
})

const readers = { search: words, status: oneOf(['OPEN', 'CLOSED']), sort: oneOf(['newest', 'oldest'], 'newest') }
const ofList = (address: string) => onScreen(() => useUrlFilters(readers), `/list${address}`)
type List = ReturnType<typeof useUrlFilters<typeof readers>>

test.each<[string, string, (list: List) => void, [string, boolean]]>([
  ['a choice', '', list => list.change({ status: 'OPEN' }), ['?status=OPEN', true]],
  [
    'a choice beside what stands there',
    '?tab=a',
    list => list.change({ status: 'OPEN' }),
    ['?tab=a&status=OPEN', true],
  ],
  ['a typed word', '', list => list.change({ search: 'ann' }), ['?search=ann', false]],
  ['a typed word that is to be undone', '', list => list.change({ search: 'a' }, { push: true }), ['?search=a', true]],
  ['a choice that is not', '', list => list.change({ sort: 'oldest' }, { push: false }), ['?sort=oldest', false]],
  [
    'a word with a choice',
    '',
    list => list.change({ search: 'ann', status: 'OPEN' }),
    ['?search=ann&status=OPEN', true],
  ],
  ['no choice any more', '?status=OPEN&sort=oldest', list => list.change({ status: null }), ['?sort=oldest', true]],
  ['nothing said', '?status=OPEN', list => list.change({ status: undefined }), ['', true]],
  ['what holds by itself', '?sort=oldest', list => list.change({ sort: 'newest' }), ['', true]],
  ['no word any more', '?search=ann', list => list.change({ search: '' }), ['', false]],
  ['what is there already', '?status=OPEN', list => list.change({ status: 'OPEN' }), ['?status=OPEN', false]],
  [
    'another filter on a later page',
    '?status=OPEN&page=120&cursor=abc',
    list => list.change({ sort: 'oldest' }),
    ['?status=OPEN&sort=oldest', true],
  ],
  ['the next page', '?status=OPEN', list => list.turn({ page: 2 }), ['?status=OPEN&page=2', true]],
  ['a page by its cursor', '', list => list.turn({ page: 120, cursor: 'abc' }), ['?page=120&cursor=abc', true]],
  ['a page by its number again', '?page=120&cursor=abc', list => list.turn({ page: 7 }), ['?page=7', true]],
  ['the first page', '?page=2', list => list.turn({ page: 1 }), ['', true]],
  ['a first page with a name', '?page=2', list => list.turn({ page: 1 }, () => null), ['?page=1', true]],
])('the address of a list says %s (at %j)', async (_, address, change, expected) => {
  expect(await ofList(address).doing(change)).toEqual(expected)
})

test('a list shows what its address says, even when that changes, and keeps its scroll position', async () => {
  const { shown, doing } = ofList('?search=+ann+&page=3')
  expect(shown()).toMatchObject({
    filters: { search: 'ann', status: null, sort: 'newest' },
    filtered: true,
    at: { page: 3 },
  })
  await doing(list => list.change({ search: '', status: 'CLOSED' }))
  expect(shown()).toMatchObject({
    filters: { search: '', status: 'CLOSED', sort: 'newest' },
    filtered: true,
    at: { page: 1 },
  })
  expect(router.state.preventScrollReset).toBe(true)
  await doing(list => list.change({ status: null }))
  expect(shown().filtered).toBe(false)
})

test.each([
  ['0', 1],
  ['1', 1],
  ['2', 2],
  ['7a', 1],
  ['a7', 1],
  ['', 1],
])('an invalid page number means the first page: %j', (page, expected) => {
  expect(ofList(`?page=${page}`).shown().at).toEqual({ page: expected })
})

test('a search that is too long is cut off', () => {
  const { filters } = ofList(`?search=+${'ab'.repeat(60)}`).shown()
  expect(filters.search).toBe('ab'.repeat(50))
})

test('a delayed search undoes nothing that was chosen meanwhile', async () => {
  const { shown, doing } = ofList('')
  const { change } = shown()
  await doing(list => list.change({ status: 'OPEN' }))
  expect(await doing(() => change({ search: 'ann' }))).toEqual(['?status=OPEN&search=ann', true])
})

const ofValue = (address: string) => onScreen(() => useUrlValue('tab', oneOf(['a', 'b', 'c'], 'a')), `/list${address}`)
type Value = ReturnType<typeof useUrlValue<'a' | 'b' | 'c'>>

test.each<[string, string, (value: Value) => void, [string, boolean]]>([
  ['set', '?page=2', ([, set]) => set('b'), ['?page=2&tab=b', true]],
  ['set without a trail', '', ([, set]) => set('b', { push: false }), ['?tab=b', false]],
  ['set with what is said of it left open', '', ([, set]) => set('b', {}), ['?tab=b', true]],
  ['what holds by itself', '?page=2&tab=b', ([, set]) => set('a'), ['?page=2', true]],
  ['the same as before', '?tab=b', ([, set]) => set('b'), ['?tab=b', false]],
])('a value in the address is %s (at %j)', async (_, address, change, expected) => {
  expect(await ofValue(address).doing(change)).toEqual(expected)
})

test.each([
  ['', 'a'],
  ['?tab=c', 'c'],
  ['?tab=z', 'a'],
])('a screen reads the value from its address: %j', async (address, expected) => {
  const { shown, doing } = ofValue(address)
  expect(shown()[0]).toBe(expected)
  await doing(([, set]) => set('b'))
  expect(shown()[0]).toBe('b')
})
