/** The rules of withdrawals (spec §5; product.md §4). The SQL function request_withdrawal enforces the same rules. */
import type { PauseReason } from '../accounts/rules.ts'
import { daysAfter, hoursBetween, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import { type Cents, formatCents } from '../kit/money.ts'
import type { payoutAccountStatuses } from './terms.ts'

type PayoutAccountStatus = (typeof payoutAccountStatuses)[number]

/** A restored copy does not know yet what the provider charged before the restore, which may be a payment for the same campaign. */
export const assertChargesKnown = (isRestored: boolean): void => {
  if (!isRestored) return
  throw new DomainError('UNAVAILABLE', 'Payments are not possible at the moment. Nothing was charged.', {
    retryAfterSeconds: 300,
  })
}

/** After a restore, a tester must not withdraw again money that they have already received. */
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

/** A quick retry does not help: first an admin has to record why withdrawals can resume. */
export const payoutsAreStopped = (sentence: string) =>
  new DomainError('UNAVAILABLE', sentence, { retryAfterSeconds: 3600 })

/** How many cents each wrong row is off, keyed by what the row belongs to. */
export type OffCents = Readonly<Record<string, number>>

/** Whether another row is wrong as well, or a known one is off by more, or in the other direction. */
export const hasGrown = (known: OffCents, found: OffCents): boolean =>
  Object.entries(found).some(([of, cents]) => {
    const before = known[of]
    if (before === undefined) return true
    return Math.abs(cents) > Math.abs(before) || Math.sign(cents) * Math.sign(before) < 0
  })

export const insufficientBalance = () =>
  new DomainError('INSUFFICIENT_BALANCE', 'Insufficient balance', { fields: { amountCents: 'Insufficient balance' } })

/** Fraudsters try out a stolen card many times; an honest mistake happens a few times. */
export const declinedPaymentsPerDay = 10

/**
 * `declinedAt`: when the latest payments of the last 24 hours were declined, newest first. The charges `onTheirWay` are counted
 * too, since each may still be declined.
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

/**
 * A developer whose bank took a payment back, although testers had been paid from it, must settle that before paying anything
 * new.
 */
export const assertOwesNothing = (owedCents: Cents): void => {
  if (owedCents <= 0) return
  throw new DomainError(
    'WRONG_STATE',
    `You still owe ${formatCents(owedCents)} for a payment that your bank took back. You can make new payments once that is settled: ask your bank to return it, or contact us to pay it another way. What the disputed campaign does not need is deducted from it.`,
  )
}

/** What an admin records outside of the product is all of it: refuses a part, and an amount that has changed meanwhile. */
export const assertWholeAmount = (typedCents: Cents, owedCents: Cents): void => {
  if (typedCents === owedCents) return
  const message = `The amount must be the ${formatCents(owedCents)} (${owedCents} cents) owed.`
  throw new DomainError('WRONG_AMOUNT', message, { fields: { amountCents: message } })
}

/** What happened, as the beginning of a sentence. */
export const pauseCause: Record<PauseReason, string> = {
  PAYMENT_METHOD_CHANGED: 'Your payment method changed less than 24 hours ago',
  EMAIL_CHANGED: 'Your email address changed less than 72 hours ago',
  PASSWORD_RESET: 'Your password was reset less than 24 hours ago',
  PAYOUT_ACCOUNT_OPENED: 'Your payout account was set up less than 24 hours ago',
}

type Until = { until: Instant | null; timeZone: string }

/** Names the end in the tester's time zone, unless the cause is only a moment old. */
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

/** The messages that the spec prescribes (§5). */
export const withdrawalSentence: Record<Exclude<WithdrawalProblem, 'EMPTY'>, (minimumCents: Cents) => string> = {
  BELOW_MINIMUM: minimumSentence,
  ABOVE_BALANCE: () => 'Insufficient balance',
  PAUSED: () => `${pauseCause.PAYMENT_METHOD_CHANGED}. To keep your money safe, withdrawals are paused for now.`,
}

/** Why we cannot pay to a tester's payout account. */
const accountProblem: Record<Exclude<PayoutAccountStatus, 'READY'>, string> = {
  NONE: 'Set up your payout account first, from your balance page.',
  INCOMPLETE: 'Your payout account is missing some details. Open it from your balance page to complete it.',
  IN_REVIEW: 'The payment provider is checking your payout account. You can withdraw once it has finished.',
  REJECTED: 'The payment provider cannot pay out to your account. Set up another one from your balance page.',
}

export const payoutAccountNeeded = (status: PayoutAccountStatus) =>
  new DomainError('WRONG_STATE', status === 'READY' ? accountProblem.INCOMPLETE : accountProblem[status])

export const payoutAccountInUse = () =>
  new DomainError(
    'WRONG_STATE',
    'A withdrawal is on its way to this payout account. You can remove the account once the withdrawal has arrived or come back.',
  )

/** Stripe keeps every account forever. A tester who moves, or picked the wrong country, needs one or two more. */
export const payoutAccountLimits = { removed: 3, days: 30, attemptsPerHour: 5 } as const

/** `removedAt`: when the tester's last payout accounts were removed, newest first. */
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
    'You have tried to set up a payout account too many times in the last hour. Try again later.',
    { retryAfterSeconds },
  )

/** Stripe does not forward smaller amounts to the bank: they wait in the payout account. */
export const belowBankMinimum = (minimumCents: Cents, country: string) => {
  const least = formatCents(minimumCents).replace('.00', '')
  const sentence = `Stripe pays out at least ${least} at a time to banks in ${country}. Withdraw ${least} or more.`
  return new DomainError('INVALID_INPUT', sentence, { fields: { amountCents: sentence } })
}

export const belowMinimum = (minimumCents: Cents) =>
  new DomainError('INVALID_INPUT', minimumSentence(minimumCents), {
    fields: { amountCents: minimumSentence(minimumCents) },
  })

/**
 * For payouts and refunds: our own money is missing, so no payment method has refused. Stored with each refused attempt and
 * compared with it later, so the words must not change. They are true for payouts only: whoever reads of a refund gets
 * `refundRefusal`.
 */
export const notCoveredSentence = 'Our money at Stripe is not available yet. We try again every hour.'

/** What is shown of the reason stored with a refund's refused attempt. Promises no retry, since a stuck refund gets none. */
export const refundRefusal = (reason: string): string =>
  reason === notCoveredSentence
    ? 'Our money at Stripe was not available yet at the last attempt, so the payment method was not tried.'
    : reason

/** We stop retrying a part of a refund after this many refusals. They are six hours apart, so that is five days. */
export const refusalsUntilStuck = 20

export const declinedSentence = (reason: string) => `The payment was declined. ${reason}`

/** An edit may leave a difference of a few cents to pay. */
export const belowLeastPayment = (leastCents: Cents, dueCents: Cents) =>
  new DomainError(
    'WRONG_STATE',
    `Stripe does not accept payments below ${formatCents(leastCents)}, and ${formatCents(dueCents)} is due. Raise the pay or the number of testers until at least ${formatCents(leastCents)} is due.`,
  )

export const paymentWaits = () =>
  new DomainError('WRONG_STATE', 'A payment for this campaign is already on its way. Its result will appear here.')

/**
 * The charge has ended because the developer edited or cancelled the campaign in another tab, or because their bank took an earlier
 * payment back.
 */
export const paymentEnded = (status: 'CANCELLED' | 'RETURNED', owedCents: Cents) => {
  const why =
    owedCents > 0
      ? `You owe ${formatCents(owedCents)} for a payment that your bank took back.`
      : 'The campaign changed while you were paying.'
  const then = status === 'RETURNED' ? 'Your payment will be refunded to your payment method.' : 'You were not charged.'
  return new DomainError('WRONG_STATE', `${why} ${then}`)
}
