import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { isMissing } from '../../kit/web/apiError.ts'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { DisputeOf, TermsOf } from '../../campaigns/web/face.tsx'
import type { CampaignTester } from '../contract.ts'
import { DayList } from './DayList.tsx'
import { ParticipationBadge } from './ParticipationBadge.tsx'
import { AppAndLeave, Since, TestProgress, hasFooter, WayIn } from './TestCard.tsx'
import { ownTestQuery } from './calls.ts'
import { useEachDay } from './eachDay.ts'
import { laterPart } from '../../kit/web/ui/laterPart.ts'

const NdaStep = laterPart(
  async () => (await import('./NdaStep.tsx')).NdaStep,
  <Skeleton className="mb-5 h-96 rounded-xl" />,
)

WayIn.preload()

/** The parts of a test's screen that slices above participations provide; src/app/web/screens puts them together. */
type Parts = {
  /** The test's activity log. */
  activity: (test: CampaignTester) => ReactNode
  /** The bugs that its tester reported. */
  bugs: (test: CampaignTester) => ReactNode
}

/** One of the tester's own tests: what to do now, the days, the activity and the terms. */
export const TestPage = (parts: Parts) => {
  const { id = '' } = useParams()
  const test = useQuery(ownTestQuery(id))
  useEachDay(test, test.data ? [test.data] : [])
  if (isMissing(test.error)) return <NotFound />
  return (
    <>
      {test.isLoadingError && <PageHeader title="Test" back={<BackLink to={paths.myTests}>My Tests</BackLink>} />}
      <Query of={test} loading={<LoadingTest />} errorTitle="Failed to load the test">
        {loaded => <Detail of={loaded} {...parts} />}
      </Query>
    </>
  )
}

const Detail = ({ of: test, activity, bugs }: Parts & { of: CampaignTester }) => (
  <>
    <PageHeader
      title={test.campaign.title}
      description={<Since of={test} />}
      badge={<ParticipationBadge of={test} />}
      back={<BackLink to={paths.myTests}>My Tests</BackLink>}
      actions={
        <ButtonLink to={paths.campaign(test.campaign.id)} variant="outline">
          View campaign
        </ButtonLink>
      }
    />
    <DisputeOf campaignId={test.campaign.id} />
    {test.actions.includes('acceptNda') && <NdaStep of={test} />}
    <div className="grid gap-5">
      <Card footer={hasFooter(test) && <AppAndLeave of={test} />}>
        {/* Screen readers list it with the headings of the other cards. */}
        <h2 className="sr-only">Progress</h2>
        <TestProgress of={test} />
      </Card>
      {test.status !== 'WAITLISTED' && bugs(test)}
      {test.status !== 'WAITLISTED' && (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <DayList of={test} />
          {activity(test)}
        </div>
      )}
      <TermsOf campaignId={test.campaign.id} />
    </div>
  </>
)

const NotFound = () => (
  <MissingPage
    title="Test not found"
    hint="Check the URL, or find the test in your list."
    to={paths.myTests}
    back="Back to My Tests"
  />
)

const LoadingTest = () => (
  <div role="status">
    <span className="sr-only">Loading the test</span>
    <Skeleton className="h-9 w-2/3 max-w-md" />
    <Skeleton className="mt-2 h-5 w-64" />
    <Skeleton className="mt-6 h-64 rounded-xl" />
    <div className="mt-5 grid gap-5 lg:grid-cols-2">
      <Skeleton className="h-72 rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </div>
  </div>
)
