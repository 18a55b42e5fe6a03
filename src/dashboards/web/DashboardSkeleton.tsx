import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { FigureCardsSkeleton } from './FigureCards.tsx'
import { NeedsSkeleton } from './NeedsSkeleton.tsx'

/** Nothing is shown until the figures tell whether there is an onboarding checklist, because that would push it down. */
export const isFirstLoad = ({ isPending, failureCount }: UseQueryResult) => isPending && failureCount === 0

export const DashboardSkeleton = () => (
  <>
    <NeedsSkeleton />
    <FigureCardsSkeleton />
    <div aria-hidden className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Skeleton className="h-96 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </div>
  </>
)
