import { CircleCheck } from 'lucide-react'
import type { Campaign } from '../../campaigns/contract.ts'
import { ObstacleNote, useFit } from './Obstacle.tsx'

/** Whether the tester's country and device fit, as far as this browser knows; renders nothing while that is being looked up. */
export const FitNote = ({ campaign }: { campaign: Campaign }) => {
  const fit = useFit(campaign)
  if (!fit) return <p className="text-xs">&nbsp;</p>
  return (
    <div className="text-xs">
      {fit.obstacle ? (
        <ObstacleNote of={fit.obstacle} campaign={campaign} />
      ) : (
        <p className="flex items-center gap-2 text-green-tone-foreground">
          <CircleCheck aria-hidden className="size-4 shrink-0" />
          {fit.deviceKnown ? 'Fits your country and your device' : 'Fits your country (device not known yet)'}
        </p>
      )}
    </div>
  )
}
