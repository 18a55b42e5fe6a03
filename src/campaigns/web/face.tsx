/** The parts of campaigns that other slices' screens may use. */
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'

export { CampaignBadge } from './CampaignBadge.tsx'
export { QrButton } from './QrButton.tsx'

/** The terms, for a screen that knows only the campaign's id. */
export const TermsOf = laterPart(
  async () => (await import('./TermsOf.tsx')).TermsOf,
  <Skeleton className="h-40 rounded-xl" />,
)

/** What a dispute about the payment means for testers inside, for a screen that knows only the campaign's id. */
export const DisputeOf = laterPart(async () => (await import('./DisputeOf.tsx')).DisputeOf, null)
