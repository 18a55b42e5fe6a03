/**
 * Access tokens (JWT, HS256, 15 minutes) and the list of sessions that ended before their tokens expired. Every server
 * learns of an ended session through NOTIFY, so that signing out, or a ban, takes effect everywhere within moments and no
 * request pays for a database lookup (docs/decisions/006-ended-sessions.md).
 */
import { jwtVerify, SignJWT } from 'jose'
import pg from 'pg'
import { clock, hoursAfter } from '../clock.ts'
import { DomainError } from '../errors.ts'
import type { SignedIn } from '../endpoint.ts'
import { type Role, roles } from '../roles.ts'
import { autocommit, sql, type Tx } from './db.ts'

const accessTokenMinutes = 15

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
  if (typeof sub !== 'string' || typeof sid !== 'string' || !isRole(role) || ended.has(sid)) throw refused()
  return { id: sub, role, sessionId: sid }
}

/** Session id → when its last access token expires, in ms of `clock`. */
const ended = new Map<string, number>()
const channel = 'session_ended'

const remember = (sessionId: string, endedAtMs: number) => {
  for (const [id, until] of ended) {
    if (until >= clock.nowMs()) break
    ended.delete(id)
  }
  ended.set(sessionId, endedAtMs + accessTokenMinutes * 60_000)
}

/**
 * Refuses the access tokens of sessions that end in `tx`, on every server as soon as it commits. This one does not wait
 * for its own notification.
 */
export const refuseSessions = async (tx: Tx, sessionIds: readonly string[]): Promise<void> => {
  if (sessionIds.length === 0) return
  await tx.rows(sql`select pg_notify(${channel}, id) from unnest(${sessionIds}::text[]) id`)
  tx.afterCommit(() => {
    for (const id of sessionIds) remember(id, clock.nowMs())
  })
}

const loadEnded = async () => {
  const rows = await autocommit.rows<{ id: string; endedAt: string }>(sql`
    select id, ended_at as "endedAt" from sessions
    where ended_at > ${hoursAfter(clock.now(), -accessTokenMinutes / 60)} order by ended_at`)
  for (const row of rows) remember(row.id, Date.parse(row.endedAt))
}

/** Listens for ended sessions on a connection of its own; after a disconnect it reconnects and loads what it missed. */
export const watchSessions = async (url: string, onError: (error: unknown) => void): Promise<() => Promise<void>> => {
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  const listen = async () => {
    const connection = new pg.Client({ connectionString: url, application_name: 'fieldtest sessions', keepAlive: true })
    connection.on('notification', notice => notice.payload && remember(notice.payload, clock.nowMs()))
    connection.on('error', onError)
    connection.once('end', again)
    client = connection
    try {
      await connection.connect()
      await connection.query(`listen ${channel}`)
      await loadEnded()
    } catch (error) {
      // Otherwise it would stay open beside the next attempt's.
      await connection.end().catch(() => undefined)
      throw error
    }
  }
  const again = () => {
    if (stopped || retry) return
    retry = setTimeout(() => {
      retry = undefined
      listen().catch((error: unknown) => {
        onError(error)
        again()
      })
    }, 500)
  }

  await listen()
  return async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end().catch(onError)
  }
}
