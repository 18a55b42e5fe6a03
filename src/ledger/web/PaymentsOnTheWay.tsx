import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { PaymentOnTheWay } from '../contract.ts'

const stateOf = ({ isUnfinished, goesBack }: PaymentOnTheWay): string => {
  if (isUnfinished) return 'Finish it from the campaign’s page, unless you have already paid.'
  return goesBack
    ? 'The campaign no longer needs it. We will refund it once it arrives.'
    : 'Waiting for the payment provider to confirm it.'
}

/** Their outcome is unknown, so they are not in any total or on any line of the statement yet. */
export const PaymentsOnTheWay = ({ of: payments }: { of: readonly PaymentOnTheWay[] }) => (
  <Card title={payments.length === 1 ? 'Payment on its way' : 'Payments on their way'} flush>
    <ul className="divide-y">
      {payments.map(payment => (
        <li key={payment.id} className="flex items-start justify-between gap-4 px-5 py-3">
          <div className="min-w-0">
            <p>
              <Link to={paths.campaign(payment.campaign.id)} className="font-medium underline wrap-anywhere">
                {payment.campaign.title}
              </Link>
            </p>
            <p className="text-muted-foreground">
              {stateOf(payment)} Started on <DateTime at={payment.createdAt} withTime />.
            </p>
          </div>
          <Money cents={payment.amountCents} className="shrink-0 font-medium" />
        </li>
      ))}
    </ul>
  </Card>
)
