import type { ReactNode } from 'react'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import { counted } from '../../kit/words.ts'
import type { Campaign } from '../contract.ts'
import { hasEnded, progressPercent } from '../rules.ts'
import { platformNames } from '../terms.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { CompactFrame } from './cardFrames.tsx'
import { endOf, seatsText } from './words.ts'

type Props = {
  campaign: Campaign
  join: ReactNode
  /** Whether the tester's country and device fit. */
  fit: ReactNode
  /** How the developer reviews. */
  record: ReactNode
}

/** A campaign for a tester on a phone: the pay first, then whether it fits. Three cards fit a screen. */
export const CompactCard = ({ campaign, join, fit, record }: Props) => {
  const { id, title, description, status, payPerTesterCents, durationDays } = campaign
  return (
    <CompactFrame
      id={id}
      title={title}
      description={description}
      top={
        <>
          <p className="flex items-baseline gap-1.5">
            <span className="sr-only">Pay per tester</span>
            <Money cents={payPerTesterCents} className="text-xl leading-6 font-semibold tracking-tight" />
            <span className="text-muted-foreground tabular-nums">for {counted(durationDays, 'day')}</span>
          </p>
          <CampaignBadge status={status} />
        </>
      }
    >
      <Facts of={campaign} />
      {fit}
      {record}
      <div className="mt-2 flex flex-wrap gap-2">
        {join}
        <ButtonLink size="sm" to={paths.campaign(id)} variant="outline" aria-label={`View Details: ${title}`}>
          View Details
        </ButtonLink>
      </div>
    </CompactFrame>
  )
}

const Facts = ({ of: campaign }: { of: Campaign }) => {
  const { platform, status, testersRequired, closedSeats, startDate, _count } = campaign
  const end = endOf(campaign)
  return (
    <p className="text-xs text-muted-foreground tabular-nums">
      {platformNames[platform]} · {seatsText(campaign)}
      {!hasEnded(status) && ' testers'}
      {status === 'LIVE' && ` (${progressPercent(_count.campaignTesters, testersRequired - closedSeats)}%)`}
      <span className="block">
        {startDate ? <DateTime at={startDate} /> : 'Not started'}
        {startDate && end && (
          <>
            {' – '}
            <DateTime at={end} />
          </>
        )}
      </span>
    </p>
  )
}
