/** The cards of the lists of campaigns without what depends on the viewer, also for the document (shells.tsx). */
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'

export const cardGrid = 'gap-4 sm:grid-cols-2 xl:grid-cols-3'

const frame = 'grid min-w-0 rounded-xl border bg-card shadow-card'

/** Aligns the four parts of each card with those of its neighbors in the row. */
export const cardRows = 'row-span-4 grid grid-cols-1 grid-rows-subgrid gap-y-0'

type FrameProps = { id: string; title: ReactNode; description: ReactNode; top: ReactNode; children: ReactNode }

export const CardFrame = ({ id, title, description, top, children }: FrameProps) => (
  <article className={clsx(frame, cardRows)} aria-labelledby={`campaign-${id}`}>
    <header className="px-5 pt-4">
      <div className="flex items-center justify-between gap-3">{top}</div>
      <h2 id={`campaign-${id}`} className="mt-2 line-clamp-2 text-base font-semibold wrap-anywhere">
        <Link to={paths.campaign(id)} className="hover:underline">
          {title}
        </Link>
      </h2>
    </header>
    <div className="px-5 pt-1 pb-4">
      <p className="line-clamp-2 text-muted-foreground wrap-anywhere">{description}</p>
    </div>
    {children}
  </article>
)

export const CompactFrame = ({ id, title, description, top, children }: FrameProps) => (
  <article className="rounded-xl border bg-card px-4 py-3 shadow-card" aria-labelledby={`campaign-${id}`}>
    <div className="flex items-center justify-between gap-3">{top}</div>
    <h2 id={`campaign-${id}`} className="mt-1 line-clamp-2 font-semibold wrap-anywhere">
      <Link to={paths.campaign(id)}>{title}</Link>
    </h2>
    <p className="truncate text-muted-foreground">{description}</p>
    {children}
  </article>
)

export const CampaignCardSkeleton = () => (
  <div className={frame}>
    <div className="px-5 pt-4">
      <div className="flex justify-between">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-5 w-16" />
      </div>
      <Skeleton className="mt-3 h-5 w-3/4" />
    </div>
    <div className="grid gap-4 px-5 pt-2 pb-4">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-4 w-1/2" />
    </div>
    <div className="border-t px-5 py-3">
      <Skeleton className="h-8 w-28" />
    </div>
  </div>
)
