import { Button } from '../../kit/web/ui/Button.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { counted } from '../../kit/words.ts'
import type { Campaign } from '../contract.ts'
import type { Decision } from './decisions.ts'
import { AccessInfo, Features } from './AccessInfo.tsx'
import { DisputeNotice } from './DisputeNotice.tsx'
import { LinkLine } from './LinkLine.tsx'
import { PendingCard } from './PendingCard.tsx'
import { PendingDescription } from './PendingFrame.tsx'
import { PlainHttpWarning } from './PlainHttpWarning.tsx'
import { countriesText, deviceText } from './words.ts'

type Props = { campaign: Campaign; onAsk: (action: Decision) => void }

/** A paid campaign that waits for an admin. */
export const PendingCampaignCard = ({ campaign, onAsk }: Props) => {
  const { title, waitsSince, description, distributionLink, actions } = campaign
  return (
    <PendingCard
      campaign={campaign}
      since={waitsSince}
      buttons={
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
        {campaign.dispute && <DisputeNotice of={campaign} />}
        <PendingDescription>{description}</PendingDescription>
        {distributionLink && (
          <div className="grid gap-2">
            <LinkLine link={distributionLink} whole />
            <PlainHttpWarning link={distributionLink} />
          </div>
        )}
        <AccessInfo campaign={campaign} whole />
        {campaign.features.length > 0 && (
          <div>
            <h3 className="mb-1 font-medium">Features to try</h3>
            <Features of={campaign.features} />
          </div>
        )}
        <Terms campaign={campaign} />
      </div>
    </PendingCard>
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
        value: (
          <>
            {counted(campaign.durationDays, 'day')},{' '}
            <span className="whitespace-nowrap">{campaign.dailyCheckIn ? 'daily check-in' : 'optional check-in'}</span>
          </>
        ),
      },
      { label: 'Device', value: deviceText(campaign) },
      { label: 'Countries', value: countriesText(campaign) },
    ]}
  />
)
