/** What other slices' screens may use of NDAs. */
import { type ComponentProps, Suspense, lazy } from 'react'
import { Skeleton } from '../../kit/web/ui/States.tsx'

const LazyText = lazy(async () => ({ default: (await import('./NdaText.tsx')).NdaText }))

/** The text that a campaign asks for, loaded when it is shown. */
export const NdaText = (props: ComponentProps<typeof LazyText>) => (
  <Suspense fallback={<Skeleton className="h-40 rounded-md" />}>
    <LazyText {...props} />
  </Suspense>
)

export { NdaWords } from './NdaWords.tsx'
export { ndaQuery } from './calls.ts'
