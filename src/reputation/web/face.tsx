/** What other slices' screens may use of reputations, loaded when it is shown. */
import { type ComponentProps, Suspense, lazy } from 'react'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { LineFrame } from './LineFrame.tsx'

const Tester = lazy(async () => ({ default: (await import('./Figures.tsx')).TesterFigures }))
const Developer = lazy(async () => ({ default: (await import('./Figures.tsx')).DeveloperFigures }))
const Own = lazy(async () => ({ default: (await import('./Figures.tsx')).OwnFigures }))
const Line = lazy(async () => ({ default: (await import('./DeveloperLine.tsx')).DeveloperLine }))

const loading = <Skeleton className="h-10" />

export const TesterFigures = (props: ComponentProps<typeof Tester>) => (
  <Suspense fallback={loading}>
    <Tester {...props} />
  </Suspense>
)

export const DeveloperFigures = (props: ComponentProps<typeof Developer>) => (
  <Suspense fallback={loading}>
    <Developer {...props} />
  </Suspense>
)

export const OwnFigures = () => (
  <Suspense fallback={<Skeleton className="h-32 rounded-xl" />}>
    <Own />
  </Suspense>
)

export const DeveloperLine = (props: ComponentProps<typeof Line>) => (
  <Suspense fallback={<LineFrame />}>
    <Line {...props} />
  </Suspense>
)
