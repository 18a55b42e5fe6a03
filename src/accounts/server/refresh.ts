/** The tokens of a session, and their rotation (product.md §5, decision 006). */
import { createHash, randomBytes } from 'node:crypto'
import { clock, type Instant } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Role } from '../../kit/roles.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { nextRefreshTokens, signAccessToken } from '../../kit/server/session.ts'
import { deviceOf } from '../../kit/userAgent.ts'
import type { Tokens } from '../contract.ts'
import { sessionEnd, suspended } from '../rules.ts'
import * as queries from './queries.ts'
import { warn } from './securityEmails.ts'
import { closeSession } from './sessionEnds.ts'

const hashToken = (token: string) => createHash('sha256').update(token).digest()

const tokensOf = async (
  user: { id: string; role: Role },
  sessionId: string,
  refreshToken: string,
): Promise<Tokens> => ({
  accessToken: await signAccessToken({ id: user.id, role: user.role, sessionId }),
  refreshToken,
})

type Begun = { id: string; beganAt: Instant }

export const issueTokens = async (
  tx: Tx,
  user: { id: string; role: Role },
  session: Begun,
  refreshToken = randomBytes(32).toString('base64url'),
): Promise<Tokens> => {
  const now = clock.now()
  const token = { hash: hashToken(refreshToken), sessionId: session.id, now }
  await queries.insertRefreshToken(tx, { ...token, expiresAt: sessionEnd(session.beganAt, now) })
  return tokensOf(user, session.id, refreshToken)
}

export const refreshRefused = () => new DomainError('UNAUTHENTICATED', 'Your session has ended. Sign in again.')

type Refresh = { refreshToken: string; attempt?: string | undefined }

/**
 * Rotates the refresh token, which is valid once. A reused token must have been copied, so its whole family ends (RFC 9700
 * §4.14.2). The exception is a page that was closed before the answer came and repeats its attempt.
 */
export const refresh = async ({ refreshToken, attempt }: Refresh): Promise<Tokens> => {
  const hash = hashToken(refreshToken)
  const attemptHash = attempt === undefined ? null : hashToken(attempt)
  const next = attempt === undefined ? [] : nextRefreshTokens(refreshToken, attempt)
  // Ending a family has to be committed, so the transaction returns instead of throwing.
  const outcome = await transact(async tx => {
    const now = clock.now()
    const token = await queries.lockRefreshToken(tx, hash)
    if (!token || token.expiresAt <= now) return {}
    if (token.endedAt !== null)
      return { suspension: token.usedAt === null && token.endReason === 'SUSPENDED' ? token.suspensionReason : null }
    const user = { id: token.userId, role: token.role }
    if (token.usedAt !== null) {
      const lost = await lostAnswer(tx, token, attemptHash, next)
      if (lost !== undefined) return { tokens: await tokensOf(user, token.sessionId, lost) }
      const ended = await closeSession(tx, token.sessionId, 'TOKEN_REUSED')
      const facts = { userId: token.userId, device: deviceOf(ended?.userAgent ?? ''), by: 'REUSED_TOKEN' as const }
      if (ended) await warn(tx, token.userId, 'SIGNED_OUT', facts)
      return {}
    }
    const { sessionId, beganAt } = token
    await queries.useRefreshToken(tx, { hash, attemptHash, sessionId, now, expiresAt: sessionEnd(beganAt, now) })
    return { tokens: await issueTokens(tx, user, { id: sessionId, beganAt }, next[0]) }
  })
  if (outcome.suspension) throw suspended(outcome.suspension)
  if (!outcome.tokens) throw refreshRefused()
  return outcome.tokens
}

/** The token sent in reply when the same attempt used this one, as long as it is unused. */
const lostAnswer = async (
  tx: Tx,
  { attemptHash: first, sessionId }: queries.RefreshTokenRow,
  attemptHash: Buffer | null,
  next: readonly string[],
): Promise<string | undefined> => {
  if (first === null || attemptHash?.equals(first) !== true) return undefined
  const unused = await queries.unusedTokens(tx, next.map(hashToken), sessionId, clock.now())
  return next.find(token => unused.some(({ hash }) => hash.equals(hashToken(token))))
}
