/** Limits on signing in, sessions and emailed links, and the changes that pause withdrawals. */
import { daysAfter, hoursAfter, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'

/**
 * `perAccount`: wrong passwords within the window that use up one of an account's budgets; `perAddress`: the same for one network
 * over all accounts; `knownDays`: how long a device or network counts as known after a sign-in.
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

/**
 * A session lasts while it is used at least every 30 days, and 90 days at most. A user's 51st live session ends the one that has
 * been unused for longest.
 */
export const sessionLimits = { unusedDays: 30, longestDays: 90, live: 50 } as const

/** When a session that began at `beganAt` and is used `now` ends, unless it is used again. */
export const sessionEnd = (beganAt: Instant, now: Instant): Instant => {
  const [unused, longest] = [daysAfter(now, sessionLimits.unusedDays), daysAfter(beganAt, sessionLimits.longestDays)]
  return unused < longest ? unused : longest
}

/** Only for callers who know the password. */
export const suspended = (reason: string) => new DomainError('SUSPENDED', `Your account is suspended: ${reason}`)

/** Why a user's withdrawals pause, and for how many hours, so a stolen account cannot be emptied unnoticed. */
export const pauseHours = {
  PAYMENT_METHOD_CHANGED: 24,
  EMAIL_CHANGED: 72,
  PASSWORD_RESET: 24,
  PAYOUT_ACCOUNT_OPENED: 24,
} as const
export type PauseReason = keyof typeof pauseHours
export const pauseReasons = [
  'PAYMENT_METHOD_CHANGED',
  'EMAIL_CHANGED',
  'PASSWORD_RESET',
  'PAYOUT_ACCOUNT_OPENED',
] as const satisfies PauseReason[]

/** From product.md §4. */
export const payoutPauseHours = pauseHours.PAYMENT_METHOD_CHANGED

export type PausedSince = {
  paymentMethodChangedAt: Instant | null
  payoutsPausedUntil: Instant | null
  payoutsPausedBecause: PauseReason | null
}
export type Pause = { until: Instant; because: PauseReason }

/** The pause of withdrawals that ends last; null without one. */
export const pauseOf = (user: PausedSince, now: Instant): Pause | null => {
  const pauses: Pause[] = []
  if (user.paymentMethodChangedAt !== null)
    pauses.push({ until: hoursAfter(user.paymentMethodChangedAt, payoutPauseHours), because: 'PAYMENT_METHOD_CHANGED' })
  if (user.payoutsPausedUntil !== null && user.payoutsPausedBecause !== null)
    pauses.push({ until: user.payoutsPausedUntil, because: user.payoutsPausedBecause })
  const last = pauses.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until))[0]
  return last && last.until > now ? last : null
}

/** How long an emailed link works. */
export const linkHours = {
  CONFIRM_EMAIL: 24,
  RESET_PASSWORD: 1,
  CHANGE_EMAIL: 24,
  STOP_EMAIL_CHANGE: 24,
  UNDO_EMAIL_CHANGE: 72,
} as const
export type LinkPurpose = keyof typeof linkHours
export const linkPurposes = Object.keys(linkHours) as LinkPurpose[]

/**
 * Within an hour. `perAccount`: links of one kind for one account; `perCaller`: password reset links that one caller requests.
 */
export const linkLimits = { perAccount: 3, perCaller: 10 } as const

/** The same sentence for a link that never existed, was used, has expired or was replaced. */
export const linkRefused = () => {
  const message = 'This link no longer works: it has already been used, has expired, or was replaced by a newer one.'
  return new DomainError('INVALID_INPUT', message, { fields: { token: message } })
}

export const ofAnotherAccount = () =>
  new DomainError('WRONG_STATE', 'This link is for a different account than the one you are signed in to.')

export const tooManyLinks = (message: string) =>
  new DomainError('TOO_MANY_REQUESTS', message, { retryAfterSeconds: 3600 })

export const emailTaken = () => {
  const message = 'An account with this email already exists.'
  return new DomainError('EMAIL_TAKEN', message, { fields: { email: message } })
}

/** What waits until the user has confirmed their address, if the server sends emails. */
const waiting = { WITHDRAW: 'withdraw', JOIN: 'join a campaign', PAY: 'pay' } as const
export type WaitsForConfirmation = keyof typeof waiting

export const unconfirmed = (action: WaitsForConfirmation) =>
  new DomainError(
    'EMAIL_NOT_CONFIRMED',
    `Confirm your email address before you ${waiting[action]}. The link is in the email that we sent you.`,
  )
