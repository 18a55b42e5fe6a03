/**
 * The open streams of this server. They share one reader of new events, woken by the signals of all servers and, in case a signal
 * is lost, by a timer every second. A stream costs only its connection and an entry here.
 */
import { clock } from '../../kit/clock.ts'
import type { LiveLine, LiveReply, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit } from '../../kit/server/db.ts'
import { onSessionEnd } from '../../kit/server/endedSessions.ts'
import { during, requestLimits, workOf } from '../../kit/server/limits.ts'
import { onSignal, onWrite, signal } from '../../kit/server/signals.ts'
import { type Cursor, cursorText, isAfter } from '../cursor.ts'
import { missed } from './events.ts'
import * as queries from './queries.ts'

const channel = 'user_events'
const perUser = 10
const perServer = 10_000
const readAtOnce = 2_000
/** How soon an `EventSource` reconnects after its stream ended, such as after a restart. */
const retryMs = 1_000
const lookEveryMs = 1_000
/** In looks, of which there is one a second; proxies close connections that are silent for a minute. */
const breatheEvery = 25
const sessionsEvery = 15

/** `position`: how far the log had been read when the event was found. */
type Told = queries.EventRow & { position: string | null }

type Stream = {
  user: SignedIn
  line: LiveLine
  /** The last cursor sent; null until the missed events have been sent. */
  at: Cursor | null
  /** Events that arrive while `at` is null. */
  held: Told[]
}

const byUser = new Map<string, Set<Stream>>()
let count = 0
/** How far the reader has come; undefined while nobody listens. */
let at: Cursor | undefined
let timer: NodeJS.Timeout | undefined
let looks = 0

export const openStreams = (): number => count

const all = () => [...byUser.values()].flatMap(streams => [...streams])

const onDatabase = <T>(task: () => Promise<T>) => during(workOf('reads', requestLimits), task)

/** A client sends the `id` when it reconnects. */
const textOf = (cursor: Cursor, name: string, facts: object): string =>
  `id: ${cursorText(cursor)}\nevent: ${name}\ndata: ${JSON.stringify(facts)}\n\n`

const placeOf = (position: string | null) => (position === null ? {} : { position })

const changeOf = ({ topic, subjectId, position, ...cursor }: Told) =>
  textOf(cursor, 'change', { topic, subjectId, ...placeOf(position) })

const send = (stream: Stream, row: Told): void => {
  if (stream.at === null) stream.held.push(row)
  else if (isAfter(row, stream.at)) {
    stream.line.write(changeOf(row))
    stream.at = row
  }
}

const read = async (): Promise<void> => {
  let more = true
  while (more) {
    const from: Cursor = at ?? { tx: await queries.present(autocommit), id: 0 }
    const { rows, until, position } = await queries.eventsAfter(autocommit, from, readAtOnce)
    for (const row of rows) for (const stream of byUser.get(row.userId) ?? []) send(stream, { ...row, position })
    more = rows.length === readAtOnce && count > 0
    // Everything below `until` has been read.
    const end: Cursor = { tx: until, id: 0 }
    const reached = rows.length === readAtOnce ? rows.at(-1)! : isAfter(end, from) ? end : from
    at = count > 0 ? reached : undefined
  }
}

let reading: Promise<void> | undefined
let again = false

/** One read at a time; calls meanwhile cause one more read. A failed read is made up for by the next one. */
const look = (): Promise<void> => {
  if (reading) {
    again = true
    return reading
  }
  reading = onDatabase(read)
    .catch(() => undefined)
    .finally(() => {
      reading = undefined
      if (!again) return
      again = false
      void look()
    })
  return reading
}

/** Also ends streams of sessions that have expired, or whose end was not announced to this server. */
const endPastSessions = async () => {
  const streams = all()
  const ids = [...new Set(streams.map(({ user }) => user.sessionId))]
  const over = new Set((await queries.sessionsOver(autocommit, ids, clock.now())).map(({ id }) => id))
  for (const { user, line } of streams) if (over.has(user.sessionId)) line.end()
}

const tick = () => {
  void look()
  looks += 1
  if (looks % breatheEvery === 0) for (const { line } of all()) line.write(': still here\n\n')
  if (looks % sessionsEvery === 0) void onDatabase(endPastSessions).catch(() => undefined)
}

const add = (stream: Stream) => {
  const own = byUser.get(stream.user.id) ?? new Set()
  byUser.set(stream.user.id, own.add(stream))
  count += 1
  timer ??= setInterval(tick, lookEveryMs).unref()
}

const remove = (stream: Stream) => {
  const own = byUser.get(stream.user.id)
  if (!own?.delete(stream)) return
  if (own.size === 0) byUser.delete(stream.user.id)
  count -= 1
  if (count > 0) return
  clearInterval(timer)
  timer = undefined
  at = undefined
}

/**
 * Sends what was missed, then what arrived meanwhile; new events follow. If this fails, the stream ends and the page reconnects.
 */
const begin = async (stream: Stream, from: Cursor | undefined, seconds: number) => {
  // The reader has to start before missed events are looked up, so nothing is lost between the two.
  await look()
  if (at === undefined) throw new Error('the reader has no place yet')
  const { rows, until, reset, position } = await missed(stream.user, from, seconds)
  const start: Cursor = { tx: until, id: 0 }
  for (const row of rows) stream.line.write(changeOf({ ...row, position }))
  if (reset) stream.line.write(textOf(start, 'reset', placeOf(position)))
  stream.line.write(`retry: ${retryMs}\n${textOf(start, 'ready', placeOf(position))}`)
  stream.at = start
  for (const row of stream.held.splice(0)) send(stream, row)
}

const tooMany = (sentence: string) => new DomainError('TOO_MANY_REQUESTS', sentence, { retryAfterSeconds: 30 })

export const openStream = async (user: SignedIn, from: Cursor | undefined, seconds: number): Promise<LiveReply> => {
  if ((byUser.get(user.id)?.size ?? 0) >= perUser)
    throw tooMany(`You have ${perUser} event streams open. Close one, or poll for changes instead.`)
  if (count >= perServer) throw tooMany('Too many event streams are open. Poll for changes instead.')
  return {
    attach: line => {
      const stream: Stream = { user, line, at: null, held: [] }
      add(stream)
      onDatabase(() => begin(stream, from, seconds)).catch(() => line.end())
      return () => remove(stream)
    },
  }
}

onSignal(channel, () => {
  if (count > 0) void look()
})
onWrite(() => signal(channel))
onSessionEnd(sessionId => {
  for (const { user, line } of all()) if (user.sessionId === sessionId) line.end()
})
