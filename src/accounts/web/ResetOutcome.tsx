/** What stands in the place of the form for a new password: the link was used. */
import { useState } from 'react'
import { paths } from '../../kit/paths.ts'
import { session } from '../../kit/web/session.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Outcome } from './Outcome.tsx'
import { SignInInstead } from './SignInInstead.tsx'

export type PasswordReset = { email: string; newAccount: boolean }

export const ResetOutcome = ({ email, newAccount }: PasswordReset) => {
  const [other] = useState(session.user)
  return (
    <Outcome
      title={newAccount ? 'Your new account is ready' : 'Password changed'}
      action={
        other ? (
          <SignInInstead other={other} />
        ) : (
          <ButtonLink to={paths.login} className="w-full">
            Sign in
          </ButtonLink>
        )
      }
    >
      {newAccount
        ? `Another account used ${email} without ever confirming it, so we created a new account for you. If the old account was yours, contact us: we have kept its data.`
        : `Sign in as ${email} with your new password.`}
    </Outcome>
  )
}
