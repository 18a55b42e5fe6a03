/** In-app notifications (product.md §8). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { Id, Instant, KeysetQuery } from '../kit/schemas.ts'
import { aboutKinds } from './about.ts'

export const Notification = z.object({
  id: Id,
  subject: z.string(),
  text: z.string(),
  /** What it links to; null when no screen shows it. */
  about: z.object({ kind: z.enum(aboutKinds), id: Id, testId: Id.nullish() }).nullable(),
  createdAt: Instant,
  readAt: Instant.nullable(),
})
export type Notification = z.output<typeof Notification>

export const notificationApi = endpoints({
  list: {
    method: 'GET',
    path: '/users/me/notifications',
    access: 'SIGNED_IN',
    revalidated: true,
    summary: 'The caller’s notifications, newest first.',
    query: KeysetQuery,
    pageOf: Notification,
  },
  read: {
    method: 'POST',
    path: '/users/me/notifications/read',
    access: 'SIGNED_IN',
    summary: 'Mark the given notifications as read, or all of them.',
    body: z.object({ ids: z.array(Id).max(100, { error: 'At most 100 at a time' }).optional() }).nullish(),
    reply: z.object({ marked: z.int() }),
  },
})
