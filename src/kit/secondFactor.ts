/** What a 401 SECOND_FACTOR_REQUIRED and a 403 STEP_UP_REQUIRED carry, so that a caller can answer them. */

export const factors = ['PASSKEY', 'TOTP', 'RECOVERY_CODE'] as const
export type Factor = (typeof factors)[number]

export type FactorRequest = {
  /** Answered once, within five minutes: POST /auth/second-factor or /auth/step-up. */
  challenge: string
  /** Those that the user can answer with. */
  factors: Factor[]
  /** For `navigator.credentials.get`, as WebAuthn's PublicKeyCredentialRequestOptionsJSON; null without a passkey. */
  passkeyRequest: PasskeyRequest | null
}

export type PasskeyRequest = {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'required'
  allowCredentials: { id: string; type: 'public-key'; transports: string[] }[]
}
