import type { DescriptionItem } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { BalanceSums, PaymentSums } from '../papersContract.ts'

/** What was added or taken away, with its sign. */
export const Moved = ({ cents, className }: { cents: number; className?: string }) => (
  <Money cents={Math.abs(cents)} {...(cents !== 0 && { sign: cents > 0 ? '+' : '−' })} className={className} />
)

export const balanceItems = (sums: BalanceSums): DescriptionItem[] => [
  { label: 'Opening balance', value: <Money cents={sums.openingCents} /> },
  { label: 'Earned', value: <Moved cents={sums.earnedCents} /> },
  { label: 'Withdrawn', value: <Moved cents={-sums.withdrawnCents} /> },
  { label: 'Returned withdrawals', value: <Moved cents={sums.returnedCents} /> },
  { label: 'Closing balance', value: <Money cents={sums.closingCents} />, strong: true },
]

export const netOf = ({ testersPayCents, feeCents, refundedPayCents, refundedFeeCents }: PaymentSums): number =>
  testersPayCents + feeCents - refundedPayCents - refundedFeeCents

export const paymentItems = (sums: PaymentSums): DescriptionItem[] => [
  { label: 'Paid in for testers’ pay', value: <Money cents={sums.testersPayCents} /> },
  { label: 'Paid in for platform fees', value: <Money cents={sums.feeCents} /> },
  { label: 'Refunds of testers’ pay', value: <Moved cents={-sums.refundedPayCents} /> },
  { label: 'Refunds of platform fees', value: <Moved cents={-sums.refundedFeeCents} /> },
  { label: 'Paid, less refunds', value: <Money cents={netOf(sums)} />, strong: true },
]
