import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { Notification } from '../contract.ts'

type NewNotification = Omit<Notification, 'readAt'> & { userId: string }

export const insertNotifications = (tx: Tx, all: readonly NewNotification[]): Promise<number> =>
  tx.run(sql`insert into notifications (id, user_id, subject, text, about_kind, about_id, about_test_id, created_at)
    select * from unnest(${all.map(n => n.id)}::uuid[], ${all.map(n => n.userId)}::uuid[],
      ${all.map(n => n.subject)}::text[], ${all.map(n => n.text)}::text[],
      ${all.map(n => n.about?.kind ?? null)}::text[], ${all.map(n => n.about?.id ?? null)}::uuid[],
      ${all.map(n => n.about?.testId ?? null)}::uuid[],
      ${all.map(n => n.createdAt)}::timestamptz[])`)

const about = sql`case when about_kind is not null
  then json_build_object('kind', about_kind, 'id', about_id, 'testId', about_test_id) end as about`

export type EmailRow = Pick<Notification, 'subject' | 'text' | 'about'> & {
  name: string
  email: string
  timeZone: string
}

export const emailOf = (tx: Tx, id: string): Promise<EmailRow | undefined> =>
  tx.maybe(sql`select n.subject, n.text, ${about}, u.name, u.email, u.time_zone as "timeZone" from notifications n join users u on u.id = n.user_id
    where n.id = ${id} and u.deleted_at is null`)

export const notificationsOf = (
  tx: Tx,
  userId: string,
  limit: number,
  cursor: string | undefined,
): Promise<(Notification & { timeZone: string })[]> =>
  tx.rows(sql`select id, subject, text, ${about}, created_at as "createdAt", read_at as "readAt",
      (select time_zone from users where id = ${userId}) as "timeZone" from notifications
    where user_id = ${userId} ${cursor ? sql`and id < ${cursor}` : empty} order by id desc limit ${limit}`)

/** Marks the given notifications, or all when `ids` is null; returns how many were unread. */
export const markRead = (tx: Tx, userId: string, ids: readonly string[] | null, now: string): Promise<number> =>
  tx.run(sql`update notifications set read_at = ${now}
    where user_id = ${userId} and read_at is null and (${ids}::uuid[] is null or id = any(${ids}))`)

export const recordRefusal = async (
  tx: Tx,
  { address, answer, now }: { address: string; answer: string; now: string },
): Promise<void> => {
  await tx.run(sql`insert into mail_refusals (address, answer, refused_at) values (${address}, ${answer}, ${now})
    on conflict (address) do update set answer = excluded.answer, refused_at = excluded.refused_at`)
}

export const forgetRefusal = (tx: Tx, address: string): Promise<number> =>
  tx.run(sql`delete from mail_refusals where address = ${address}`)
