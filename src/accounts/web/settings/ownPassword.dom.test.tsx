/** Password managers learn whose password a form asks for. */
import { cleanup, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpointTable } from '../../../app/web/endpointTable.ts'
import { provideCalls } from '../../../kit/web/api.ts'
import { session } from '../../../kit/web/session.ts'
import { Queries } from '../../../testing/web/Queries.tsx'
import { withDialogs } from '../../../testing/web/dialogs.ts'
import type { User } from '../../contract.ts'
import { AuthProvider } from '../auth.tsx'
import { BeginForm } from '../secondFactor/BeginForm.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { SignOutDialog } from './SignOutDialog.tsx'

withDialogs()
provideCalls(endpointTable)

const user = { id: 'tess', email: 'tess@example.test', name: 'Tess', role: 'TESTER' } as User

beforeEach(() => session.signIn({ accessToken: 'access', refreshToken: 'refresh', user: { ...user, role: 'TESTER' } }))
afterEach(() => {
  cleanup()
  session.clear()
})

const none = () => {}
const begin = { run: async () => true, pending: false, error: null, reset: none }
const forms: Record<string, ReactElement> = {
  'changes the password': <PasswordDialog onClose={none} />,
  'changes the email address': <EmailDialog user={user} onClose={none} />,
  'ends a session': <SignOutDialog id={null} what="3 other sessions" onClose={none} />,
  'deletes the account': <DeleteAccountDialog balance={({ children }) => children(null)} onClose={none} />,
  'sets up a second factor': <BeginForm inForce={false} text="It asks." begin={begin} onCancel={none} />,
}

test.each(Object.entries(forms))(
  'a form that %s names the account next to its password, and shows nothing of it',
  (_, form) => {
    render(
      <MemoryRouter>
        <AuthProvider>{form}</AuthProvider>
      </MemoryRouter>,
      { wrapper: Queries },
    )
    const inputs = [...document.querySelectorAll('input')]
    const at = inputs.findIndex(input => input.autocomplete === 'current-password')
    const [account] = inputs.slice(at - 1, at)
    expect([account?.autocomplete, account?.value, account?.hidden]).toEqual(['username', user.email, true])
  },
)
