/** What each paper says about its subject, in order, also before the screen's code has loaded (paperShells.tsx). */
import type { ReactNode } from 'react'
import type { DescriptionItem } from '../../kit/web/ui/Card.tsx'

type Facts<Names extends string> = Record<Names, ReactNode>
type Lines = readonly DescriptionItem[]

export const receiptFacts = (
  of: Facts<'number' | 'date' | 'campaign' | 'person' | 'paymentMethod' | 'reference'>,
): Lines => [
  { label: 'Number', value: of.number },
  { label: 'Date', value: of.date },
  { label: 'For', value: of.campaign },
  { label: 'Paid by', value: of.person },
  { label: 'Payment method', value: of.paymentMethod },
  { label: 'Reference', value: of.reference },
]

export const receiptNote =
  'Held for this campaign and paid out as tests are verified. Anything unused goes back to the payment methods it was charged to.'

export const creditNoteFacts = (
  of: Facts<'number' | 'date' | 'refunded' | 'campaign' | 'person' | 'reference'> & { parts: readonly ReactNode[] },
): Lines => [
  { label: 'Number', value: of.number },
  { label: 'Date', value: of.date },
  { label: 'Refunded', value: of.refunded },
  { label: 'For', value: of.campaign },
  { label: 'Refunded to', value: of.person },
  ...of.parts.map(value => ({ label: 'Payment method', value })),
  { label: 'Reference', value: of.reference },
]

/** Of a refund to one payment method. */
export const creditNoteNote =
  'The unused part of your payment for this campaign, refunded to the original payment method.'

type Advice = Facts<'number' | 'requested' | 'settled' | 'destination' | 'person' | 'reference'> & {
  failed: boolean
  returned: ReactNode
  failureReason: ReactNode
}

export const payoutAdviceFacts = (of: Advice): Lines => [
  { label: 'Number', value: of.number },
  { label: 'Requested', value: of.requested },
  { label: of.failed ? 'Failed' : 'Paid out', value: of.settled },
  ...(of.returned === null ? [] : [{ label: 'Back in your balance', value: of.returned }]),
  { label: 'Destination', value: of.destination },
  { label: 'Paid to', value: of.person },
  ...(of.failureReason === null ? [] : [{ label: 'Failure reason', value: of.failureReason }]),
  { label: 'Reference', value: of.reference },
]

export const payoutAdviceNotes = {
  PENDING: 'The amount has left your balance and is on its way.',
  COMPLETED: 'The gross amount left your balance. Fieldtest withholds nothing from it.',
  FAILED: 'The payout failed, and the whole amount is back in your balance.',
  RETURNED: 'The amount was paid out and sent back. It is in your balance again.',
}

export const partLabels = { testersPay: 'Testers’ pay', fee: 'Platform fee' }
export const totalLabels = { receipt: 'Total paid', creditNote: 'Total refunded', payoutAdvice: 'Gross amount' }
