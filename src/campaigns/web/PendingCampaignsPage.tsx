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
import { type PendingList, pendingLists } from './pendingLists.ts'
import { pendingLinkPages, pendingPages } from './calls.ts'

const ActionDialog = lazy(async () => ({ default: (await import('./ActionDialog.tsx')).ActionDialog }))

type Asked = { action: Decision; campaign: Campaign }
type Pages = UseInfiniteQueryResult<InfiniteData<Page<Campaign>>>
type OtherList = 'optIns' | 'appeals' | 'rejections' | 'payouts' | 'refunds' | 'disputes'

/**
 * The number of waiting cases beside a list's name; none for an empty list. Aging escrow is listed long before anybody has to
 * decide.
 */
export type PendingCounts = Partial<Record<OtherList, string>>

/**
 * What waits for an admin: new campaigns, changed links of running ones, contested opt-ins, appeals, rejections that need
 * consent, payouts for two admins, refunds that the payment provider refuses for good, and disputes about payments (these six of
 * other slices), and money that has been in escrow for too long. The open list is kept in the URL.
 */
export const PendingCampaignsPage = ({
  optIns,
  appeals,
  rejections,
  payouts,
  refunds,
  disputes,
  counts,
}: Record<OtherList, ReactNode> & { counts: PendingCounts }) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [open, setOpen] = useUrlValue('list', oneOf(Object.keys(pendingLists) as PendingList[], 'campaigns'))
  const campaigns = useInfiniteQuery(pendingPages)
  const links = useInfiniteQuery(pendingLinkPages)
  return (
    <>
      <PageHeader {...pendingHead} />
      <Tabs
        label="Pending Approvals"
        value={open}
        onValue={list => setOpen(list)}
        tabs={[
          {
            value: 'campaigns',
            label: <Counted label={pendingLists.campaigns} count={countIn(campaigns)} />,
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
            label: <Counted label={pendingLists.links} count={countIn(links)} />,
            content: (
              <QueueFrame
                of={links}
                noun="changed links"
                hint="New app links of running campaigns appear here before testers get them."
                skeleton="h-80"
              >
                {campaign => <PendingLinkCard campaign={campaign} onAsk={action => setAsked({ action, campaign })} />}
              </QueueFrame>
            ),
          },
          {
            value: 'opt-ins',
            label: <Counted label={pendingLists['opt-ins']} count={counts.optIns} />,
            content: optIns,
          },
          {
            value: 'appeals',
            label: <Counted label={pendingLists.appeals} count={counts.appeals} />,
            content: appeals,
          },
          {
            value: 'rejections',
            label: <Counted label={pendingLists.rejections} count={counts.rejections} />,
            content: rejections,
          },
          {
            value: 'payouts',
            label: <Counted label={pendingLists.payouts} count={counts.payouts} />,
            content: payouts,
          },
          {
            value: 'refunds',
            label: <Counted label={pendingLists.refunds} count={counts.refunds} />,
            content: refunds,
          },
          {
            value: 'disputes',
            label: <Counted label={pendingLists.disputes} count={counts.disputes} />,
            content: disputes,
          },
          { value: 'escrow', label: pendingLists.escrow, content: <EscrowQueue /> },
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

/** "3", or "20+" while there are further pages. */
const countIn = ({ data, hasNextPage }: Pages): string | undefined => {
  const count = data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0
  return count > 0 ? `${count}${hasNextPage ? '+' : ''}` : undefined
}

const Counted = ({ label, count }: { label: string; count: string | undefined }) => (
  <>
    {label} {count !== undefined && <span className="text-muted-foreground tabular-nums">{count}</span>}
  </>
)
