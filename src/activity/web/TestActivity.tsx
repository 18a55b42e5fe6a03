import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { EventTimeline } from './EventTimeline.tsx'
import { testEventPages } from './calls.ts'

/** The events of the tester's own test. */
export const TestActivity = ({ testId, campaignId }: { testId: string; campaignId: string }) => {
  const events = useInfiniteQuery(testEventPages(testId))
  return (
    <Card title="Activity">
      <InfiniteQuery of={events} loading={<SkeletonList className="h-9" />} errorTitle="Failed to load activity">
        {items => <EventTimeline events={items} reader="TESTER" moneyTo={paths.balanceOf(campaignId)} />}
      </InfiniteQuery>
    </Card>
  )
}
