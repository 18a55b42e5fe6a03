import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import { FunnelLine } from './FunnelLine.tsx'
import { ParticipationBadge } from './ParticipationBadge.tsx'

/** The status, and what happens next without anyone's action. */
export const StatusAndNext = ({ of: tester }: { of: CampaignTester }) => (
  <span className="inline-grid gap-0.5">
    <ParticipationBadge of={tester} />
    <FunnelLine of={tester} />
    {tester.nextStep === 'ACCEPT_NDA' && <span className="text-xs text-muted-foreground">NDA not accepted</span>}
    {tester.deadlineAt && (tester.status !== 'ACTIVE' || tester.atRisk) && (
      <span className="text-xs text-muted-foreground">
        {tester.status === 'SUBMITTED' ? 'Auto-verifies' : 'Will be dropped'} <RelativeTime at={tester.deadlineAt} />
      </span>
    )}
  </span>
)
