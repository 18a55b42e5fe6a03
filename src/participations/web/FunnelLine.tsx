import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import type { FunnelStep } from '../terms.ts'

const words: Record<FunnelStep, string> = {
  JOINED: 'Not on the list yet, joined',
  LISTED: 'On the list, link not opened since',
  LINK_OPENED: 'Link opened, not opted in since',
  OPTED_IN: 'Opted in, not used since',
  IN_USE: 'In use since',
}

/** How far the tester is on the way in, and since when; nothing once they are in. */
export const FunnelLine = ({ of: { status, funnel } }: { of: CampaignTester }) => {
  const onTheWay = status === 'ACTIVE' || status === 'CHANGES_REQUESTED'
  if (!funnel || !onTheWay || funnel.step === 'IN_USE') return null
  return (
    <span className="text-xs text-muted-foreground">
      {words[funnel.step]} <RelativeTime at={funnel.since} />
    </span>
  )
}
