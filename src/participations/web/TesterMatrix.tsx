import { Users } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import { type Day, type Instant, startOfQuarterHour } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { useNow } from '../../kit/web/now.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import type { Campaign, CampaignStatus } from '../../campaigns/contract.ts'
import { hasEnded, isRunning } from '../../campaigns/rules.ts'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { MatrixTable } from './MatrixTable.tsx'
import { FilterChoice } from './StatusFilter.tsx'
import { filterLabel, isShown, type MatrixFilter, offered, useMatrixFilter } from './matrixFilter.ts'
import { type Opened, useOpenedTester } from './openedTester.ts'
import { useWholeRoster } from './roster.ts'
import { isByPlatform } from './statusWords.ts'

const DayDialog = lazy(async () => ({ default: (await import('./DayDialog.tsx')).DayDialog }))
const TesterDialog = lazy(async () => ({ default: (await import('./TesterDialog.tsx')).TesterDialog }))

/** A campaign's Testers tab: its testers and their days, and which of them need attention. */
export const TesterMatrix = ({ campaign }: { campaign: Campaign }) => {
  const [filter, setFilter] = useMatrixFilter()
  const [opened, setOpened] = useOpenedTester()
  const roster = useWholeRoster(campaign.id, null)
  // To the quarter of an hour, so that thousands of cells are not drawn again every few seconds.
  const quarter = startOfQuarterHour(useNow())
  const chosenOf = (all: readonly CampaignTester[]) => all.filter(tester => isShown(filter, tester, quarter))
  const testers = roster.data?.pages.flatMap(({ items }) => items) ?? []
  const toReview = testers.filter(tester => tester.status === 'SUBMITTED' && !waitsForConsent(tester)).length
  const byPlatform = testers.filter(isByPlatform).length
  const { campaignTesters: taken, joined, verified } = campaign._count
  return (
    <Card
      title="Testers"
      description={`${hasEnded(campaign.status) ? `${counted(joined, 'tester')} joined` : `${taken} of ${campaign.testersRequired - campaign.closedSeats} seats taken`}, ${verified} verified${byPlatform > 0 ? ` and ${byPlatform} by the platform` : ''}`}
      flush
      action={
        toReview > 0 && (
          <ButtonLink size="sm" to={paths.review(campaign.id)}>
            {toReview === 1 ? 'Review proof' : `Review ${toReview} proofs`}
          </ButtonLink>
        )
      }
    >
      <InfiniteQuery
        of={roster}
        loading={<Padded content={<SkeletonList />} />}
        errorTitle="Failed to load the testers"
        found={{
          words: all => `${counted(chosenOf(all).length, 'tester')} shown`,
          by: filter,
        }}
        empty={
          <Padded
            content={
              <EmptyState icon={<Users aria-hidden />} title="No testers yet" hint={emptyHints[campaign.status]} />
            }
          />
        }
      >
        {all => (
          <>
            <Filters testers={all} now={quarter} chosen={filter} onChoose={setFilter} />
            <Shown
              campaign={campaign}
              testers={chosenOf(all)}
              now={quarter}
              filter={filter}
              onOpen={(id, day) => setOpened({ id, day })}
              onShowAll={() => setFilter(null)}
            />
          </>
        )}
      </InfiniteQuery>
      <Dialogs tester={testers.find(({ id }) => id === opened?.id)} opened={opened} onOpen={setOpened} />
    </Card>
  )
}

type FilterProps = {
  testers: readonly CampaignTester[]
  now: Instant
  chosen: MatrixFilter | null
  onChoose: (filter: MatrixFilter | null) => void
}

const Filters = ({ testers, now, chosen, onChoose }: FilterProps) => {
  const choices = offered(testers, chosen, now)
  if (chosen === null && choices.length < 2) return null
  return (
    <div role="group" aria-label="Filter testers" className="flex gap-1 overflow-x-auto border-b px-4 py-2">
      <FilterChoice label="All" count={testers.length} chosen={chosen === null} onChoose={() => onChoose(null)} />
      {choices.map(({ filter, count }) => (
        <FilterChoice
          key={filter}
          label={filterLabel(filter)}
          count={count}
          chosen={chosen === filter}
          onChoose={() => onChoose(filter)}
        />
      ))}
    </div>
  )
}

type ShownProps = {
  campaign: Campaign
  testers: readonly CampaignTester[]
  now: Instant
  filter: MatrixFilter | null
  onOpen: (id: string, day: Day | null) => void
  onShowAll: () => void
}

/** More rows would take too long to draw; the rest is one press away. */
const rowsAtOnce = 100

const Shown = ({ campaign, testers, now, filter, onOpen, onShowAll }: ShownProps) => {
  const [rows, setRows] = useState(rowsAtOnce)
  if (testers.length === 0) {
    return (
      <Padded
        content={
          <EmptyState
            title={`No testers here: ${filter === null ? 'all' : filterLabel(filter).toLowerCase()}`}
            action={
              <Button variant="outline" onClick={onShowAll}>
                Show all
              </Button>
            }
          />
        }
      />
    )
  }
  return (
    <>
      <MatrixTable
        key={filter}
        campaign={campaign}
        testers={testers.slice(0, rows)}
        running={isRunning(campaign.status)}
        now={now}
        onOpen={onOpen}
      />
      {testers.length > rows && (
        <div className="border-t p-3 text-center">
          <Button variant="outline" size="sm" onClick={() => setRows(rows + rowsAtOnce)}>
            Show {Math.min(rowsAtOnce, testers.length - rows)} more
          </Button>
        </div>
      )}
    </>
  )
}

type DialogProps = {
  tester: CampaignTester | undefined
  opened: Opened | null
  onOpen: (opened: Opened | null) => void
}

const Dialogs = ({ tester, opened, onOpen }: DialogProps) => {
  if (!tester || !opened) return null
  const close = () => onOpen(null)
  return (
    <Suspense>
      {opened.day === null ? (
        <TesterDialog of={tester} onClose={close} />
      ) : (
        <DayDialog
          of={tester}
          day={opened.day}
          onDay={day => onOpen({ id: tester.id, day })}
          onTester={() => onOpen({ id: tester.id, day: null })}
          onClose={close}
        />
      )}
    </Suspense>
  )
}

const Padded = ({ content }: { content: React.ReactNode }) => <div className="p-5">{content}</div>

const emptyHints: Record<CampaignStatus, string> = {
  DRAFT: 'Testers can join once the campaign is funded, approved and started.',
  PENDING_APPROVAL: 'Testers can join once the campaign is approved and started.',
  APPROVED: 'Testers can join once you start the campaign.',
  REJECTED: 'Testers can join once the campaign is approved and started.',
  LIVE: 'Testers appear here as soon as they join.',
  PAUSED: 'Testers cannot join while the campaign is paused.',
  COMPLETED: 'No testers joined this campaign.',
  CANCELLED: 'No testers joined this campaign.',
}
