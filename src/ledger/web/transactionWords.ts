import type { Role } from '../../kit/roles.ts'
import type { Tone } from '../../kit/web/ui/Badge.tsx'
import type { Transaction, TransactionStatus } from '../contract.ts'
import { lineWord, statusWord } from '../paperWords.ts'

const tones: Record<TransactionStatus, Tone> = {
  COMPLETED: 'green',
  PENDING: 'yellow',
  FAILED: 'red',
  REFUNDED: 'blue',
}

export const lookOf = (status: TransactionStatus): { label: string; tone: Tone } => ({
  label: statusWord[status],
  tone: tones[status],
})

export const typeWord = (transaction: Transaction, role: Role): string =>
  role === 'DEVELOPER' && transaction.paymentCents !== null ? 'Payment' : lineWord(transaction, role)

/** A payment is shown as one line that adds up the testers' pay and the fee. */
export const shownCents = ({ amountCents, paymentCents }: Transaction): number => paymentCents ?? amountCents

/**
 * The direction in which the money went. A failed withdrawal left the balance and came back as a line of its own; a declined
 * payment moved nothing.
 */
export const signOf = ({ type, status }: Transaction): '+' | '−' | null => {
  if (type === 'CREDIT') return '+'
  return type !== 'PAYOUT' && status === 'FAILED' ? null : '−'
}
