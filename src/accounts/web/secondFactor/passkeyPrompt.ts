/** The browser's own passkey dialog, and sentences for its errors. */
import type { PasskeyRequest } from '../../../kit/secondFactor.ts'
import type { Assertion, Attestation } from '../../secondFactorContract.ts'

const library = () => import('@simplewebauthn/browser')

export const passkeysWork = (): boolean => 'PublicKeyCredential' in globalThis

const sentences: Record<string, string> = {
  NotAllowedError: 'The passkey dialog was closed, or it took too long. Try again.',
  SecurityError: 'Passkeys do not work at this address. Open Fieldtest at its usual address.',
  InvalidStateError: 'This device has a passkey for your account already.',
  NotSupportedError: 'This device cannot be used: it has no screen lock, fingerprint or PIN.',
}

const inWords = (error: unknown): Error => {
  const sentence = error instanceof Error ? sentences[error.name] : undefined
  return new Error(sentence ?? 'The passkey could not be used. Try again.', { cause: error })
}

export const askPasskey = async (request: PasskeyRequest): Promise<Assertion> => {
  const { startAuthentication } = await library()
  try {
    return (await startAuthentication({ optionsJSON: request as never })) as Assertion
  } catch (error) {
    throw inWords(error)
  }
}

export const makePasskey = async (options: Record<string, unknown>): Promise<Attestation> => {
  const { startRegistration } = await library()
  try {
    return (await startRegistration({ optionsJSON: options as never })) as Attestation
  } catch (error) {
    throw inWords(error)
  }
}
