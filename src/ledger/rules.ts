/** The rules of withdrawals (spec §5; product.md §4). The SQL function request_withdrawal enforces the same. */
import type { PauseReason } from '../accounts/rules.ts'
import { daysAfter, hoursBetween, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import { type Cents, formatCents } from '../kit/money.ts'
import type { payoutAccountStatuses } from './terms.ts'

type PayoutAccountStatus = (typeof payoutAccountStatuses)[number]

/** In a restored copy: what the provider charged before it, perhaps for the same campaign, is not known here yet. */
export const assertChargesKnown = (isRestored: boolean): void => {
  if (!isRestored) return
  throw new DomainError('UNAVAILABLE', 'Payments are not possible at the moment. Nothing was charged.', {
    retryAfterSeconds: 300,
  })
}

/** After the data was restored: money that a tester has received must not be withdrawn again. */
export const assertAccountedFor = ({ isPaused, lostCents }: { isPaused: boolean; lostCents: Cents }): void => {
  if (isPaused) {
    const sentence = 'Withdrawals are not possible while we restore our data. Your balance is safe. Try again later.'
    throw new DomainError('UNAVAILABLE', sentence, { retryAfterSeconds: 300 })
  }
  if (lostCents > 0) {
    throw new DomainError(
      'WRONG_STATE',
      `${formatCents(lostCents)} was paid out to you before we restored our data from a backup, and your balance does not show it yet. You can withdraw again once your balance covers it.`,
    )
  }
}

export const stoppedSentence =
  'Withdrawals are on hold while we look into a discrepancy in our books. Your balance is safe, and withdrawals you have already requested will be paid when they resume.'

/** No retry in seconds helps: an admin has to say why withdrawals can resume. */
export const payoutsAreStopped = (sentence: string) =>
  new DomainError('UNAVAILABLE', sentence, { retryAfterSeconds: 3600 })

/** By how many cents each of the wrong rows is off, by what it is of. */
export type OffCents = Readonly<Record<string, number>>

/** Something else is wrong as well, or is off by more, or the other way. */
export const hasGrown = (known: OffCents, found: OffCents): boolean =>
  Object.entries(found).some(([of, cents]) => {
    const before = known[of]
    if (before === undefined) return true
    return Math.abs(cents) > Math.abs(before) || Math.sign(cents) * Math.sign(before) < 0
  })

export const insufficientBalance = () =>
  new DomainError('INSUFFICIENT_BALANCE', 'Insufficient balance', { fields: { amountCents: 'Insufficient balance' } })

/** A stolen card is tried out many times; an honest mistake is not. */
export const declinedPaymentsPerDay = 10

/**
 * `declinedAt`: of the last payments that were declined in the last 24 hours, the newest first. Each of those `onTheirWay` may be
 * declined as well.
 */
export const assertMayPay = (declinedAt: readonly Instant[], onTheirWay: number, now: Instant): void => {
  const oldest = declinedAt[declinedPaymentsPerDay - 1]
  if (oldest === undefined) {
    if (declinedAt.length + onTheirWay < declinedPaymentsPerDay) return
    const sentence = 'Several of your payments are still on their way. Try again in a moment.'
    throw new DomainError('TOO_MANY_REQUESTS', sentence, { retryAfterSeconds: 5 })
  }
  const sentence = `${declinedPaymentsPerDay} of your payments were declined in the last 24 hours. Check your payment method, and try again later.`
  throw new DomainError('TOO_MANY_REQUESTS', sentence, {
    retryAfterSeconds: Math.max(1, 3600 * hoursBetween(now, daysAfter(oldest, 1))),
  })
}

/** Whoever let a bank take a payment back, whose testers were paid, does not go on with other money of the same kind. */
export const assertOwesNothing = (owedCents: Cents): void => {
  if (owedCents <= 0) return
  throw new DomainError(
    'WRONG_STATE',
    `You still owe ${formatCents(owedCents)} for a payment that your bank took back. You can make new payments once your bank returns it, or what the disputed campaign has left covers it.`,
  )
}

/** What happened, as the beginning of a sentence. */
export const pauseCause: Record<PauseReason, string> = {
  PAYMENT_METHOD_CHANGED: 'Your payment method changed less than 24 hours ago',
  EMAIL_CHANGED: 'Your email address changed less than 72 hours ago',
  PASSWORD_RESET: 'Your password was reset less than 24 hours ago',
  PAYOUT_ACCOUNT_OPENED: 'Your payout account was set up less than 24 hours ago',
}

type Until = { until: Instant | null; timeZone: string }

/** Names the end in the tester's time zone, unless it came a moment ago. */
export const payoutsPaused = (because: PauseReason, { until, timeZone }: Until) =>
  new DomainError(
    'PAYOUT_METHOD_PAUSED',
    `${pauseCause[because]}. To keep your money safe, withdrawals are paused ${until === null ? 'for now' : `until ${inWords(until, timeZone)}`}.`,
  )

const inWords = (instant: Instant, timeZone: string) =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(Date.parse(instant))} (${timeZone})`

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
  PAUSED: () => `${pauseCause.PAYMENT_METHOD_CHANGED}. To keep your money safe, withdrawals are paused for now.`,
}

/** Why a tester's payout account cannot be paid to. */
const accountProblem: Record<Exclude<PayoutAccountStatus, 'READY'>, string> = {
  NONE: 'Set up your payout account first, from your balance page.',
  INCOMPLETE: 'Your payout account is missing some details. Open it from your balance page to complete it.',
  IN_REVIEW: 'Your payout account is being checked by the payment provider. You can withdraw once that is done.',
  REJECTED: 'The payment provider does not pay out to your account. Set up another one from your balance page.',
}

export const payoutAccountNeeded = (status: PayoutAccountStatus) =>
  new DomainError('WRONG_STATE', status === 'READY' ? accountProblem.INCOMPLETE : accountProblem[status])

export const payoutAccountInUse = () =>
  new DomainError(
    'WRONG_STATE',
    'A withdrawal is on its way to this payout account. You can remove the account once the withdrawal has arrived or come back.',
  )

/** Each is an account at Stripe for good. Whoever moves, or was mistaken in the country, needs one or two. */
export const payoutAccountLimits = { removed: 3, days: 30, attemptsPerHour: 5 } as const

/** `removedAt`: when their last payout accounts were removed, the newest first. */
export const assertMayOpenAccount = (removedAt: readonly Instant[], now: Instant): void => {
  const { removed, days } = payoutAccountLimits
  const oldest = removedAt[removed - 1]
  const hours = oldest === undefined ? 0 : hoursBetween(now, daysAfter(oldest, days))
  if (hours <= 0) return
  const left = Math.ceil(hours / 24)
  throw new DomainError(
    'TOO_MANY_REQUESTS',
    `You have removed ${removed} payout accounts in the last ${days} days. You can set up another one in ${left} ${left === 1 ? 'day' : 'days'}. Your balance is safe.`,
    { retryAfterSeconds: Math.max(1, 3600 * hours) },
  )
}

export const tooManyAttempts = (retryAfterSeconds: number) =>
  new DomainError(
    'TOO_MANY_REQUESTS',
    'You have tried to set up a payout account many times within the hour. Try again later.',
    { retryAfterSeconds },
  )

/** What is paid into a payout account and is less waits there. */
export const belowBankMinimum = (minimumCents: Cents, country: string) => {
  const least = formatCents(minimumCents).replace('.00', '')
  const sentence = `Stripe pays out at least ${least} at a time to banks in ${country}. Withdraw ${least} or more.`
  return new DomainError('INVALID_INPUT', sentence, { fields: { amountCents: sentence } })
}

export const belowMinimum = (minimumCents: Cents) =>
  new DomainError('INVALID_INPUT', minimumSentence(minimumCents), {
    fields: { amountCents: minimumSentence(minimumCents) },
  })

/** Of payouts and refunds: it is our money that is missing, and no method that refuses. */
export const notCoveredSentence = 'Our money at Stripe is not available yet. We try again every hour.'

/** After how many refusals, six hours apart, a part of a refund is asked for no more: five days. */
export const refusalsUntilStuck = 20

export const declinedSentence = (reason: string) => `The payment was declined. ${reason}`

/** A few cents may be due after an edit of what was paid before. */
export const belowLeastPayment = (leastCents: Cents, dueCents: Cents) =>
  new DomainError(
    'WRONG_STATE',
    `Stripe takes no payment below ${formatCents(leastCents)}, and ${formatCents(dueCents)} is due. Raise the pay or the number of testers until at least ${formatCents(leastCents)} is due.`,
  )

export const paymentWaits = () =>
  new DomainError(
    'WRONG_STATE',
    'A payment for this campaign is on its way. Its result shows here as soon as it is known.',
  )

/** Whoever pays edits or cancels the campaign in another tab meanwhile, or their bank takes an earlier payment back. */
export const paymentEnded = (status: 'CANCELLED' | 'RETURNED', owedCents: Cents) => {
  const why =
    owedCents > 0
      ? `You owe ${formatCents(owedCents)} for a payment that your bank took back.`
      : 'The campaign changed while you were paying.'
  const then = status === 'RETURNED' ? 'Your payment will be refunded to your payment method.' : 'You were not charged.'
  return new DomainError('WRONG_STATE', `${why} ${then}`)
}
