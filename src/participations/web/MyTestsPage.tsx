import { useInfiniteQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { shownOf } from '../../kit/web/ui/foundWords.ts'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { FinishedTests } from './FinishedTests.tsx'
import { myTestsHead } from './heads.ts'
import { StatusFilter, useStatusFilter } from './StatusFilter.tsx'
import { TestCard, WayIn } from './TestCard.tsx'
import { myTestPages } from './calls.ts'
import { useEachDay } from './eachDay.ts'
import { byUrgency } from './urgency.ts'

WayIn.preload()

const useMyTests = (status: ParticipationStatus | null) => {
  const tests = useInfiniteQuery(myTestPages(status))
  useEachDay(tests, tests.data?.pages.flatMap(({ items }) => items) ?? [])
  return tests
}

export const MyTestsPage = () => {
  const [status, setStatus] = useStatusFilter('status')
  const all = useMyTests(null)
  const shown = useMyTests(status)
  return (
    <>
      <PageHeader {...myTestsHead} />
      <div className="mb-4">
        <StatusFilter label="Filter by status" value={status} onValue={next => setStatus(next)} all={all.data} />
      </div>
      <InfiniteQuery
        of={shown}
        inSteps
        loading={<SkeletonList className="h-64 rounded-xl" />}
        errorTitle="Failed to load your tests"
        found={{ words: shownOf('test'), by: status }}
        empty={status ? <NoneOfStatus onShowAll={() => setStatus(null)} /> : <NothingYet />}
      >
        {(tests, drawn) => <OpenThenFinished tests={tests} drawn={drawn} />}
      </InfiniteQuery>
    </>
  )
}

const OpenThenFinished = ({ tests, drawn }: { tests: readonly CampaignTester[]; drawn: number }) => {
  const open = byUrgency(tests.filter(({ closedAt }) => closedAt === null))
  const finished = tests
    .filter(({ closedAt }) => closedAt !== null)
    .toSorted((a, b) => (b.closedAt ?? '').localeCompare(a.closedAt ?? ''))
  return (
    <div className="grid gap-4">
      {open.length > 0 && (
        <ul className="grid gap-4" aria-label="In progress">
          {open.slice(0, drawn).map(test => (
            <li key={test.id} className="min-w-0">
              <TestCard of={test} />
            </li>
          ))}
        </ul>
      )}
      {finished.length > 0 && drawn >= open.length && <FinishedTests tests={finished} />}
    </div>
  )
}

const NothingYet = () => (
  <EmptyState
    icon={<FlaskConical aria-hidden />}
    title="No tests yet"
    hint="Join a campaign that fits your device, and check in here every day."
    action={<ButtonLink to={paths.campaigns}>Browse Campaigns</ButtonLink>}
  />
)

const NoneOfStatus = ({ onShowAll }: { onShowAll: () => void }) => (
  <EmptyState
    title="No tests with this status"
    action={
      <Button variant="outline" onClick={onShowAll}>
        Show all
      </Button>
    }
  />
)
