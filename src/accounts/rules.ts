/** Limits on signing in, and the consequences of changing the payment method. */
import { daysAfter, hoursAfter, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'

/**
 * How many wrong passwords within the window use up one of an account's budgets, and an address's of all accounts; and
 * for how many days a device that signed in counts as known.
 */
export const loginLimits = { windowMinutes: 15, perAccount: 10, perAddress: 100, knownDays: 90 } as const

/** The same message for an unknown email and a wrong password (product.md §5). */
export const wrongCredentials = () => new DomainError('WRONG_CREDENTIALS', 'Email or password is incorrect.')

export const tooManyLogins = () =>
  new DomainError('TOO_MANY_REQUESTS', `Too many failed sign-ins. Try again in ${loginLimits.windowMinutes} minutes.`, {
    retryAfterSeconds: loginLimits.windowMinutes * 60,
  })

export const tooManyRegistrations = (retryAfterSeconds: number) =>
  new DomainError('TOO_MANY_REQUESTS', 'Too many registrations from your network. Try again in an hour.', {
    retryAfterSeconds,
  })

/** A session lasts as long as it is used every 30 days, and 90 days at most. */
export const sessionLimits = { unusedDays: 30, longestDays: 90 } as const

/** When a session that began at `beganAt` and is used `now` ends, unless it is used again. */
export const sessionEnd = (beganAt: Instant, now: Instant): Instant => {
  const [unused, longest] = [daysAfter(now, sessionLimits.unusedDays), daysAfter(beganAt, sessionLimits.longestDays)]
  return unused < longest ? unused : longest
}

/** Only shown to someone who knows the password. */
export const suspended = (reason: string) => new DomainError('SUSPENDED', `Your account is suspended: ${reason}`)

/** A new payment method gets no payout for a day, so that a stolen session cannot empty an account unnoticed (product.md §4). */
export const payoutPauseHours = 24

export const payoutsPausedUntil = (changedAt: Instant | null, now: Instant): Instant | null => {
  if (changedAt === null) return null
  const until = hoursAfter(changedAt, payoutPauseHours)
  return until > now ? until : null
}
