import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import type { Campaign } from '../contract.ts'
import { platformNames } from '../terms.ts'
import { Elapsed } from './Elapsed.tsx'

type Props = {
  campaign: Campaign
  /** Who and how many it concerns. */
  facts: ReactNode
  since: string | null
  buttons: ReactNode
  children: ReactNode
}

/** What waits for an admin: the campaign, since when, and what can be decided. */
export const PendingCard = ({ campaign: { id, title, platform }, facts, since, buttons, children }: Props) => (
  <Card
    title={
      <Link to={paths.campaign(id)} className="wrap-anywhere hover:underline">
        {title}
      </Link>
    }
    description={
      <>
        {facts}
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
