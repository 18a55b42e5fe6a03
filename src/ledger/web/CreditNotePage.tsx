import { Email } from '../../kit/web/ui/Email.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Refund } from '../contract.ts'
import { dateTimeIn, paperNumber, timesNote } from '../paperWords.ts'
import { api } from './calls.ts'
import { ledgerKeys } from './keys.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { paperApi } from './paperCalls.ts'
import { TransactionBadge } from './TransactionBadge.tsx'
import { ForCampaign, InAccountZone, PaperPage, PaperSheet, partsOf, Person, Reference } from './Paper.tsx'

/** The credit note of one refund. */
export const CreditNotePage = () => {
  const { id = '' } = useParams()
  const refund = useQuery({
    queryKey: ledgerKeys.refund(id),
    queryFn: ({ signal }) => api.refund({ params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? 3000 : false),
  })
  return (
    <PaperPage
      of={refund}
      title="Credit note"
      subject="refund"
      renderFiles={loaded => (
        <DownloadButton
          kind="PDF"
          fileName={`${paperNumber('CREDIT_NOTE', loaded)}.pdf`}
          ask={() => paperApi.creditNotePdf({ params: { id } })}
        />
      )}
    >
      {loaded => <InAccountZone>{timeZone => <CreditNote of={loaded} timeZone={timeZone} />}</InAccountZone>}
    </PaperPage>
  )
}

const CreditNote = ({ of: refund, timeZone }: { of: Refund; timeZone: string }) => (
  <PaperSheet
    badge={<TransactionBadge status={refund.status} />}
    facts={[
      { label: 'Number', value: paperNumber('CREDIT_NOTE', refund) },
      { label: 'Date', value: dateTimeIn(timeZone, refund.createdAt) },
      {
        label: 'Refunded',
        value: refund.settledAt === null ? 'Processing' : dateTimeIn(timeZone, refund.settledAt),
      },
      { label: 'For', value: <ForCampaign of={refund} /> },
      { label: 'Refunded to', value: <Person of={refund.developer} /> },
      ...refund.parts.map(part => ({
        label: 'Payment method',
        value: <Part of={part} alone={refund.parts.length === 1} />,
      })),
      { label: 'Reference', value: <Reference id={refund.id} /> },
    ]}
    sums={[...partsOf(refund), { label: 'Total refunded', value: <Money cents={refund.totalCents} />, strong: true }]}
    note={
      <>
        <p>
          {refund.parts.some(({ paidOutside }) => paidOutside !== null)
            ? 'The unused part of what you paid for this campaign. What could not be refunded to your payment method was paid to you by other means, under the reference above.'
            : refund.parts.length === 1
              ? 'The unused part of your payment for this campaign, refunded to the original payment method.'
              : 'The unused part of your payments for this campaign, refunded to the payment methods they were charged to.'}
        </p>
        <p>{timesNote(timeZone)}</p>
      </>
    }
  />
)

/** What goes back to one payment. If there is only one, it needs no amount of its own. */
const Part = ({ of: part, alone }: { of: Refund['parts'][number]; alone: boolean }) => (
  <>
    <Link
      to={paths.receipt(part.paymentId)}
      className="underline-offset-4 hover:underline"
      title="Receipt of the payment"
    >
      <Email address={part.paymentMethod} />
    </Link>
    {!alone && (
      <span className="block text-muted-foreground">
        <Money cents={part.amountCents} />, {part.settledAt === null ? 'processing' : 'refunded'}
      </span>
    )}
    {part.paidByBank && <span className="block text-muted-foreground">Returned by your bank after a dispute</span>}
    {part.paidOutside !== null && (
      <span className="block text-muted-foreground">Paid by other means: {part.paidOutside}</span>
    )}
  </>
)
