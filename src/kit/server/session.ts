/** Access tokens: JWT, HS256, 15 minutes. */
import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { clock } from '../clock.ts'
import { DomainError } from '../errors.ts'
import type { SignedIn } from '../endpoint.ts'
import { audience, claimsOf, header, issuer, type VerifyKey, verifyKeyOf } from './accessToken.ts'
import { accessTokenMinutes, hasEnded } from './endedSessions.ts'

type Keys = {
  current: Uint8Array
  /** The current one first; the previous one verifies what was made before the secret was changed, and makes nothing. */
  verifying: VerifyKey[]
}
let keys: Keys | undefined

export const useJwtSecret = (current: string, previous?: string): void => {
  keys = {
    current: new TextEncoder().encode(current),
    verifying: (previous === undefined ? [current] : [current, previous]).map(verifyKeyOf),
  }
}

const currentKeys = () => {
  if (!keys) throw new Error('useJwtSecret() first')
  return keys
}

export const signAccessToken = ({ id, role, sessionId }: SignedIn): Promise<string> => {
  const issuedAt = Math.floor(clock.nowMs() / 1000)
  return new SignJWT({ role, sid: sessionId })
    .setProtectedHeader(header)
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenMinutes * 60)
    .sign(currentKeys().current)
}

/**
 * The refresh token that follows this one in this attempt: made again, it is the same, so that a page that never got the
 * answer can ask for it once more and nothing is kept but hashes. The first one is to be given; the other one may have been,
 * before the secret was changed.
 */
export const nextRefreshTokens = (refreshToken: string, attempt: string): string[] =>
  currentKeys().verifying.map(key =>
    createHmac('sha256', key).update(`refresh token\n${attempt}\n${refreshToken}`).digest('base64url'),
  )

const refused = () => new DomainError('UNAUTHENTICATED', 'Sign in to continue.')

/** The user of an access token. Throws UNAUTHENTICATED when it is forged or expired, or its session has ended. */
export const readAccessToken = async (token: string): Promise<SignedIn> => {
  const claims = claimsOf(token, currentKeys().verifying, clock.nowMs())
  if (!claims || (await hasEnded(claims.sid))) throw refused()
  return { id: claims.sub, role: claims.role, sessionId: claims.sid }
}
