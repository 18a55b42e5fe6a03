/** What other slices' screens may use of reputations, loaded when it is shown. */
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { LineFrame } from './LineFrame.tsx'

const loading = <Skeleton className="h-10" />

export const TesterFigures = laterPart(async () => (await import('./Figures.tsx')).TesterFigures, loading)
export const DeveloperFigures = laterPart(async () => (await import('./Figures.tsx')).DeveloperFigures, loading)
export const OwnFigures = laterPart(
  async () => (await import('./Figures.tsx')).OwnFigures,
  <Skeleton className="h-32 rounded-xl" />,
)
export const DeveloperLine = laterPart(async () => (await import('./DeveloperLine.tsx')).DeveloperLine, <LineFrame />)
