import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import { funnelWords } from './funnel.ts'

/** How far the tester is on the way in, and since when; renders nothing once they are in. */
export const FunnelLine = ({ of: tester }: { of: CampaignTester }) => {
  const { status, funnel } = tester
  const onTheWay = status === 'ACTIVE' || status === 'CHANGES_REQUESTED'
  if (!funnel || !onTheWay || funnel.step === 'IN_USE') return null
  const { words, since } = funnelWords(tester, funnel)
  return (
    <span className="text-xs text-muted-foreground">
      {words} <RelativeTime at={since} />
    </span>
  )
}
