import { useQuery } from '@tanstack/react-query'
import { Receipt } from 'lucide-react'
import { paths } from '../../kit/paths.ts'
import { paidAtProvider } from '../../kit/web/paidAtProvider.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import type { PaymentSummary } from '../contract.ts'
import { AllTransactions } from './AllTransactions.tsx'
import { FigureLink } from './FigureLink.tsx'
import { paymentsHead } from './heads.ts'
import { PaymentsOnTheWay } from './PaymentsOnTheWay.tsx'
import { PaymentMethodCard } from './PaymentMethodCard.tsx'
import { summaryQuery } from './calls.ts'
import { useStatementFilter } from './statementFilter.ts'

export const PaymentsPage = () => (
  <>
    <PageHeader {...paymentsHead} />
    <div className="grid gap-5">
      <Totals />
      {/* Above the list, which would otherwise push it down when it loads. A provider with a page of its own asks for the method there. */}
      {!paidAtProvider() && <PaymentMethodCard />}
      <Card
        title="Transactions"
        flush
        action={
          <ButtonLink variant="outline" size="sm" to={paths.statements}>
            Statements
          </ButtonLink>
        }
      >
        <AllTransactions empty={<NothingPaid />} />
      </Card>
    </div>
  </>
)

const grid = 'grid grid-cols-2 gap-3 lg:grid-cols-4'

const Totals = () => {
  const summary = useQuery(summaryQuery)
  return (
    <Query
      of={summary}
      loading={
        <div className={grid}>
          {['paid', 'fees', 'refunded', 'on the way'].map(figure => (
            <Skeleton key={figure} className="h-24 rounded-xl" />
          ))}
        </div>
      }
      errorTitle="Failed to load the totals"
    >
      {sums => (
        <>
          <Figures of={sums} />
          {sums.paymentsOnTheWay?.length ? <PaymentsOnTheWay of={sums.paymentsOnTheWay} /> : null}
        </>
      )}
    </Query>
  )
}

const Figures = ({ of: sums }: { of: PaymentSummary }) => {
  const { filter } = useStatementFilter()
  return (
    <div className={grid}>
      <FigureLink
        label="Paid in"
        cents={sums.paidInCents}
        caption="Testers’ pay and platform fees"
        lines={{ type: 'DEBIT,FEE', status: 'COMPLETED' }}
        shown={filter}
      />
      <FigureLink
        label="Platform fees"
        cents={sums.feeCents}
        caption="Included in “Paid in”"
        lines={{ type: 'FEE', status: 'COMPLETED' }}
        shown={filter}
      />
      <FigureLink
        label="Refunded"
        cents={sums.refundedCents}
        caption="Returned to you"
        lines={{ type: 'CREDIT', status: 'COMPLETED' }}
        shown={filter}
      />
      <FigureLink
        label="On the way back"
        cents={sums.onTheWayBackCents}
        caption="Refunds being processed"
        lines={{ type: 'CREDIT', status: 'PENDING' }}
        shown={filter}
      />
    </div>
  )
}

const NothingPaid = () => (
  <EmptyState
    icon={<Receipt aria-hidden />}
    title="No payments yet"
    hint="A payment for a campaign appears here once it is made or declined."
    action={<ButtonLink to={paths.campaignCreate}>Create Campaign</ButtonLink>}
  />
)
