import { Email } from '../../kit/web/ui/Email.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Refund } from '../contract.ts'
import { dateTimeIn, paperNumber, timesNote } from '../paperWords.ts'
import { refundQuery } from './calls.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { creditNoteTitle } from './heads.ts'
import { paperApi } from './paperCalls.ts'
import { TransactionBadge } from './TransactionBadge.tsx'
import { InAccountZone, PaperPage } from './Paper.tsx'
import { creditNoteFacts, creditNoteNote, totalLabels } from './paperFacts.tsx'
import { ForCampaign, PaperSheet, partsOf, Person, Reference } from './PaperSheet.tsx'

/** The credit note of one refund. */
export const CreditNotePage = () => {
  const { id = '' } = useParams()
  const refund = useQuery(refundQuery(id))
  return (
    <PaperPage
      of={refund}
      title={creditNoteTitle}
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
    facts={creditNoteFacts({
      number: paperNumber('CREDIT_NOTE', refund),
      date: dateTimeIn(timeZone, refund.createdAt),
      refunded: refund.settledAt === null ? 'Processing' : dateTimeIn(timeZone, refund.settledAt),
      campaign: <ForCampaign of={refund} />,
      person: <Person of={refund.developer} />,
      parts: refund.parts.map(part => <Part key={part.paymentId} of={part} alone={refund.parts.length === 1} />),
      reference: <Reference id={refund.id} />,
    })}
    sums={[
      ...partsOf(refund),
      { label: totalLabels.creditNote, value: <Money cents={refund.totalCents} />, strong: true },
    ]}
    note={
      <>
        <p>
          {refund.parts.some(({ paidOutside }) => paidOutside !== null)
            ? 'The unused part of what you paid for this campaign. What could not be refunded to your payment method was paid to you by other means, under the reference above.'
            : refund.parts.length === 1
              ? creditNoteNote
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
