/** What stands in the place of the form for a new password: the link was used, or cannot be. */
import { useState } from 'react'
import { paths } from '../../kit/paths.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { session } from '../../kit/web/session.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Outcome } from './Outcome.tsx'
import { SignInInstead } from './SignInInstead.tsx'

export type PasswordReset = { email: string; newAccount: boolean }

/** `done` is null where the link could not be used, `error` where it is incomplete. */
export const ResetOutcome = ({ done, error }: { done: PasswordReset | null; error: unknown }) =>
  done ? <Done {...done} /> : <LinkOver error={error} />

const Done = ({ email, newAccount }: PasswordReset) => {
  const [other] = useState(session.user)
  return (
    <Outcome
      title={newAccount ? 'Your new account is ready' : 'Your password is changed'}
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

const LinkOver = ({ error }: { error: unknown }) => (
  <Outcome
    tone="red"
    {...(!error && { title: 'This link is not complete' })}
    action={
      <ButtonLink to={paths.forgotPassword} className="w-full">
        Email me a new link
      </ButtonLink>
    }
  >
    {error ? messageOf(error) : 'Open it again from the email, or ask for a new one.'}
  </Outcome>
)
