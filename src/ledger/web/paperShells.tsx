/** Papers before their code has loaded (src/app/web/screenShells.tsx): as they usually are, once the server has answered. */
import { FileDown, Printer, Sheet } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import type { DescriptionItem } from '../../kit/web/ui/Card.tsx'
import { type Needs, OnceSaid, Said } from '../../kit/web/ui/Said.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { unknownBadge } from '../../kit/web/ui/unknownBadge.tsx'
import { timesNote } from '../paperWords.ts'
import {
  creditNoteFacts,
  creditNoteNote,
  partLabels,
  payoutAdviceFacts,
  payoutAdviceNotes,
  receiptFacts,
  receiptNote,
  totalLabels,
} from './paperFacts.tsx'
import { ForCampaign, PaperSheet, Person, Reference } from './PaperSheet.tsx'

const buttonsWith = (more: ReactNode) => (
  <span inert className="flex flex-wrap gap-2 print:hidden">
    <Button variant="outline">
      <Printer aria-hidden /> Print
    </Button>
    <Button variant="outline">
      <FileDown aria-hidden /> PDF
    </Button>
    {more}
  </span>
)

/** Their place is in the header. */
export const paperButtons = buttonsWith(null)
export const statementButtons = buttonsWith(
  <Button variant="outline">
    <Sheet aria-hidden /> CSV
  </Button>,
)

const blank = '\u00A0'
const campaign = <ForCampaign of={{ campaign: { id: ':campaign.id', title: <Said field="campaign.title" /> } }} />
const reference = <Reference inert id="" shown={<Said field="id" />} />
const person = (of: string) => (
  <Person of={{ name: <Said field={`${of}.name`} />, email: <Said field={`${of}.email`} /> }} />
)

const parts = Object.values(partLabels).map(label => ({ label, value: blank }))
const [beforeZone, afterZone] = timesNote('\n').split('\n')

type Props = {
  needs: Needs
  facts: readonly DescriptionItem[]
  sums: DescriptionItem[]
  note: ReactNode
  until?: ReactNode
}

const PaperShell = ({ needs, note, until = <Skeleton className="h-120 max-w-2xl" />, ...sheet }: Props) => (
  <OnceSaid needs={needs} until={until}>
    <PaperSheet
      {...sheet}
      badge={unknownBadge}
      note={
        <>
          <p>{note}</p>
          <p>
            {beforeZone}
            <Said field="others.0.timeZone" />
            {afterZone}
          </p>
        </>
      }
    />
  </OnceSaid>
)

const total = (label: string) => ({ label, value: blank, strong: true })

export const ReceiptShell = () => (
  <PaperShell
    needs={{ failureReason: [''] }}
    facts={receiptFacts({
      number: blank,
      date: blank,
      campaign,
      person: person('developer'),
      paymentMethod: blank,
      reference,
    })}
    sums={[...parts, total(totalLabels.receipt)]}
    note={receiptNote}
  />
)

export const CreditNoteShell = () => (
  <PaperShell
    needs={{ 'parts.length': [1], 'parts.0.paidOutside': [''], 'parts.0.paidByBank': [false] }}
    facts={creditNoteFacts({
      number: blank,
      date: blank,
      refunded: blank,
      campaign,
      person: person('developer'),
      parts: [blank],
      reference,
    })}
    sums={[...parts, total(totalLabels.creditNote)]}
    note={creditNoteNote}
  />
)

export const PayoutAdviceShell = () => <AdviceShell status="PENDING" until={<AdviceShell status="COMPLETED" />} />

const AdviceShell = ({ status, until }: { status: 'PENDING' | 'COMPLETED'; until?: ReactNode }) => (
  <PaperShell
    needs={{ status: [status] }}
    until={until}
    facts={payoutAdviceFacts({
      number: <Said field="number" />,
      requested: blank,
      settled: blank,
      destination: blank,
      person: person('tester'),
      reference,
      failed: false,
      returned: null,
      failureReason: null,
    })}
    sums={[total(totalLabels.payoutAdvice)]}
    note={payoutAdviceNotes[status]}
  />
)
