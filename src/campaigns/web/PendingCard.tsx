import type { ReactNode } from 'react'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import type { Campaign } from '../contract.ts'
import { platformNames } from '../terms.ts'
import { Elapsed } from '../../kit/web/ui/Elapsed.tsx'
import { PendingFrame } from './PendingFrame.tsx'

type Props = {
  campaign: Campaign
  /** How many items it stands for. */
  facts?: string
  since: string | null
  buttons: ReactNode
  children: ReactNode
}

/** A case that waits for an admin: the campaign, since when, and the possible decisions. */
export const PendingCard = ({
  campaign: { id, title, platform, developer },
  facts,
  since,
  buttons,
  children,
}: Props) => (
  <PendingFrame
    id={id}
    title={title}
    name={developer.name}
    wholeName={developer.name}
    facts={
      <>
        {facts && ` · ${facts}`}
        {since && (
          <>
            {' '}
            · waiting for <Elapsed since={since} />
          </>
        )}
      </>
    }
    badge={<Badge tone="outline">{platformNames[platform]}</Badge>}
    buttons={buttons}
  >
    {children}
  </PendingFrame>
)
