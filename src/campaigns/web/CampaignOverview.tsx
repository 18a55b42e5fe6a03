import { session } from '../../kit/web/session.ts'
import { useUser } from '../../kit/web/user.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { CopyButton } from '../../kit/web/ui/Values.tsx'
import type { Campaign, CampaignAction } from '../contract.ts'
import { hasTesterList } from '../rules.ts'
import { AccessInfo, Features } from './AccessInfo.tsx'
import { CampaignProgress, CampaignTerms } from './CampaignTerms.tsx'
import { LinkLine } from './LinkLine.tsx'
import { NextStep } from './NextStep.tsx'
import type { CampaignParts } from './parts.ts'

const PendingLink = laterPart(
  async () => (await import('./PendingLink.tsx')).PendingLink,
  <Skeleton className="h-56 rounded-xl lg:col-span-2" />,
)

const MoneyCard = laterPart(
  async () => (await import('./MoneyCard.tsx')).MoneyCard,
  <Skeleton className="h-80 rounded-xl" />,
)

// While the data is on its way.
if (session.user()?.role !== 'TESTER') MoneyCard.preload()

type Props = { campaign: Campaign; parts: CampaignParts; onAsk: (action: CampaignAction) => void }

/** The campaign, its progress and its next step. */
export const CampaignOverview = ({ campaign, parts, onAsk }: Props) => {
  const { role } = useUser()
  const isTester = role === 'TESTER'
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {!isTester && campaign.startDate && campaign.status !== 'CANCELLED' && (
        <div className="min-w-0 lg:col-span-2">{parts.clock(campaign)}</div>
      )}
      {!isTester && <NextStep campaign={campaign} onAsk={onAsk} />}
      {!isTester && campaign.pendingLinkSince !== null && <PendingLink campaign={campaign} onAsk={onAsk} />}
      {role === 'DEVELOPER' && campaign.startDate && hasTesterList(campaign.accessMode) && parts.listNote(campaign)}
      {!isTester && campaign.startDate && parts.proofs(campaign)}
      <div className="grid min-w-0 content-start gap-5">
        {campaign.startDate && campaign.status !== 'CANCELLED' && <CampaignProgress campaign={campaign} />}
        <About campaign={campaign} />
        <CampaignTerms campaign={campaign} />
      </div>
      {/* On a phone, the pay comes before the long description. */}
      <div className={isTester ? 'max-lg:order-first' : 'grid content-start gap-3'}>
        {isTester ? parts.earn(campaign) : <MoneyCard campaign={campaign} />}
        {!isTester && <Reference id={campaign.id} />}
      </div>
    </div>
  )
}

const About = ({ campaign }: { campaign: Campaign }) => {
  const { description, distributionLink, features, participation } = campaign
  return (
    <Card title="About this test">
      <p className="max-w-prose whitespace-pre-line wrap-anywhere">{description}</p>
      {features.length > 0 && (
        <>
          <h3 className="mt-5 mb-1 font-medium">Features to try</h3>
          <Features of={features} />
        </>
      )}
      <h3 className="mt-5 mb-1 font-medium">How testers get in</h3>
      <AccessInfo campaign={campaign} />
      <h3 className="mt-5 font-medium">The app</h3>
      {distributionLink ? (
        <LinkLine link={distributionLink} />
      ) : (
        <p className="text-muted-foreground">
          {(participation?.status ?? 'WAITLISTED') === 'WAITLISTED'
            ? `You will get the link to the app ${campaign.ndaVersion === null ? 'when you join' : 'once you have joined and accepted the NDA'}.`
            : `The link is shown while you test${campaign.ndaVersion === null ? '' : ', once you have accepted the NDA'}.`}
        </p>
      )}
    </Card>
  )
}

/** For support emails and the developer's own tools. */
const Reference = ({ id }: { id: string }) => (
  <p className="flex min-w-0 items-center justify-between gap-2 pl-1 text-xs text-muted-foreground">
    <span className="min-w-0 truncate">
      Campaign ID <code className="font-mono">{id}</code>
    </span>
    <CopyButton text={id} label="Copy ID" />
  </p>
)
