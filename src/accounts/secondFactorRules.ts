/** Limits on proving a second factor, and the errors of failed proofs. */
import { DomainError } from '../kit/errors.ts'
import type { FactorRequest } from '../kit/secondFactor.ts'

export const factorLimits = {
  challengeMinutes: 5,
  /** After this many wrong answers a challenge is void, and its user is notified. */
  wrongAnswers: 5,
  /** How long a new authenticator app waits for its first code. It is also deleted after `wrongAnswers` wrong codes. */
  newAppMinutes: 15,
  /** Wrong codes allowed at the sign-in to one account, or in one session, within 15 minutes and within a day. */
  guesses: { windowMinutes: 15, perWindow: 10, perDay: 50 },
  /** How long a proof counts for calls that require a step-up. */
  stepUpMinutes: 10,
  recoveryCodes: 10,
  /** How many sets of recovery codes one user may generate. */
  codeSetsPerHour: 10,
  passkeys: 20,
} as const

export const secondFactorRequired = (factorRequest: FactorRequest) =>
  new DomainError('SECOND_FACTOR_REQUIRED', 'Use your second factor to sign in.', { factorRequest })

export const stepUpRequired = (factorRequest: FactorRequest) =>
  new DomainError('STEP_UP_REQUIRED', 'Use your second factor to confirm that it is you.', { factorRequest })

export const setupRequired = () =>
  new DomainError('SECOND_FACTOR_SETUP_REQUIRED', 'Admins need a second factor. Set one up to continue.')

/**
 * The same sentence for a challenge that expired, was used, or had too many wrong answers. 401 only while signing in, because
 * otherwise the caller is signed in.
 */
export const challengeExpired = (signingIn: boolean) =>
  new DomainError(
    signingIn ? 'SECOND_FACTOR_EXPIRED' : 'WRONG_STATE',
    'This took too long, or there were too many wrong codes. Start again.',
  )

export const tooManyCodes = (today: boolean) => {
  const { windowMinutes } = factorLimits.guesses
  const until = today ? 'tomorrow' : `in ${windowMinutes} minutes`
  return new DomainError(
    'TOO_MANY_REQUESTS',
    `Too many wrong codes. Try again ${until}, or use a passkey if you have one.`,
    {
      retryAfterSeconds: (today ? 24 * 60 : windowMinutes) * 60,
    },
  )
}

export const tooManySets = () =>
  new DomainError(
    'TOO_MANY_REQUESTS',
    'You have made new recovery codes too many times in the last hour. Try again later.',
    {
      retryAfterSeconds: 3600,
    },
  )

/** The request contains neither a code nor an assertion, or both. */
export const notOneAnswer = () => {
  const message = 'Send either a code or an assertion'
  return new DomainError('INVALID_INPUT', message, { fields: { code: message } })
}

const wrongAnswer = {
  code: 'That code is not correct. Check that your phone’s clock is right, or enter a newer code.',
  recovery: 'That is not one of your recovery codes, or you have used it before. Each works once.',
  passkey: 'That passkey was not accepted.',
}

/** While signing in, this is a failed sign-in (401); for a signed-in user it is an invalid field (400). */
export const wrongFactor = (kind: keyof typeof wrongAnswer, signingIn: boolean) => {
  const message = wrongAnswer[kind]
  return new DomainError(signingIn ? 'WRONG_CREDENTIALS' : 'INVALID_INPUT', message, {
    fields: kind === 'passkey' ? {} : { code: message },
  })
}

/** People type codes with spaces and hyphens, and in either case. */
const bare = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '')

export const totpOf = (code: string): string | null => (/^\d{6}$/.test(bare(code)) ? bare(code) : null)

/** Crockford's alphabet, which has no letters that look like digits. */
export const recoveryAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'
export const recoveryLength = 10
const recoveryShape = new RegExp(`^[${recoveryAlphabet}]{${recoveryLength}}$`)

export const recoveryCodeOf = (code: string): string | null => {
  const read = bare(code).replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return recoveryShape.test(read) ? read : null
}

/** Which kind of code a wrong one was meant to be, whatever its length: a recovery code hardly ever consists of digits alone. */
export const kindOfCode = (code: string): 'code' | 'recovery' =>
  /^\d+$/.test(bare(code)) && bare(code).length < recoveryLength ? 'code' : 'recovery'

/** `k7f2m-9q4xz` */
export const shownRecoveryCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`
