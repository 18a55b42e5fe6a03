import { render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { User } from '../../accounts/contract.ts'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { session } from '../../kit/web/session.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { PaymentMethodDialog } from './PaymentMethodDialog.tsx'

withDialogs()
provideCalls(endpointTable)
afterEach(() => session.clear())

test('password managers learn whose password is asked for: not that of the payment account', () => {
  const user = { id: 'tess', email: 'tess@example.test', name: 'Tess', role: 'TESTER' } as const
  session.signIn({ accessToken: 'access', refreshToken: 'refresh', user })
  const profile = { ...user, paymentMethod: 'pay@other.test' } as unknown as User
  render(<PaymentMethodDialog user={profile} onClose={() => {}} />, { wrapper: Queries })
  const inputs = [...document.querySelectorAll('input')]
  const at = inputs.findIndex(input => input.autocomplete === 'current-password')
  const [account] = inputs.slice(at - 1, at)
  expect([account?.autocomplete, account?.value, account?.hidden]).toEqual(['username', user.email, true])
})
