import { TriangleAlert } from 'lucide-react'
import { Badge, type Tone } from '../../kit/web/ui/Badge.tsx'
import { participationStatusLabels } from '../../campaigns/participationStatus.ts'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { isByPlatform } from './statusWords.ts'

const tones: Record<ParticipationStatus, Tone> = {
  WAITLISTED: 'gray',
  ACTIVE: 'green',
  SUBMITTED: 'violet',
  CHANGES_REQUESTED: 'yellow',
  VERIFIED: 'blue',
  REJECTED: 'red',
  APPEALED: 'yellow',
  DROPPED: 'gray',
  CANCELLED: 'red',
}

type Seat = Pick<CampaignTester, 'status'> & Partial<Pick<CampaignTester, 'atRisk' | 'review'>>

export const ParticipationBadge = ({ of: { status, atRisk, review } }: { of: Seat }) => (
  <span className="inline-flex flex-wrap items-center gap-1.5">
    <Badge tone={tones[status]}>
      {isByPlatform({ review: review ?? null }) ? 'Verified by the platform' : participationStatusLabels[status]}
    </Badge>
    {atRisk && (
      <Badge tone="yellow">
        <TriangleAlert aria-hidden /> At risk
      </Badge>
    )}
  </span>
)
