import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Email } from '../../kit/web/ui/Email.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Payment } from '../contract.ts'
import { dateTimeIn, paperNumber, receiptTitle, timesNote } from '../paperWords.ts'
import { paymentQuery } from './calls.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { paperApi } from './paperCalls.ts'
import { TransactionBadge } from './TransactionBadge.tsx'
import { InAccountZone, PaperPage } from './Paper.tsx'
import { receiptFacts, receiptNote, totalLabels } from './paperFacts.tsx'
import { ForCampaign, PaperSheet, partsOf, Person, Reference } from './PaperSheet.tsx'

/** The receipt of one payment. */
export const ReceiptPage = () => {
  const { id = '' } = useParams()
  const payment = useQuery(paymentQuery(id))
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
        ...receiptFacts({
          number: paperNumber('RECEIPT', payment),
          date: dateTimeIn(timeZone, payment.createdAt),
          campaign: <ForCampaign of={payment} />,
          person: <Person of={payment.developer} />,
          paymentMethod: <Email address={payment.paymentMethod} />,
          reference: <Reference id={payment.id} />,
        }),
        ...(payment.failureReason === null ? [] : [{ label: 'Failure reason', value: payment.failureReason }]),
      ]}
      sums={[
        ...(failed ? [] : partsOf(payment)),
        {
          label: failed ? 'Declined amount' : totalLabels.receipt,
          value: <Money cents={payment.totalCents} />,
          strong: true,
        },
      ]}
      note={
        <>
          <p>{failed ? 'You were not charged.' : receiptNote}</p>
          <p>{timesNote(timeZone)}</p>
        </>
      }
    />
  )
}
