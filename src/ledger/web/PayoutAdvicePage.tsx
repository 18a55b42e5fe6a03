import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Badge, type Tone } from '../../kit/web/ui/Badge.tsx'
import { Email } from '../../kit/web/ui/Email.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { dateTimeIn, timesNote } from '../paperWords.ts'
import type { PayoutAdvice } from '../papersContract.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { InAccountZone, PaperPage } from './Paper.tsx'
import { payoutAdviceFacts, payoutAdviceNotes, totalLabels } from './paperFacts.tsx'
import { PaperSheet, Person, Reference } from './PaperSheet.tsx'
import { payoutAdviceTitle } from './heads.ts'
import { paperApi, payoutAdviceQuery } from './paperCalls.ts'

const home = { name: 'Balance', to: paths.balance }

/** The payout advice of one withdrawal. */
export const PayoutAdvicePage = () => {
  const { id = '' } = useParams()
  const advice = useQuery(payoutAdviceQuery(id))
  return (
    <PaperPage
      of={advice}
      title={payoutAdviceTitle}
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

const Sheet = ({ of: advice, timeZone }: { of: PayoutAdvice; timeZone: string }) => (
  <PaperSheet
    badge={<Badge tone={looks[advice.status].tone}>{looks[advice.status].label}</Badge>}
    facts={payoutAdviceFacts({
      number: advice.number,
      requested: dateTimeIn(timeZone, advice.createdAt),
      failed: advice.status === 'FAILED',
      settled: advice.settledAt === null ? 'Not yet' : dateTimeIn(timeZone, advice.settledAt),
      returned: advice.returnedAt === null ? null : dateTimeIn(timeZone, advice.returnedAt),
      destination: <Email address={advice.destination} />,
      person: <Person of={advice.tester} />,
      failureReason: advice.failureReason,
      reference: <Reference id={advice.id} />,
    })}
    sums={[{ label: totalLabels.payoutAdvice, value: <Money cents={advice.amountCents} />, strong: true }]}
    note={
      <>
        <p>{payoutAdviceNotes[advice.status]}</p>
        <p>{timesNote(timeZone)}</p>
      </>
    }
  />
)
