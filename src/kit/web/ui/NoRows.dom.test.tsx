import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { NoRows } from './NoRows.tsx'

const view = (page: number, filtered: boolean) => {
  const [onFirst, onClear] = [vi.fn<() => void>(), vi.fn<() => void>()]
  render(
    <NoRows
      page={page}
      onFirst={onFirst}
      filtered={filtered}
      title="No reports found"
      onClear={onClear}
      none={<p>None yet</p>}
    />,
  )
  return { onFirst, onClear }
}

test.each([true, false])('an empty page leads to the first page and keeps the filters: filtered %s', filtered => {
  const { onFirst, onClear } = view(2, filtered)
  expect(screen.getByText('Nothing on this page').isConnected).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Go to first page' }))
  expect([onFirst.mock.calls.length, onClear.mock.calls.length]).toEqual([1, 0])
})

test('filters without matches can be cleared, and an empty list says that itself', () => {
  const { onClear } = view(1, true)
  expect(screen.getByText('No reports found').isConnected).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(onClear).toHaveBeenCalledOnce()
  view(1, false)
  expect(screen.getByText('None yet').isConnected).toBe(true)
})
