import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import type { FunnelStep } from '../terms.ts'

const words: Record<FunnelStep, string> = {
  JOINED: 'Not on the list yet, joined',
  LISTED: 'Link not opened yet, listed',
  LINK_OPENED: 'Not opted in yet, link opened',
  OPTED_IN: 'Not used yet, opted in',
  IN_USE: 'First used',
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
