import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepOneStop, moveInGrid, rememberStop } from './gridKeys.ts'

const columns = ['name', 'a', 'b', 'review']

/** Each row has four stops, and that of the column `review` is not drawn in row 2. */
const Grid = ({ rows = [1, 2, 3], start }: { rows?: number[]; start?: string }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- as the matrix has it
  <table role="grid" ref={grid => keepOneStop(grid)} onKeyDown={moveInGrid} onFocus={rememberStop}>
    <tbody>
      {rows.map(row => (
        <tr key={row}>
          {columns.map(column => {
            const name = `${column}${row}`
            return (
              <td key={column} hidden={name === 'review2'}>
                <button type="button" data-stop data-testid={name} tabIndex={name === start ? 0 : -1}>
                  {name} <small data-testid={`part of ${name}`} />
                </button>
              </td>
            )
          })}
          <td>
            <a href="/elsewhere" data-testid={`link${row}`}>
              Elsewhere
            </a>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const focused = () => (document.activeElement instanceof HTMLElement ? document.activeElement.dataset['testid'] : '')
/** Whether the grid took the key. */
const press = (on: string, key: string, modifiers: KeyboardEventInit = {}) =>
  !fireEvent.keyDown(screen.getByTestId(on), { key, ...modifiers })
const tabStops = () =>
  [...document.querySelectorAll<HTMLElement>('[data-stop]')].filter(({ tabIndex }) => tabIndex !== -1)
const stopNames = () => tabStops().map(({ dataset, tabIndex }) => [dataset['testid'], tabIndex])

beforeEach(() => {
  // jsdom lays nothing out.
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockImplementation(function (this: HTMLElement) {
    return this.closest('[hidden]') ? null : document.body
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test.each([
  ['b1', 'ArrowLeft', 'a1'],
  ['a1', 'ArrowRight', 'b1'],
  ['a3', 'ArrowUp', 'a2'],
  ['a1', 'ArrowDown', 'a2'],
  ['name2', 'ArrowDown', 'name3'],
  ['b2', 'Home', 'name2'],
  ['name1', 'End', 'review1'],
])('from %s %s leads to %s', (from, key, to) => {
  render(<Grid />)
  screen.getByTestId(from).focus()
  expect([press(from, key), focused()]).toEqual([true, to])
})

test.each([
  ['review1', 'ArrowDown', 'b2'],
  ['review3', 'ArrowUp', 'b2'],
  ['name2', 'End', 'b2'],
])('what is not drawn is passed over: from %s %s leads to %s', (from, key, to) => {
  render(<Grid />)
  expect([press(from, key), focused()]).toEqual([true, to])
})

test.each([
  ['b2', 'Home', 'name1'],
  ['b3', 'Home', 'name1'],
  ['a1', 'End', 'review3'],
])('from %s Ctrl and %s lead to the corner %s', (from, key, to) => {
  render(<Grid />)
  expect([press(from, key, { ctrlKey: true }), focused()]).toEqual([true, to])
})

test.each([
  ['name2', 'ArrowLeft'],
  ['review3', 'ArrowRight'],
  ['b2', 'ArrowRight'],
  ['a1', 'ArrowUp'],
  ['a3', 'ArrowDown'],
  ['a2', 'Enter'],
  ['a2', 'PageDown'],
])('from %s %s leads nowhere and is left to the browser', (from, key) => {
  render(<Grid />)
  screen.getByTestId(from).focus()
  expect([press(from, key), focused()]).toEqual([false, from])
})

test.each(['altKey', 'metaKey', 'shiftKey'])('a key with %s is the browser’s', modifier => {
  render(<Grid />)
  screen.getByTestId('a2').focus()
  expect([press('a2', 'ArrowRight', { [modifier]: true }), focused()]).toEqual([false, 'a2'])
})

test('a key on what stands in a stop moves from that stop, and one beside all stops moves nothing', () => {
  render(<Grid />)
  expect([press('part of a2', 'ArrowRight'), focused()]).toEqual([true, 'b2'])
  expect([press('link2', 'ArrowRight'), press('link2', 'Home'), focused()]).toEqual([false, false, 'b2'])
})

test('Tab comes back to where the focus was last, and finds no other stop', () => {
  render(<Grid />)
  expect(stopNames()).toEqual([['name1', 0]])
  press('a1', 'ArrowDown')
  expect(stopNames()).toEqual([['a2', 0]])
  screen.getByTestId('link3').focus()
  expect(stopNames()).toEqual([['a2', 0]])
  screen.getByTestId('b3').focus()
  expect(stopNames()).toEqual([['b3', 0]])
})

test('what takes the focus within a stop makes it the one for Tab', () => {
  render(<Grid />)
  fireEvent.focusIn(screen.getByTestId('part of b2'))
  expect(stopNames()).toEqual([['b2', 0]])
})

test('there is one stop for Tab, also when the row that had it is gone', () => {
  const { rerender } = render(<Grid start="b2" />)
  expect(stopNames()).toEqual([['b2', 0]])
  rerender(<Grid start="b2" rows={[1, 3]} />)
  expect(stopNames()).toEqual([['name1', 0]])
  rerender(<Grid rows={[]} />)
  expect(stopNames()).toEqual([])
})
