/** In-app notifications (product.md §8). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { filter, Id, idOr, Instant, KeysetQuery } from '../kit/schemas.ts'
import { aboutKinds, groupKinds } from './about.ts'
import { deliveries, topics } from './topics.ts'

export const Notification = z.object({
  id: Id,
  subject: z.string(),
  text: z.string(),
  /** What it links to; null when no screen shows it. */
  about: z.object({ kind: z.enum(aboutKinds), id: Id, testId: Id.nullish() }).nullable(),
  createdAt: Instant,
  readAt: Instant.nullable(),
  /** Only on the newest, in the list of all: how many are unread; at most 100 are counted. */
  unreadCount: z.int().optional(),
})
export type Notification = z.output<typeof Notification>

/** What was told of one matter of a campaign, as one line: "3 proofs submitted". */
export const NotificationGroup = z.object({
  /** Of the newest of them. */
  id: Id,
  campaign: z.object({ id: Id, title: z.string() }).nullable(),
  topic: z.enum(topics).nullable(),
  /** With the campaign, what stays the same when news joins it; null for what is from before kinds were kept. */
  kind: z.string().nullable(),
  subject: z.string(),
  /** At most 100 of each are counted. */
  count: z.int(),
  unread: z.int(),
  /** Where all of them are shown. */
  about: z.object({ kind: z.enum(groupKinds), id: Id, testId: Id.nullish() }).nullable(),
  createdAt: Instant,
  /** The reader’s, in which the texts tell times. */
  timeZone: z.string(),
  /** The newest five. */
  newest: z.array(Notification),
})
export type NotificationGroup = z.output<typeof NotificationGroup>

const GroupsQuery = KeysetQuery.extend({
  unread: filter(['true'], 'Unread must be true, or left out'),
  topic: filter(topics, 'Choose one of the listed kinds'),
  campaignId: idOr('No such campaign').optional(),
})
export type GroupsQuery = z.output<typeof GroupsQuery>

/** How one hears of a kind of event. */
export const NotificationChoice = z.object({
  topic: z.enum(topics, { error: 'Choose one of the listed kinds' }),
  delivery: z.enum(deliveries, { error: 'Choose one of the listed ways' }),
})
export type NotificationChoice = z.output<typeof NotificationChoice>

const choices = z
  .array(NotificationChoice)
  .max(topics.length, { error: `At most ${topics.length} choices` })
  .refine(all => new Set(all.map(({ topic }) => topic)).size === all.length, { error: 'Name each kind only once' })

const UnsubscribeToken = z.string({ error: 'This link is incomplete' }).max(200, { error: 'This link is incomplete' })

/** What an unsubscribe link is about, and whether its emails are on now. It names nobody. */
export const EmailTopic = z.object({ title: z.string(), digest: z.boolean(), emails: z.boolean() })
export type EmailTopic = z.output<typeof EmailTopic>

export const notificationApi = endpoints({
  list: {
    method: 'GET',
    path: '/users/me/notifications',
    replica: true,
    access: 'SIGNED_IN',
    revalidated: true,
    summary: 'The caller’s notifications, newest first.',
    query: KeysetQuery,
    pageOf: Notification,
  },
  groups: {
    method: 'GET',
    path: '/users/me/notification-groups',
    replica: true,
    access: 'SIGNED_IN',
    revalidated: true,
    summary:
      'The caller’s notifications, grouped by campaign and kind, newest first. A page may have fewer groups than its limit.',
    query: GroupsQuery,
    pageOf: NotificationGroup,
  },
  read: {
    method: 'POST',
    path: '/users/me/notifications/read',
    access: 'SIGNED_IN',
    summary: 'Mark notifications as read: the given ones, those of a group up to a given one, or all of them.',
    body: z
      .object({ ids: z.array(Id).max(100, { error: 'At most 100 at a time' }).optional(), group: Id.optional() })
      .nullish(),
    reply: z.object({ marked: z.int() }),
  },
  choices: {
    method: 'GET',
    path: '/users/me/notification-choices',
    access: 'SIGNED_IN',
    revalidated: true,
    summary: 'How the caller is notified of each kind of event.',
    reply: z.object({ choices: z.array(NotificationChoice) }),
  },
  choose: {
    method: 'PUT',
    path: '/users/me/notification-choices',
    access: 'SIGNED_IN',
    summary: 'Choose how to be notified of each kind of event. Kinds that are left out go back to immediate email.',
    body: z.object({ choices }),
    reply: z.object({ choices: z.array(NotificationChoice) }),
  },
  unsubscribe: {
    method: 'POST',
    path: '/unsubscribe',
    access: 'PUBLIC',
    summary: 'Turn off the emails that an unsubscribe link is for, or turn them on again. Requires no sign-in.',
    body: z.object({ token: UnsubscribeToken, emails: z.boolean({ error: 'Say whether to send these emails' }) }),
    reply: EmailTopic,
    errors: ['TOO_MANY_REQUESTS'],
  },
})
