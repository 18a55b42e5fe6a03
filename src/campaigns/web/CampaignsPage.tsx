import { useInfiniteQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useUser } from '../../kit/web/user.ts'
import { useMedia } from '../../kit/web/media.ts'
import { shownOf } from '../../kit/web/ui/foundWords.ts'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import type { Campaign } from '../contract.ts'
import { CampaignCard } from './CampaignCard.tsx'
import { CampaignTable } from './CampaignTable.tsx'
import { CampaignToolbar, sortsOf } from './CampaignToolbar.tsx'
import { CompactCard } from './CompactCard.tsx'
import { CampaignCardSkeleton, cardGrid, cardRows } from './cardFrames.tsx'
import { campaignPages } from './calls.ts'
import { noFilters, useCampaignFilters } from './campaignFilters.ts'
import { campaignsHeads } from './heads.ts'
import { createLink, listActions } from './listActions.tsx'

export type Join = {
  /** For a tester: the button that joins, or opens the test that they are already in. */
  join: (campaign: Campaign, compact?: boolean) => ReactNode
  /** For a tester: whether country and device fit. */
  fit: (campaign: Campaign) => ReactNode
  /** For a tester: how the developer reviews; `among` is the whole list of campaigns. */
  record: (campaign: Campaign, among: readonly Campaign[]) => ReactNode
}

export const CampaignsPage = (parts: Join) => {
  const { role } = useUser()
  const { filters, change } = useCampaignFilters(role)
  const filtered = filters.search !== '' || filters.platform !== null || filters.status !== null
  // The columns that the specification names do not fit a narrower table.
  const wide = useMedia('(width >= 80rem)')
  const asTable = role === 'ADMIN' && wide
  const campaigns = useInfiniteQuery(campaignPages(role, filters))
  const fading = campaigns.isPlaceholderData
  return (
    <>
      <PageHeader {...campaignsHeads[role]} actions={listActions[role]} />
      <CampaignToolbar role={role} filters={filters} onChange={change} sorts={asTable ? [] : sortsOf[role]} />
      <InfiniteQuery
        of={campaigns}
        inSteps={!asTable}
        loading={asTable ? <SkeletonList count={12} className="h-9" /> : <LoadingCards />}
        errorTitle="Failed to load campaigns"
        found={{ words: shownOf('campaign'), by: filters }}
        empty={
          <NoRows
            filtered={filtered}
            title="No campaigns found"
            hint="Try adjusting your search or filters"
            onClear={() => change(noFilters)}
            none={
              <EmptyState
                title="No campaigns found"
                hint="No campaigns are available at the moment"
                action={role === 'DEVELOPER' && createLink}
              />
            }
          />
        }
      >
        {(items, drawn) => (
          // The previous list stays, faded, until the new one has loaded.
          <div aria-busy={fading} className={clsx('transition-opacity', fading && 'opacity-60')}>
            {asTable ? (
              <CampaignTable items={items} sort={filters.sort} onSort={sort => change({ sort })} />
            ) : (
              <Cards items={items} drawn={drawn} {...parts} />
            )}
          </div>
        )}
      </InfiniteQuery>
    </>
  )
}

const Cards = ({ items, drawn, join, fit, record }: Join & { items: readonly Campaign[]; drawn: number }) => {
  const { role } = useUser()
  const onPhone = useMedia('(width < 40rem)')
  const compact = role === 'TESTER' && onPhone
  return (
    <ul className={clsx('grid', compact ? 'gap-3' : cardGrid)}>
      {items.slice(0, drawn).map(campaign => (
        <li key={campaign.id} className={clsx('min-w-0', !compact && cardRows)}>
          {compact ? (
            <CompactCard
              campaign={campaign}
              join={join(campaign, true)}
              fit={fit(campaign)}
              record={record(campaign, items)}
            />
          ) : (
            <CampaignCard campaign={campaign} join={join} record={role === 'TESTER' && record(campaign, items)} />
          )}
        </li>
      ))}
    </ul>
  )
}

const LoadingCards = () => (
  <div role="status" className={clsx('grid', cardGrid)}>
    <span className="sr-only">Loading campaigns</span>
    {Array.from({ length: 6 }, (_, index) => (
      <CampaignCardSkeleton key={index} />
    ))}
  </div>
)
