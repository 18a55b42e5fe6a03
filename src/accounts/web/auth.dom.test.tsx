import { fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { session } from '../../kit/web/session.ts'
import { LeaveGuard } from '../../kit/web/ui/LeaveGuard.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { AuthProvider, useAuth } from './auth.tsx'

withDialogs()
provideCalls(endpointTable)

const Form = ({ dirty }: { dirty: boolean }) => {
  const { logout, leaving } = useAuth()
  if (leaving) return null
  return (
    <>
      <button type="button" onClick={logout}>
        Log out
      </button>
      <LeaveGuard dirty={dirty} title="Leave?" description="It is lost." />
    </>
  )
}

const onForm = (dirty: boolean) => {
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'ann', email: 'ann@example.com', name: 'Ann', role: 'TESTER' },
  })
  const { sent } = stubNetwork()
  const element = (
    <AuthProvider>
      <Form dirty={dirty} />
    </AuthProvider>
  )
  const router = createMemoryRouter(
    [
      { path: '/form', element },
      { path: '/', element: <p>The home page</p> },
    ],
    { initialEntries: ['/form'] },
  )
  render(<RouterProvider router={router} useTransitions={false} />)
  return () => sent.map(({ path }) => path)
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

afterEach(() => {
  session.clear()
  vi.unstubAllGlobals()
})

test('logging out asks before it discards a changed form', async () => {
  const sent = onForm(true)
  await press('Log out')
  await press('Cancel')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect([sent(), session.accessToken()]).toEqual([[], 'access'])
  await press('Log out')
  await press('Leave')
  await screen.findByText('The home page')
  expect(sent()).toEqual(['/auth/logout'])
  await expect.poll(() => session.accessToken()).toBeNull()
})

test('logging out does not ask if nothing was changed', async () => {
  const sent = onForm(false)
  await press('Log out')
  await screen.findByText('The home page')
  expect(sent()).toEqual(['/auth/logout'])
})
