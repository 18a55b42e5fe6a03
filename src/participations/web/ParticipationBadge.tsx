import { TriangleAlert } from 'lucide-react'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import type { CampaignTester } from '../contract.ts'
import { statusLooks } from './statusWords.ts'

type Seat = Pick<CampaignTester, 'status'> & Partial<Pick<CampaignTester, 'atRisk'>>

export const ParticipationBadge = ({ of: { status, atRisk } }: { of: Seat }) => (
  <span className="inline-flex flex-wrap items-center gap-1.5">
    <Badge tone={statusLooks[status].tone}>{statusLooks[status].label}</Badge>
    {atRisk && (
      <Badge tone="yellow">
        <TriangleAlert aria-hidden /> At risk
      </Badge>
    )}
  </span>
)
