import type { Handlers } from '../../kit/endpoint.ts'
import type { notificationApi } from '../contract.ts'
import { list, markRead } from './notifications.ts'

export const notificationHandlers: Handlers<typeof notificationApi> = {
  list: ({ user, query }) => list(user, query),
  read: ({ user, body }) => markRead(user, body?.ids),
}
