import { LoaderCircle } from 'lucide-react'
import { clsx } from 'clsx'

/** `label` is for screen readers. */
export const Spinner = ({ label = 'Loading', className }: { label?: string; className?: string }) => (
  <output className={clsx('inline-flex', className)}>
    <LoaderCircle aria-hidden className="size-[1.25em] animate-spin" />
    <span className="sr-only">{label}</span>
  </output>
)

/** Centered, for a whole page that loads; fades in with a delay, so a fast page shows none. */
export const PageSpinner = () => (
  <div className="grid min-h-[60dvh] place-items-center text-2xl text-muted-foreground">
    <Spinner className="animate-[fade_200ms_ease-out_200ms_both]" />
  </div>
)
