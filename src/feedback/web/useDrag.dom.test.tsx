import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDrag } from './useDrag.ts'

const onMove = vi.fn<(from: number, to: number) => void>()
const captured = vi.fn<(pointerId: number) => void>()

const List = () => {
  const list = useRef<HTMLUListElement>(null)
  const { dragged, handle } = useDrag(list, onMove)
  return (
    <ul ref={list} data-testid="list" data-dragged={dragged}>
      {[0, 1, 2, 3].map(row => (
        <li key={row}>
          <button type="button" data-testid={row} {...handle(row)} />
        </li>
      ))}
    </ul>
  )
}

/** The rows' middles are at 30, 130, 230 and 330. */
const middleOf = (row: number) => 100 * row + 30

const on = (row: number) => screen.getByTestId(row)
const dragged = () => screen.getByTestId('list').dataset['dragged']
const take = (row: number, button = 0) => {
  const down = createEvent.pointerDown(on(row), { button, pointerId: 7 })
  fireEvent(on(row), down)
  return down
}
const moveTo = (row: number, clientY: number) => fireEvent.pointerMove(on(row), { clientY })

beforeEach(() => {
  // jsdom has no layout and does not capture pointers.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const place = [...(this.parentElement?.children ?? [])].indexOf(this)
    return new DOMRect(0, middleOf(place) - 20, 300, 40)
  })
  HTMLElement.prototype.setPointerCapture = captured
  render(<List />)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.clearAllMocks()
  Reflect.deleteProperty(HTMLElement.prototype, 'setPointerCapture')
})

test.each([
  ['the middle of the next row', 1, middleOf(2), middleOf(2) + 1, 2],
  ['the middle of the row before', 1, middleOf(0), middleOf(0) - 1, 0],
])('a row changes its place as soon as the pointer has passed %s', (_what, row, before, after, to) => {
  take(row)
  moveTo(row, before)
  expect([onMove.mock.calls, dragged()]).toEqual([[], String(row)])
  moveTo(row, after)
  expect([onMove.mock.calls, dragged()]).toEqual([[[row, to]], String(to)])
})

test('the drag continues from the row’s new place, also backward', () => {
  take(0)
  moveTo(0, middleOf(1) + 1)
  moveTo(0, middleOf(1) + 1)
  moveTo(0, middleOf(2) + 1)
  moveTo(0, middleOf(2))
  moveTo(0, middleOf(1) - 1)
  expect(onMove.mock.calls).toEqual([
    [0, 1],
    [1, 2],
    [2, 1],
  ])
})

test('the first row goes no higher, and the last one no lower', () => {
  take(0)
  moveTo(0, -500)
  expect([onMove.mock.calls, dragged()]).toEqual([[], '0'])
  take(3)
  moveTo(3, 5000)
  expect([onMove.mock.calls, dragged()]).toEqual([[], '3'])
})

test('the handle keeps the pointer, and nothing is selected on the way', () => {
  expect(take(2).defaultPrevented).toBe(true)
  expect(captured.mock.calls).toEqual([[7]])
  expect(captured.mock.contexts).toEqual([on(2)])
})

test.each([1, 2])('mouse button %i does not drag a row', button => {
  expect(take(1, button).defaultPrevented).toBe(false)
  moveTo(1, middleOf(3))
  expect([captured.mock.calls, onMove.mock.calls, dragged()]).toEqual([[], [], undefined])
})

test('a pointer that did not grab a row moves none', () => {
  moveTo(1, middleOf(3))
  expect([onMove.mock.calls, dragged()]).toEqual([[], undefined])
})

test.each(['pointerUp', 'pointerCancel'] as const)('after %s the row stays where it is', end => {
  take(1)
  expect(dragged()).toBe('1')
  fireEvent[end](on(1))
  expect(dragged()).toBeUndefined()
  moveTo(1, middleOf(3))
  expect(onMove.mock.calls).toEqual([])
})
