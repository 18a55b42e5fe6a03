import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/**
 * The buttons of a dialog, in the same order everywhere: the one that dismisses it first and the one that acts last, which is at
 * the right on a wide screen and on top on a phone, within reach of the thumb.
 */
export const DialogButtons = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div
    className={clsx('flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:items-center sm:justify-end', className)}
  >
    {children}
  </div>
)
