import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { isMissing } from '../../kit/web/apiError.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { useUser } from '../../kit/web/user.ts'
import type { Bug } from '../contract.ts'
import { BugStatusBadge, SeverityBadge } from './BugBadges.tsx'
import { Decisions } from './Decisions.tsx'
import { Report } from './Report.tsx'
import { Thread } from './Thread.tsx'
import { TrackerMenu } from './TrackerMenu.tsx'
import { bugQuery } from './calls.ts'
import { laterPart } from '../../kit/web/ui/laterPart.ts'

const CommentForm = laterPart(
  async () => (await import('./CommentForm.tsx')).CommentForm,
  <Skeleton className="h-56 max-w-xl" />,
)
const RetestCard = laterPart(
  async () => (await import('./RetestCard.tsx')).RetestCard,
  <Skeleton className="h-72 rounded-xl sm:h-64" />,
)

/** One bug with its thread: for its tester, the campaign's owner, and admins. */
export const BugPage = () => {
  const { id = '' } = useParams()
  const bug = useQuery(bugQuery(id))
  if (isMissing(bug.error)) return <NotFound />
  return (
    <>
      {bug.isLoadingError && <PageHeader title="Bug" back={<BackLink to={paths.dashboard}>Dashboard</BackLink>} />}
      <Query of={bug} loading={<Loading />} errorTitle="Failed to load the bug">
        {loaded => <Loaded bug={loaded} />}
      </Query>
    </>
  )
}

const Loaded = ({ bug }: { bug: Bug }) => {
  const isTester = useUser().role === 'TESTER'
  const decides = bug.actions.some(action => action !== 'comment' && action !== 'retest')
  return (
    <>
      <PageHeader
        title={`#${bug.number} ${bug.title}`}
        description={bug.campaign.title}
        badge={
          <>
            <BugStatusBadge of={bug} />
            <SeverityBadge of={bug.severity} />
          </>
        }
        back={
          isTester ? (
            <BackLink to={paths.myTest(bug.testId)}>My test</BackLink>
          ) : (
            <BackLink to={paths.campaignTab(bug.campaign.id, 'bugs')}>Bugs</BackLink>
          )
        }
        actions={!isTester && <TrackerMenu bug={bug} />}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-5">
          {bug.actions.includes('retest') && <RetestCard bug={bug} />}
          <Report bug={bug} />
          <Thread bug={bug}>{bug.actions.includes('comment') && <CommentForm bug={bug} />}</Thread>
        </div>
        <Decisions bug={bug} decides={decides} />
      </div>
    </>
  )
}

const NotFound = () => (
  <MissingPage
    title="Bug not found"
    hint="Check the URL, or find the bug in its campaign or test."
    to={paths.dashboard}
    back="Back to the dashboard"
  />
)

const Loading = () => (
  <div role="status">
    <span className="sr-only">Loading the bug</span>
    <Skeleton className="h-9 w-2/3 max-w-md" />
    <Skeleton className="mt-2 h-5 w-40" />
    <div className="mt-6 grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Skeleton className="h-80 rounded-xl" />
      <Skeleton className="h-48 rounded-xl" />
    </div>
  </div>
)
