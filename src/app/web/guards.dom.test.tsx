/** What one person has typed, opened or been asked to confirm is never the next one's, who signs in in another tab. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AuthProvider } from '../../accounts/web/auth.tsx'
import { session } from '../../kit/web/session.ts'
import { RequireSignIn } from './guards.tsx'

const user = (id: string, name = id) => ({ id, name, email: `${id}@example.test`, role: 'TESTER' as const })
const signedInElsewhere = (id: string) =>
  act(() => {
    localStorage.setItem('refreshToken', `refresh-${id}`)
    localStorage.setItem('user', JSON.stringify(user(id)))
    localStorage.setItem('accessToken', `access-${id}`)
    dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }))
  })

const Withdrawal = () => {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <input aria-label="Amount" />
      <button type="button" onClick={() => setAsked(true)}>
        Withdraw
      </button>
      {asked && <p>Withdraw this?</p>}
    </>
  )
}
const field = () => screen.getByLabelText<HTMLInputElement>('Amount')

beforeEach(() => {
  session.signIn({ accessToken: 'access', refreshToken: 'refresh', user: user('tess') })
  history.replaceState(null, '', '/dashboard/balance')
  render(
    <MemoryRouter initialEntries={['/dashboard/balance']}>
      <AuthProvider>
        <RequireSignIn>
          <Withdrawal />
        </RequireSignIn>
      </AuthProvider>
    </MemoryRouter>,
  )
  fireEvent.change(field(), { target: { value: '50' } })
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
})
afterEach(() => {
  cleanup()
  session.clear()
})

test('a screen begins anew for somebody else of the same role', () => {
  signedInElsewhere('tom')
  expect([field().value, screen.queryByText('Withdraw this?')]).toEqual(['', null])
})

test('and stays as it is for the same person, with another name as well', () => {
  signedInElsewhere('tess')
  act(() => session.update(user('tess', 'Tess T.')))
  expect([field().value, screen.queryByText('Withdraw this?') === null]).toEqual(['50', false])
})
