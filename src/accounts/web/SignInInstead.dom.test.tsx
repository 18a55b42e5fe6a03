import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { draftKey, provideDrafts } from '../../kit/web/drafts.ts'
import { session } from '../../kit/web/session.ts'
import { stubNetwork } from '../../testing/network.ts'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { AuthProvider } from './auth.tsx'
import { SignInInstead } from './SignInInstead.tsx'

withDialogs()
provideCalls(endpointTable)
afterEach(() => {
  cleanup()
  session.clear()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const other = { id: 'b', email: 'bea@example.test', name: 'Bea', role: 'TESTER' } as const
const instead = (
  <AuthProvider>
    <SignInInstead other={other} />
  </AuthProvider>
)
const show = () => {
  session.signIn({ accessToken: 'a', refreshToken: 'r', user: other })
  render(
    <MemoryRouter initialEntries={['/reset-password']}>
      <Routes>
        <Route path="/reset-password" element={instead} />
        <Route path="/login" element={<p>The sign-in page</p>} />
      </Routes>
    </MemoryRouter>,
    { wrapper: Queries },
  )
}
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Sign out and sign in again' }))

test.each([200, 503])(
  'a user who is signed in to another account than the one just reset is signed out and sent to the sign-in page (%i)',
  async status => {
    const network = stubNetwork()
    network.answer = () => (status === 200 ? new Response(null, { status: 204 }) : Response.json({}, { status }))
    vi.spyOn(console, 'error').mockImplementation(() => {})
    show()
    expect(screen.getByText('You are signed in as bea@example.test here.').isConnected).toBe(true)
    press()
    expect((await screen.findByText('The sign-in page')).isConnected).toBe(true)
    expect(session.user()).toBeNull()
    expect(network.sent[0]).toMatchObject({ path: '/auth/logout', body: { userId: 'b' } })
  },
)

test('their drafts on this device are asked about first', async () => {
  provideDrafts(() => import('../../app/web/draftsHere.ts'))
  localStorage.setItem(draftKey('bugComment', 'b1', 'b'), '{"text":"Same here"}')
  const network = stubNetwork()
  show()
  press()
  await screen.findByText('Not sent yet: 1 comment.')
  expect(network.sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Log out and keep' }))
  expect((await screen.findByText('The sign-in page')).isConnected).toBe(true)
})
