import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import type { Role } from '../../kit/roles.ts'
import { useUser } from '../../kit/web/user.ts'
import { Card, type DescriptionItem, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { DateTime, Money, Progress } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { hasEnded, progressPercent } from '../rules.ts'
import { campaignStatusLabels } from '../terms.ts'
import { counted } from '../../kit/words.ts'
import { accessLabels, countriesText, deviceText, endOf, seatsText } from './words.ts'

/** The owner may require an NDA until the end; everybody else sees it if there is one. */
const ndaItem = ({ id, status, ndaVersion }: Campaign, role: Role): DescriptionItem[] => {
  if (ndaVersion === null && (role !== 'DEVELOPER' || hasEnded(status))) return []
  const words = ndaVersion === null ? 'Require one' : role === 'TESTER' ? 'Read it' : `Version ${ndaVersion}`
  return [
    {
      label: 'NDA',
      value: (
        <Link to={paths.campaignNda(id)} className="text-link underline-offset-4 hover:underline">
          {words}
          <span className="sr-only"> (NDA)</span>
        </Link>
      ),
    },
  ]
}

/** A campaign that has ended shows when it did, not when it was planned to. */
const endItem = (campaign: Campaign): DescriptionItem[] => {
  const end = endOf(campaign)
  const label = campaign.endedAt === null ? 'End' : campaignStatusLabels[campaign.status]
  return end === null ? [] : [{ label, value: <DateTime at={end} /> }]
}

/** The terms testers agree to. */
export const CampaignTerms = ({ campaign }: { campaign: Campaign }) => {
  const { role } = useUser()
  return (
    <Card title="Terms">
      <DescriptionList
        stacked
        items={[
          { label: 'Pay per tester', value: <Money cents={campaign.payPerTesterCents} /> },
          { label: 'Duration', value: counted(campaign.durationDays, 'day') },
          { label: 'Testers', value: seatsText(campaign) },
          ...(campaign.benchTesters > 0 ? [{ label: 'Waiting for a seat', value: campaign.benchTesters }] : []),
          { label: 'Access', value: accessLabels[campaign.accessMode] },
          { label: 'Device', value: deviceText(campaign) },
          { label: 'Countries', value: countriesText(campaign) },
          { label: 'Daily check-in', value: campaign.dailyCheckIn ? 'Yes' : 'No' },
          ...(campaign.feedbackQuestions > 0
            ? [{ label: 'Feedback form', value: counted(campaign.feedbackQuestions, 'question') }]
            : []),
          ...ndaItem(campaign, role),
          { label: 'Start', value: campaign.startDate ? <DateTime at={campaign.startDate} /> : 'Not started' },
          ...endItem(campaign),
        ]}
      />
    </Card>
  )
}

/** How many testers joined, and how many are verified. After the end no seat is held, so all who ever joined are counted. */
export const CampaignProgress = ({ campaign }: { campaign: Campaign }) => {
  const { status, testersRequired, closedSeats, benchTesters, _count } = campaign
  const seats = testersRequired - closedSeats
  const percent = progressPercent(_count.campaignTesters, seats)
  const ended = hasEnded(status)
  return (
    <Card>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p>
          <span className="text-base font-semibold tabular-nums">
            {ended ? counted(_count.joined, 'tester') : `${_count.campaignTesters} of ${seats}`}
          </span>
          {ended ? ' joined' : closedSeats > 0 ? ` seats taken, ${closedSeats} closed` : ' testers joined'}
          {status === 'LIVE' && ` · ${percent}%`}
        </p>
        <p className="text-muted-foreground">
          {_count.verified} verified
          {benchTesters > 0 && ` · ${benchTesters} on the bench`}
        </p>
      </div>
      {status === 'LIVE' && <Progress percent={percent} label="Testers joined" className="mt-3" />}
    </Card>
  )
}
