import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import type { Campaign } from '../contract.ts'
import { platformNames } from '../terms.ts'
import { Elapsed } from '../../kit/web/ui/Elapsed.tsx'

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
  <Card
    title={
      <Link to={paths.campaign(id)} className="wrap-anywhere hover:underline">
        {title}
      </Link>
    }
    description={
      <>
        {/* A long name ends in an ellipsis. */}
        <span className="inline-block max-w-full truncate align-bottom" data-tip={developer.name}>
          {developer.name}
        </span>
        {facts && ` · ${facts}`}
        {since && (
          <>
            {' '}
            · waiting for <Elapsed since={since} />
          </>
        )}
      </>
    }
    action={<Badge tone="outline">{platformNames[platform]}</Badge>}
    footer={buttons}
  >
    {children}
  </Card>
)
