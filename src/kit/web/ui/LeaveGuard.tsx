import { useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** State of the navigation after a save, which loses nothing. */
export const saved = { state: { saved: true } }

const isSaved = (state: unknown) => typeof state === 'object' && state !== null && 'saved' in state

/** Confirms leaving a form with unsaved changes, by navigation or by closing the page. */
export const LeaveGuard = ({
  dirty,
  title,
  description,
  kept = false,
}: {
  dirty: boolean
  title: string
  description: string
  /** The draft survives closing the page, so only navigation inside the app is confirmed. */
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
