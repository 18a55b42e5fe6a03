import { useState } from 'react'
import { useParams } from 'react-router'
import type { Role } from '../../app/roles.ts'
import { useUser } from '../../app/web/auth.tsx'
import { paths } from '../../app/web/paths.ts'
import { Badge } from '../../app/web/ui/Badge.tsx'
import { Card } from '../../app/web/ui/Card.tsx'
import { PageHeader } from '../../app/web/ui/PageHeader.tsx'
import { Roster } from '../../participations/web/face.tsx'
import type { Campaign, CampaignAction } from '../contract.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { BackLink } from './BackLink.tsx'
import { CampaignBadge } from './CampaignBadge.tsx'
import { CampaignLoaded } from './CampaignLoaded.tsx'
import { CampaignProgress, CampaignTerms } from './CampaignTerms.tsx'
import { EarnCard } from './EarnCard.tsx'
import { HeaderActions } from './HeaderActions.tsx'
import { LinkLine } from './LinkLine.tsx'
import { MoneyCard } from './MoneyCard.tsx'
import { NextStep } from './NextStep.tsx'
import { platformLabels } from './words.ts'

const listNames: Record<Role, string> = {
  DEVELOPER: 'My Campaigns',
  TESTER: 'Available Campaigns',
  ADMIN: 'Campaigns',
}

export const CampaignPage = () => (
  <CampaignLoaded id={useParams().id ?? ''}>{campaign => <Detail campaign={campaign} />}</CampaignLoaded>
)

const Detail = ({ campaign }: { campaign: Campaign }) => {
  const { role } = useUser()
  const [asked, setAsked] = useState<CampaignAction | null>(null)
  const isTester = role === 'TESTER'
  return (
    <>
      <PageHeader
        title={campaign.title}
        description={role === 'ADMIN' && `By ${campaign.developer.name}`}
        badge={
          <>
            <CampaignBadge status={campaign.status} />
            <Badge tone="outline">{platformLabels[campaign.platform]}</Badge>
          </>
        }
        back={<BackLink to={paths.campaigns}>{listNames[role]}</BackLink>}
        actions={<HeaderActions campaign={campaign} onAsk={setAsked} />}
      />
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {!isTester && <NextStep campaign={campaign} onAsk={setAsked} />}
        <div className="grid min-w-0 content-start gap-5">
          {campaign.startDate && campaign.status !== 'CANCELLED' && <CampaignProgress campaign={campaign} />}
          <About campaign={campaign} />
          <CampaignTerms campaign={campaign} />
        </div>
        {isTester ? (
          // On a phone, what it pays comes before the long text.
          <div className="max-lg:order-first">
            <EarnCard campaign={campaign} />
          </div>
        ) : (
          <div>
            <MoneyCard campaign={campaign} />
          </div>
        )}
      </div>
      {!isTester && campaign.startDate && (
        <div className="mt-5">
          <Roster campaign={campaign} />
        </div>
      )}
      {asked && <ActionDialog action={asked} campaign={campaign} onClose={() => setAsked(null)} />}
    </>
  )
}

const About = ({ campaign: { description, distributionLink } }: { campaign: Campaign }) => (
  <Card title="About this test">
    <p className="max-w-prose whitespace-pre-line wrap-anywhere">{description}</p>
    <h3 className="mt-5 font-medium">The app</h3>
    {distributionLink ? (
      <LinkLine link={distributionLink} />
    ) : (
      <p className="text-muted-foreground">You get the link to the app when you join.</p>
    )}
  </Card>
)
