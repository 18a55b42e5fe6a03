import { useState } from 'react'
import { paths } from '../../kit/paths.ts'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { api } from './calls.ts'
import { VerifyEmailFrame } from './linkFrames.tsx'
import { LinkButton } from './LinkButton.tsx'
import { useLinkToken } from './linkToken.tsx'
import { Outcome } from './Outcome.tsx'

/** Also confirms the new address of an account that moves to it. */
export const VerifyEmailPage = () => {
  const token = useLinkToken()
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const confirm = useTask(async () => {
    const { email } = await api.verifyEmail({ body: { token } })
    setConfirmed(email)
    // The screens of whoever is signed in here show the address; without an answer they ask for themselves later.
    if (session.user()) await api.me().then(session.update, () => undefined)
  })
  return (
    <VerifyEmailFrame>
      {confirmed === null ? (
        <LinkButton task={confirm}>Confirm email address</LinkButton>
      ) : (
        <Outcome
          title="Your email address is confirmed"
          action={
            <ButtonLink to={paths.dashboard} className="w-full">
              Go to dashboard
            </ButtonLink>
          }
        >
          Your account uses {confirmed}.
        </Outcome>
      )}
    </VerifyEmailFrame>
  )
}
