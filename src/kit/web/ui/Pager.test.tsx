import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'

// Buttons listen on the window.
vi.stubGlobal('addEventListener', () => undefined)
const { Pager } = await import('./Pager.tsx')

const render = (page: number, total: number) =>
  renderToStaticMarkup(<Pager page={page} limit={20} total={total} onPage={() => undefined} />)

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
])('page %i of %i items shows "%s" and leads only to pages that exist', (page, total, shown, expected) => {
  const markup = render(page, total)
  expect(markup.replaceAll(/<!-- -->/g, '')).toContain(shown)
  expect(buttons(markup)).toEqual(expected)
})

test('a list of a single page has no buttons', () => {
  expect(buttons(render(1, 20))).toEqual([])
})
