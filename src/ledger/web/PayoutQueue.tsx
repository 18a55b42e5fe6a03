import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { formatCents } from '../../kit/money.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { DecisionCard } from '../../kit/web/ui/DecisionCard.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { PayoutApproval } from '../contract.ts'
import { approvalPages } from './calls.ts'

const DecidePayoutDialog = lazy(async () => ({
  default: (await import('./DecidePayoutDialog.tsx')).DecidePayoutDialog,
}))

/** For admins: withdrawals above the limit, oldest first. One admin releases each, and another confirms it. */
export const PayoutQueue = () => (
  <QueueFrame
    of={useInfiniteQuery(approvalPages)}
    noun="payouts"
    hint="Withdrawals that take a tester above the limit in System Settings within 7 days wait here: one admin releases each of them, and another confirms it."
    skeleton="h-48"
  >
    {payout => <PayoutCard of={payout} />}
  </QueueFrame>
)

const buttons = {
  release: { label: 'Release' },
  confirm: { label: 'Confirm' },
  refuse: { label: 'Refuse', variant: 'outline' },
} as const

const PayoutCard = ({ of: payout }: { of: PayoutApproval }) => {
  const { tester, amountCents, destination, requestedAt, releasedBy, releasedAt, blocked, actions } = payout
  return (
    <DecisionCard
      of={payout}
      decisions={actions}
      buttons={buttons}
      named={`${formatCents(amountCents)} to ${tester.name}`}
      dialog={DecidePayoutDialog}
      title={
        <span className="wrap-anywhere">
          <Money cents={amountCents} /> to{' '}
          <Link to={paths.user(tester.id)} className="text-link underline decoration-1 underline-offset-4">
            {tester.name}
          </Link>
        </span>
      }
      action={<TestModeBadge />}
      description={
        <>
          Requested <RelativeTime at={requestedAt} />
        </>
      }
    >
      <DescriptionList
        items={[
          { label: 'To', value: <span className="wrap-anywhere">{destination}</span> },
          {
            label: 'Released',
            value:
              releasedBy && releasedAt ? (
                <>
                  by {releasedBy.name}, <RelativeTime at={releasedAt} />
                </>
              ) : (
                'Not yet'
              ),
          },
        ]}
      />
      {blocked !== null && (
        <Alert tone="yellow" className="mt-3">
          {blocked}
        </Alert>
      )}
      {blocked === null && releasedBy && !actions.includes('confirm') && (
        <p className="mt-3 text-muted-foreground">You released it. It is paid once another admin confirms.</p>
      )}
    </DecisionCard>
  )
}
