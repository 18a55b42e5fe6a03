import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { hoursAfter } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { daysWords, rejectionWords } from './statusWords.ts'

/** What the tester has to know now: a deadline, an answer of the developer, how it ended. */
export const TestNews = ({ of: test }: { of: CampaignTester }) => news[test.status](test)

const By = ({ at }: { at: string }) => (
  <>
    <DateTime at={at} withTime /> (<RelativeTime at={at} />)
  </>
)

const Note = ({ children }: { children: ReactNode }) => <p className="whitespace-pre-wrap wrap-anywhere">{children}</p>

const Active = ({ test }: { test: CampaignTester }) => {
  const { actions, atRisk, deadlineAt, proofAllowedAt, campaign } = test
  const mayProve = actions.includes('submitProof')
  const checkInHelps = deadlineAt !== hoursAfter(proofAllowedAt, campaign.dropHours)
  if (deadlineAt && atRisk && checkInHelps) {
    return (
      <Alert tone="yellow" title="You are about to lose your seat">
        No check-in for {campaign.atRiskHours} hours. Check in{mayProve && ' or hand in your proof'} before{' '}
        <By at={deadlineAt} />, or the test ends and pays nothing.
      </Alert>
    )
  }
  if (!mayProve) {
    return (
      <p className="text-muted-foreground">
        You can hand in your proof from <By at={proofAllowedAt} /> on.
      </p>
    )
  }
  return (
    <Alert tone={atRisk ? 'yellow' : 'blue'} title={atRisk ? 'You are about to lose your seat' : 'Time for your proof'}>
      {deadlineAt && (
        <>
          {atRisk ? 'Hand in your proof' : 'Hand it in'}
          {checkInHelps && ', or check in once more,'} before <By at={deadlineAt} />, or the test ends and pays nothing.
        </>
      )}
    </Alert>
  )
}

const Verified = ({ test: { review, payoutAmountCents, campaign } }: { test: CampaignTester }) => (
  <Alert tone="green">
    {review?.bySilence ? `Verified by itself after ${campaign.reviewHours} hours without an answer` : 'Verified'}
    {review && (
      <>
        {' '}
        on <DateTime at={review.decidedAt} />
      </>
    )}
    . <Money cents={payoutAmountCents} /> went to your{' '}
    <Link to={paths.balanceOf(campaign.id)} className="font-medium underline underline-offset-4">
      balance
    </Link>
    .
  </Alert>
)

const droppedWords: Record<NonNullable<CampaignTester['dropReason']>, (dropHours: number) => string> = {
  LEFT: () => 'You left this test. It pays nothing.',
  NO_CHECK_IN: dropHours => `You were dropped: no check-in for ${dropHours} hours. The test pays nothing.`,
  NO_PROOF: dropHours => `You were dropped: no proof came within ${dropHours} hours. The test pays nothing.`,
  SUSPENDED: () => 'You were taken out of this test, because your account was suspended. The test pays nothing.',
}

const news: Record<ParticipationStatus, (test: CampaignTester) => ReactNode> = {
  ACTIVE: test => <Active test={test} />,
  SUBMITTED: ({ deadlineAt }) => (
    <Alert tone="blue" title="Your proof is with the developer">
      {deadlineAt && (
        <>
          Without an answer it is verified by itself on <By at={deadlineAt} />.
        </>
      )}
    </Alert>
  ),
  CHANGES_REQUESTED: ({ review, deadlineAt }) => (
    <Alert tone="yellow" title="The developer asked for changes">
      <Note>{review?.note}</Note>
      {deadlineAt && (
        <p className="mt-2">
          Hand in a better proof before <By at={deadlineAt} />, or the test ends and pays nothing.
        </p>
      )}
    </Alert>
  ),
  VERIFIED: test => <Verified test={test} />,
  REJECTED: ({ review }) => (
    <Alert title={`Your proof was rejected${review?.code ? `: ${rejectionWords[review.code].toLowerCase()}` : ''}`}>
      <Note>{review?.reason}</Note>
    </Alert>
  ),
  DROPPED: ({ dropReason, campaign }) => (
    <Alert>{dropReason ? droppedWords[dropReason](campaign.dropHours) : 'This test is over and pays nothing.'}</Alert>
  ),
  CANCELLED: ({ payoutAmountCents, checkIns, campaign }) => (
    <Alert>
      The campaign was cancelled. For the {daysWords(checkIns.length)} you checked in,{' '}
      <Money cents={payoutAmountCents} /> went to your{' '}
      <Link to={paths.balanceOf(campaign.id)} className="font-medium underline underline-offset-4">
        balance
      </Link>
      .
    </Alert>
  ),
}
