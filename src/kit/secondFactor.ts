/** What a 401 SECOND_FACTOR_REQUIRED and a 403 STEP_UP_REQUIRED contain, so that a caller can answer them. */

export const factors = ['PASSKEY', 'TOTP', 'RECOVERY_CODE'] as const
export type Factor = (typeof factors)[number]

export type FactorRequest = {
  /** To be answered once within five minutes, with POST /auth/second-factor or /auth/step-up. */
  challenge: string
  /** The factors that the user can answer with. */
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
