import { Receipt } from 'lucide-react'
import { paths } from '../../app/web/paths.ts'
import { ButtonLink } from '../../app/web/ui/Button.tsx'
import { Card } from '../../app/web/ui/Card.tsx'
import { PageHeader } from '../../app/web/ui/PageHeader.tsx'
import { EmptyState } from '../../app/web/ui/States.tsx'
import { AllTransactions, usePageNumber } from './AllTransactions.tsx'
import { PaymentMethodCard } from './PaymentMethodCard.tsx'

export const PaymentsPage = () => {
  const [page, setPage] = usePageNumber()
  return (
    <>
      <PageHeader title="Payments" description="What you paid in for your campaigns, and what came back." />
      <div className="grid gap-5">
        <PaymentMethodCard />
        <Card title="Transactions" flush>
          <AllTransactions page={page ?? 1} onPage={next => void setPage(next)} empty={<NothingPaid />} />
        </Card>
      </div>
    </>
  )
}

const NothingPaid = () => (
  <EmptyState
    icon={<Receipt aria-hidden />}
    title="No payments yet"
    hint="The testers’ pay and the platform fee appear here once you fund a campaign."
    action={<ButtonLink to={paths.campaignCreate}>Create campaign</ButtonLink>}
  />
)
