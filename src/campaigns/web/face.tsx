/** The parts of campaigns that other slices' screens may use. */
import { type ComponentProps, Suspense, lazy } from 'react'
import { Skeleton } from '../../kit/web/ui/States.tsx'

export { CampaignBadge } from './CampaignBadge.tsx'
export { QrButton } from './QrButton.tsx'

const LazyTerms = lazy(async () => ({ default: (await import('./TermsOf.tsx')).TermsOf }))

const loading = <Skeleton className="h-40 rounded-xl" />

/** The terms, for a screen that knows only the campaign's id. */
export const TermsOf = (props: ComponentProps<typeof LazyTerms>) => (
  <Suspense fallback={loading}>
    <LazyTerms {...props} />
  </Suspense>
)

const LazyDispute = lazy(async () => ({ default: (await import('./DisputeOf.tsx')).DisputeOf }))

/** What a dispute about the payment means for testers inside, for a screen that knows only the campaign's id. */
export const DisputeOf = (props: ComponentProps<typeof LazyDispute>) => (
  <Suspense>
    <LazyDispute {...props} />
  </Suspense>
)
