/**
 * Verifies access tokens. Every request pays for this, so it is a few lines on node:crypto instead of a library, and it
 * takes only what we sign ourselves: one header, one encoding, one algorithm. What it accepts is compared with jose on
 * 100,000 changed tokens (accessToken.test.ts).
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { type Role, roles } from '../roles.ts'

/** Marks a token as an access token of this API, since the secret may sign other things too (RFC 9068). */
export const issuer = 'fieldtest'
export const audience = 'fieldtest-api'
export const header = { alg: 'HS256', typ: 'at+jwt' } as const

/** Encoded as jose does. No other header is accepted, so a token cannot choose another algorithm, key or extension. */
const beginning = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.`

/** Three times as long as any that we sign. */
const mostCharacters = 1024
/** A SHA-256, in base64url without padding. */
const signatureCharacters = 43

export type VerifyKey = KeyObject

export const verifyKeyOf = (secret: string): VerifyKey => createSecretKey(secret, 'utf8')

export type TokenClaims = { sub: string; sid: string; role: Role }

/** The claims of a valid token that one of the keys has signed, or null. */
export const claimsOf = (token: string, keys: readonly VerifyKey[], nowMs: number): TokenClaims | null => {
  const end = token.length - signatureCharacters - 1
  if (token.length > mostCharacters || !token.startsWith(beginning) || token[end] !== '.') return null
  const [signed, signature] = [token.slice(0, end), token.slice(end + 1)]
  if (!keys.some(key => hasSigned(key, signed, signature))) return null
  return validClaims(token.slice(beginning.length, end), nowMs)
}

/** Compares text, so a signature in any other encoding is refused. */
const hasSigned = (key: VerifyKey, signed: string, signature: string): boolean => {
  const given = Buffer.from(signature)
  const expected = Buffer.from(createHmac('sha256', key).update(signed).digest('base64url'))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const validClaims = (payload: string, nowMs: number): TokenClaims | null => {
  const bytes = Buffer.from(payload, 'base64url')
  // Node ignores characters that are not base64url, such as another dot, and spare bits at the end.
  if (bytes.toString('base64url') !== payload) return null
  const claims = objectIn(bytes.toString())
  if (!claims) return null
  const { iss, aud, iat, exp, nbf, sub, sid, role } = claims
  const isOurs = iss === issuer && aud === audience && Number.isSafeInteger(iat) && nbf === undefined
  const isInTime = Number.isSafeInteger(exp) && Number(exp) > Math.floor(nowMs / 1000)
  if (!isOurs || !isInTime || typeof sub !== 'string' || typeof sid !== 'string' || !isRole(role)) return null
  return { sub, sid, role }
}

const objectIn = (json: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const isRole = (value: unknown): value is Role => roles.some(role => role === value)
