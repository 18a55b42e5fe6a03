import { useInfiniteQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Plus, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Role } from '../../kit/roles.ts'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState } from '../../kit/web/ui/States.tsx'
import type { Campaign } from '../contract.ts'
import { CampaignCard, CampaignCardSkeleton, cardRows } from './CampaignCard.tsx'
import { CampaignToolbar } from './CampaignToolbar.tsx'
import { campaignPages } from './calls.ts'
import { noFilters, useCampaignFilters } from './campaignFilters.ts'
import { counted } from '../../kit/words.ts'
import { campaignsHeads } from './heads.ts'

const createLink = (
  <ButtonLink to={paths.campaignCreate}>
    <Plus aria-hidden /> Create Campaign
  </ButtonLink>
)

const actions: Partial<Record<Role, ReactNode>> = {
  DEVELOPER: createLink,
  ADMIN: (
    <ButtonLink to={paths.campaignsPending} variant="outline">
      Pending approvals
    </ButtonLink>
  ),
}

type Join = { join: (campaign: Campaign) => ReactNode }

export const CampaignsPage = ({ join }: Join) => {
  const { role } = useUser()
  const withStatus = role !== 'TESTER'
  const { filters, change, filtered } = useCampaignFilters(role)
  const campaigns = useInfiniteQuery(campaignPages(role, filters))
  return (
    <>
      <PageHeader {...campaignsHeads[role]} actions={actions[role]} />
      <CampaignToolbar filters={filters} onChange={change} withStatus={withStatus} />
      <InfiniteQuery
        of={campaigns}
        loading={<LoadingCards />}
        errorTitle="Failed to load campaigns"
        empty={<NoCampaigns filtered={filtered} onClear={() => change(noFilters)} />}
      >
        {items => <Cards items={items} fading={campaigns.isPlaceholderData} join={join} />}
      </InfiniteQuery>
    </>
  )
}

const grid = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'

/** The previous cards stay, faded, until the new ones have loaded. */
const Cards = ({ items, fading, join }: Join & { items: Campaign[]; fading: boolean }) => (
  <>
    <p role="status" className="sr-only">
      {fading ? 'Searching' : `${counted(items.length, 'campaign')} shown`}
    </p>
    <ul aria-busy={fading} className={clsx(grid, 'transition-opacity', fading && 'opacity-60')}>
      {items.map(campaign => (
        <li key={campaign.id} className={clsx('min-w-0', cardRows)}>
          <CampaignCard campaign={campaign} join={join} />
        </li>
      ))}
    </ul>
  </>
)

const LoadingCards = () => (
  <div role="status" className={grid}>
    <span className="sr-only">Loading campaigns</span>
    {Array.from({ length: 6 }, (_, index) => (
      <CampaignCardSkeleton key={index} />
    ))}
  </div>
)

const NoCampaigns = ({ filtered, onClear }: { filtered: boolean; onClear: () => void }) => {
  const isDeveloper = useUser().role === 'DEVELOPER'
  if (filtered) {
    return (
      <EmptyState
        title="No campaigns found"
        hint="Try adjusting your search or filters"
        icon={<SearchX aria-hidden />}
        action={
          <Button variant="outline" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    )
  }
  return (
    <EmptyState
      title="No campaigns found"
      hint="No campaigns are available at the moment"
      action={isDeveloper && createLink}
    />
  )
}
