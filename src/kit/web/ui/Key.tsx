import type { ReactNode } from 'react'

/** A keyboard key. */
export const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border bg-muted px-1.5 font-sans text-xs whitespace-nowrap text-muted-foreground">
    {children}
  </kbd>
)
