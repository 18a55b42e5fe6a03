/** Limits of signing in, and what a change of the payment method means. Pure; the clock is the caller's. */
import { hoursAfter, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'

/** Wrong passwords within the window before an account, or an address, has to wait. */
export const loginLimits = { windowMinutes: 15, perAccount: 10, perAddress: 100 } as const

/** The same words for an unknown address and a wrong password (product.md §5). */
export const wrongCredentials = () => new DomainError('WRONG_CREDENTIALS', 'Email or password is incorrect.')

export const tooManyLogins = () =>
  new DomainError('TOO_MANY_REQUESTS', `Too many failed sign-ins. Try again in ${loginLimits.windowMinutes} minutes.`, {
    retryAfterSeconds: loginLimits.windowMinutes * 60,
  })

/** Said only to who knows the password. */
export const suspended = (reason: string) => new DomainError('SUSPENDED', `Your account is suspended: ${reason}`)

/** A new payment method gets no payout for a day, so that a stolen session cannot empty an account unseen (product.md §4). */
export const payoutPauseHours = 24

export const payoutsPausedUntil = (changedAt: Instant | null, now: Instant): Instant | null => {
  if (changedAt === null) return null
  const until = hoursAfter(changedAt, payoutPauseHours)
  return until > now ? until : null
}
