/** What other slices' screens may use of NDAs. */
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'

/** The text that a campaign asks for, loaded when it is shown. */
export const NdaText = laterPart(
  async () => (await import('./NdaText.tsx')).NdaText,
  <Skeleton className="h-40 rounded-md" />,
)

export { NdaWords } from './NdaWords.tsx'
export { ndaQuery } from './calls.ts'
