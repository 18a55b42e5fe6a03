/** How many sign-ups one network address may send: an office behind one address passes, a script does not. */
import { DomainError } from '../kit/errors.ts'

export const waitlistLimit = { windowMinutes: 60, perAddress: 20 } as const

export const tooManySignUps = () =>
  new DomainError('TOO_MANY_REQUESTS', 'Too many sign-ups came from your network. Try again in an hour.', {
    retryAfterSeconds: waitlistLimit.windowMinutes * 60,
  })
