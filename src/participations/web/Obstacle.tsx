import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useMe } from '../../accounts/web/face.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { participationKeys } from './keys.ts'

/** Whether the signed-in tester may join, as far as this browser knows; null until it is known. */
export const useFit = (campaign: Campaign) => {
  const me = useMe()
  const country = me.data?.country ?? null
  const found = useQuery({
    queryKey: participationKeys.obstacle(campaign, country),
    queryFn: async () => (await import('./whyNot.ts')).findFit(campaign, country),
    enabled: me.data !== undefined && campaign.actions.some(action => action === 'join' || action === 'enterBench'),
  })
  return found.data ?? null
}

/** Why they cannot; null if there is no known reason. */
export const useObstacle = (campaign: Campaign) => useFit(campaign)?.obstacle ?? null

export const ObstacleNote = ({ sentence }: { sentence: string }) => (
  <p className="flex w-full items-start gap-2 text-yellow-tone-foreground">
    <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span className="min-w-0 wrap-anywhere">{sentence}</span>
  </p>
)
