/** The evidence for a review: the proof, the days with their notes, the device, and an earlier review. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { lazyParts } from '../../kit/web/ui/lazyParts.ts'
import { TesterFigures } from '../../reputation/web/face.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { CheckInDetails, hasDetails } from './CheckInDetails.tsx'
import { DayStrip } from './DayStrip.tsx'
import type { AnswersProps } from './GivenAnswers.tsx'
import { ProofView } from './ProofView.tsx'
import { testFeedbackQuery } from './calls.ts'
import { dayName } from './days.ts'
import { deviceWords, rejectionWords } from './statusWords.ts'

const answersParts = lazyParts(() => import('./GivenAnswers.tsx'))

type Props = { of: CampaignTester }

export const ProofOf = ({ of: { proof, closedAt, proofAllowedAt } }: Props) =>
  proof ? (
    <ProofView of={proof} />
  ) : (
    <p className="text-muted-foreground">
      No proof yet.{' '}
      {closedAt === null && proofAllowedAt && (
        <>
          It can be submitted from <DateTime at={proofAllowedAt} withTime />.
        </>
      )}
    </p>
  )

/** The tester's notes of the days. */
export const Notes = ({ of: { checkIns } }: Props) => (
  <ul className="grid gap-2">
    {checkIns.filter(hasDetails).map(checkIn => (
      <li key={checkIn.day} className="grid grid-cols-[7rem_minmax(0,1fr)] gap-0.5">
        <span className="text-muted-foreground">{dayName(checkIn.day)}</span>
        <div className="min-w-0">
          <CheckInDetails of={checkIn} />
        </div>
      </li>
    ))}
  </ul>
)

export const hasNotes = ({ checkIns }: CampaignTester) => checkIns.some(hasDetails)

export const DeviceAndDates = ({ of: { deviceInfo, joinedAt } }: Props) => (
  <DescriptionList
    stacked
    items={[
      { label: 'Device', value: deviceWords(deviceInfo) },
      { label: 'Joined', value: <DateTime at={joinedAt} /> },
    ]}
  />
)

/** While the proof is undecided, the last review is a request for changes. */
export const reviewTitle = ({ status, changesRequested }: CampaignTester) =>
  changesRequested > 0 && !decidedStatuses.some(decided => decided === status) ? 'Changes requested' : 'Review'

const decidedStatuses = ['VERIFIED', 'REJECTED', 'APPEALED'] as const satisfies readonly ParticipationStatus[]

export const EarlierReview = ({ of: { review, status, appeal } }: Props) => {
  if (!review) return null
  // Then the last decision is the admin's, which is shown with the appeal.
  const overturned = status === 'VERIFIED' && appeal !== null
  // Verifying takes no note, so this one is from a request for changes.
  const isOfBefore = status === 'VERIFIED' && review.reason === null && review.note !== null
  const words = review.reason ?? review.note
  return (
    <div className="grid gap-2">
      {review.code && <p className="font-medium">{rejectionWords[review.code]}</p>}
      {isOfBefore && <p className="text-muted-foreground">Changes requested before:</p>}
      {words && <p className="whitespace-pre-wrap wrap-anywhere">{words}</p>}
      {!overturned && (
        <p className="text-xs text-muted-foreground">
          {review.bySilence ? 'Auto-verified' : review.byAdmin ? 'Reviewed by an admin' : 'Reviewed'}{' '}
          <DateTime at={review.decidedAt} withTime />
        </p>
      )}
    </div>
  )
}

/**
 * The answers to the feedback form and what comes below them, rendered together so that nothing moves when the answers
 * arrive.
 */
const WithAnswers = ({ of: tester, children }: Props & { children: ReactNode }) => {
  const answers = useQuery(testFeedbackQuery(tester.id))
  answersParts.preload()
  if (answers.isPending) return loadingRest
  return (
    <Suspense fallback={loadingRest}>
      <Query of={answers} loading={null} errorTitle="Failed to load the feedback">
        {given => given.answers && <Answers of={given} />}
      </Query>
      {children}
    </Suspense>
  )
}

const loadingRest = <Skeleton className="h-96 rounded-xl" />

const Answers = ({ of }: AnswersProps) => {
  const { GivenAnswers } = answersParts.use()
  return <GivenAnswers of={of} />
}

/** All the evidence, for the review desk, which has its queue beside it. */
export const Evidence = ({ of: tester, beside }: Props & { beside: ReactNode }) => (
  <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
    <div className="grid min-w-0 gap-5">
      <Card title="Proof">
        <ProofOf of={tester} />
      </Card>
      <WithAnswers of={tester}>
        {hasNotes(tester) && (
          <Card title="Time and notes by day">
            <Notes of={tester} />
          </Card>
        )}
        {tester.review && (
          <Card title={reviewTitle(tester)}>
            <EarlierReview of={tester} />
          </Card>
        )}
      </WithAnswers>
    </div>
    <div className="grid min-w-0 gap-5">
      <Card title="Days">
        <div className="grid gap-5">
          <DayStrip of={tester} />
          <DeviceAndDates of={tester} />
        </div>
      </Card>
      <Card title="Track record">
        <TesterFigures campaignId={tester.campaign.id} testerId={tester.id} />
      </Card>
      {beside}
    </div>
  </div>
)
