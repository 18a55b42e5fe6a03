import type { ReactNode } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'

/**
 * Takes the focus from the button that it replaces, so screen readers read it aloud. It is no control, so the focus is not shown.
 */
const focus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** Replaces a screen's form once the work is done or cannot be done. */
export const Outcome = ({
  tone = 'green',
  title,
  children,
  action,
}: {
  tone?: 'green' | 'red'
  title?: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <div ref={focus} tabIndex={-1} className="grid gap-5 outline-none">
    <Alert tone={tone} title={title}>
      {children}
    </Alert>
    {action}
  </div>
)
