import { CircleCheck } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { usePages } from '../../kit/web/query.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { platformNames } from '../terms.ts'
import { Elapsed } from './Elapsed.tsx'
import { LinkLine } from './LinkLine.tsx'
import { api } from './calls.ts'
import { counted } from '../../kit/words.ts'
import { campaignKeys } from './keys.ts'
import { countriesText, deviceText } from './words.ts'

const ActionDialog = lazy(async () => ({ default: (await import('./ActionDialog.tsx')).ActionDialog }))

const pageSize = 20

type Decision = 'approve' | 'reject'

export const PendingCampaignsPage = () => {
  const [asked, setAsked] = useState<{ action: Decision; campaign: Campaign } | null>(null)
  const pending = usePages<Campaign>(campaignKeys.pending, ({ cursor, signal }) =>
    api.pending({ query: { cursor, limit: pageSize }, signal }),
  )
  return (
    <>
      <PageHeader title="Pending approvals" description="Paid campaigns waiting for review, longest wait first." />
      <InfiniteQuery
        of={pending}
        loading={<SkeletonList className="h-80" />}
        errorTitle="Failed to load pending campaigns"
        empty={
          <EmptyState
            title="No pending approvals"
            hint="Campaigns appear here once they are paid in full."
            icon={<CircleCheck aria-hidden />}
          />
        }
      >
        {items => (
          <ul className="grid gap-4">
            {items.map(campaign => (
              <li key={campaign.id} className="min-w-0">
                <Waiting campaign={campaign} onAsk={action => setAsked({ action, campaign })} />
              </li>
            ))}
          </ul>
        )}
      </InfiniteQuery>
      {asked && (
        <Suspense>
          <ActionDialog {...asked} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}

const Waiting = ({ campaign, onAsk }: { campaign: Campaign; onAsk: (action: Decision) => void }) => {
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
        {distributionLink && <LinkLine link={distributionLink} />}
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
