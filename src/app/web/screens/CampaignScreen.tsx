import { CampaignPage } from '../../../campaigns/web/CampaignPage.tsx'
import type { Campaign } from '../../../campaigns/contract.ts'
import { hasTesterList } from '../../../campaigns/rules.ts'
import type { CampaignParts } from '../../../campaigns/web/parts.ts'
import { session } from '../../../kit/web/session.ts'
import { DialogPlace } from '../../../kit/web/ui/DialogPlace.tsx'
import { laterPart } from '../../../kit/web/ui/laterPart.ts'
import { Skeleton, SkeletonList } from '../../../kit/web/ui/States.tsx'
import { EarnCard } from '../../../participations/web/EarnCard.tsx'
import { DeveloperFigures } from '../../../reputation/web/face.tsx'

const Clock = laterPart(
  async () => (await import('../../../continuity/web/Clock.tsx')).Clock,
  <Skeleton className="h-120 rounded-xl md:h-72" />,
)
const ProofQueue = laterPart(async () => (await import('../../../participations/web/ProofQueue.tsx')).ProofQueue, null)
const AppliedButton = laterPart(
  async () => (await import('../../../testerLists/web/AppliedButton.tsx')).AppliedButton,
  null,
)
const ListNote = laterPart(async () => (await import('../../../testerLists/web/ListNote.tsx')).ListNote, null)

/** Both at once: the testers who are stuck would push the others down. */
const Testers = laterPart(
  async () => {
    const [{ TesterMatrix }, { StuckTesters }] = await Promise.all([
      import('../../../participations/web/TesterMatrix.tsx'),
      import('../../../participations/web/StuckTesters.tsx'),
    ])
    return ({ campaign }: { campaign: Campaign }) => (
      <>
        {hasTesterList(campaign.accessMode) && <StuckTesters campaignId={campaign.id} className="mb-5" />}
        <TesterMatrix campaign={campaign} />
      </>
    )
  },
  <SkeletonList />,
)
const TesterListTab = laterPart(
  async () => (await import('../../../testerLists/web/TesterListTab.tsx')).TesterListTab,
  <Skeleton className="h-80 rounded-xl" />,
)
const BugsTab = laterPart(
  async () => (await import('../../../bugs/web/BugsTab.tsx')).BugsTab,
  <SkeletonList count={5} className="h-16" />,
)
const ChangesTab = laterPart(
  async () => (await import('../../../changes/web/ChangesTab.tsx')).ChangesTab,
  <SkeletonList count={3} className="h-28" />,
)
const FeedbackTab = laterPart(
  async () => (await import('../../../feedback/web/FeedbackTab.tsx')).FeedbackTab,
  <Skeleton className="h-80 rounded-xl" />,
)
const CampaignActivity = laterPart(
  async () => (await import('../../../activity/web/CampaignActivity.tsx')).CampaignActivity,
  <SkeletonList count={6} className="h-9" />,
)

const ofTabs = new Map<string | null, { preload: () => void }>([
  ['testers', Testers],
  ['list', TesterListTab],
  ['bugs', BugsTab],
  ['changes', ChangesTab],
  ['feedback', FeedbackTab],
  ['activity', CampaignActivity],
])

// While the data is on its way, so that a first visit shows it at once.
if (session.user()?.role === 'TESTER') DeveloperFigures.preload()
else (ofTabs.get(new URLSearchParams(location.search).get('tab')) ?? Clock).preload()
const parts: CampaignParts = {
  earn: campaign => <EarnCard campaign={campaign} />,
  clock: campaign => <Clock campaign={campaign} applied={<AppliedButton campaign={campaign} variant="primary" />} />,
  proofs: campaign => <ProofQueue campaign={campaign} className="lg:col-span-2" />,
  testers: campaign => <Testers campaign={campaign} />,
  testerList: campaign => <TesterListTab campaign={campaign} />,
  listNote: campaign => <ListNote campaign={campaign} />,
  feedback: campaign => <FeedbackTab campaign={campaign} />,
  bugs: campaign => <BugsTab campaign={campaign} />,
  changes: campaign => <ChangesTab campaign={campaign} />,
  activity: campaign => <CampaignActivity campaign={campaign} />,
  daysDone: async (id, signal) =>
    (await import('../../../participations/web/daysDone.ts')).daysOfActiveTesters(id, signal),
}

export const CampaignScreen = () => (
  <DialogPlace>
    <CampaignPage parts={parts} />
  </DialogPlace>
)
