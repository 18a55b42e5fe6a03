/** A dialog whose request was refused for good can only be closed, and what is on screen is loaded again. */
import { useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { Queries } from '../../../testing/web/Queries.tsx'
import { withDialogs } from '../../../testing/web/dialogs.ts'
import type { ErrorCode } from '../../errors.ts'
import { ApiError } from '../apiError.ts'
import { queryClient } from '../query.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useSchemaForm } from './Form.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'

withDialogs()

let outcome: Error | null = null
const load = vi.fn<() => Promise<string>>(async () => 'loaded')
const sent = vi.fn<() => Promise<void>>(async () => {
  if (outcome) throw outcome
})
const refusal = (status: number, code: ErrorCode = 'WRONG_STATE', fields = {}) =>
  new ApiError(status, 'It was refused.', { code, fields })

afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.clearAllMocks()
})

type Dialog = (props: { open: boolean; onClose: () => void }) => React.ReactNode

const Confirming: Dialog = ({ open, onClose }) => (
  <ConfirmDialog open={open} onOpenChange={onClose} title="Pay it?" confirmLabel="Send" onConfirm={sent} />
)

const Reason = ({ onClose }: { onClose: () => void }) => {
  const form = useSchemaForm(z.object({ reason: z.string() }), { reason: '' })
  return (
    <ReasonDialog form={form} name="reason" title="Reject it?" submitLabel="Send" onClose={onClose} onSubmit={sent} />
  )
}
const Giving: Dialog = ({ open, onClose }) => open && <Reason onClose={onClose} />

const Screen = ({ of: OneDialog }: { of: Dialog }) => {
  const [open, setOpen] = useState(true)
  useQuery({ queryKey: ['things'], queryFn: load, staleTime: Infinity })
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <OneDialog open={open} onClose={() => setOpen(false)} />
    </>
  )
}

const show = async (dialog: Dialog) => {
  render(<Screen of={dialog} />, { wrapper: Queries })
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  const reason = screen.queryByLabelText('Reason')
  if (reason) fireEvent.change(reason, { target: { value: 'It is not.' } })
}
const button = (name: string) => screen.queryByRole('button', { name })
const send = async () => {
  fireEvent.click(button('Send')!)
  await waitFor(() => expect(screen.queryByRole('alert')?.textContent).toBe('It was refused.'))
}
const dismissing = (name: string) =>
  screen.queryAllByRole('button', { name }).find(each => each.getAttribute('aria-label') === null)

test.each([
  [403, 'SUSPENDED', Confirming],
  [404, 'NOT_FOUND', Confirming],
  [409, 'WRONG_STATE', Confirming],
  [422, 'INSUFFICIENT_BALANCE', Confirming],
  [403, 'SUSPENDED', Giving],
  [404, 'NOT_FOUND', Giving],
  [409, 'WRONG_STATE', Giving],
] as const)(
  'after a %d (%s) only Close is left, has the focus, and reloads the screen',
  async (status, code, dialog) => {
    outcome = refusal(status, code)
    await show(dialog)
    await send()
    expect([button('Send'), dismissing('Cancel')]).toEqual([null, undefined])
    await waitFor(() => expect(document.activeElement).toBe(dismissing('Close')))
    const field = screen.queryByLabelText('Reason')
    if (field) fireEvent.submit(field.closest('form')!)
    expect(load).toHaveBeenCalledTimes(1)
    fireEvent.click(dismissing('Close')!)
    await waitFor(() => expect(load).toHaveBeenCalledTimes(2))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toHaveBeenCalledTimes(1)
  },
)

test.each([
  ['a server that does not answer', new ApiError(0, 'It was refused.', { code: 'NETWORK' })],
  ['a server that fails', refusal(500, 'INTERNAL')],
  ['too many requests', refusal(429, 'TOO_MANY_REQUESTS')],
  ['a payment that was declined', refusal(402, 'PAYMENT_DECLINED')],
  ['a second factor that was not proven', refusal(403, 'STEP_UP_REQUIRED')],
  ['an address that was not confirmed', refusal(409, 'EMAIL_NOT_CONFIRMED')],
  ['a limit that was reached', refusal(409, 'LIMIT_REACHED')],
  ['a press that came too early', refusal(409, 'TOO_EARLY')],
])('after %s the same press is still possible', async (_, error) => {
  for (const dialog of [Confirming, Giving]) {
    outcome = error
    await show(dialog)
    await send()
    outcome = null
    fireEvent.click(button('Send')!)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(load).toHaveBeenCalledTimes(1)
    cleanup()
    queryClient.clear()
    vi.clearAllMocks()
  }
})

test.each([
  ['an input that is invalid', refusal(400, 'INVALID_INPUT', { reason: 'It was refused.' })],
  ['a conflict at a field', refusal(409, 'EMAIL_TAKEN', { reason: 'It was refused.' })],
])('a form can be corrected after %s', async (_, error) => {
  outcome = error
  await show(Giving)
  fireEvent.click(button('Send')!)
  await screen.findByText('It was refused.')
  expect(dismissing('Cancel')).toBeDefined()
  outcome = null
  fireEvent.click(button('Send')!)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a dialog that is opened again does not show the refusal of before', async () => {
  outcome = refusal(409)
  await show(Confirming)
  await send()
  fireEvent.click(dismissing('Close')!)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(button('Open')!)
  await waitFor(() => expect(button('Send')).not.toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
})
