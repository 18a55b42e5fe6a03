import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../../app/web/endpointTable.ts'
import { provideCalls } from '../../../kit/web/api.ts'
import { queryClient } from '../../../kit/web/query.ts'
import { preloadDialog } from '../../../kit/web/ui/Dialog.tsx'
import { stubNetwork } from '../../../testing/network.ts'
import { Queries } from '../../../testing/web/Queries.tsx'
import { accountKeys } from '../keys.ts'
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

test('sessions that have ended meanwhile do not keep the others signed in', async () => {
  network.answer = ({ path }) =>
    path.endsWith('/gone')
      ? Response.json({ code: 'NOT_FOUND', message: 'Session not found.' }, { status: 404 })
      : new Response(null, { status: 204 })
  const onClose = vi.fn()
  render(<SignOutDialog ids={['gone', 's1', 's2']} what="3 other sessions" onClose={onClose} />, { wrapper: Queries })
  await sendPassword()
  await waitFor(() => expect(onClose).toHaveBeenCalled(), { timeout: 10_000 })
  expect([ended(), isOutOfDate()]).toEqual([['DELETE gone', 'DELETE s1', 'DELETE s2'], true])
}, 20_000)

test('what ended before a failure is no longer listed, and the failure is shown', async () => {
  network.answer = ({ path }) =>
    path.endsWith('/s2')
      ? Response.json({ message: 'The server is busy.' }, { status: 503 })
      : new Response(null, { status: 204 })
  const onClose = vi.fn()
  render(<SignOutDialog ids={['s1', 's2']} what="2 other sessions" onClose={onClose} />, { wrapper: Queries })
  await sendPassword()
  await screen.findByText('The server is busy.', {}, { timeout: 10_000 })
  expect([isOutOfDate(), onClose.mock.calls]).toEqual([true, []])
}, 20_000)
