import { type ReactNode, Suspense, lazy, useState } from 'react'
import { Link, useParams } from 'react-router'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { oneOf, useUrlValue } from '../../kit/web/urlFilters.ts'
import { Tabs } from '../../kit/web/ui/Tabs.tsx'
import type { Campaign, CampaignAction } from '../contract.ts'
import { hasEnded, hasTesterList } from '../rules.ts'
import { platformNames } from '../terms.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { CampaignLoaded } from './CampaignLoaded.tsx'
import { CampaignOverview } from './CampaignOverview.tsx'
import { HeaderActions } from './HeaderActions.tsx'
import { listNames } from './listNames.ts'
import type { CampaignParts } from './parts.ts'

const ActionDialog = lazy(async () => ({ default: (await import('./ActionDialog.tsx')).ActionDialog }))
const DisputeNotice = laterPart(async () => (await import('./DisputeNotice.tsx')).DisputeNotice, null)
const RenewalNotice = laterPart(async () => (await import('./RenewalNotice.tsx')).RenewalNotice, null)
const CancelDialog = lazy(async () => ({ default: (await import('./CancelDialog.tsx')).CancelDialog }))

export const CampaignPage = ({ parts }: { parts: CampaignParts }) => (
  <CampaignLoaded id={useParams().id ?? ''}>{campaign => <Detail campaign={campaign} parts={parts} />}</CampaignLoaded>
)

type Props = { campaign: Campaign; parts: CampaignParts }

const Detail = ({ campaign, parts }: Props) => {
  const { role } = useUser()
  const [asked, setAsked] = useState<CampaignAction | null>(null)
  const overview = <CampaignOverview campaign={campaign} parts={parts} onAsk={setAsked} />
  return (
    <>
      <PageHeader
        title={campaign.title}
        description={
          role === 'ADMIN' && (
            <>
              By {campaign.developer.name} ·{' '}
              <Link className="text-link underline" to={paths.booksOf(campaign.id)}>
                Ledger<span className="sr-only"> of this campaign</span>
              </Link>
            </>
          )
        }
        badge={
          <>
            <CampaignBadge status={campaign.status} />
            <Badge tone="outline">{platformNames[campaign.platform]}</Badge>
          </>
        }
        back={<BackLink to={paths.campaigns}>{listNames[role]}</BackLink>}
        actions={<HeaderActions campaign={campaign} onAsk={setAsked} />}
      />
      {campaign.dispute && <DisputeNotice of={campaign} />}
      {campaign.renewal && <RenewalNotice campaign={campaign} renewal={campaign.renewal} />}
      {role === 'TESTER' ? overview : <OwnerTabs campaign={campaign} parts={parts} overview={overview} />}
      {asked && (
        <Suspense>
          {asked === 'cancel' ? (
            <CancelDialog campaign={campaign} daysDone={parts.daysDone} onClose={() => setAsked(null)} />
          ) : (
            <ActionDialog action={asked} campaign={campaign} onClose={() => setAsked(null)} />
          )}
        </Suspense>
      )}
    </>
  )
}

const tabNames = ['overview', 'testers', 'list', 'bugs', 'changes', 'feedback', 'activity'] as const

/** The tab is kept in the URL; only the open one is loaded. */
const OwnerTabs = ({ campaign, parts, overview }: Props & { overview: ReactNode }) => {
  const [asked, setTab] = useUrlValue('tab', oneOf(tabNames, 'overview'))
  const hasList = useUser().role === 'DEVELOPER' && hasTesterList(campaign.accessMode)
  const tab = asked === 'list' && !hasList ? 'overview' : asked
  return (
    <Tabs
      label="Campaign"
      value={tab}
      onValue={next => setTab(next)}
      tabs={[
        { value: 'overview', label: 'Overview', content: overview },
        {
          value: 'testers',
          label: (
            <>
              Testers{' '}
              <span className="text-muted-foreground tabular-nums">
                {hasEnded(campaign.status) ? campaign._count.joined : campaign._count.campaignTesters}
              </span>
            </>
          ),
          content: parts.testers(campaign),
        },
        ...(hasList ? [{ value: 'list' as const, label: 'Tester list', content: parts.testerList(campaign) }] : []),
        { value: 'bugs', label: 'Bugs', content: parts.bugs(campaign) },
        { value: 'changes', label: 'Changes', content: parts.changes(campaign) },
        {
          value: 'feedback',
          label: 'Feedback',
          content: parts.feedback(campaign),
        },
        {
          value: 'activity',
          label: 'Activity',
          content: parts.activity(campaign),
        },
      ]}
    />
  )
}
