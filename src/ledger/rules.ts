/** The rules of withdrawals (spec §5; product.md §4). The SQL function request_withdrawal enforces the same. */
import type { Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import { type Cents, formatCents } from '../kit/money.ts'

export const insufficientBalance = () =>
  new DomainError('INSUFFICIENT_BALANCE', 'Insufficient balance', { fields: { amountCents: 'Insufficient balance' } })

export const payoutsPaused = () =>
  new DomainError(
    'PAYOUT_METHOD_PAUSED',
    'Your payment method changed less than 24 hours ago. Withdrawals are paused until then, to keep your money safe.',
  )

export type WithdrawalProblem = 'EMPTY' | 'BELOW_MINIMUM' | 'ABOVE_BALANCE' | 'PAUSED'

/** Why this amount cannot be withdrawn now; null if it can. */
export const withdrawalProblem = (
  amountCents: Cents | null,
  { balanceCents, minimumWithdrawalCents }: { balanceCents: Cents; minimumWithdrawalCents: Cents },
  pausedUntil: Instant | null,
): WithdrawalProblem | null => {
  if (amountCents === null) return 'EMPTY'
  if (amountCents < minimumWithdrawalCents) return 'BELOW_MINIMUM'
  if (pausedUntil !== null) return 'PAUSED'
  return amountCents > balanceCents ? 'ABOVE_BALANCE' : null
}

const minimumSentence = (minimumCents: Cents) =>
  `Minimum withdrawal amount is ${formatCents(minimumCents).replace('.00', '')}`

/** Messages of the spec (§5). */
export const withdrawalSentence: Record<Exclude<WithdrawalProblem, 'EMPTY'>, (minimumCents: Cents) => string> = {
  BELOW_MINIMUM: minimumSentence,
  ABOVE_BALANCE: () => 'Insufficient balance',
  PAUSED: () => payoutsPaused().message,
}

export const belowMinimum = (minimumCents: Cents) =>
  new DomainError('INVALID_INPUT', minimumSentence(minimumCents), {
    fields: { amountCents: minimumSentence(minimumCents) },
  })

export const declinedSentence = (reason: string) => `The payment was declined. ${reason}`
