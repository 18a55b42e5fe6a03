/** What other slices' screens use of participations: joining a campaign, the roster of its testers, a test's state. */
import { Suspense, lazy, useState } from 'react'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { ObstacleNote, useObstacle } from './Obstacle.tsx'

export { ParticipationBadge } from './ParticipationBadge.tsx'

const JoinDialog = lazy(async () => ({ default: (await import('./JoinDialog.tsx')).JoinDialog }))
const ProofQueue = lazy(async () => ({ default: (await import('./ProofQueue.tsx')).ProofQueue }))
const CampaignRoster = lazy(async () => ({ default: (await import('./CampaignRoster.tsx')).CampaignRoster }))

/** For testers: joins, or leads to the test they are in, or says that there is no seat. Nothing when it is not LIVE. */
export const JoinCampaignButton = ({ campaign }: { campaign: Campaign }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <JoinOrLook campaign={campaign} onJoin={() => setOpen(true)} />
      {open && (
        <Suspense>
          <JoinDialog campaign={campaign} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const JoinOrLook = ({ campaign, onJoin }: { campaign: Campaign; onJoin: () => void }) => {
  if (campaign.participation) {
    return (
      <ButtonLink variant="outline" to={paths.myTest(campaign.participation.id)}>
        Open My Test
      </ButtonLink>
    )
  }
  if (campaign.status !== 'LIVE') return null
  if (!campaign.actions.includes('join')) return <Button disabled>No free seats</Button>
  return <Join campaign={campaign} onJoin={onJoin} />
}

/** What stands in the way is said before the dialog; another device may still do. */
const Join = ({ campaign, onJoin }: { campaign: Campaign; onJoin: () => void }) => {
  const obstacle = useObstacle(campaign)
  if (!obstacle) return <Button onClick={onJoin}>Join Campaign</Button>
  return (
    <>
      <Button variant="outline" disabled={obstacle.because === 'COUNTRY'} onClick={onJoin}>
        Join Campaign
      </Button>
      <ObstacleNote sentence={obstacle.sentence} />
    </>
  )
}

/** For the campaign's owner and for admins: who tests, how far they are, and what there is to review. */
export const Roster = ({ campaign }: { campaign: Campaign }) => (
  <Suspense fallback={<SkeletonList />}>
    <CampaignRoster campaign={campaign} />
  </Suspense>
)

/** For the same two: what waits for their decision, if anything does. */
export const ProofsToReview = (props: { campaign: Campaign; className?: string }) => (
  <Suspense>
    <ProofQueue {...props} />
  </Suspense>
)
