import { useInfiniteQuery } from '@tanstack/react-query'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { EventTimeline } from './EventTimeline.tsx'
import { campaignEventPages } from './calls.ts'

/** The events of a campaign and its tests, paged by scrolling. */
export const CampaignActivity = ({ campaign: { id, accessMode } }: { campaign: Campaign }) => {
  const isOwner = useUser().role === 'DEVELOPER'
  const events = useInfiniteQuery(campaignEventPages(id))
  return (
    <Card title="Activity" description="Everything that happened in this campaign, newest first.">
      <InfiniteQuery
        of={events}
        loading={<SkeletonList count={6} className="h-9" />}
        errorTitle="Failed to load activity"
      >
        {items => (
          <EventTimeline
            events={items}
            reader="OWNER"
            mode={accessMode}
            moneyTo={isOwner ? paths.paymentsOf(id) : undefined}
          />
        )}
      </InfiniteQuery>
    </Card>
  )
}
