import { useEffect, useRef, useState } from 'react'
import { type Blocker, useBeforeUnload, useBlocker } from 'react-router'
import { session } from '../session.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** Navigation state after a save: nothing is lost, so nothing is asked. */
export const saved = { state: { saved: true } }

const isSaved = (state: unknown) => typeof state === 'object' && state !== null && 'saved' in state

/** Confirms leaving a form with unsaved changes, by navigation, by closing the page or by logging out. */
export const LeaveGuard = ({
  dirty,
  title,
  description,
  kept = false,
}: {
  dirty: boolean
  title: string
  description: string
  /** A draft survives closing the page and logging out, which asks about drafts; only navigation inside the app is confirmed. */
  kept?: boolean
}) => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && currentLocation.pathname !== nextLocation.pathname && !isSaved(nextLocation.state),
  )
  const left = useRef<Blocker>(null)
  const [asked, setAsked] = useState<{ leave: () => void } | null>(null)
  useEffect(() => (dirty && !kept ? session.askBeforeLeaving(leave => setAsked({ leave })) : undefined), [dirty, kept])
  useBeforeUnload(event => {
    if (dirty && !kept) event.preventDefault()
  })
  return (
    <ConfirmDialog
      open={asked !== null || blocker.state === 'blocked'}
      onOpenChange={open => {
        setAsked(null)
        // The browser's Back continues only after the dialog has closed, and a reset would block it again.
        if (!open && blocker.state === 'blocked' && blocker !== left.current) blocker.reset()
      }}
      title={title}
      description={description}
      confirmLabel="Leave"
      onConfirm={async () => {
        if (asked) return asked.leave()
        left.current = blocker
        blocker.proceed?.()
      }}
    />
  )
}
