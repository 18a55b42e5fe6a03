import { type ReactNode } from 'react'
import { Link } from 'react-router'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'

type Props = { title: string; allTo: string; children: ReactNode }

/** The newest items of a list, with a link to all of them. */
export const RecentCard = ({ title, allTo, children }: Props) => (
  <Card
    title={title}
    flush
    action={
      <Link
        to={allTo}
        className="font-medium text-link underline-offset-4 hover:underline"
        aria-label={`${title}: view all`}
      >
        View all
      </Link>
    }
  >
    {children}
  </Card>
)

export const recentRow =
  'flex items-center justify-between gap-4 px-5 py-3 transition-colors hover:bg-muted/60 focus-visible:-outline-offset-2'

export const RecentSkeleton = () => (
  <output className="block divide-y">
    <span className="sr-only">Loading</span>
    {Array.from({ length: 5 }, (_, index) => (
      <span key={index} className="flex h-16.5 items-center justify-between gap-4 px-5">
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="h-5 w-20 rounded-full" />
      </span>
    ))}
  </output>
)
