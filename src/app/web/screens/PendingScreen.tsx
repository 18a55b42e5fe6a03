import { useQuery } from '@tanstack/react-query'
import { PendingCampaignsPage, type PendingCounts } from '../../../campaigns/web/PendingCampaignsPage.tsx'
import type { Needs } from '../../../dashboards/contract.ts'
import { countsEnd, type NeedKind } from '../../../dashboards/terms.ts'
import { needsQuery } from '../../../dashboards/web/calls.ts'
import { laterPart } from '../../../kit/web/ui/laterPart.ts'
import { SkeletonList } from '../../../kit/web/ui/States.tsx'

const loading = <SkeletonList className="h-32" />
const ContestedOptIns = laterPart(
  async () => (await import('../../../participations/web/ContestedOptIns.tsx')).ContestedOptIns,
  loading,
)
const AppealQueue = laterPart(
  async () => (await import('../../../participations/web/AppealQueue.tsx')).AppealQueue,
  loading,
)
const RejectionQueue = laterPart(
  async () => (await import('../../../participations/web/RejectionQueue.tsx')).RejectionQueue,
  loading,
)
const PayoutQueue = laterPart(async () => (await import('../../../ledger/web/PayoutQueue.tsx')).PayoutQueue, loading)
const StuckRefundQueue = laterPart(
  async () => (await import('../../../ledger/web/StuckRefundQueue.tsx')).StuckRefundQueue,
  loading,
)
const DisputeQueue = laterPart(async () => (await import('../../../ledger/web/DisputeQueue.tsx')).DisputeQueue, loading)

const ofLists = new Map<string | null, { preload: () => void }>([
  ['opt-ins', ContestedOptIns],
  ['appeals', AppealQueue],
  ['rejections', RejectionQueue],
  ['payouts', PayoutQueue],
  ['refunds', StuckRefundQueue],
  ['disputes', DisputeQueue],
])

// While the data is on its way, so that a first visit shows it at once.
ofLists.get(new URLSearchParams(location.search).get('list'))?.preload()

const kindsIn: Record<keyof PendingCounts, readonly NeedKind[]> = {
  optIns: ['OPT_INS'],
  appeals: ['APPEALS'],
  rejections: ['REJECTIONS'],
  payouts: ['PAYOUTS'],
  refunds: ['REFUNDS_STUCK', 'REFUNDS_PAID_TWICE'],
  disputes: ['DISPUTES', 'DEBTS_TO_GIVE_BACK'],
}

/** Counts as the dashboard does, so that both agree. */
const countsOf = ({ needs }: Needs): PendingCounts =>
  Object.fromEntries(
    Object.entries(kindsIn).flatMap(([list, kinds]) => {
      const count = needs.reduce((sum, need) => (kinds.includes(need.kind) ? sum + need.count : sum), 0)
      if (count === 0) return []
      return [[list, count >= countsEnd ? `${countsEnd - 1}+` : String(count)]]
    }),
  )

export const PendingScreen = () => {
  const { data } = useQuery(needsQuery)
  return (
    <PendingCampaignsPage
      counts={data ? countsOf(data) : {}}
      optIns={<ContestedOptIns />}
      appeals={<AppealQueue />}
      rejections={<RejectionQueue />}
      disputes={<DisputeQueue />}
      payouts={<PayoutQueue />}
      refunds={<StuckRefundQueue />}
    />
  )
}
