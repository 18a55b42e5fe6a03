import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { counted } from '../../kit/words.ts'
import type { Campaign } from '../contract.ts'
import type { Decision } from './decisions.ts'
import { platformNames } from '../terms.ts'
import { Elapsed } from './Elapsed.tsx'
import { LinkLine } from './LinkLine.tsx'
import { PlainHttpWarning } from './PlainHttpWarning.tsx'
import { countriesText, deviceText } from './words.ts'

type Props = { campaign: Campaign; onAsk: (action: Decision) => void }

/** A paid campaign that waits for an admin. */
export const PendingCampaignCard = ({ campaign, onAsk }: Props) => {
  const { id, title, developer, submittedAt, description, distributionLink, actions } = campaign
  return (
    <Card
      title={
        <Link to={paths.campaign(id)} className="wrap-anywhere hover:underline">
          {title}
        </Link>
      }
      description={
        <>
          {developer.name}
          {submittedAt && (
            <>
              {' '}
              · waiting for <Elapsed since={submittedAt} />
            </>
          )}
        </>
      }
      action={<Badge tone="outline">{platformNames[campaign.platform]}</Badge>}
      footer={
        <div className="flex flex-wrap gap-2">
          {actions.includes('approve') && (
            <Button onClick={() => onAsk('approve')} aria-label={`Approve: ${title}`}>
              Approve
            </Button>
          )}
          {actions.includes('reject') && (
            <Button variant="outline" onClick={() => onAsk('reject')} aria-label={`Reject: ${title}`}>
              Reject
            </Button>
          )}
        </div>
      }
    >
      <div className="grid gap-4">
        <p className="line-clamp-6 max-w-prose whitespace-pre-line wrap-anywhere">{description}</p>
        {distributionLink && (
          <div className="grid gap-2">
            <LinkLine link={distributionLink} whole />
            <PlainHttpWarning link={distributionLink} />
          </div>
        )}
        <Terms campaign={campaign} />
      </div>
    </Card>
  )
}

const Terms = ({ campaign }: { campaign: Campaign }) => (
  <DescriptionList
    stacked
    items={[
      { label: 'Paid', value: <Money cents={campaign.fundedCents + campaign.feeCents} />, strong: true },
      {
        label: 'Testers',
        value: (
          <>
            {campaign.testersRequired} × <Money cents={campaign.payPerTesterCents} />
          </>
        ),
      },
      {
        label: 'Duration',
        value: `${counted(campaign.durationDays, 'day')}, ${campaign.dailyCheckIn ? 'daily check-in' : 'no check-in'}`,
      },
      { label: 'Device', value: deviceText(campaign) },
      { label: 'Countries', value: countriesText(campaign) },
    ]}
  />
)
