import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../../app/web/endpointTable.ts'
import { provideCalls } from '../../../kit/web/api.ts'
import { queryClient } from '../../../kit/web/query.ts'
import { preloadDialog } from '../../../kit/web/ui/Dialog.tsx'
import { stubNetwork } from '../../../testing/network.ts'
import { Queries } from '../../../testing/web/Queries.tsx'
import { accountKeys } from '../keys.ts'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { SignOutDialog } from './SignOutDialog.tsx'

provideCalls(endpointTable)

beforeAll(async () => {
  preloadDialog()
  await import('../../../kit/web/ui/DialogWindow.tsx')
})

let network: ReturnType<typeof stubNetwork>
const ended = () => network.sent.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)
const isOutOfDate = () => queryClient.getQueryState(accountKeys.sessions)?.isInvalidated

const sendPassword = async () => {
  const field = await screen.findByLabelText('Current password', {}, { timeout: 5000 })
  fireEvent.change(field, { target: { value: 'Secret-1234' } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }))
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  network = stubNetwork()
  queryClient.setQueryData(accountKeys.sessions, [])
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const show = (id: string | null) => {
  const onClose = vi.fn<() => void>()
  render(<SignOutDialog id={id} what="3 other sessions" onClose={onClose} />, { wrapper: Queries })
  return onClose
}

test('all other sessions are signed out by one call', async () => {
  network.answer = () => Response.json({ ended: 3 })
  const onClose = show(null)
  await sendPassword()
  await waitFor(() => expect(onClose).toHaveBeenCalled(), { timeout: 10_000 })
  expect([network.sent.map(({ body }) => body), ended(), isOutOfDate()]).toEqual([
    [{ currentPassword: 'Secret-1234' }],
    ['DELETE other-sessions'],
    true,
  ])
}, 20_000)

test('if no other session was left, the dialog says so, because an earlier reply may have been lost', async () => {
  network.answer = () => Response.json({ ended: 0 })
  const said = vi.spyOn(notify, 'success')
  const onClose = show(null)
  await sendPassword()
  await waitFor(() => expect(onClose).toHaveBeenCalled(), { timeout: 10_000 })
  expect(said).toHaveBeenCalledWith('There were no other sessions')
}, 20_000)

test('a session that has ended meanwhile counts as signed out', async () => {
  network.answer = () => Response.json({ code: 'NOT_FOUND', message: 'Session not found.' }, { status: 404 })
  const onClose = show('gone')
  await sendPassword()
  await waitFor(() => expect(onClose).toHaveBeenCalled(), { timeout: 10_000 })
  expect([ended(), isOutOfDate()]).toEqual([['DELETE gone'], true])
}, 20_000)

test('after a failure, which is shown, the sessions are loaded again, because they may have ended', async () => {
  network.answer = () => Response.json({ message: 'The server is busy.' }, { status: 503 })
  const onClose = show(null)
  await sendPassword()
  await screen.findByText('The server is busy.', {}, { timeout: 10_000 })
  expect([isOutOfDate(), onClose.mock.calls]).toEqual([true, []])
}, 20_000)
