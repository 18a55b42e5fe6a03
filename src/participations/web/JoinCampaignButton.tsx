import { lazy } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import { freeSeatsOf } from '../../campaigns/seats.ts'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { usePlacedDialog } from '../../kit/web/ui/DialogPlace.tsx'
import { ObstacleNote, obstacleId, useObstacle } from './Obstacle.tsx'

const JoinDialog = lazy(async () => ({ default: (await import('./JoinDialog.tsx')).JoinDialog }))

type Props = {
  campaign: Campaign
  /** Whether it is on a phone's card, which shows the obstacle itself. */
  compact?: boolean
}
type Asked = Required<Props> & { onJoin: () => void }

const sizeIf = (compact: boolean) => (compact ? 'sm' : 'md')

/**
 * For testers: joins, enters the bench of a full campaign, links to the test they are in, or says that nobody can join. Renders
 * nothing unless the campaign is LIVE.
 */
export const JoinCampaignButton = ({ campaign, compact = false }: Props) => {
  const ask = usePlacedDialog((_: true, onClose) => <JoinDialog campaign={campaign} onClose={onClose} />)
  return <JoinOrOpen campaign={campaign} compact={compact} onJoin={() => ask(true)} />
}

const JoinOrOpen = ({ campaign, compact, onJoin }: Asked) => {
  if (campaign.participation) {
    return (
      <ButtonLink variant="outline" size={sizeIf(compact)} to={paths.myTest(campaign.participation.id)}>
        Open My Test
      </ButtonLink>
    )
  }
  if (campaign.status !== 'LIVE') return null
  if (!campaign.actions.some(action => action === 'join' || action === 'enterBench'))
    return (
      <Button size={sizeIf(compact)} disabled>
        {freeSeatsOf(campaign) > 0 ? 'Not accepting testers' : 'No open seats'}
      </Button>
    )
  return <Join campaign={campaign} compact={compact} onJoin={onJoin} />
}

/** Shows an obstacle before the dialog opens; another device may still qualify. */
const Join = ({ campaign, compact, onJoin }: Asked) => {
  const obstacle = useObstacle(campaign)
  // One button for both, so that a press is not lost when the obstacle becomes known.
  return (
    <>
      <Button
        variant={obstacle ? 'outline' : 'primary'}
        size={sizeIf(compact)}
        disabled={obstacle !== null && obstacle.because !== 'DEVICE'}
        aria-describedby={obstacle ? obstacleId(campaign) : undefined}
        onClick={onJoin}
      >
        {campaign.actions.includes('join') ? 'Join Campaign' : 'Wait for a seat'}
      </Button>
      {obstacle && !compact && <ObstacleNote of={obstacle} campaign={campaign} />}
    </>
  )
}
