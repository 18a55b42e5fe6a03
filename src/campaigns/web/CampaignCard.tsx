import { clsx } from 'clsx'
import { Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { DateTime, Money, Progress } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { progressPercent } from '../rules.ts'
import { platformNames } from '../terms.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { counted } from '../../kit/words.ts'
import { endOf, seatsText } from './words.ts'

const frame = 'grid min-w-0 rounded-xl border bg-card shadow-card'

type Props = {
  campaign: Campaign
  /** For a tester: the button that joins, or opens the test that they are already in. */
  join: (campaign: Campaign) => ReactNode
  /** For a tester: how the developer reviews. */
  record: ReactNode
}

/** Aligns the four parts of each card with those of its neighbors in the row. */
export const cardRows = 'row-span-4 grid grid-cols-1 grid-rows-subgrid gap-y-0'

export const CampaignCard = ({ campaign, join, record }: Props) => (
  <article className={clsx(frame, cardRows)} aria-labelledby={`campaign-${campaign.id}`}>
    <header className="px-5 pt-4">
      <div className="flex items-center justify-between gap-3">
        <Platform campaign={campaign} />
        <CampaignBadge status={campaign.status} />
      </div>
      <h2 id={`campaign-${campaign.id}`} className="mt-2 line-clamp-2 text-base font-semibold wrap-anywhere">
        <Link to={paths.campaign(campaign.id)} className="hover:underline">
          {campaign.title}
        </Link>
      </h2>
    </header>
    <div className="px-5 pt-1 pb-4">
      <p className="line-clamp-2 text-muted-foreground wrap-anywhere">{campaign.description}</p>
    </div>
    <Facts campaign={campaign} record={record} />
    <footer className="flex flex-wrap content-start gap-2 border-t px-5 py-3">
      <ButtonLink to={paths.campaign(campaign.id)} variant="outline" aria-label={`View Details: ${campaign.title}`}>
        View Details
      </ButtonLink>
      <OwnAction campaign={campaign} join={join} />
    </footer>
  </article>
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

export const CampaignCardSkeleton = () => (
  <div className={frame}>
    <div className="px-5 pt-4">
      <div className="flex justify-between">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-5 w-16" />
      </div>
      <Skeleton className="mt-3 h-5 w-3/4" />
    </div>
    <div className="grid gap-4 px-5 pt-2 pb-4">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-4 w-1/2" />
    </div>
    <div className="border-t px-5 py-3">
      <Skeleton className="h-8 w-28" />
    </div>
  </div>
)
