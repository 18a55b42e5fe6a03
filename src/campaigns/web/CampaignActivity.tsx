import { client } from '../../app/web/api.ts'
import { useUser } from '../../app/web/auth.tsx'
import { paths } from '../../app/web/paths.ts'
import { usePages } from '../../app/web/query.ts'
import { Card } from '../../app/web/ui/Card.tsx'
import { InfiniteQuery } from '../../app/web/ui/Query.tsx'
import { SkeletonList } from '../../app/web/ui/States.tsx'
import type { CampaignEvent } from '../activityContract.ts'
import type { Campaign } from '../contract.ts'
import { EventTimeline } from './EventTimeline.tsx'

const api = client('activity')
const pageSize = 30

/** What happened to a campaign and to the tests in it, page by page as one scrolls. */
export const CampaignActivity = ({ campaign: { id } }: { campaign: Campaign }) => {
  const isOwner = useUser().role === 'DEVELOPER'
  const events = usePages<CampaignEvent>(['campaigns', 'activity', id], ({ cursor, signal }) =>
    api.ofCampaign({ params: { id }, query: { cursor, limit: pageSize }, signal }),
  )
  return (
    <Card title="Activity" description="What happened, the newest first.">
      <InfiniteQuery
        of={events}
        loading={<SkeletonList count={6} className="h-9" />}
        errorTitle="Failed to load the activity"
      >
        {items => <EventTimeline events={items} reader="OWNER" moneyTo={isOwner ? paths.paymentsOf(id) : undefined} />}
      </InfiniteQuery>
    </Card>
  )
}
