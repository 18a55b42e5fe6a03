import { Suspense, lazy } from 'react'
import { Skeleton } from '../../../kit/web/ui/States.tsx'
import type { CampaignTester } from '../../../participations/contract.ts'
import { TestPage } from '../../../participations/web/TestPage.tsx'

const TestActivity = lazy(async () => ({
  default: (await import('../../../activity/web/TestActivity.tsx')).TestActivity,
}))

const activity = (test: CampaignTester) => (
  <Suspense fallback={<Skeleton className="h-40 rounded-xl" />}>
    <TestActivity testId={test.id} campaignId={test.campaign.id} />
  </Suspense>
)

export const TestScreen = () => <TestPage activity={activity} />
