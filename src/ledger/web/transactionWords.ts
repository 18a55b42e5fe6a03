import type { Role } from '../../kit/roles.ts'
import type { Tone } from '../../kit/web/ui/Badge.tsx'
import type { Transaction, TransactionStatus, TransactionType } from '../contract.ts'

export const statusLooks: Record<TransactionStatus, { label: string; tone: Tone }> = {
  COMPLETED: { label: 'Completed', tone: 'green' },
  PENDING: { label: 'Pending', tone: 'yellow' },
  FAILED: { label: 'Failed', tone: 'red' },
  REFUNDED: { label: 'Refunded', tone: 'blue' },
}

const developerWords: Record<TransactionType, string> = {
  DEBIT: 'Testers’ pay',
  FEE: 'Platform fee',
  CREDIT: 'Refund',
  PAYOUT: 'Payout',
}

const testerWords: Record<TransactionType, string> = {
  CREDIT: 'Earning',
  PAYOUT: 'Withdrawal',
  DEBIT: 'Debit',
  FEE: 'Fee',
}

export const typeWord = ({ type, status, paymentCents }: Transaction, role: Role): string => {
  if (role === 'DEVELOPER') return paymentCents === null ? developerWords[type] : 'Payment'
  return type === 'CREDIT' && status === 'REFUNDED' ? 'Withdrawal returned' : testerWords[type]
}

/** A payment is shown as one line, whose parts are the testers' pay and the fee. */
export const shownCents = ({ amountCents, paymentCents }: Transaction): number => paymentCents ?? amountCents

/**
 * Which way the money went. A failed withdrawal left the balance and came back as a line of its own; a declined payment
 * moved nothing.
 */
export const signOf = ({ type, status }: Transaction): '+' | '−' | null => {
  if (type === 'CREDIT') return '+'
  return type !== 'PAYOUT' && status === 'FAILED' ? null : '−'
}
