/** Limits on proving a second factor, and the refusals around it. */
import { DomainError } from '../kit/errors.ts'
import type { FactorRequest } from '../kit/secondFactor.ts'

export const factorLimits = {
  challengeMinutes: 5,
  /** After as many wrong answers a challenge is void, and its user is told. */
  wrongAnswers: 5,
  /** How long a new authenticator app waits for its first code. After `wrongAnswers` wrong ones it is forgotten as well. */
  newAppMinutes: 15,
  /** Wrong codes at the sign-in to one account, or in one session, within 15 minutes and within a day. */
  guesses: { windowMinutes: 15, perWindow: 10, perDay: 50 },
  /** How long a proof counts for what asks for a step-up. */
  stepUpMinutes: 10,
  recoveryCodes: 10,
  /** Sets of recovery codes that one user may have made. */
  codeSetsPerHour: 10,
  passkeys: 20,
} as const

export const secondFactorRequired = (factorRequest: FactorRequest) =>
  new DomainError('SECOND_FACTOR_REQUIRED', 'Confirm with your second factor to sign in.', { factorRequest })

export const stepUpRequired = (factorRequest: FactorRequest) =>
  new DomainError('STEP_UP_REQUIRED', 'Confirm with your second factor that it is you.', { factorRequest })

export const setupRequired = () =>
  new DomainError('SECOND_FACTOR_SETUP_REQUIRED', 'Admins need a second factor. Set one up to continue.')

/**
 * One sentence for a challenge that ran out, was used, or had too many wrong answers. A 401 only while signing in: others
 * are signed in.
 */
export const challengeExpired = (signingIn: boolean) =>
  new DomainError(
    signingIn ? 'SECOND_FACTOR_EXPIRED' : 'WRONG_STATE',
    'This took too long or had too many wrong codes. Start again.',
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
  new DomainError('TOO_MANY_REQUESTS', 'You made new recovery codes many times within the hour. Try again later.', {
    retryAfterSeconds: 3600,
  })

/** The request holds neither a code nor an assertion, or both. */
export const notOneAnswer = () => {
  const message = 'Send either a code or an assertion'
  return new DomainError('INVALID_INPUT', message, { fields: { code: message } })
}

const wrongAnswer = {
  code: 'That code is not correct. Check the time on your phone, or use a newer code.',
  recovery: 'That is not one of your recovery codes, or you have used it before. Each works once.',
  passkey: 'That passkey was not accepted.',
}

/** While signing in it is a failed sign-in (401); for somebody who is signed in it is a field that is wrong (400). */
export const wrongFactor = (kind: keyof typeof wrongAnswer, signingIn: boolean) => {
  const message = wrongAnswer[kind]
  return new DomainError(signingIn ? 'WRONG_CREDENTIALS' : 'INVALID_INPUT', message, {
    fields: kind === 'passkey' ? {} : { code: message },
  })
}

/** As people type them: with spaces, hyphens and in any case. */
const bare = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '')

export const totpOf = (code: string): string | null => (/^\d{6}$/.test(bare(code)) ? bare(code) : null)

/** Without letters that look like digits; Crockford's alphabet. */
export const recoveryAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'
export const recoveryLength = 10
const recoveryShape = new RegExp(`^[${recoveryAlphabet}]{${recoveryLength}}$`)

export const recoveryCodeOf = (code: string): string | null => {
  const read = bare(code).replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return recoveryShape.test(read) ? read : null
}

/** Which of the two a wrong code was to be, of whatever length: digits alone make hardly any recovery code. */
export const kindOfCode = (code: string): 'code' | 'recovery' =>
  /^\d+$/.test(bare(code)) && bare(code).length < recoveryLength ? 'code' : 'recovery'

/** `k7f2m-9q4xz` */
export const shownRecoveryCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`
