import type { Handlers } from '../../kit/endpoint.ts'
import type { notificationApi } from '../contract.ts'
import { choices, choose } from './choices.ts'
import { groups, markGroupRead } from './groups.ts'
import { list, markRead } from './notifications.ts'
import { unsubscribe } from './unsubscribe.ts'

export const notificationHandlers = (options: { limited: boolean }): Handlers<typeof notificationApi> => ({
  list: ({ user, query }) => list(user, query),
  groups: ({ user, query }) => groups(user, query),
  read: ({ user, body }) => (body?.group ? markGroupRead(user, body.group) : markRead(user, body?.ids)),
  choices: ({ user }) => choices(user),
  choose: ({ user, body }) => choose(user, body.choices),
  unsubscribe: ({ body, caller }) => unsubscribe(body, caller, options),
})
