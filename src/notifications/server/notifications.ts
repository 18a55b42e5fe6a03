/**
 * Notifies users in the product and by email. The notification and the job that sends its email are written in the
 * transaction of the event itself (product.md §8).
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { paths } from '../../kit/paths.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { enqueue, enqueueMany, type Job } from '../../kit/server/jobs.ts'
import { screenOf } from '../about.ts'
import type { Notification } from '../contract.ts'
import { type EmailFacts, type EmailKind, writeEmail } from './emails.ts'
import { deliver, emailJob } from './mail.ts'
import * as queries from './queries.ts'

export type { EmailFacts, EmailKind } from './emails.ts'
export { closeMail, emailJob, mailGoesOut, publicAddress, useMail } from './mail.ts'

type Recipient = { name: string | null; address: string }

/** Sends one email that no notification stands for; for the jobs of other slices. The id makes a repetition recognisable. */
export const sendEmail = async <K extends EmailKind>(
  mailId: string,
  to: Recipient,
  kind: K,
  facts: EmailFacts[K],
): Promise<void> => {
  const { subject, text, about } = writeEmail(kind, facts)
  await deliver({ mailId, to, subject, text, path: about ? screenOf(about) : paths.home })
}

export const sendMail: Job<{ notificationId: string }> = {
  name: 'notifications.send-mail',
  ...emailJob,
  atOnce: 5,
  run: async ({ notificationId }) => {
    const found = await queries.emailOf(autocommit, notificationId)
    // The recipient deleted their account.
    if (!found) return
    const { name, email, subject, text, about } = found
    const path = about ? screenOf(about) : paths.dashboard
    await deliver({ mailId: notificationId, to: { name, address: email }, subject, text, path })
  },
}

export const notify = async <K extends EmailKind>(
  tx: Tx,
  userId: string,
  kind: K,
  facts: EmailFacts[K],
): Promise<void> => {
  const id = randomUUIDv7()
  await queries.insertNotification(tx, { id, userId, ...writeEmail(kind, facts), createdAt: clock.now() })
  await enqueue(tx, sendMail, { notificationId: id })
}

/** The same kind of notification for many, in two statements. */
export const notifyMany = async <K extends EmailKind>(
  tx: Tx,
  kind: K,
  notices: readonly { userId: string; facts: EmailFacts[K] }[],
): Promise<void> => {
  if (notices.length === 0) return
  const createdAt = clock.now()
  const rows = notices.map(({ userId, facts }) => ({
    id: randomUUIDv7(),
    userId,
    ...writeEmail(kind, facts),
    createdAt,
  }))
  await queries.insertNotifications(tx, rows)
  await enqueueMany(
    tx,
    sendMail,
    rows.map(({ id }) => ({ notificationId: id })),
  )
}

type ListQuery = { limit: number; cursor?: string | undefined }

export const list = async (user: SignedIn, { limit, cursor }: ListQuery): Promise<Page<Notification>> => {
  const rows = await queries.notificationsOf(autocommit, user.id, limit + 1, cursor)
  return { items: rows.slice(0, limit), nextCursor: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null }
}

export const markRead = async (user: SignedIn, ids: readonly string[] | undefined): Promise<{ marked: number }> => ({
  marked: await queries.markRead(autocommit, user.id, ids ?? null, clock.now()),
})
