/** Event streams as a page opens them. */
import type { LiveEvents } from '../events/contract.ts'
import type { Person } from './app.ts'

export type StreamEvent = { id: string; event: string; data: { topic?: string; subjectId?: string | null } }

export type Stream = {
  status: number
  next: () => Promise<StreamEvent | null>
  /** All events up to the first with this name, or to the end of the stream. */
  until: (name: string) => Promise<StreamEvent[]>
  /** The next change; skips other events, such as the one that says the stream is ready. */
  change: () => Promise<StreamEvent>
  cut: () => void
}

const parsed = (block: string): StreamEvent | null => {
  const fields = new Map(
    block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const [id, event, data] = ['id', 'event', 'data'].map(name => fields.get(name))
  return event === undefined ? null : { id: id!, event, data: JSON.parse(data!) as StreamEvent['data'] }
}

type Begin = { lastEventId?: string; query?: string }

/** Opens a stream on a server; `address` has no path. */
export const openStream = async (address: string, accessToken: string, begin: Begin = {}): Promise<Stream> => {
  const gone = new AbortController()
  const response = await fetch(`${address}/api/v1/users/me/events${begin.query ?? ''}`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${accessToken}`,
      ...(begin.lastEventId !== undefined && { 'last-event-id': begin.lastEventId }),
    },
    signal: gone.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<StreamEvent | null> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const event = parsed(text.slice(0, end))
        text = text.slice(end + 2)
        if (event) return event
        continue
      }
      const { value, done } = await reader.read()
      if (done) return null
      text += value
    }
  }
  const until = async (name: string): Promise<StreamEvent[]> => {
    const seen: StreamEvent[] = []
    for (let event = await next(); event; event = await next()) {
      seen.push(event)
      if (event.event === name) break
    }
    return seen
  }
  const change = async () => (await until('change')).at(-1)!
  return { status: response.status, next, until, change, cut: () => gone.abort() }
}

export const told = ({ data }: StreamEvent): string => `${data.topic} ${data.subjectId ?? ''}`.trim()

/** Fetches events without a stream. */
export const eventsOf = async (person: Person, query: string): Promise<LiveEvents> =>
  (await person.call<LiveEvents>('GET', `/users/me/events${query}`)).body
