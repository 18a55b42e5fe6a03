import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { withDialogs } from '../../../testing/web/dialogs.ts'
import { Dialog } from './Dialog.tsx'
import { CopyButton } from './Values.tsx'

withDialogs()
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('soon after it has copied, a copy button offers it again, also if it never had the focus', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.resolve() } })
  render(<CopyButton text="abc" />)
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  screen.getByRole('button', { name: 'Copied' })
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect([screen.getByRole('button').textContent, screen.getByRole('status').textContent]).toEqual(['Copy', ''])
})

test('a copy button says that it has copied, and an open dialog hides it from screen readers', async () => {
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.resolve() } })
  const Screen = ({ open }: { open: boolean }) => (
    <>
      <CopyButton text="abc" label="Copy link" />
      <Dialog open={open} onOpenChange={() => {}} title="A question" />
    </>
  )
  const { rerender } = render(<Screen open={false} />)
  fireEvent.click(screen.getByRole('button', { name: 'Copy link' }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Copied'))
  rerender(<Screen open />)
  await screen.findByRole('dialog')
  expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull()
})
