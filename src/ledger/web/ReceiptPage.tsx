import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Email } from '../../kit/web/ui/Email.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Payment } from '../contract.ts'
import { dateTimeIn, paperNumber, receiptTitle, timesNote } from '../paperWords.ts'
import { api } from './calls.ts'
import { ledgerKeys } from './keys.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { paperApi } from './paperCalls.ts'
import { TransactionBadge } from './TransactionBadge.tsx'
import { ForCampaign, InAccountZone, PaperPage, PaperSheet, partsOf, Person, Reference } from './Paper.tsx'

/** The receipt of one payment. */
export const ReceiptPage = () => {
  const { id = '' } = useParams()
  const payment = useQuery({
    queryKey: ledgerKeys.payment(id),
    queryFn: ({ signal }) => api.payment({ params: { id }, signal }),
  })
  return (
    <PaperPage
      of={payment}
      title={receiptTitle(payment.data?.status ?? 'COMPLETED')}
      subject="payment"
      renderFiles={loaded => (
        <DownloadButton
          kind="PDF"
          fileName={`${paperNumber('RECEIPT', loaded)}.pdf`}
          ask={() => paperApi.receiptPdf({ params: { id } })}
        />
      )}
    >
      {loaded => <InAccountZone>{timeZone => <Receipt of={loaded} timeZone={timeZone} />}</InAccountZone>}
    </PaperPage>
  )
}

const Receipt = ({ of: payment, timeZone }: { of: Payment; timeZone: string }) => {
  const failed = payment.status === 'FAILED'
  return (
    <PaperSheet
      badge={<TransactionBadge status={payment.status} />}
      facts={[
        { label: 'Number', value: paperNumber('RECEIPT', payment) },
        { label: 'Date', value: dateTimeIn(timeZone, payment.createdAt) },
        { label: 'For', value: <ForCampaign of={payment} /> },
        { label: 'Paid by', value: <Person of={payment.developer} /> },
        { label: 'Payment method', value: <Email address={payment.paymentMethod} /> },
        { label: 'Reference', value: <Reference id={payment.id} /> },
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
        <>
          <p>
            {failed
              ? 'You were not charged.'
              : 'Held for this campaign and paid out as tests are verified. Anything unused goes back to the payment methods it was charged to.'}
          </p>
          <p>{timesNote(timeZone)}</p>
        </>
      }
    />
  )
}
