import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import type { Page } from '../../kit/endpoint.ts'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import { Tabs } from '../../kit/web/ui/Tabs.tsx'
import { oneOf, useUrlValue } from '../../kit/web/urlFilters.ts'
import type { Campaign } from '../contract.ts'
import type { Decision } from './decisions.ts'
import { pendingHead } from './heads.ts'
import { EscrowQueue } from './EscrowQueue.tsx'
import { PendingCampaignCard } from './PendingCampaignCard.tsx'
import { PendingLinkCard } from './PendingLinkCard.tsx'
import { pendingLinkPages, pendingPages } from './calls.ts'

const ActionDialog = lazy(async () => ({ default: (await import('./ActionDialog.tsx')).ActionDialog }))

type Asked = { action: Decision; campaign: Campaign }
type Pages = UseInfiniteQueryResult<InfiniteData<Page<Campaign>>>

/** What waits for an admin: new campaigns, changed links of running ones, contested opt-ins, appeals, rejections that need consent, payouts for two admins, refunds that the payment provider refuses for good, and disputes about payments (these six of other slices), and money that has been in escrow for too long. The open list is kept in the URL. */
export const PendingCampaignsPage = ({
  optIns,
  appeals,
  rejections,
  payouts,
  refunds,
  disputes,
}: Record<'optIns' | 'appeals' | 'rejections' | 'payouts' | 'refunds' | 'disputes', ReactNode>) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [open, setOpen] = useUrlValue(
    'list',
    oneOf(
      ['campaigns', 'links', 'opt-ins', 'appeals', 'rejections', 'payouts', 'refunds', 'disputes', 'escrow'],
      'campaigns',
    ),
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
              <QueueFrame
                of={campaigns}
                noun="pending campaigns"
                emptyTitle="No pending approvals"
                hint="Campaigns appear here once they are paid in full."
                skeleton="h-80"
              >
                {campaign => (
                  <PendingCampaignCard campaign={campaign} onAsk={action => setAsked({ action, campaign })} />
                )}
              </QueueFrame>
            ),
          },
          {
            value: 'links',
            label: <Counted label="Changed links" of={links} />,
            content: (
              <QueueFrame
                of={links}
                noun="changed links"
                hint="A new app link of a running campaign appears here before testers get it."
                skeleton="h-80"
              >
                {campaign => <PendingLinkCard campaign={campaign} onAsk={action => setAsked({ action, campaign })} />}
              </QueueFrame>
            ),
          },
          { value: 'opt-ins', label: 'Opt-ins', content: optIns },
          { value: 'appeals', label: 'Appeals', content: appeals },
          { value: 'rejections', label: 'Rejections', content: rejections },
          { value: 'payouts', label: 'Payouts', content: payouts },
          { value: 'refunds', label: 'Stuck refunds', content: refunds },
          { value: 'disputes', label: 'Disputes', content: disputes },
          { value: 'escrow', label: 'Aging escrow', content: <EscrowQueue /> },
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
