import { Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DateTime, Money, Progress } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { progressPercent } from '../rules.ts'
import { platformNames } from '../terms.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { CardFrame } from './cardFrames.tsx'
import { counted } from '../../kit/words.ts'
import { endOf, seatsText } from './words.ts'

type Props = {
  campaign: Campaign
  /** For a tester: the button that joins, or opens the test that they are already in. */
  join: (campaign: Campaign) => ReactNode
  /** For a tester: how the developer reviews. */
  record: ReactNode
}

export const CampaignCard = ({ campaign, join, record }: Props) => (
  <CardFrame
    id={campaign.id}
    title={campaign.title}
    description={campaign.description}
    top={
      <>
        <Platform campaign={campaign} />
        <CampaignBadge status={campaign.status} />
      </>
    }
  >
    <Facts campaign={campaign} record={record} />
    <footer className="flex flex-wrap content-start gap-2 border-t px-5 py-3">
      <ButtonLink to={paths.campaign(campaign.id)} variant="outline" aria-label={`View Details: ${campaign.title}`}>
        View Details
      </ButtonLink>
      <OwnAction campaign={campaign} join={join} />
    </footer>
  </CardFrame>
)

const Platform = ({ campaign: { platform, developer } }: { campaign: Campaign }) => (
  <p className="flex min-w-0 items-center gap-1.5 text-xs text-muted-foreground">
    <Smartphone aria-hidden className="size-3.5 shrink-0" />
    <span>{platformNames[platform]}</span>
    {useUser().role === 'ADMIN' && <span className="truncate">· {developer.name}</span>}
  </p>
)

const Facts = ({ campaign, record }: Pick<Props, 'campaign' | 'record'>) => {
  const { payPerTesterCents, durationDays, testersRequired, closedSeats, status, startDate } = campaign
  const end = endOf(campaign)
  const joined = campaign._count.campaignTesters
  const percent = progressPercent(joined, testersRequired - closedSeats)
  return (
    <div className="grid content-start gap-3 px-5 pb-4">
      <dl className="grid grid-cols-[1.3fr_1fr_1fr] gap-x-4">
        <Fact label="Pay per tester" value={<Money cents={payPerTesterCents} />} />
        <Fact label="Duration" value={counted(durationDays, 'day')} />
        <Fact label="Testers" value={seatsText(campaign)} />
      </dl>
      {status === 'LIVE' && (
        <div className="flex items-center gap-3">
          <Progress percent={percent} label="Testers joined" className="flex-1" />
          <span className="text-xs text-muted-foreground tabular-nums">{percent}%</span>
        </div>
      )}
      <p className="text-xs text-muted-foreground">
        {startDate ? (
          <>
            <DateTime at={startDate} />
            {end && (
              <>
                {' '}
                – <DateTime at={end} />
              </>
            )}
          </>
        ) : (
          'Not started'
        )}
      </p>
      {record}
    </div>
  )
}

const Fact = ({ label, value }: { label: string; value: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted-foreground">{label}</dt>
    <dd className="font-medium tabular-nums">{value}</dd>
  </div>
)

/** The role's action: testers join, developers edit. */
const OwnAction = ({ campaign, join }: Pick<Props, 'campaign' | 'join'>) => {
  const { role } = useUser()
  if (role === 'TESTER') return join(campaign)
  if (role === 'DEVELOPER' && campaign.actions.includes('update')) {
    return (
      <ButtonLink to={paths.campaignEdit(campaign.id)} variant="ghost" aria-label={`Edit: ${campaign.title}`}>
        Edit
      </ButtonLink>
    )
  }
  return null
}
