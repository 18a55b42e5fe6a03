import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Email } from '../../kit/web/ui/Email.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { Payment } from '../contract.ts'
import { api } from './calls.ts'
import { ledgerKeys } from './keys.ts'
import { ForCampaign, PaperPage, PaperSheet, partsOf, Person, Reference } from './Paper.tsx'

/** The receipt of one payment. */
export const ReceiptPage = () => {
  const { id = '' } = useParams()
  const payment = useQuery({
    queryKey: ledgerKeys.payment(id),
    queryFn: ({ signal }) => api.payment({ params: { id }, signal }),
  })
  return (
    <PaperPage of={payment} title="Receipt" subject="payment">
      {loaded => <Receipt of={loaded} />}
    </PaperPage>
  )
}

const Receipt = ({ of: payment }: { of: Payment }) => {
  const failed = payment.status === 'FAILED'
  return (
    <PaperSheet
      status={payment.status}
      facts={[
        { label: 'Number', value: <Reference id={payment.id} /> },
        { label: 'Date', value: <DateTime at={payment.createdAt} withTime /> },
        { label: 'For', value: <ForCampaign of={payment} /> },
        { label: 'Paid by', value: <Person of={payment} /> },
        { label: 'Payment method', value: <Email address={payment.paymentMethod} /> },
        ...(payment.failureReason === null ? [] : [{ label: 'Failure reason', value: payment.failureReason }]),
      ]}
      sums={[
        ...(failed ? [] : partsOf(payment)),
        {
          label: failed ? 'Declined amount' : 'Total paid',
          value: <Money cents={payment.totalCents} />,
          strong: true,
        },
      ]}
      note={
        failed
          ? 'You were not charged.'
          : 'Held for this campaign and paid out as tests are verified. Anything unused goes back to the payment methods it was charged to.'
      }
    />
  )
}
