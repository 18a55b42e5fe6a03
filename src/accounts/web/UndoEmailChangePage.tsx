import { useState } from 'react'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import type { UndoneEmailChange } from '../contract.ts'
import { api } from './calls.ts'
import { UndoEmailChangeFrame } from './linkFrames.tsx'
import { LinkButton } from './LinkButton.tsx'
import { type LinkProps, LinkScreen } from './linkToken.tsx'
import { Outcome } from './Outcome.tsx'

export const UndoEmailChangePage = () => <LinkScreen frame={UndoEmailChangeFrame} screen={UndoEmailChange} />

const UndoEmailChange = ({ token, unlessOver }: LinkProps) => {
  const [undone, setUndone] = useState<UndoneEmailChange | null>(null)
  const undo = useTask(async () => {
    setUndone(await unlessOver(api.undoEmailChange({ body: { token } })))
    // If it was this account's, its session has ended: the refusal signs out here as well.
    if (session.user()) await api.me().catch(() => undefined)
  })
  return (
    <UndoEmailChangeFrame done={undone !== null}>
      {undone === null ? <LinkButton task={undo}>Keep my old address</LinkButton> : <Undone {...undone} />}
    </UndoEmailChangeFrame>
  )
}

const Undone = ({ email, moved, removedFactors }: UndoneEmailChange) => (
  <Outcome
    title={moved ? 'Your old email address is restored' : 'Your email address has not changed'}
    action={
      <Alert tone="blue" title="Next: choose a new password">
        Follow the link in the email we just sent to {email}.
      </Alert>
    }
  >
    Your account uses {email}. All devices are signed out, and the old password no longer works.
    {removedFactors > 0 &&
      ` We removed ${removedFactors} second factor${removedFactors === 1 ? '' : 's'} added in the meantime.`}
  </Outcome>
)
