import { useState } from 'react'
import { paths } from '../../kit/paths.ts'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { api } from './calls.ts'
import { UndoEmailChangeFrame } from './linkFrames.tsx'
import { LinkButton } from './LinkButton.tsx'
import { useLinkToken } from './linkToken.tsx'
import { Outcome } from './Outcome.tsx'

export const UndoEmailChangePage = () => {
  const token = useLinkToken()
  const [restored, setRestored] = useState<string | null>(null)
  const undo = useTask(async () => {
    const { email } = await api.undoEmailChange({ body: { token } })
    setRestored(email)
    // If it was this account's, its session has ended: the refusal signs out here as well.
    if (session.user()) await api.me().catch(() => undefined)
  })
  return (
    <UndoEmailChangeFrame>
      {restored === null ? (
        <LinkButton task={undo}>Keep my old address</LinkButton>
      ) : (
        <Outcome
          title="Your email address is back"
          action={
            <ButtonLink to={paths.forgotPassword} className="w-full">
              Choose a new password
            </ButtonLink>
          }
        >
          Your account uses {restored} again, and all devices are signed out. If somebody else changed the address, they
          know your password: choose a new one now.
        </Outcome>
      )}
    </UndoEmailChangeFrame>
  )
}
