import { hoursAfter } from '../../kit/clock.ts'
import type { Deleted } from '../../kit/server/deleting.ts'
import { beforeAllIds, idFrom } from '../../kit/server/ids.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { emailsThatWait } from '../../kit/server/jobs.ts'
import { fixedRowLimit, rowLimit } from '../../kit/server/rowLimits.ts'
import type { Notification } from '../contract.ts'
import { mostUnread } from '../unread.ts'
import { alwaysInApp, presetDelivery, type Topic } from '../topics.ts'
import type { EmailKind } from './emails.ts'
import { workKinds } from './topics.ts'

type NewNotification = Omit<Notification, 'readAt'> & {
  userId: string
  kind: EmailKind
  topic: Topic | null
  inApp: boolean
}

/**
 * Writes each notification as its user chose: none for NEVER, unless its topic always stays in the app, and with a time at which
 * it is due if it waits for a digest. The statement reads the choices itself, which saves a round trip. `offset 0` hides the
 * lengths of the lists from the planner, which would otherwise plan each one anew, at a higher cost than that of the insert. A
 * user who deletes their account meanwhile gets none, because it would outlive the account: the lock is the foreign key's own,
 * and waits for the deletion.
 */
export const insertNotifications = (tx: Tx, all: readonly NewNotification[]): Promise<number> =>
  tx.run(sql`insert into notifications (id, user_id, kind, topic, subject, text, about_kind, about_id, about_test_id,
      created_at, campaign_id, delivery, digest_due_at)
    select n.*, coalesce(p.campaign_id, e.campaign_id, b.campaign_id,
        case when n.about_kind in ('CAMPAIGN', 'TESTERS', 'PROOFS', 'TESTER_LIST') then n.about_id end),
      case when c.delivery = 'NEVER' or n.id = any(${all.flatMap(n => (n.inApp ? n.id : []))}::uuid[]) then 'IN_APP'
        else coalesce(c.delivery, ${presetDelivery}) end,
      case when c.delivery in ('DAILY', 'WEEKLY') and n.id <> all(${all.flatMap(n => (n.inApp ? n.id : []))}::uuid[])
      then next_digest(c.delivery, u.time_zone, n.created_at) end
    from (select ${all.map(n => n.id)}::uuid[] as ids, ${all.map(n => n.userId)}::uuid[] as users,
      ${all.map(n => n.kind)}::text[] as kinds, ${all.map(n => n.topic)}::text[] as topics,
      ${all.map(n => n.subject)}::text[] as subjects, ${all.map(n => n.text)}::text[] as texts,
      ${all.map(n => n.about?.kind ?? null)}::text[] as about_kinds, ${all.map(n => n.about?.id ?? null)}::uuid[] as about_ids,
      ${all.map(n => n.about?.testId ?? null)}::uuid[] as about_tests,
      ${all.map(n => n.createdAt)}::timestamptz[] as times offset 0) given,
      unnest(ids, users, kinds, topics, subjects, texts, about_kinds, about_ids, about_tests, times)
      as n (id, user_id, kind, topic, subject, text, about_kind, about_id, about_test_id, created_at)
    join users u on u.id = n.user_id and u.deleted_at is null
    left join notification_choices c on c.user_id = n.user_id and c.topic = n.topic
      and (n.topic <> ${alwaysInApp} or u.suspended_at is null)
    left join participations p on n.about_kind in ('TEST', 'APPEAL') and p.id = n.about_id
    left join bench_entries e on n.about_kind in ('TEST', 'APPEAL') and e.id = n.about_id
    left join bugs b on n.about_kind = 'BUG' and b.id = n.about_id
    where c.delivery is distinct from 'NEVER' or n.topic = ${alwaysInApp}
    for key share of u`)

/** Those of `userIds` for whom one of this kind about the campaign has been waiting to be read since then. */
export const toldUnread = (
  tx: Tx,
  {
    userIds,
    campaignId,
    kind,
    since,
  }: { userIds: readonly string[]; campaignId: string; kind: EmailKind; since: string },
): Promise<{ id: string }[]> =>
  tx.rows(sql`select u.id from unnest(${userIds}::uuid[]) u (id) where exists (select from notifications n
    where n.user_id = u.id and n.campaign_id = ${campaignId} and n.kind = ${kind} and n.read_at is null and n.created_at > ${since})`)

const about = sql`case when about_kind is not null
  then json_build_object('kind', about_kind, 'id', about_id, 'testId', about_test_id) end as about`

export type EmailRow = Pick<Notification, 'subject' | 'text' | 'about'> & {
  topic: Topic | null
  userId: string
  /** Null where nobody has shown yet that the address is theirs. */
  name: string | null
  email: string
  timeZone: string
  isSuspended: boolean
}

/** Warnings within an hour by email to an address that may be a stranger's: whoever registered with it can cause them at will. */
const mostToStrangers = 10

/** Of one that is to be emailed at once, to somebody who still has an account, and is not suspended if it asks for work. */
export const emailOf = (tx: Tx, id: string): Promise<EmailRow | undefined> =>
  tx.maybe(sql`select n.subject, n.text, ${about}, n.topic, u.id as "userId",
      case when u.email_verified_at is not null then u.name end as name, u.email, u.time_zone as "timeZone",
      u.suspended_at is not null as "isSuspended"
    from notifications n join users u on u.id = n.user_id
    where n.id = ${id} and n.delivery = 'AT_ONCE' and u.deleted_at is null
      and (u.suspended_at is null or n.kind is null or n.kind <> all(${workKinds}::text[]))
      and (n.topic is not null or u.email_verified_at is not null or ${mostToStrangers} > (select count(*) from (
        select from notifications e where e.user_id = n.user_id and e.id < n.id and e.topic is null
          and e.created_at > n.created_at - interval '1 hour' order by e.id desc limit ${mostToStrangers}) earlier))`)

/** Admins' messages that the user has not read, and that were not emailed. From now on they are emailed at once. */
export const hastenMessages = (tx: Tx, userId: string): Promise<{ id: string }[]> =>
  tx.rows(sql`update notifications set delivery = 'AT_ONCE', digest_due_at = null
    where user_id = ${userId} and read_at is null and topic = ${alwaysInApp} and delivery <> 'AT_ONCE' returning id`)

const unreadOf = (userId: string) => sql`select count(*)::int from (select from notifications
  where user_id = ${userId} and read_at is null limit ${fixedRowLimit(mostUnread)}) unread`

export const notificationsOf = (
  tx: Tx,
  userId: string,
  limit: number,
  cursor: string | undefined,
): Promise<(Notification & { timeZone: string })[]> =>
  tx.rows(sql`select id, subject, text, ${about}, created_at as "createdAt", read_at as "readAt",
      (select time_zone from users where id = ${userId}) as "timeZone"
      ${cursor ? empty : sql`, (${unreadOf(userId)}) as "unreadCount"`} from notifications
    where user_id = ${userId} ${cursor ? sql`and id < ${cursor}` : empty} order by id desc limit ${rowLimit(limit)}`)

/** Marks the given notifications, or all when `ids` is null; returns how many were unread. */
export const markRead = (tx: Tx, userId: string, ids: readonly string[] | null, now: string): Promise<number> =>
  tx.run(sql`update notifications set read_at = ${now}
    where user_id = ${userId} and read_at is null and (${ids}::uuid[] is null or id = any(${ids}))`)

/**
 * Those told before then, in the order of their ids, which contain the time: no index more for each notification. What still
 * waits for a digest stays.
 */
export const forgetSome = (
  tx: Tx,
  { before, after = beforeAllIds, limit }: { before: string; after: string | undefined; limit: number },
): Promise<Deleted<string>> =>
  tx.one(
    sql`with gone as (
      delete from notifications where id in (
        select id from notifications where id > ${after} and id < ${idFrom(before)} and created_at < ${before}
          and digest_due_at is null order by id limit ${limit})
      returning id)
    select count(*) as count, (select id from gone order by id desc limit 1) as last from gone`,
    'Deleted notifications',
  )

export const recordRefusal = async (
  tx: Tx,
  { address, answer, now }: { address: string; answer: string; now: string },
): Promise<void> => {
  await tx.run(sql`insert into mail_refusals (address, answer, refused_at) values (${address}, ${answer}, ${now})
    on conflict (address) do update set answer = excluded.answer, refused_at = excluded.refused_at`)
}

type Trouble = { server: string; since: string; reason: string }

/** Longer than the longest pause before a retry: whoever has not failed for so long does not fail any more. */
export const troubleEndsHours = 7
/** A server that was replaced has another name; so its trouble ends when emails go out and it has not failed for so long. */
const othersEndHours = 1

/** An email has gone out. */
export const forgetRefusal = (
  tx: Tx,
  { address, server, now }: { address: string; server: string; now: string },
): Promise<number> =>
  tx.run(sql`with over as (
      delete from mail_trouble where server = ${server} or last_at < ${hoursAfter(now, -othersEndHours)})
    delete from mail_refusals where address = ${address}`)

export const recordTrouble = (
  tx: Tx,
  { server, reason, now }: { server: string; reason: string; now: string },
): Promise<number> =>
  tx.run(sql`insert into mail_trouble (server, since, last_at, reason) values (${server}, ${now}, ${now}, ${reason})
    on conflict (server) do update set reason = excluded.reason, last_at = excluded.last_at,
      since = case when mail_trouble.last_at > ${hoursAfter(now, -troubleEndsHours)} then mail_trouble.since else excluded.since end`)

/** Of a restored copy: what failed did so for the original. */
export const forgetTroubles = (tx: Tx): Promise<number> => tx.run(sql`delete from mail_trouble`)

/** A mail server that restarts is back sooner. */
const troubleHours = 0.25

/**
 * Of servers whose emails have failed for a while, while any waits: the last that failed may have been given up, or be wanted by
 * nobody.
 */
export const mailTroubles = (now: string) =>
  sql`mail_trouble where since < ${hoursAfter(now, -troubleHours)} and last_at > ${hoursAfter(now, -troubleEndsHours)}
    and exists (${emailsThatWait()})`

/** The longest. */
export const mailTrouble = (tx: Tx, now: string): Promise<Trouble | undefined> =>
  tx.maybe(sql`select server, since, reason from ${mailTroubles(now)} order by since, server limit 1`)
