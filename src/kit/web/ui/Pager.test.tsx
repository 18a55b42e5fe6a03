import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { NumberedPage } from '../../endpoint.ts'
import type { PageAt } from '../urlFilters.ts'

// Buttons listen on the window.
vi.stubGlobal('addEventListener', () => undefined)
const { Pager, pagesFrom } = await import('./Pager.tsx')

/** A page of a list with `total` rows, 20 per page. */
const pageOf = (page: number, total: number, more: Partial<NumberedPage<unknown>> = {}): NumberedPage<unknown> => {
  const data = Array.from({ length: Math.min(20, total - (page - 1) * 20) })
  const [nextCursor, previousCursor] = [page * 20 < total ? 'after' : null, page > 1 ? 'before' : null]
  return { data, page, limit: 20, total, totalIsEstimate: false, nextCursor, previousCursor, ...more }
}

const render = (of: NumberedPage<unknown>) =>
  renderToStaticMarkup(<Pager of={of} onTurn={() => undefined} />).replaceAll(/<!-- -->/g, '')

/** Each button, and whether it is enabled. */
const buttons = (markup: string) =>
  [...markup.matchAll(/<button([^>]*)>([^]*?)<\/button>/g)].map(
    ([, attributes, label]) =>
      `${label!.replaceAll(/<[^>]*>/g, '').trim()} ${/ disabled=""| aria-disabled="true"/.test(attributes!) ? 'off' : 'on'}`,
  )

test.each([
  [1, 41, '1 to 20 of 41', ['Previous off', 'Next on']],
  [2, 41, '21 to 40 of 41', ['Previous on', 'Next on']],
  [3, 41, '41 to 41 of 41', ['Previous on', 'Next off']],
  [2, 40, '21 to 40 of 40', ['Previous on', 'Next off']],
  [1, 21, '1 to 20 of 21', ['Previous off', 'Next on']],
])('page %i of %i items shows "%s" and leads only to existing pages', (page, total, shown, expected) => {
  const markup = render(pageOf(page, total))
  expect(markup).toContain(shown)
  expect(buttons(markup)).toEqual(expected)
})

test('a list with a single page has no buttons', () => {
  expect(buttons(render(pageOf(1, 20)))).toEqual([])
})

test.each([
  [987_654, 'of about 990,000'],
  [10_001, 'of about 10,000'],
  [1_234_567, 'of about 1,200,000'],
])('an estimate of %i reads "%s"', (total, words) => {
  expect(render(pageOf(1, total, { totalIsEstimate: true }))).toContain(words)
})

test('the list and not an estimate decides which page is the last', () => {
  const more = pageOf(600, 11_000, { totalIsEstimate: true, data: Array.from({ length: 20 }), nextCursor: 'after' })
  expect(buttons(render(more))).toEqual(['Previous on', 'Next on'])
  expect(render(more)).toContain('11,981 to 12,000 of about 11,000')
  const last = pageOf(2, 990_000, { totalIsEstimate: true, nextCursor: null })
  expect(buttons(render(last))).toEqual(['Previous on', 'Next off'])
})

test.each<[number, PageAt | null, PageAt | null]>([
  [1, null, { page: 2 }],
  [499, { page: 498 }, { page: 500 }],
  [500, { page: 499 }, { page: 501, cursor: 'after' }],
  [501, { page: 500 }, { page: 502, cursor: 'after' }],
  [502, { page: 501, cursor: 'before' }, { page: 503, cursor: 'after' }],
])('from page %i, the buttons lead by number up to page 500, and by cursor beyond', (page, previous, next) => {
  expect(pagesFrom(pageOf(page, 990_000, { totalIsEstimate: true }))).toEqual({ previous, next })
})

test('beyond page 500, nothing leads to a page without a cursor', () => {
  const ends = { nextCursor: null, previousCursor: null }
  expect(pagesFrom(pageOf(502, 990_000, ends))).toEqual({ previous: null, next: null })
  expect(pagesFrom(pageOf(501, 990_000, ends))).toEqual({ previous: { page: 500 }, next: null })
})
