/** The rules of withdrawals (spec §5; product.md §4). The SQL function request_withdrawal enforces the same. */
import type { PauseReason } from '../accounts/rules.ts'
import { daysAfter, hoursBetween, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import { type Cents, formatCents } from '../kit/money.ts'

export const insufficientBalance = () =>
  new DomainError('INSUFFICIENT_BALANCE', 'Insufficient balance', { fields: { amountCents: 'Insufficient balance' } })

/** A stolen card is tried out many times; an honest mistake is not. */
export const declinedPaymentsPerDay = 10

/** `declinedAt`: of the last payments that were declined in the last 24 hours, the newest first. */
export const assertMayPay = (declinedAt: readonly Instant[], now: Instant): void => {
  const oldest = declinedAt[declinedPaymentsPerDay - 1]
  if (oldest === undefined) return
  const sentence = `${declinedPaymentsPerDay} of your payments were declined in the last 24 hours. Check your payment method, and try again later.`
  throw new DomainError('TOO_MANY_REQUESTS', sentence, {
    retryAfterSeconds: Math.max(1, 3600 * hoursBetween(now, daysAfter(oldest, 1))),
  })
}

/** What happened, as the beginning of a sentence. */
export const pauseCause: Record<PauseReason, string> = {
  PAYMENT_METHOD_CHANGED: 'Your payment method changed less than 24 hours ago',
  EMAIL_CHANGED: 'Your email address changed less than 72 hours ago',
  PASSWORD_RESET: 'Your password was reset less than 24 hours ago',
}

export const payoutsPaused = (because: PauseReason) =>
  new DomainError(
    'PAYOUT_METHOD_PAUSED',
    `${pauseCause[because]}. Withdrawals are paused until then, to keep your money safe.`,
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
  PAUSED: () => payoutsPaused('PAYMENT_METHOD_CHANGED').message,
}

export const belowMinimum = (minimumCents: Cents) =>
  new DomainError('INVALID_INPUT', minimumSentence(minimumCents), {
    fields: { amountCents: minimumSentence(minimumCents) },
  })

export const declinedSentence = (reason: string) => `The payment was declined. ${reason}`
