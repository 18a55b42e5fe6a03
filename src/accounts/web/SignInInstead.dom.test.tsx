import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { session } from '../../kit/web/session.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { AuthProvider } from './auth.tsx'
import { SignInInstead } from './SignInInstead.tsx'

provideCalls(endpointTable)
afterEach(() => {
  cleanup()
  session.clear()
  vi.unstubAllGlobals()
})

test.each([200, 503])(
  'a user who is signed in to another account than the one just reset is signed out and sent to the sign-in page (%i)',
  async status => {
    const other = { id: 'b', email: 'bea@example.test', name: 'Bea', role: 'TESTER' } as const
    session.signIn({ accessToken: 'a', refreshToken: 'r', user: other })
    const network = stubNetwork()
    network.answer = () => (status === 200 ? new Response(null, { status: 204 }) : Response.json({}, { status }))
    vi.spyOn(console, 'error').mockImplementation(() => {})
    render(
      <MemoryRouter initialEntries={['/reset-password']}>
        <Routes>
          <Route path="/reset-password" element={<AuthProvider children={<SignInInstead other={other} />} />} />
          <Route path="/login" element={<p>The sign-in page</p>} />
        </Routes>
      </MemoryRouter>,
      { wrapper: Queries },
    )
    expect(screen.getByText('You are signed in as bea@example.test here.').isConnected).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Sign out and sign in again' }))
    expect((await screen.findByText('The sign-in page')).isConnected).toBe(true)
    expect(session.user()).toBeNull()
    expect(network.sent[0]).toMatchObject({ path: '/auth/logout', body: { userId: 'b' } })
  },
)
