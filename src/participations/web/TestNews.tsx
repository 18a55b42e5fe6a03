import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { clock } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { hasTesterList } from '../../campaigns/rules.ts'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { goodwillDays } from '../terms.ts'
import { OnBench } from './OnBench.tsx'
import { daysPaidFor } from './daysDone.ts'
import { laterPart } from '../../kit/web/ui/laterPart.ts'

const RejectedNews = laterPart(
  async () => (await import('./RejectedNews.tsx')).RejectedNews,
  <Skeleton className="h-24" />,
)

/** What the tester must know now: a deadline, the developer's review, how it ended. */
export const TestNews = ({ of: test }: { of: CampaignTester }) => news[test.status](test)

const By = ({ at }: { at: string }) => (
  <>
    <DateTime at={at} withTime /> (<RelativeTime at={at} />)
  </>
)

const Note = ({ children }: { children: ReactNode }) => <p className="whitespace-pre-wrap wrap-anywhere">{children}</p>

/** Shown until the proof is due; from then on ProofDue says what is at stake. */
const Active = ({ test }: { test: CampaignTester }) => {
  const { atRisk, deadlineAt, proofAllowedAt, campaign, nextStep } = test
  if (proofAllowedAt === null || nextStep === 'ACCEPT_NDA') return null
  if (deadlineAt && atRisk) {
    return (
      <Alert tone="yellow" title="You are about to lose your seat">
        You have not checked in for {counted(campaign.atRiskHours, 'hour')}. Check in before <By at={deadlineAt} />, or
        the test ends without pay.
      </Alert>
    )
  }
  return (
    <p className="text-muted-foreground">
      You can submit your proof from <By at={proofAllowedAt} />.
    </p>
  )
}

const verifiedWords = (review: CampaignTester['review'], reviewHours: number) => {
  if (review?.byPlatform)
    return `We did not decide your appeal within ${goodwillDays} days, so the platform verified your test`
  return review?.bySilence ? `Auto-verified after ${counted(reviewHours, 'hour')} without a decision` : 'Verified'
}

const Verified = ({ test: { review, appeal, payoutAmountCents, campaign } }: { test: CampaignTester }) => (
  <Alert tone="green" title={appeal && !review?.byPlatform && 'Your appeal was granted'}>
    {appeal?.note && <Note>{appeal.note}</Note>}
    {verifiedWords(review, campaign.reviewHours)}
    {review && (
      <>
        {' '}
        on <DateTime at={review.decidedAt} />
      </>
    )}
    . <Money cents={payoutAmountCents} /> was paid to your{' '}
    <Link to={paths.balanceOf(campaign.id)} className="font-medium underline underline-offset-4">
      balance
    </Link>
    .
  </Alert>
)

const droppedWords: Record<NonNullable<CampaignTester['dropReason']>, (dropHours: number) => string> = {
  LEFT: () => 'You left this test without pay.',
  NO_CHECK_IN: dropHours => `You lost your seat after ${dropHours} hours without a check-in. This test does not pay.`,
  NO_PROOF: dropHours =>
    `You lost your seat because you did not submit the proof that was due within ${dropHours} hours. This test does not pay.`,
  NOT_OPTED_IN: dropHours =>
    `You lost your seat because you did not opt in on Google Play within ${dropHours} hours. This test does not pay.`,
  OPTED_OUT: dropHours =>
    `You lost your seat because you were opted out on Google Play for ${dropHours} hours. This test does not pay.`,
  NDA_NOT_ACCEPTED: dropHours =>
    `You lost your seat because you did not accept the NDA within ${dropHours} hours. This test does not pay.`,
  THIRD_OPT_OUT: () => 'You opted out for the third time, which gave up your seat. This test does not pay.',
  SUSPENDED: () => 'You lost your seat because your account was suspended. This test does not pay.',
}

const news: Record<ParticipationStatus, (test: CampaignTester) => ReactNode> = {
  WAITLISTED: test => <OnBench of={test} />,
  ACTIVE: test => <Active test={test} />,
  SUBMITTED: ({ deadlineAt }) => (
    <Alert tone="blue" title="Your proof is in review">
      {deadlineAt && (
        <>
          Without a decision, it is auto-verified on <By at={deadlineAt} />.
        </>
      )}
    </Alert>
  ),
  CHANGES_REQUESTED: ({ review }) => (
    <Alert tone="yellow" title="Changes were requested">
      <Note>{review?.note}</Note>
    </Alert>
  ),
  VERIFIED: test => <Verified test={test} />,
  REJECTED: test => <RejectedNews of={test} />,
  APPEALED: test => <RejectedNews of={test} />,
  DROPPED: ({ dropReason, campaign }) => (
    <Alert>{dropReason ? droppedWords[dropReason](campaign.dropHours) : 'This test ended without pay.'}</Alert>
  ),
  CANCELLED: test => <Cancelled test={test} />,
}

const whatFor = (test: CampaignTester): string => {
  const { runs, campaign, closedAt, ndaRefused } = test
  // Paid without ever having been opted in, so it was for the wait.
  if (!ndaRefused && hasTesterList(campaign.accessMode) && runs.length === 0)
    return `The developer did not let you in for a week or longer, so this test has ended. You were paid one day’s pay for the wait:`
  const days = counted(daysPaidFor(test, closedAt ?? clock.now()), 'day')
  return `${ndaRefused ? 'You did not accept the changed NDA' : 'The campaign was cancelled'}. You were paid for the ${days} you ${campaign.dailyCheckIn ? 'checked in' : 'tested'}:`
}

const Cancelled = ({ test }: { test: CampaignTester }) => (
  <Alert>
    {test.payoutAmountCents === 0 ? (
      `${test.ndaRefused ? 'You did not accept the NDA and left' : 'The campaign was cancelled'} before you had completed a day, so this test does not pay.`
    ) : (
      <>
        {whatFor(test)} <Money cents={test.payoutAmountCents} /> was added to your{' '}
        <Link to={paths.balanceOf(test.campaign.id)} className="font-medium underline underline-offset-4">
          balance
        </Link>
        .
      </>
    )}
  </Alert>
)
