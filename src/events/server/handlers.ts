import type { Handlers } from '../../kit/endpoint.ts'
import type { eventApi } from '../contract.ts'
import { cursorOf, longAgo } from '../cursor.ts'
import { eventsOf } from './events.ts'
import { openStream } from './streams.ts'

export const eventHandlers: Handlers<typeof eventApi> = {
  events: ({ user, query: { after, seconds }, caller }) => {
    // The last event's id, as a browser repeats it, may come from a proxy or an older release. If it is no cursor, it is unknown
    // what was missed, so everything has to be loaded again.
    const from = caller.lastEventId ? (cursorOf(caller.lastEventId) ?? longAgo) : cursorOf(after)
    return caller.wantsEvents ? openStream(user, from, seconds) : eventsOf(user, from, seconds)
  },
}
