/** Access tokens: JWT, HS256, 15 minutes. */
import { jwtVerify, SignJWT } from 'jose'
import { clock } from '../clock.ts'
import { DomainError } from '../errors.ts'
import type { SignedIn } from '../endpoint.ts'
import { type Role, roles } from '../roles.ts'
import { accessTokenMinutes, hasEnded } from './endedSessions.ts'

let key: Uint8Array | undefined

export const useJwtSecret = (secret: string): void => {
  key = new TextEncoder().encode(secret)
}

const currentKey = () => {
  if (!key) throw new Error('useJwtSecret() first')
  return key
}

export const signAccessToken = ({ id, role, sessionId }: SignedIn): Promise<string> => {
  const issuedAt = Math.floor(clock.nowMs() / 1000)
  return new SignJWT({ role, sid: sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenMinutes * 60)
    .sign(currentKey())
}

const refused = () => new DomainError('UNAUTHENTICATED', 'Sign in to continue.')

const isRole = (value: unknown): value is Role => roles.some(role => role === value)

/** The user of an access token. Throws UNAUTHENTICATED when it is forged or expired, or its session has ended. */
export const readAccessToken = async (token: string): Promise<SignedIn> => {
  const { payload } = await jwtVerify(token, currentKey(), {
    algorithms: ['HS256'],
    currentDate: new Date(clock.nowMs()),
    requiredClaims: ['sub', 'exp', 'sid', 'role'],
  }).catch(() => {
    throw refused()
  })
  const { sub, sid, role } = payload
  if (typeof sub !== 'string' || typeof sid !== 'string' || !isRole(role) || (await hasEnded(sid))) throw refused()
  return { id: sub, role, sessionId: sid }
}
