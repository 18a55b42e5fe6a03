import type { ReactNode } from 'react'
import { focusOnArrival } from '../arrival.ts'
import { DocumentTitle } from './DocumentTitle.tsx'

/** A screen's header: its only h1, which receives the focus after navigation, the tab's title, and actions. */
export const PageHeader = ({
  title,
  documentTitle,
  description,
  badge,
  actions,
  back,
}: {
  title: ReactNode
  /** The tab's title, if `title` is not a string. */
  documentTitle?: string
  description?: ReactNode
  badge?: ReactNode
  actions?: ReactNode
  /** A link to the parent screen, above the title. */
  back?: ReactNode
}) => (
  <header className="mb-6 grid grid-cols-1 gap-2">
    <DocumentTitle title={documentTitle ?? (typeof title === 'string' ? title : 'Fieldtest')} />
    {back && <div className="text-muted-foreground [&_a]:hover:text-foreground">{back}</div>}
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 ref={focusOnArrival} tabIndex={-1} className="text-2xl font-semibold tracking-tight wrap-anywhere">
            {title}
          </h1>
          {badge && <span className="flex flex-wrap items-center gap-x-3 gap-y-1">{badge}</span>}
        </div>
        {description && <p className="mt-1 max-w-prose text-muted-foreground wrap-anywhere">{description}</p>}
      </div>
      {/* Actions that render nothing leave their space to the title. */}
      {actions && <div className="flex flex-wrap gap-2 empty:hidden">{actions}</div>}
    </div>
  </header>
)
