import type { ComponentProps } from 'react'
import { session } from '../../kit/web/session.ts'
import { PasswordInput } from '../../kit/web/ui/PasswordInput.tsx'

/**
 * For the password of the user who is signed in. Password managers take the nearest address before it for the account: the hidden
 * one, not one that the form asks for.
 */
export const OwnPasswordInput = (props: Omit<ComponentProps<typeof PasswordInput>, 'autoComplete'>) => (
  <>
    <input hidden readOnly type="email" autoComplete="username" value={session.user()?.email ?? ''} />
    <PasswordInput autoComplete="current-password" {...props} />
  </>
)
