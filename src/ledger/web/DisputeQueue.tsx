import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Dispute } from '../disputesContract.ts'
import { disputePages } from './disputeCalls.ts'
import { OwedDisputes } from './OwedDisputes.tsx'

/** For admins: open disputes about payments, oldest first, and then what developers owe for lost ones. */
export const DisputeQueue = () => (
  <>
    <QueueFrame
      of={useInfiniteQuery(disputePages)}
      noun="disputes"
      emptyTitle="No open disputes"
      hint="Payments that a developer’s bank disputes appear here, and their campaigns are frozen."
      skeleton="h-32"
    >
      {dispute => <DisputeCard of={dispute} />}
    </QueueFrame>
    <OwedDisputes />
  </>
)

const DisputeCard = ({
  of: { id, campaign, developer, amountCents, openedAt, evidenceDueAt, reason },
}: {
  of: Dispute
}) => (
  <Card
    title={<span className="wrap-anywhere">{campaign.title}</span>}
    description={
      <>
        {developer.name} · opened <RelativeTime at={openedAt} />
      </>
    }
    action={<Money cents={amountCents} className="font-semibold" />}
  >
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="grid min-w-0 gap-1">
        <p className="wrap-anywhere">{reason}</p>
        {evidenceDueAt && (
          <p className="text-sm text-muted-foreground">
            Evidence due <DateTime at={evidenceDueAt} withTime />
          </p>
        )}
      </div>
      <ButtonLink to={paths.dispute(id)}>
        Open the case<span className="sr-only"> of {campaign.title}</span>
      </ButtonLink>
    </div>
  </Card>
)
