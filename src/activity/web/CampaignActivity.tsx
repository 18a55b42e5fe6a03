import { useInfiniteQuery } from '@tanstack/react-query'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { pagesOf } from '../../kit/web/query.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import type { CampaignEvent } from '../contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { EventTimeline } from './EventTimeline.tsx'
import { api, pageSize } from './calls.ts'
import { activityKeys } from './keys.ts'

/** The events of a campaign and its tests, paged by scrolling. */
export const CampaignActivity = ({ campaign: { id, accessMode } }: { campaign: Campaign }) => {
  const isOwner = useUser().role === 'DEVELOPER'
  const events = useInfiniteQuery(
    pagesOf<CampaignEvent>(activityKeys.ofCampaign(id), ({ cursor, signal }) =>
      api.ofCampaign({ params: { id }, query: { cursor, limit: pageSize }, signal }),
    ),
  )
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
