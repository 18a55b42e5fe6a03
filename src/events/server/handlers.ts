import type { Handlers } from '../../kit/endpoint.ts'
import type { eventApi } from '../contract.ts'
import { cursorOf } from '../cursor.ts'
import { eventsOf } from './events.ts'
import { openStream } from './streams.ts'

export const eventHandlers: Handlers<typeof eventApi> = {
  events: ({ user, query: { after, seconds }, caller }) => {
    const from = cursorOf(caller.lastEventId ?? after)
    return caller.wantsEvents ? openStream(user, from, seconds) : eventsOf(user, from, seconds)
  },
}
