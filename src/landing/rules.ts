/** The limit of sign-ups per network address: enough for an office behind one address, too few for a script. */
import { DomainError } from '../kit/errors.ts'

export const waitlistLimit = { perHour: 20 } as const

export const tooManySignUps = (retryAfterSeconds: number) =>
  new DomainError('TOO_MANY_REQUESTS', 'Too many sign-ups from your network. Try again in an hour.', {
    retryAfterSeconds,
  })
