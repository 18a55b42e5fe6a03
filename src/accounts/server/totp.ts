/** Codes of authenticator apps (RFC 6238: SHA-1, six digits, 30 seconds, which all apps support). */
import { Secret, TOTP } from 'otpauth'
import { clock } from '../../kit/clock.ts'

const period = 30
/** A phone's clock may be off by one step, and typing a code takes time. */
const toleratedSteps = 1

const totp = (secret: string, label = '') =>
  new TOTP({ issuer: 'Fieldtest', label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period })

/** 160 bits in base32, as RFC 4226 recommends. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The content of the QR code. */
export const totpUri = (secret: string, email: string): string => totp(secret, email).toString()

/** The time step that the code belongs to, or null for a wrong code. */
export const stepOf = (secret: string, code: string): number | null => {
  const now = clock.nowMs()
  const delta = totp(secret).validate({ token: code, timestamp: now, window: toleratedSteps })
  return delta === null ? null : Math.floor(now / 1000 / period) + delta
}
