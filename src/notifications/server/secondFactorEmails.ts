/** The emails about the second factor: each change of it, and what may be an attack. Pure. */
import type { Email } from './emailParts.ts'

type OfFactor = { factor: 'PASSKEY' | 'TOTP'; name: string | null }

export type SecondFactorEmailFacts = {
  SECOND_FACTOR_ADDED: OfFactor
  SECOND_FACTOR_REMOVED: OfFactor
  SECOND_FACTOR_RESET: object
  SECOND_FACTOR_GUESSED: { signingIn: boolean }
  PASSKEY_COPIED: { name: string }
  RECOVERY_CODE_USED: { left: number }
  RECOVERY_CODES_RENEWED: object
}

const nameOf = ({ factor, name }: OfFactor) => (factor === 'PASSKEY' ? `passkey “${name}”` : 'authenticator app')

const ifItWasNot = 'If this was not you, change your password immediately and reply to our email.'

const codesLeft = (left: number) => {
  if (left === 0) return 'It was the last one. Make new ones in your settings.'
  return left === 1 ? 'One is left. Make new ones in your settings.' : `${left} are left.`
}

export const secondFactorEmails: {
  [K in keyof SecondFactorEmailFacts]: (facts: SecondFactorEmailFacts[K]) => Email
} = {
  SECOND_FACTOR_ADDED: facts => ({
    subject: `Added: ${nameOf(facts)}`,
    text: `You can now confirm with your ${nameOf(facts)} when you sign in.\n\n${ifItWasNot}`,
    about: null,
  }),
  SECOND_FACTOR_REMOVED: facts => ({
    subject: `Removed: ${nameOf(facts)}`,
    text: `Your ${nameOf(facts)} was removed and can no longer be used to sign in.\n\n${ifItWasNot}`,
    about: null,
  }),
  SECOND_FACTOR_RESET: () => ({
    subject: 'Your second factor was reset',
    text: `Your passkeys, your authenticator app and your recovery codes were removed on the server, and you were signed out on all devices. Sign in with your password, and set up a second factor again in your settings.\n\n${ifItWasNot}`,
    about: null,
  }),
  SECOND_FACTOR_GUESSED: ({ signingIn }) => ({
    subject: signingIn ? 'Wrong codes at sign-in' : 'Wrong codes in one of your sessions',
    text: signingIn
      ? 'Somebody knew your password, but did not get past your second factor after several attempts.\n\nIf this was not you, change your password now.'
      : 'Somebody who is signed in as you could not confirm with your second factor after several attempts.\n\nIf this was not you, sign out on all devices in your settings and change your password now.',
    about: null,
  }),
  PASSKEY_COPIED: ({ name }) => ({
    subject: 'A copy of your passkey may be in use',
    text: `We refused your passkey “${name}” because it may have been copied: its usage counter did not go up, which happens when the original and a copy are both in use.\n\nRemove it in your settings, and add another one from a device that only you use. Until then, use another second factor.`,
    about: null,
  }),
  RECOVERY_CODE_USED: ({ left }) => ({
    subject: 'A recovery code was used',
    text: `One of your recovery codes was used as a second factor. ${codesLeft(left)}\n\n${ifItWasNot}`,
    about: null,
  }),
  RECOVERY_CODES_RENEWED: () => ({
    subject: 'New recovery codes',
    text: `You have new recovery codes. The old ones no longer work.\n\n${ifItWasNot}`,
    about: null,
  }),
}
