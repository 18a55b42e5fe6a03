import { Suspense, lazy } from 'react'
import { Skeleton } from '../../../kit/web/ui/States.tsx'
import type { CampaignTester } from '../../../participations/contract.ts'
import { TestPage } from '../../../participations/web/TestPage.tsx'

const TestActivity = lazy(async () => ({
  default: (await import('../../../activity/web/TestActivity.tsx')).TestActivity,
}))
const OwnBugs = lazy(async () => ({ default: (await import('../../../bugs/web/OwnBugs.tsx')).OwnBugs }))
const WhatChanged = lazy(async () => ({
  default: (await import('../../../changes/web/WhatChanged.tsx')).WhatChanged,
}))

const activity = (test: CampaignTester) => (
  <Suspense fallback={<Skeleton className="h-40 rounded-xl" />}>
    <TestActivity testId={test.id} campaignId={test.campaign.id} />
  </Suspense>
)

const bugs = (test: CampaignTester) => (
  <Suspense fallback={<Skeleton className="h-32 rounded-xl" />}>
    <OwnBugs of={test} />
    <WhatChanged of={test} />
  </Suspense>
)

export const TestScreen = () => <TestPage activity={activity} bugs={bugs} />
