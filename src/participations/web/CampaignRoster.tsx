import { Users } from 'lucide-react'
import { useState } from 'react'
import { startOfHour } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Campaign, CampaignStatus } from '../../campaigns/contract.ts'
import { isRunning } from '../../campaigns/rules.ts'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { DayGrid } from './DayGrid.tsx'
import { DayBars } from './DayStrip.tsx'
import { ParticipationBadge } from './ParticipationBadge.tsx'
import { ReviewOf } from './ReviewOf.tsx'
import { StatusFilter, useStatusFilter } from './StatusFilter.tsx'
import { escrowLeft } from './escrow.ts'
import { useRoster } from './roster.ts'
import { deviceWords } from './statusWords.ts'

export const CampaignRoster = ({ campaign }: { campaign: Campaign }) => {
  const [status, setStatus] = useStatusFilter('testers')
  const [openId, setOpenId] = useState<string | null>(null)
  const all = useRoster(campaign.id, null)
  const shown = useRoster(campaign.id, status)
  const { campaignTesters: taken, verified } = campaign._count
  return (
    <Card
      title="Testers"
      description={`${taken} of ${campaign.testersRequired} seats taken, ${verified} verified`}
      flush
      action={
        <StatusFilter
          label="Filter testers by status"
          value={status}
          onValue={next => setStatus(next)}
          all={all.data}
        />
      }
    >
      <InfiniteQuery
        of={shown}
        loading={
          <div className="p-5">
            <SkeletonList />
          </div>
        }
        errorTitle="Failed to load the testers"
        empty={
          <div className="p-5">
            <NoTesters status={status} campaignStatus={campaign.status} onShowAll={() => setStatus(null)} />
          </div>
        }
      >
        {testers => (
          <>
            <Table
              caption={`Testers of ${campaign.title}`}
              columns={columnsWith(setOpenId)}
              rows={testers}
              keyOf={({ id }) => id}
            />
            <Days campaign={campaign} testers={testers} onOpen={setOpenId} />
            <ReviewOf
              testers={testers}
              openId={openId}
              escrowCents={escrowLeft(campaign, all.data)}
              onClose={() => setOpenId(null)}
            />
          </>
        )}
      </InfiniteQuery>
    </Card>
  )
}

const Days = ({
  campaign: { title, startDate, status },
  testers,
  onOpen,
}: {
  campaign: Campaign
  testers: readonly CampaignTester[]
  onOpen: (id: string) => void
}) => {
  const hour = startOfHour(useNow())
  if (!startDate) return null
  return (
    <div className="border-t">
      <h3 className="px-5 pt-4 pb-1 text-base font-semibold">Day by day</h3>
      <DayGrid
        title={title}
        testers={testers}
        startDate={startDate}
        running={isRunning(status)}
        now={hour}
        onOpen={onOpen}
      />
    </div>
  )
}

const columnsWith = (onOpen: (id: string) => void): Column<CampaignTester>[] => [
  {
    head: 'Tester',
    primary: true,
    cell: ({ alias, deviceInfo }) => (
      <>
        {alias}
        <span className="block font-normal text-muted-foreground">{deviceWords(deviceInfo)}</span>
      </>
    ),
  },
  { head: 'Joined', cell: ({ joinedAt }) => <DateTime at={joinedAt} /> },
  { head: 'Check-ins', cell: tester => <DayBars of={tester} /> },
  { head: 'Status', cell: tester => <StatusAndNext of={tester} /> },
  {
    head: 'Review',
    align: 'right',
    cell: ({ id, alias, actions }) => (
      <Button variant={actions.includes('verify') ? 'primary' : 'outline'} size="sm" onClick={() => onOpen(id)}>
        {actions.includes('verify') ? 'Review proof' : 'Details'}
        <span className="sr-only"> of {alias}</span>
      </Button>
    ),
  },
]

/** The status, and what happens next without anyone's action. */
const StatusAndNext = ({ of: tester }: { of: CampaignTester }) => (
  <span className="inline-grid justify-items-end gap-1 md:justify-items-start">
    <ParticipationBadge of={tester} />
    {tester.deadlineAt && (tester.status !== 'ACTIVE' || tester.atRisk) && (
      <span className="text-xs text-muted-foreground">
        {tester.status === 'SUBMITTED' ? 'Auto-verifies' : 'Will be dropped'} <RelativeTime at={tester.deadlineAt} />
      </span>
    )}
  </span>
)

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

const NoTesters = ({
  status,
  campaignStatus,
  onShowAll,
}: {
  status: ParticipationStatus | null
  campaignStatus: CampaignStatus
  onShowAll: () => void
}) =>
  status === null ? (
    <EmptyState icon={<Users aria-hidden />} title="No testers yet" hint={emptyHints[campaignStatus]} />
  ) : (
    <EmptyState
      title="No testers with this status"
      action={
        <Button variant="outline" onClick={onShowAll}>
          Show all
        </Button>
      }
    />
  )
