import type { ReactNode } from 'react'

/** A text that scrolls within its box, also by keyboard. */
export const NdaWords = ({ text, label }: { text: ReactNode; label: string }) => (
  <div
    role="region"
    aria-label={label}
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take the focus
    tabIndex={0}
    className="max-h-80 overflow-y-auto rounded-md border bg-background p-4 text-foreground"
  >
    <p className="max-w-prose whitespace-pre-wrap wrap-anywhere">{text}</p>
  </div>
)
