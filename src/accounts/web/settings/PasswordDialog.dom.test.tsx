import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../../app/web/endpointTable.ts'
import { provideCalls } from '../../../kit/web/api.ts'
import { queryClient } from '../../../kit/web/query.ts'
import { stubNetwork } from '../../../testing/network.ts'
import { Queries } from '../../../testing/web/Queries.tsx'
import { withDialogs } from '../../../testing/web/dialogs.ts'
import { AuthProvider } from '../auth.tsx'
import { accountKeys } from '../keys.ts'
import { PasswordDialog } from './PasswordDialog.tsx'

withDialogs()
provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('a new password ends other sessions and a pending change of address, so both are loaded again', async () => {
  stubNetwork().answer = () => new Response(null, { status: 204 })
  const shown = [accountKeys.sessions, accountKeys.me]
  for (const key of shown) queryClient.setQueryData(key, {})
  const onClose = vi.fn()
  render(
    <MemoryRouter>
      <AuthProvider>
        <PasswordDialog onClose={onClose} />
      </AuthProvider>
    </MemoryRouter>,
    { wrapper: Queries },
  )
  const fill = async (label: string, value: string) =>
    fireEvent.change(await screen.findByLabelText(label), { target: { value } })
  await fill('Current password', 'Secret-1234')
  await fill('New password', 'battery staple 7')
  await fill('Confirm new password', 'battery staple 7')
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(shown.map(key => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true])
})
