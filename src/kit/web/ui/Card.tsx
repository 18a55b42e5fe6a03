import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/**
 * A surface with an optional header: title, description, action. `flush` removes the padding, for tables; "Load more" keeps some
 * below it.
 */
export const Card = ({
  title,
  description,
  action,
  flush = false,
  footer,
  className,
  children,
}: {
  title?: ReactNode
  description?: ReactNode
  action?: ReactNode
  flush?: boolean
  footer?: ReactNode
  className?: string
  children?: ReactNode
}) => (
  <section className={clsx('min-w-0 overflow-hidden rounded-xl border bg-card shadow-card', className)}>
    {(title ?? action) && (
      <header className={clsx('px-5 pt-4', flush && 'pb-3', !flush && !children && 'pb-4')}>
        {/* The description goes below both, since beside the action a long one would push it down. */}
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{title}</h2>
          {action}
        </div>
        {description && <p className={clsx('wrap-anywhere text-muted-foreground', action && 'mt-1')}>{description}</p>}
      </header>
    )}
    {children && (
      <div className={flush ? clsx('has-[>[data-more]]:pb-4', title && 'border-t') : 'px-5 py-4'}>{children}</div>
    )}
    {footer && <footer className="border-t bg-muted/50 px-5 py-3">{footer}</footer>}
  </section>
)

/** One figure on a dashboard. */
export const StatCard = ({
  label,
  value,
  caption,
  icon,
}: {
  label: string
  value: ReactNode
  caption?: ReactNode
  icon?: ReactNode
}) => (
  <div className="@container min-w-0 rounded-xl border bg-card p-4 shadow-card">
    <div className="flex items-center justify-between gap-2 text-muted-foreground [&_svg]:size-4">
      <p className="truncate">{label}</p>
      {icon}
    </div>
    <p className="mt-1 text-xl font-semibold tracking-tight tabular-nums [&_[data-long]]:text-[min(1.25rem,12cqi)] [&_time]:whitespace-normal">
      {value}
    </p>
    {caption && <p className="mt-0.5 text-xs text-muted-foreground">{caption}</p>}
  </div>
)

export type DescriptionItem = { label: ReactNode; value: ReactNode; strong?: boolean }

/** Rows of label and value, side by side, or the value below the label if `stacked`. */
export const DescriptionList = ({
  items,
  stacked = false,
  className,
}: {
  items: readonly DescriptionItem[]
  stacked?: boolean
  className?: string
}) => (
  <dl className={clsx(stacked ? 'grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-4' : 'divide-y', className)}>
    {items.map(({ label, value, strong }, index) => (
      <div key={index} className={stacked ? 'min-w-0' : 'flex items-baseline justify-between gap-4 py-2'}>
        {/* The label wraps before the value does, because an address or an id is read as a whole. */}
        <dt className={clsx('text-muted-foreground', !stacked && 'shrink-[99999]')}>{label}</dt>
        <dd
          className={clsx(
            'min-w-0 tabular-nums wrap-anywhere',
            !stacked && 'max-w-3/4 text-right',
            strong && 'text-base font-semibold',
          )}
        >
          {value}
        </dd>
      </div>
    ))}
  </dl>
)
