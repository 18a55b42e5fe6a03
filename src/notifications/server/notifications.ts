/**
 * Telling people, inside the product and by email. What is told is recorded in the transaction of its cause, with the
 * job that mails it: through SMTP when it is configured, else as .eml files in the data folder (product.md §8).
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { paths } from '../../kit/paths.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import { screenOf } from '../about.ts'
import type { Notification } from '../contract.ts'
import { type Occasion, type Occasions, writeLetter } from './letters.ts'
import { deliver } from './mail.ts'
import * as queries from './queries.ts'

export { closeMail, useMail } from './mail.ts'

export const sendMail: Job<{ notificationId: string }> = {
  name: 'notifications.send-mail',
  run: async ({ notificationId }) => {
    const letter = await queries.letterOf(autocommit, notificationId)
    // Gone with its receiver.
    if (!letter) return
    const { name, email, subject, text, about } = letter
    const path = about ? screenOf(about) : paths.dashboard
    await deliver({ mailId: notificationId, to: { name, address: email }, subject, text, path })
  },
}

export const tell = async <O extends Occasion>(
  tx: Tx,
  userId: string,
  occasion: O,
  facts: Occasions[O],
): Promise<void> => {
  const id = randomUUIDv7()
  await queries.insertNotification(tx, { id, userId, ...writeLetter(occasion, facts), createdAt: clock.now() })
  await enqueue(tx, sendMail, { notificationId: id })
}

type ListQuery = { limit: number; cursor?: string | undefined }

export const list = async (user: SignedIn, { limit, cursor }: ListQuery): Promise<Page<Notification>> => {
  const rows = await queries.notificationsOf(autocommit, user.id, limit + 1, cursor)
  return { items: rows.slice(0, limit), nextCursor: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null }
}

export const markRead = async (user: SignedIn, ids: readonly string[] | undefined): Promise<{ marked: number }> => ({
  marked: await queries.markRead(autocommit, user.id, ids ?? null, clock.now()),
})
