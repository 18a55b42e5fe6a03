/**
 * The sessions that ended before their access tokens expired. Every server learns of them through NOTIFY, so signing out or a ban
 * takes effect everywhere within moments, and no request pays for a look-up. While notifications do not arrive, sessions are
 * looked up (decision 006).
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { clock, hoursAfter } from '../clock.ts'
import { autocommit, sql, type Tx } from './db.ts'
import { connectAnew, destroy } from './connections.ts'
import { during, requestLimits, workOf } from './limits.ts'
import { isReadOnly } from './lost.ts'
import { receive, signalChannels, useSender } from './signals.ts'

export const accessTokenMinutes = 15

/** Session id → when its last access token expires, in ms of `clock`. */
const ended = new Map<string, number>()
const channel = 'session_ended'

const remember = (sessionId: string, endedAtMs: number) => {
  for (const [id, until] of ended) {
    if (until >= clock.nowMs()) break
    ended.delete(id)
  }
  ended.set(sessionId, endedAtMs + accessTokenMinutes * 60_000)
  for (const listener of listeners) listener(sessionId)
}

const listeners = new Set<(sessionId: string) => void>()

/** The listener is called for each session that ends on any server; for some of them twice. */
export const onSessionEnd = (listener: (sessionId: string) => void): void => {
  listeners.add(listener)
}

/**
 * Refuses the access tokens of sessions that end in `tx`, on every server as soon as it commits. This server does not wait for
 * its own notification.
 */
export const refuseSessions = async (tx: Tx, sessionIds: readonly string[]): Promise<void> => {
  if (sessionIds.length === 0) return
  await tx.rows(sql`select pg_notify(${channel}, id) from unnest(${sessionIds}::text[]) id`)
  tx.afterCommit(() => {
    for (const id of sessionIds) remember(id, clock.nowMs())
  })
}

/** When our own notification last came back, and with it all that were sent before, by `performance.now()`. */
let heardAt = -Infinity
const silentAfterMs = 3_000
const heartbeatMs = 1_000
const lookUpMs = 2_000

const isSilent = () => performance.now() - heardAt >= silentAfterMs

export const hasEnded = async (sessionId: string): Promise<boolean> => {
  if (ended.has(sessionId)) return true
  if (!isSilent()) return false
  const live = await during(workOf('sessions', requestLimits, lookUpMs), () =>
    autocommit.maybe(sql`select from sessions where id = ${sessionId} and ended_at is null`),
  )
  return live === undefined
}

const loadEnded = async (connection: pg.Client) => {
  const { rows } = await connection.query<{ id: string; endedAt: Date }>(
    'select id, ended_at as "endedAt" from sessions where ended_at > $1 order by ended_at',
    [hoursAfter(clock.now(), -accessTokenMinutes / 60)],
  )
  for (const row of rows) remember(row.id, row.endedAt.getTime())
}

/**
 * Listens for ended sessions on a connection of its own, and for a heartbeat that it sends itself: that comes back only if
 * notifications do, which they do not on a dead connection or through a transaction pooler. After a disconnect it reconnects and
 * loads what it missed. `onListening` is called with each new connection before it listens.
 */
export const watchSessions = async (
  url: string,
  onError: (error: unknown) => void,
  onListening: (connection: pg.Client) => Promise<void> = () => Promise.resolve(),
): Promise<() => Promise<void>> => {
  const heartbeat = `heartbeat_${randomUUID().replaceAll('-', '')}`
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  const givenUp = new WeakSet<pg.Client>()
  const giveUp = (connection: pg.Client) => {
    givenUp.add(connection)
    destroy(connection)
  }

  const listen = async () => {
    const connection = new pg.Client({
      connectionString: url,
      application_name: 'fieldtest sessions',
      connectionTimeoutMillis: silentAfterMs,
      query_timeout: silentAfterMs,
      // So signals and heartbeats do not wait for each other.
      pipeline: true,
    })
    connection.on('notification', ({ channel: from, payload }) => {
      if (from === heartbeat) heardAt = performance.now()
      else if (from === channel && payload) remember(payload, clock.nowMs())
      else receive(from)
    })
    // The end of a silent connection is no error: it was given up, and `listen` reports it if no new one can be made.
    connection.on('error', error => {
      if (!givenUp.has(connection) && !isSilent()) onError(error)
    })
    connection.once('end', again)
    client = connection
    try {
      await connection.connect()
      await onListening(connection)
      await connection.query([channel, heartbeat, ...signalChannels()].map(each => `listen ${each}`).join('; '))
      await loadEnded(connection)
      await connection.query(`notify ${heartbeat}`)
      useSender(to => connection.query(`notify ${to}`))
      for (const each of signalChannels()) receive(each)
    } catch (error) {
      // Otherwise it would stay open beside the connection of the next attempt.
      giveUp(connection)
      throw error
    }
  }
  const again = () => {
    useSender(undefined)
    if (stopped || retry) return
    retry = setTimeout(() => {
      retry = undefined
      listen().catch((error: unknown) => {
        onError(error)
        again()
      })
    }, 500)
  }
  /** Gives up a connection whose heartbeat fails; its `end` event makes the next one. */
  let beating: Promise<unknown> | undefined
  const beat = () => {
    const connection = client
    if (!connection || retry || beating) return
    beating = connection
      .query(`notify ${heartbeat}`)
      .catch((error: unknown) => {
        // The other connections would go on reading from a server that is no longer the primary.
        if (isReadOnly(error)) connectAnew()
        giveUp(connection)
      })
      .finally(() => {
        beating = undefined
      })
  }

  try {
    await listen()
  } catch (error) {
    stopped = true
    // If the other side closed the connection, the next attempt is scheduled already.
    clearTimeout(retry)
    throw error
  }
  const timer = setInterval(beat, heartbeatMs)
  return async () => {
    stopped = true
    useSender(undefined)
    clearTimeout(retry)
    clearInterval(timer)
    await beating
    if (client && !isSilent()) await client.end().catch(onError)
    else if (client) destroy(client)
  }
}
