import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ScrollBox } from './ScrollBox.tsx'

afterEach(() => vi.unstubAllGlobals())

test.each([
  { needed: 500, reached: true },
  { needed: 300, reached: false },
])('a text of $needed pixels in a box of 300 can be reached with the keyboard: $reached', ({ needed, reached }) => {
  const resized: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resized.push(callback)
      }
      observe() {}
      disconnect() {}
    },
  )
  const { container } = render(
    <ScrollBox label="Text of the proof" className="max-h-96">
      <p>Words</p>
    </ScrollBox>,
  )
  Object.defineProperties(container.firstElementChild, {
    scrollHeight: { value: needed },
    clientHeight: { value: 300 },
  })
  act(() => resized.forEach(each => each()))
  const box = screen.queryByRole('region', { name: 'Text of the proof, scrollable' })
  expect(box?.tabIndex).toBe(reached ? 0 : undefined)
})
