/** Access tokens: JWT, HS256, 15 minutes. */
import { createHmac } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { clock } from '../clock.ts'
import { DomainError } from '../errors.ts'
import type { SignedIn } from '../endpoint.ts'
import { type Role, roles } from '../roles.ts'
import { accessTokenMinutes, hasEnded } from './endedSessions.ts'

type Keys = {
  current: Uint8Array
  /** Verifies what was signed before the secret was changed, and signs nothing. */
  previous: Uint8Array | undefined
}
let keys: Keys | undefined

const keyOf = (secret: string) => new TextEncoder().encode(secret)

export const useJwtSecret = (current: string, previous?: string): void => {
  keys = { current: keyOf(current), previous: previous === undefined ? undefined : keyOf(previous) }
}

const currentKeys = () => {
  if (!keys) throw new Error('useJwtSecret() first')
  return keys
}

/** What makes a token an access token of this API and of nothing else that may be signed with the secret (RFC 9068). */
const issuer = 'fieldtest'
const audience = 'fieldtest-api'
const typ = 'at+jwt'

export const signAccessToken = ({ id, role, sessionId }: SignedIn): Promise<string> => {
  const issuedAt = Math.floor(clock.nowMs() / 1000)
  return new SignJWT({ role, sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenMinutes * 60)
    .sign(currentKeys().current)
}

/**
 * The refresh token that follows this one in this attempt: made again, it is the same, so that a page that never got the
 * answer can ask for it once more and nothing is kept but hashes.
 */
export const nextRefreshToken = (refreshToken: string, attempt: string): string =>
  createHmac('sha256', currentKeys().current).update(`refresh token\n${attempt}\n${refreshToken}`).digest('base64url')

const refused = () => new DomainError('UNAUTHENTICATED', 'Sign in to continue.')

const isRole = (value: unknown): value is Role => roles.some(role => role === value)

const verify = (token: string, key: Uint8Array) =>
  jwtVerify(token, key, {
    algorithms: ['HS256'],
    typ,
    issuer,
    audience,
    currentDate: new Date(clock.nowMs()),
    requiredClaims: ['sub', 'iat', 'exp', 'sid', 'role'],
  })

/** The user of an access token. Throws UNAUTHENTICATED when it is forged or expired, or its session has ended. */
export const readAccessToken = async (token: string): Promise<SignedIn> => {
  const { current, previous } = currentKeys()
  const { payload } = await verify(token, current)
    .catch(error => {
      if (!previous) throw error
      return verify(token, previous)
    })
    .catch(() => {
      throw refused()
    })
  const { sub, sid, role } = payload
  if (typeof sub !== 'string' || typeof sid !== 'string' || !isRole(role) || (await hasEnded(sid))) throw refused()
  return { id: sub, role, sessionId: sid }
}
