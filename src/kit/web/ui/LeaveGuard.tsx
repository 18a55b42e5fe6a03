import { useRef } from 'react'
import { type Blocker, useBeforeUnload, useBlocker } from 'react-router'
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
  const left = useRef<Blocker>(null)
  useBeforeUnload(event => {
    if (dirty && !kept) event.preventDefault()
  })
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={open => {
        // The browser's Back goes on only after the dialog has closed: a reset would block it again.
        if (!open && blocker.state === 'blocked' && blocker !== left.current) blocker.reset()
      }}
      title={title}
      description={description}
      confirmLabel="Leave"
      onConfirm={async () => {
        left.current = blocker
        blocker.proceed?.()
      }}
    />
  )
}
