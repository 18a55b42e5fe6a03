import { fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { draftKey, provideDrafts } from '../../kit/web/drafts.ts'
import { session } from '../../kit/web/session.ts'
import { LeaveGuard } from '../../kit/web/ui/LeaveGuard.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { AuthProvider, useAuth } from './auth.tsx'

withDialogs()
provideCalls(endpointTable)
provideDrafts(() => import('../../app/web/draftsHere.ts'))

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
  localStorage.clear()
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

describe('on a device that keeps drafts of the user', () => {
  const draft = draftKey('proofDraft', 'p1', 'ann')
  beforeEach(() => localStorage.setItem(draft, JSON.stringify({ text: 'All screens' })))
  const isKept = () => localStorage.getItem(draft) !== null
  const asked = async () => {
    const sent = onForm(false)
    await press('Log out')
    await screen.findByRole('dialog', { name: 'Log out with 1 unsent draft?' })
    expect(screen.getByText('Not sent yet: 1 proof.').isConnected).toBe(true)
    return sent
  }

  test('logging out asks first, and staying changes nothing', async () => {
    const sent = await asked()
    await press('Stay')
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect([sent(), session.accessToken(), isKept()]).toEqual([[], 'access', true])
  })

  test('they stay if the user says so', async () => {
    const sent = await asked()
    await press('Log out and keep')
    await screen.findByText('The home page')
    expect([sent(), isKept()]).toEqual([['/auth/logout'], true])
  })

  test('they are gone if the user says so', async () => {
    const sent = await asked()
    await press('Log out and remove')
    await screen.findByText('The home page')
    expect([sent(), isKept()]).toEqual([['/auth/logout'], false])
  })

  test('a browser that does not remove them does not log out either, and says so', async () => {
    const sent = await asked()
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
      throw new Error('Read only')
    })
    await press('Log out and remove')
    await screen.findByText(/did not remove the drafts/)
    vi.restoreAllMocks()
    expect([sent(), session.accessToken()]).toEqual([[], 'access'])
  })

  test('they keep nobody from logging out if they cannot be looked up', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    provideDrafts(() => Promise.reject(new TypeError('offline')))
    const sent = onForm(false)
    await press('Log out')
    await screen.findByText('The home page')
    expect(sent()).toEqual(['/auth/logout'])
    provideDrafts(() => import('../../app/web/draftsHere.ts'))
  })
})
