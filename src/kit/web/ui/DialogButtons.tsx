import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/**
 * The buttons of a dialog, in the same order everywhere: the one that dismisses it first and the one that acts last, which is at
 * the right on a wide screen and on top on a phone, within reach of the thumb. Three may not fit beside each other in every font
 * unless the dialog is wide, so they too are on top of each other.
 */
export const DialogButtons = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div className={clsx('@container', className)}>
    <div className="flex flex-col-reverse gap-2 sm:flex-wrap sm:justify-end sm:not-has-[>:nth-child(3)]:flex-row @lg:flex-row">
      {children}
    </div>
  </div>
)
