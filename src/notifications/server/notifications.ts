/**
 * Notifies users in the product and by email. The notification and the job that sends its email are written in the
 * transaction of the event itself (product.md §8).
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { paths } from '../../kit/paths.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { enqueueMany, type Job } from '../../kit/server/jobs.ts'
import { labelOf, screenOf } from '../about.ts'
import type { Notification } from '../contract.ts'
import { alwaysInApp, titleOfScope, type Topic, topics } from '../topics.ts'
import { type EmailFacts, type EmailKind, writeEmail } from './emails.ts'
import { inZone } from './emailParts.ts'
import { deliver, emailJob } from './mail.ts'
import * as queries from './queries.ts'
import { matters } from './topics.ts'
import { unsubscribeToken } from './unsubscribeTokens.ts'

export type { EmailFacts, EmailKind } from './emails.ts'
export type { Seat } from './refundWords.ts'
export { isEmailedAtOnce } from './choices.ts'
export { waitInZone } from './choices.queries.ts'
export { type Asked, makeDigests, sendDigest, useSettled } from './digests.ts'
export { forgetOldNotifications } from './forgetting.ts'
export { mountOneClick } from './unsubscribe.ts'
export { forgetTroubles, mailTrouble, mailTroubles, toldUnread } from './queries.ts'
export { closeMail, emailJob, mailGoesOut, publicAddress, useMail } from './mail.ts'

type Recipient = { name: string | null; address: string }

/** Sends one email that no notification stands for; for the jobs of other slices. The id makes a repetition recognizable. */
export const sendEmail = async <K extends EmailKind>(
  mailId: string,
  to: Recipient,
  kind: K,
  facts: EmailFacts[K],
): Promise<void> => {
  const { about, ...email } = writeEmail(kind, facts)
  const text = inZone(email.text, 'UTC')
  await deliver({
    mailId,
    to,
    ...email,
    text,
    screen: { label: labelOf(about), path: about ? screenOf(about) : paths.home },
  })
}

export const sendMail: Job<{ notificationId: string }> = {
  name: 'notifications.send-mail',
  ...emailJob,
  atOnce: 5,
  run: async ({ notificationId }) => {
    const found = await queries.emailOf(autocommit, notificationId)
    // The recipient deleted their account or is suspended, or chose another way to hear of it.
    if (!found) return
    const { userId, topic, name, email, subject, about } = found
    const text = inZone(found.text, found.timeZone)
    const screen = { label: labelOf(about), path: about ? screenOf(about) : paths.dashboard }
    const off =
      topic === alwaysInApp && found.isSuspended
        ? { because: whileSuspended }
        : topic && { because: becauseOf(topic), turnOff: await unsubscribeToken(autocommit, userId, topic) }
    await deliver({ mailId: notificationId, to: { name, address: email }, subject, text, screen, ...off })
  },
}

/** A topic that only a newer server knows has no title here. */
const becauseOf = (topic: Topic) =>
  topics.includes(topic)
    ? `You get this email because “${titleOfScope(topic)}” is set to “By email at once” in your notification settings.`
    : 'You get this email because of your notification settings.'

/** Whatever they chose, and nothing turns it off. */
const whileSuspended = 'You get this email because you cannot read it in Fieldtest while your account is suspended.'

/** What one user is told. */
export type NoticeOf<K extends EmailKind> = { [P in K]: { userId: string; kind: P; facts: EmailFacts[P] } }[K]
export type Notice = NoticeOf<EmailKind>

export const notice = <K extends EmailKind>(userId: string, kind: K, facts: EmailFacts[K]): NoticeOf<K> => ({
  userId,
  kind,
  facts,
})

const write = <K extends EmailKind>(id: string, { userId, kind, facts }: NoticeOf<K>, createdAt: string) => ({
  id,
  userId,
  kind,
  topic: matters[kind].topic,
  inApp: matters[kind].inApp === true,
  ...writeEmail(kind, facts),
  createdAt,
})

/** Tells many, each what concerns them: two statements in one round trip, however many they are, and none for nobody. */
export const notifyMany = async <K extends EmailKind>(tx: Tx, notices: readonly NoticeOf<K>[]): Promise<void> => {
  if (notices.length === 0) return
  const now = clock.now()
  // Lists go by id, and ids of one millisecond come in any order.
  const ids = notices.map(() => randomUUIDv7()).toSorted()
  const rows = notices.map((each, place) => write(ids[place]!, each, now))
  const mails = rows.flatMap(({ id, inApp }) => (inApp ? [] : { notificationId: id }))
  await Promise.all([queries.insertNotifications(tx, rows), enqueueMany(tx, sendMail, mails)])
}

export const notify = <K extends EmailKind>(tx: Tx, userId: string, kind: K, facts: EmailFacts[K]): Promise<void> =>
  notifyMany<K>(tx, [notice(userId, kind, facts)])

/** Emails admins' unread messages to a user who can no longer see them in the app (decision 042). */
export const emailMessages = async (tx: Tx, userId: string): Promise<void> => {
  const messages = await queries.hastenMessages(tx, userId)
  await enqueueMany(
    tx,
    sendMail,
    messages.map(({ id }) => ({ notificationId: id })),
  )
}

type ListQuery = { limit: number; cursor?: string | undefined }

export const list = async (user: SignedIn, { limit, cursor }: ListQuery): Promise<Page<Notification>> => {
  const rows = await queries.notificationsOf(autocommit, user.id, limit + 1, cursor)
  const items = rows.slice(0, limit).map(({ unreadCount, ...row }, place) => ({
    ...row,
    text: inZone(row.text, row.timeZone),
    ...(place === 0 && { unreadCount }),
  }))
  return { items, nextCursor: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null }
}

export const markRead = async (user: SignedIn, ids: readonly string[] | undefined): Promise<{ marked: number }> => ({
  marked: await queries.markRead(autocommit, user.id, ids ?? null, clock.now()),
})
