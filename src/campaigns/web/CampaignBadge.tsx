import { Badge, type Tone } from '../../kit/web/ui/Badge.tsx'
import type { CampaignStatus } from '../contract.ts'
import { campaignStatusLabels } from '../terms.ts'

/** Spec §4: LIVE green, DRAFT gray, PAUSED yellow, COMPLETED blue, CANCELLED red; the other three are ours. */
const tones: Record<CampaignStatus, Tone> = {
  DRAFT: 'gray',
  PENDING_APPROVAL: 'violet',
  APPROVED: 'neutral',
  REJECTED: 'red',
  LIVE: 'green',
  PAUSED: 'yellow',
  COMPLETED: 'blue',
  CANCELLED: 'red',
}

export const CampaignBadge = ({ status }: { status: CampaignStatus }) => (
  <Badge tone={tones[status]}>{campaignStatusLabels[status]}</Badge>
)
