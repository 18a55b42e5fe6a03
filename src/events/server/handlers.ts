import type { Handlers } from '../../kit/endpoint.ts'
import type { eventApi } from '../contract.ts'
import { cursorOf, longAgo } from '../cursor.ts'
import { eventsOf } from './events.ts'
import { openStream } from './streams.ts'

export const eventHandlers: Handlers<typeof eventApi> = {
  events: ({ user, query: { after, seconds }, caller }) => {
    // What a browser repeats as its place may have come from a proxy, or from a release before: it has missed nobody knows what.
    const from = caller.lastEventId ? (cursorOf(caller.lastEventId) ?? longAgo) : cursorOf(after)
    return caller.wantsEvents ? openStream(user, from, seconds) : eventsOf(user, from, seconds)
  },
}
