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
  /** The current key comes first; the previous one verifies tokens from before the secret was changed, and signs none. */
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
 * The refresh tokens that may follow this one in this attempt. They are derived, so a page that never got the answer can ask
 * again, and only hashes are stored. The first one is to be given; the other may have been given before the secret was changed.
 */
export const nextRefreshTokens = (refreshToken: string, attempt: string): string[] =>
  currentKeys().verifying.map(key =>
    createHmac('sha256', key).update(`refresh token\n${attempt}\n${refreshToken}`).digest('base64url'),
  )

const refused = () => new DomainError('UNAUTHENTICATED', 'Sign in to continue.')

/** The user of an access token. Throws UNAUTHENTICATED if it is forged or expired, or its session has ended. */
export const readAccessToken = async (token: string): Promise<SignedIn> => {
  const claims = claimsOf(token, currentKeys().verifying, clock.nowMs())
  if (!claims || (await hasEnded(claims.sid))) throw refused()
  return { id: claims.sub, role: claims.role, sessionId: claims.sid }
}
