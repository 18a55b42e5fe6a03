/** One stream of events over `fetch`, because `EventSource` cannot send a token. */
import { tokenAfter } from '../../kit/web/request.ts'
import { session } from '../../kit/web/session.ts'
import type { LiveEvents } from '../contract.ts'
import { type Topic, topics } from '../terms.ts'
import { type StreamEvent, streamParser } from './parsing.ts'

const address = '/api/v1/users/me/events'

/** The server sends something at once, and then at least every 25 seconds. */
const firstWordMs = 10_000
const silentMs = 35_000

/** The topics that have changed for the user; null if something unknown was missed. */
export type Changed = readonly Topic[] | null
/** Whoever asks for what has changed names `position` (src/kit/web/position.ts). */
export type Heard = { cursor: string; changed: readonly string[] | null; position: string | null }

/** How old the page's data may be: ten seconds more if a standby supplied it, and some to spare. */
const secondsShown = (): number => Math.min(600, Math.ceil(performance.now() / 1000) + 20)

/** A newer server has others, which a tab of its release knows. */
export const isTopic = (value: string): value is Topic => topics.some(topic => topic === value)

const heardIn = ({ id, name, data }: StreamEvent): Heard => {
  const { topic, position } = JSON.parse(data) as { topic?: unknown; position?: unknown }
  const changed = name === 'reset' ? null : typeof topic === 'string' ? [topic] : []
  return { cursor: id, changed, position: typeof position === 'string' ? position : null }
}

type Accept = 'text/event-stream' | 'application/json'

const ask = (accept: Accept, token: string, cursor: string | undefined, signal: AbortSignal) =>
  fetch(cursor === undefined ? `${address}?seconds=${secondsShown()}` : address, {
    headers: {
      accept,
      authorization: `Bearer ${token}`,
      ...(cursor !== undefined && { 'last-event-id': cursor }),
    },
    cache: 'no-store',
    signal,
  })

type Listening = { userId: string; cursor: string | undefined; signal: AbortSignal; hear: (heard: Heard) => void }

/** Undefined if the user is no longer signed in here, or the server refuses. */
const begin = async (accept: Accept, { userId, cursor, signal }: Omit<Listening, 'hear'>) => {
  const token = session.accessToken()
  if (token === null || session.ownerId() !== userId) return undefined
  const response = await ask(accept, token, cursor, signal)
  if (response.status !== 401) return response.ok ? response : undefined
  const fresh = await tokenAfter(token)
  if (fresh === null || session.ownerId() !== userId) return undefined
  const again = await ask(accept, fresh, cursor, signal)
  return again.ok ? again : undefined
}

/** Listens until the stream ends or falls silent; true if it had begun. Never throws. */
export const listen = async ({ userId, cursor, signal, hear }: Listening): Promise<boolean> => {
  const silent = new AbortController()
  let timer = setTimeout(() => silent.abort(), firstWordMs)
  let begun = false
  try {
    const within = AbortSignal.any([signal, silent.signal])
    const body = (await begin('text/event-stream', { userId, cursor, signal: within }))?.body
    if (!body) return false
    const parse = streamParser()
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), silentMs)
      begun = true
      for (const event of parse(piece.value)) hear(heardIn(event))
    }
  } catch {
    // The caller reconnects with its cursor.
  } finally {
    clearTimeout(timer)
    silent.abort()
  }
  return begun
}

/** Asks once. Never throws, because the next request finds what this one did not. */
export const askOnce = async ({ hear, ...asking }: Listening): Promise<void> => {
  try {
    const response = await begin('application/json', asking)
    if (!response) return
    const { events, cursor, reset, position }: LiveEvents = await response.json()
    hear({ cursor, changed: reset ? null : events.map(({ topic }) => topic), position })
  } catch {
    // Ignored, as above.
  }
}
