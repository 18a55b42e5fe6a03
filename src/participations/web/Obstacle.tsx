import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { useMe } from '../../accounts/web/face.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { paths } from '../../kit/paths.ts'
import { canBeEntered, fitQuery } from './calls.ts'
import type { Obstacle } from './whyNot.ts'

/** Whether the signed-in tester may join, as far as this browser knows; null until it is known. */
export const useFit = (campaign: Campaign) => {
  const me = useMe()
  const found = useQuery({
    ...fitQuery(campaign, me.data?.country ?? null),
    enabled: me.data !== undefined && canBeEntered(campaign),
  })
  return found.data ?? null
}

/** Why they cannot join; null if there is no known reason. */
export const useObstacle = (campaign: Campaign) => useFit(campaign)?.obstacle ?? null

/** On a phone's card it is not beside the button that it describes. */
export const obstacleId = ({ id }: Campaign) => `obstacle-${id}`

type NoteProps = { of: Obstacle; campaign: Campaign }

/** The obstacle, with what the tester can do about it, if anything. */
export const ObstacleNote = ({ of: { because, sentence }, campaign }: NoteProps) => (
  <p id={obstacleId(campaign)} className="flex w-full items-start gap-2 text-yellow-tone-foreground">
    <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span className="min-w-0 wrap-anywhere">
      {sentence}
      {because === 'NO_COUNTRY' && (
        <>
          {' '}
          <Link to={paths.settings} className="underline underline-offset-4">
            Open Settings
          </Link>
        </>
      )}
    </span>
  </p>
)
