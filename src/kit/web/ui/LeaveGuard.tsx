import { useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** The navigation after a save: nothing is lost by it. */
export const saved = { state: { saved: true } }

const isSaved = (state: unknown) => typeof state === 'object' && state !== null && 'saved' in state

/** Asks before one leaves a form with unsaved changes: inside the app, and when the page itself is closed. */
export const LeaveGuard = ({
  dirty,
  title,
  description,
  kept = false,
}: {
  dirty: boolean
  title: string
  description: string
  /** What was written survives closing the page: then only leaving inside the app is asked about. */
  kept?: boolean
}) => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && currentLocation.pathname !== nextLocation.pathname && !isSaved(nextLocation.state),
  )
  useBeforeUnload(event => {
    if (dirty && !kept) event.preventDefault()
  })
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={open => !open && blocker.state === 'blocked' && blocker.reset()}
      title={title}
      description={description}
      confirmLabel="Leave"
      onConfirm={async () => blocker.proceed?.()}
    />
  )
}
