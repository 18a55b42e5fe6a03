import { TriangleAlert } from 'lucide-react'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import type { CampaignTester } from '../contract.ts'
import { isByPlatform, statusLooks } from './statusWords.ts'

type Seat = Pick<CampaignTester, 'status'> & Partial<Pick<CampaignTester, 'atRisk' | 'review'>>

export const ParticipationBadge = ({ of: { status, atRisk, review } }: { of: Seat }) => (
  <span className="inline-flex flex-wrap items-center gap-1.5">
    <Badge tone={statusLooks[status].tone}>
      {isByPlatform({ review: review ?? null }) ? 'Verified by the platform' : statusLooks[status].label}
    </Badge>
    {atRisk && (
      <Badge tone="yellow">
        <TriangleAlert aria-hidden /> At risk
      </Badge>
    )}
  </span>
)
