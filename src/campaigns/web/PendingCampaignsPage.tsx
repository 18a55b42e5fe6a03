import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, lazy, useState } from 'react'
import type { Page } from '../../kit/endpoint.ts'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { Tabs } from '../../kit/web/ui/Tabs.tsx'
import { oneOf, useUrlValue } from '../../kit/web/urlFilters.ts'
import type { Campaign } from '../contract.ts'
import type { Decision } from './decisions.ts'
import { pendingHead } from './heads.ts'
import { PendingCampaignCard } from './PendingCampaignCard.tsx'
import { PendingLinkCard } from './PendingLinkCard.tsx'
import { pendingLinkPages, pendingPages } from './calls.ts'

const ActionDialog = lazy(async () => ({ default: (await import('./ActionDialog.tsx')).ActionDialog }))

type Asked = { action: Decision; campaign: Campaign }
type Pages = UseInfiniteQueryResult<InfiniteData<Page<Campaign>>>

/** What waits for an admin: new campaigns, changed links of running ones, contested opt-ins, appeals, and rejections that need consent (all three of a slice above). The open list is kept in the URL. */
export const PendingCampaignsPage = ({
  optIns,
  appeals,
  rejections,
}: Record<'optIns' | 'appeals' | 'rejections', ReactNode>) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [open, setOpen] = useUrlValue(
    'list',
    oneOf(['campaigns', 'links', 'opt-ins', 'appeals', 'rejections'], 'campaigns'),
  )
  const campaigns = useInfiniteQuery(pendingPages)
  const links = useInfiniteQuery(pendingLinkPages)
  return (
    <>
      <PageHeader {...pendingHead} />
      <Tabs
        label="Pending approvals"
        value={open}
        onValue={list => setOpen(list)}
        tabs={[
          {
            value: 'campaigns',
            label: <Counted label="Campaigns" of={campaigns} />,
            content: (
              <Waiting
                of={campaigns}
                errorTitle="Failed to load pending campaigns"
                empty={{ title: 'No pending approvals', hint: 'Campaigns appear here once they are paid in full.' }}
                Card={PendingCampaignCard}
                onAsk={setAsked}
              />
            ),
          },
          {
            value: 'links',
            label: <Counted label="Changed links" of={links} />,
            content: (
              <Waiting
                of={links}
                errorTitle="Failed to load changed links"
                empty={{
                  title: 'No changed links',
                  hint: 'A new app link of a running campaign appears here before testers get it.',
                }}
                Card={PendingLinkCard}
                onAsk={setAsked}
              />
            ),
          },
          { value: 'opt-ins', label: 'Contested opt-ins', content: optIns },
          { value: 'appeals', label: 'Appeals', content: appeals },
          { value: 'rejections', label: 'Rejections', content: rejections },
        ]}
      />
      {asked && (
        <Suspense>
          <ActionDialog {...asked} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}

/** "Changed links 3", or "20+" while there are further pages. */
const Counted = ({ label, of: { data, hasNextPage } }: { label: string; of: Pages }) => {
  const count = data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0
  return (
    <>
      {label}{' '}
      {count > 0 && (
        <span className="text-muted-foreground tabular-nums">
          {count}
          {hasNextPage && '+'}
        </span>
      )}
    </>
  )
}

type WaitingProps = {
  of: Pages
  errorTitle: string
  empty: { title: string; hint: string }
  Card: ComponentType<{ campaign: Campaign; onAsk: (action: Decision) => void }>
  onAsk: (asked: Asked) => void
}

const Waiting = ({ of, errorTitle, empty, Card, onAsk }: WaitingProps) => (
  <InfiniteQuery
    of={of}
    loading={<SkeletonList className="h-80" />}
    errorTitle={errorTitle}
    empty={<EmptyState {...empty} icon={<CircleCheck aria-hidden />} />}
  >
    {items => (
      <ul className="grid gap-4">
        {items.map(campaign => (
          <li key={campaign.id} className="min-w-0">
            <Card campaign={campaign} onAsk={action => onAsk({ action, campaign })} />
          </li>
        ))}
      </ul>
    )}
  </InfiniteQuery>
)
