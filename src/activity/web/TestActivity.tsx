import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '../../kit/paths.ts'
import { pagesOf } from '../../kit/web/query.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import type { CampaignEvent } from '../contract.ts'
import { EventTimeline } from './EventTimeline.tsx'
import { api, pageSize } from './calls.ts'
import { activityKeys } from './keys.ts'

/** The events of the tester's own test. */
export const TestActivity = ({ testId, campaignId }: { testId: string; campaignId: string }) => {
  const events = useInfiniteQuery(
    pagesOf<CampaignEvent>(activityKeys.ofParticipation(testId), ({ cursor, signal }) =>
      api.ofTest({ params: { id: testId }, query: { cursor, limit: pageSize }, signal }),
    ),
  )
  return (
    <Card title="Activity">
      <InfiniteQuery of={events} loading={<SkeletonList className="h-9" />} errorTitle="Failed to load activity">
        {items => <EventTimeline events={items} reader="TESTER" moneyTo={paths.balanceOf(campaignId)} />}
      </InfiniteQuery>
    </Card>
  )
}
