import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { FunnelLine } from './FunnelLine.tsx'
import { ParticipationBadge } from './ParticipationBadge.tsx'
import { dropWords } from '../dropWords.ts'

const next: Partial<Record<CampaignTester['status'], string>> = { SUBMITTED: 'Auto-verifies', REJECTED: 'Final' }

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** The status, and what happens next if nobody acts. */
export const StatusAndNext = ({ of: tester }: { of: CampaignTester }) => (
  <span className="inline-grid gap-0.5">
    <ParticipationBadge of={tester} />
    <FunnelLine of={tester} />
    {tester.nextStep === 'ACCEPT_NDA' && <span className="text-xs text-muted-foreground">NDA not accepted</span>}
    {tester.deadlineAt && (tester.status !== 'ACTIVE' || tester.atRisk) && (
      <span className="text-xs text-muted-foreground">
        {next[tester.status] ?? 'Will be dropped'} <RelativeTime at={tester.deadlineAt} />
      </span>
    )}
    {(tester.status === 'APPEALED' || waitsForConsent(tester)) && (
      <span className="text-xs text-muted-foreground">An admin decides</span>
    )}
    {tester.dropReason && (
      <span className="text-xs text-muted-foreground">
        {capitalized(dropWords[tester.dropReason](tester.campaign.dropHours))}
      </span>
    )}
  </span>
)
