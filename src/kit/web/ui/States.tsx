import { clsx } from 'clsx'
import { CloudAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../apiError.ts'
import { Button } from './Button.tsx'
import { passFocusOnLeave } from './passFocus.ts'

/** Says that there is nothing here yet and what to do about it. */
export const EmptyState = ({
  title,
  hint,
  icon,
  action,
}: {
  title: string
  hint?: ReactNode
  icon?: ReactNode
  action?: ReactNode
}) => (
  <div className="grid content-center justify-items-center gap-1 rounded-xl border border-dashed border-input px-6 py-14 text-center">
    {icon && <div className="mb-2 text-muted-foreground [&_svg]:size-7 [&_svg]:stroke-[1.5]">{icon}</div>}
    <p className="text-base font-semibold">{title}</p>
    {hint && <p className="max-w-sm text-muted-foreground">{hint}</p>}
    {action && (
      <div ref={passFocusOnLeave} className="mt-4">
        {action}
      </div>
    )}
  </div>
)

/** A failure to load, with its cause and Try Again. */
export const ErrorState = ({
  title,
  message,
  error,
  onRetry,
}: {
  title: string
  /** The screen's own message, above the error's. */
  message?: string | undefined
  error?: unknown
  onRetry: () => void
}) => {
  const reason = error ? messageOf(error) : ''
  return (
    <div
      role="alert"
      className="grid content-center justify-items-center gap-1 rounded-xl border px-6 py-14 text-center"
    >
      <CloudAlert aria-hidden className="mb-2 size-7 stroke-[1.5] text-destructive" />
      <p className="text-base font-semibold">{title}</p>
      {message && <p>{message}</p>}
      {reason && reason !== title && <p className="max-w-sm text-muted-foreground wrap-anywhere">{reason}</p>}
      {/* While loading again, the button is replaced by the loading state. */}
      <Button variant="outline" className="mt-4" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  )
}

/** A placeholder while content loads; give it the size of the content. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={clsx('animate-pulse rounded-md bg-secondary', className)} />
)

/** Several skeleton rows or cards, announced once. */
export const SkeletonList = ({ count = 3, className }: { count?: number; className?: string }) => (
  <output className="grid content-start gap-3">
    <span className="sr-only">Loading</span>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} className={className ?? 'h-16'} />
    ))}
  </output>
)
