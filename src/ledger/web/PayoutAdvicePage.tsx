import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Badge, type Tone } from '../../kit/web/ui/Badge.tsx'
import { Email } from '../../kit/web/ui/Email.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { dateTimeIn, timesNote } from '../paperWords.ts'
import type { PayoutAdvice } from '../papersContract.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { InAccountZone, PaperPage, PaperSheet, Person, Reference } from './Paper.tsx'
import { paperApi, payoutAdviceQuery } from './paperCalls.ts'

const home = { name: 'Balance', to: paths.balance }

/** The payout advice of one withdrawal. */
export const PayoutAdvicePage = () => {
  const { id = '' } = useParams()
  const advice = useQuery(payoutAdviceQuery(id))
  return (
    <PaperPage
      of={advice}
      title="Payout advice"
      subject="withdrawal"
      home={home}
      renderFiles={({ number }) => (
        <DownloadButton
          kind="PDF"
          fileName={`${number}.pdf`}
          ask={() => paperApi.payoutAdvicePdf({ params: { id } })}
        />
      )}
    >
      {loaded => <InAccountZone>{timeZone => <Sheet of={loaded} timeZone={timeZone} />}</InAccountZone>}
    </PaperPage>
  )
}

const looks: Record<PayoutAdvice['status'], { label: string; tone: Tone }> = {
  PENDING: { label: 'On the way', tone: 'yellow' },
  COMPLETED: { label: 'Paid out', tone: 'green' },
  FAILED: { label: 'Failed', tone: 'red' },
  RETURNED: { label: 'Sent back', tone: 'blue' },
}

const notes: Record<PayoutAdvice['status'], string> = {
  PENDING: 'The amount has left your balance and is on its way.',
  COMPLETED: 'The gross amount left your balance. Fieldtest withholds nothing from it.',
  FAILED: 'The payout failed, and the whole amount is back in your balance.',
  RETURNED: 'The amount was paid out and sent back. It is in your balance again.',
}

const Sheet = ({ of: advice, timeZone }: { of: PayoutAdvice; timeZone: string }) => (
  <PaperSheet
    badge={<Badge tone={looks[advice.status].tone}>{looks[advice.status].label}</Badge>}
    facts={[
      { label: 'Number', value: advice.number },
      { label: 'Requested', value: dateTimeIn(timeZone, advice.createdAt) },
      {
        label: advice.status === 'FAILED' ? 'Failed' : 'Paid out',
        value: advice.settledAt === null ? 'Not yet' : dateTimeIn(timeZone, advice.settledAt),
      },
      ...(advice.returnedAt === null
        ? []
        : [{ label: 'Back in your balance', value: dateTimeIn(timeZone, advice.returnedAt) }]),
      { label: 'Destination', value: <Email address={advice.destination} /> },
      { label: 'Paid to', value: <Person of={advice.tester} /> },
      ...(advice.failureReason === null ? [] : [{ label: 'Failure reason', value: advice.failureReason }]),
      { label: 'Reference', value: <Reference id={advice.id} /> },
    ]}
    sums={[{ label: 'Gross amount', value: <Money cents={advice.amountCents} />, strong: true }]}
    note={
      <>
        <p>{notes[advice.status]}</p>
        <p>{timesNote(timeZone)}</p>
      </>
    }
  />
)
