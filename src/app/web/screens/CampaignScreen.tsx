import { Suspense, lazy } from 'react'
import { CampaignPage } from '../../../campaigns/web/CampaignPage.tsx'
import { hasTesterList } from '../../../campaigns/rules.ts'
import type { CampaignParts } from '../../../campaigns/web/parts.ts'
import { DialogPlace } from '../../../kit/web/ui/DialogPlace.tsx'
import { Skeleton, SkeletonList } from '../../../kit/web/ui/States.tsx'
import { EarnCard } from '../../../participations/web/EarnCard.tsx'

const Clock = lazy(async () => ({ default: (await import('../../../continuity/web/Clock.tsx')).Clock }))
const TesterMatrix = lazy(async () => ({
  default: (await import('../../../participations/web/TesterMatrix.tsx')).TesterMatrix,
}))
const ProofQueue = lazy(async () => ({
  default: (await import('../../../participations/web/ProofQueue.tsx')).ProofQueue,
}))
const TesterListTab = lazy(async () => ({
  default: (await import('../../../testerLists/web/TesterListTab.tsx')).TesterListTab,
}))
const AppliedButton = lazy(async () => ({
  default: (await import('../../../testerLists/web/AppliedButton.tsx')).AppliedButton,
}))
const ListNote = lazy(async () => ({ default: (await import('../../../testerLists/web/ListNote.tsx')).ListNote }))
const StuckTesters = lazy(async () => ({
  default: (await import('../../../participations/web/StuckTesters.tsx')).StuckTesters,
}))
const BugsTab = lazy(async () => ({ default: (await import('../../../bugs/web/BugsTab.tsx')).BugsTab }))
const ChangesTab = lazy(async () => ({
  default: (await import('../../../changes/web/ChangesTab.tsx')).ChangesTab,
}))
const FeedbackTab = lazy(async () => ({ default: (await import('../../../feedback/web/FeedbackTab.tsx')).FeedbackTab }))
const CampaignActivity = lazy(async () => ({
  default: (await import('../../../activity/web/CampaignActivity.tsx')).CampaignActivity,
}))

const parts: CampaignParts = {
  earn: campaign => <EarnCard campaign={campaign} />,
  clock: campaign => (
    <Suspense fallback={<Skeleton className="h-120 rounded-xl md:h-72" />}>
      <Clock campaign={campaign} applied={<AppliedButton campaign={campaign} variant="primary" />} />
    </Suspense>
  ),
  proofs: campaign => (
    <Suspense>
      <ProofQueue campaign={campaign} className="lg:col-span-2" />
    </Suspense>
  ),
  testers: campaign => (
    <Suspense fallback={<SkeletonList />}>
      {hasTesterList(campaign.accessMode) && <StuckTesters campaignId={campaign.id} className="mb-5" />}
      <TesterMatrix campaign={campaign} />
    </Suspense>
  ),
  testerList: campaign => (
    <Suspense fallback={<Skeleton className="h-80 rounded-xl" />}>
      <TesterListTab campaign={campaign} />
    </Suspense>
  ),
  listNote: campaign => (
    <Suspense>
      <ListNote campaign={campaign} />
    </Suspense>
  ),
  feedback: campaign => (
    <Suspense fallback={<Skeleton className="h-80 rounded-xl" />}>
      <FeedbackTab campaign={campaign} />
    </Suspense>
  ),
  bugs: campaign => (
    <Suspense fallback={<SkeletonList count={5} className="h-16" />}>
      <BugsTab campaign={campaign} />
    </Suspense>
  ),
  changes: campaign => (
    <Suspense fallback={<SkeletonList count={3} className="h-28" />}>
      <ChangesTab campaign={campaign} />
    </Suspense>
  ),
  activity: campaign => (
    <Suspense fallback={<SkeletonList count={6} className="h-9" />}>
      <CampaignActivity campaign={campaign} />
    </Suspense>
  ),
  daysDone: async (id, signal) =>
    (await import('../../../participations/web/daysDone.ts')).daysOfActiveTesters(id, signal),
}

export const CampaignScreen = () => (
  <DialogPlace>
    <CampaignPage parts={parts} />
  </DialogPlace>
)
