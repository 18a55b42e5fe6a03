import type { ReactNode } from 'react'
import { DialogButtons } from './DialogButtons.tsx'

/**
 * The buttons of a long dialog, sticky at its bottom edge. Has to be the dialog's last child and not in a grid, whose cell it
 * could not leave. Its margins cancel the dialog's padding.
 */
export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <DialogButtons className="sticky -bottom-[max(1.25rem,env(safe-area-inset-bottom))] -mx-5 mt-6 -mb-[max(1.25rem,env(safe-area-inset-bottom))] border-t bg-card px-5 pt-4 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:px-6 sm:pb-5">
    {children}
  </DialogButtons>
)
