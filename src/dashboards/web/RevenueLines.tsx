import { useQuery } from '@tanstack/react-query'
import { Receipt } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import { formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import type { PageAt } from '../../kit/web/urlFilters.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
import { Pager } from '../../kit/web/ui/Pager.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { passFocusOn } from '../../kit/web/ui/passFocus.ts'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { PlatformAnalytics, RevenueLine } from '../contract.ts'
import { revenueLinesQuery } from './calls.ts'
import { inPeriodWords } from './periods.ts'

type Props = { of: PlatformAnalytics; at: PageAt; onTurn: (to: PageAt) => void; onClose: () => void }

/** The payments and refunds that make up the revenue of the period. */
export const RevenueLines = ({ of: { period, inPeriod }, at, onTurn, onClose }: Props) => (
  <Card
    className="mt-6"
    title="Payments and refunds"
    description={`Revenue ${inPeriodWords[period]}: ${formatCents(inPeriod.revenueCents)}`}
    action={<CloseButton onClose={onClose} />}
    flush
  >
    <Query
      of={useQuery(revenueLinesQuery(period, at))}
      loading={
        <div className="p-5">
          <SkeletonList count={6} className="h-10" />
        </div>
      }
      errorTitle="Failed to load payments"
      empty={<NoLines page={at.page} onFirst={() => onTurn({ page: 1 })} />}
    >
      {loaded => (
        <>
          <Table caption="Payments and refunds" columns={columns} rows={loaded.data} keyOf={({ id }) => id} />
          <div className="border-t px-5 py-3">
            <Pager of={loaded} onTurn={onTurn} />
          </div>
        </>
      )}
    </Query>
  </Card>
)

/** Passes the focus on to the screen when the panel closes. */
const CloseButton = ({ onClose }: Pick<Props, 'onClose'>) => {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => () => passFocusOn(button.current), [])
  return (
    <Button ref={button} variant="outline" size="sm" onClick={onClose}>
      Close
    </Button>
  )
}

const NoLines = ({ page, onFirst }: { page: number; onFirst: () => void }) => (
  <div className="p-5">
    <NoRows
      page={page}
      onFirst={onFirst}
      none={<EmptyState title="No payments or refunds" icon={<Receipt aria-hidden />} />}
    />
  </div>
)

const linkStyle = 'text-link underline decoration-1 underline-offset-4'

const kinds: Record<RevenueLine['kind'], string> = {
  PAYMENT: 'Payment',
  REFUND: 'Refund',
  TAKEN_BACK: 'Taken back by the bank',
  RETURNED: 'Returned by the bank',
}

const columns: Column<RevenueLine>[] = [
  {
    head: 'Type',
    primary: true,
    cell: ({ kind, campaign }) => (
      <>
        {kinds[kind]}
        <span className="block font-normal">
          <Link to={paths.campaign(campaign.id)} className={linkStyle}>
            {campaign.title}
          </Link>
        </span>
      </>
    ),
  },
  {
    head: 'Developer',
    cell: ({ developer }) => (
      <Link to={paths.user(developer.id)} className={linkStyle}>
        {developer.name}
      </Link>
    ),
  },
  { head: 'Date', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  {
    head: 'Amount',
    align: 'right',
    cell: ({ amountCents }) => (
      <Money cents={Math.abs(amountCents)} sign={amountCents > 0 ? '+' : '−'} className="font-medium" />
    ),
  },
]
