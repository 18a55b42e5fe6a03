import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Link } from 'react-router'
import { formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { grouped } from '../../kit/words.ts'
import { Badge, type Tone } from '../../kit/web/ui/Badge.tsx'
import { type DescriptionItem, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { DecisionCard } from '../../kit/web/ui/DecisionCard.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { StuckRefund } from '../stuckRefundsContract.ts'
import type { StuckState } from '../stuckRefunds.ts'
import { stuckRefundPages } from './stuckRefundCalls.ts'

const StuckRefundDialog = lazy(async () => ({
  default: (await import('./StuckRefundDialog.tsx')).StuckRefundDialog,
}))

/** For admins: refunds that the payment provider permanently refuses, or that were paid twice, oldest first. */
export const StuckRefundQueue = () => (
  <QueueFrame
    of={useInfiniteQuery(stuckRefundPages)}
    noun="stuck refunds"
    hint="Refunds that the payment provider has refused for five days appear here. Try them again, or pay them by other means."
    skeleton="h-80"
  >
    {refund => <StuckRefundCard of={refund} />}
  </QueueFrame>
)

const buttons = {
  pay: { label: 'Paid by other means' },
  confirm: { label: 'Confirm' },
  settle: { label: 'Settle' },
  retry: { label: 'Try again now', variant: 'outline' },
  refuse: { label: 'Discard record', variant: 'outline' },
} as const

const order = Object.keys(buttons) as (keyof typeof buttons)[]

const looks: Record<StuckState, { tone: Tone; label: string }> = {
  STUCK: { tone: 'red', label: 'Refused' },
  TRYING: { tone: 'blue', label: 'Retrying' },
  TO_CONFIRM: { tone: 'yellow', label: 'To confirm' },
  PAID_TWICE: { tone: 'red', label: 'Paid twice' },
}

const StuckRefundCard = ({ of: refund }: { of: StuckRefund }) => {
  const { campaign, developer, amountCents, owedSince, state, next, actions } = refund
  return (
    <DecisionCard
      of={refund}
      decisions={order.filter(action => actions.includes(action))}
      buttons={buttons}
      named={`${formatCents(amountCents)} to ${developer.name} for ${campaign.title}`}
      dialog={StuckRefundDialog}
      title={
        <span className="wrap-anywhere">
          <Money cents={amountCents} /> to{' '}
          <Link to={paths.user(developer.id)} className="text-link underline decoration-1 underline-offset-4">
            {developer.name}
          </Link>
        </span>
      }
      description={
        <>
          For{' '}
          <Link
            to={paths.campaign(campaign.id)}
            className="wrap-anywhere text-link underline decoration-1 underline-offset-4"
          >
            {campaign.title}
          </Link>
          , owed since <DateTime at={owedSince} />
        </>
      }
      action={
        <span className="flex flex-wrap justify-end gap-2">
          <TestModeBadge />
          <Badge tone={looks[state].tone}>{looks[state].label}</Badge>
        </span>
      }
    >
      <DescriptionList items={factsOf(refund)} />
      <p className="mt-3 max-w-prose">
        <span className="font-medium">What happens next: </span>
        {next}
      </p>
    </DecisionCard>
  )
}

const factsOf = ({
  paymentMethod,
  attempts,
  stuckSince,
  lastTriedAt,
  reason,
  outside,
  needsTwo,
  state,
}: StuckRefund): DescriptionItem[] => [
  { label: 'Payment method', value: paymentMethod },
  {
    label: 'Attempts',
    value: (
      <>
        {grouped(attempts)}
        {lastTriedAt && (
          <>
            , last <RelativeTime at={lastTriedAt} />
          </>
        )}
      </>
    ),
  },
  ...(stuckSince ? [{ label: 'Stuck since', value: <DateTime at={stuckSince} /> }] : []),
  ...(reason ? [{ label: 'Reason', value: reason }] : []),
  ...(outside
    ? [
        { label: 'Paid by other means', value: outside.reference },
        {
          label: 'Recorded',
          value: (
            <>
              by {outside.recordedBy.name}, <RelativeTime at={outside.recordedAt} />
            </>
          ),
        },
        ...(outside.note ? [{ label: 'Note', value: outside.note }] : []),
      ]
    : []),
  ...(needsTwo && state === 'STUCK'
    ? [{ label: 'By other means', value: 'Needs two admins, like a payout of this amount' }]
    : []),
]
