import { laterPart } from '../../../kit/web/ui/laterPart.ts'
import { Skeleton } from '../../../kit/web/ui/States.tsx'
import type { CampaignTester } from '../../../participations/contract.ts'
import { TestPage } from '../../../participations/web/TestPage.tsx'

const TestActivity = laterPart(
  async () => (await import('../../../activity/web/TestActivity.tsx')).TestActivity,
  <Skeleton className="h-40 rounded-xl" />,
)
const OwnBugs = laterPart(
  async () => (await import('../../../bugs/web/OwnBugs.tsx')).OwnBugs,
  <Skeleton className="h-32 rounded-xl" />,
)
const WhatChanged = laterPart(async () => (await import('../../../changes/web/WhatChanged.tsx')).WhatChanged, null)

const activity = (test: CampaignTester) => <TestActivity testId={test.id} campaignId={test.campaign.id} />

const bugs = (test: CampaignTester) => (
  <>
    <OwnBugs of={test} />
    <WhatChanged of={test} />
  </>
)

export const TestScreen = () => <TestPage activity={activity} bugs={bugs} />
