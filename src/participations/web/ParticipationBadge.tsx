import { TriangleAlert } from 'lucide-react'
import { Badge } from '../../app/web/ui/Badge.tsx'
import type { CampaignTester } from '../contract.ts'
import { statusLooks } from './statusWords.ts'

export const ParticipationBadge = ({ of: { status, atRisk } }: { of: CampaignTester }) => (
  <span className="inline-flex flex-wrap items-center gap-1.5">
    <Badge tone={statusLooks[status].tone}>{statusLooks[status].label}</Badge>
    {atRisk && (
      <Badge tone="yellow">
        <TriangleAlert aria-hidden /> At risk
      </Badge>
    )}
  </span>
)
