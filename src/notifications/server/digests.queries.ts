import type { Due, Hold, Page } from '../../kit/server/batches.ts'
import { holding } from '../../kit/server/batches.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { About } from '../about.ts'
import type { DigestPeriod } from '../topics.ts'
import { workKinds } from './topics.ts'

/** Users with notifications that are due, longest overdue first. */
export const dueReaders = (tx: Tx, now: string, { after, limit }: Page): Promise<Due[]> =>
  tx.rows(sql`select user_id as id, digest_due_at::text as at from notifications
    where digest_due_at <= ${now} ${after ? sql`and (digest_due_at, user_id) > (${after.at}::timestamptz, ${after.id})` : empty}
    group by digest_due_at, user_id order by digest_due_at, user_id limit ${limit}`)

/** Locks the users, so that no two servers make parts of one digest. */
export const lockReaders = (tx: Tx, ids: readonly string[], hold: Hold): Promise<{ id: string; timeZone: string }[]> =>
  tx.rows(sql`select id, time_zone as "timeZone" from users where id = any(${ids}::uuid[]) order by id
    for no key update ${holding(hold)}`)

export type Waiting = {
  id: string
  userId: string
  kind: string | null
  period: DigestPeriod
  testId: string | null
  bugId: string | null
  createdAt: string
  unread: boolean
}

/** Takes these users' due notifications out of the queue. */
export const takeWaiting = (tx: Tx, userIds: readonly string[], now: string): Promise<Waiting[]> =>
  tx.rows(sql`update notifications set digest_due_at = null
    where user_id = any(${userIds}::uuid[]) and digest_due_at is not null and digest_due_at <= ${now}
    returning id, user_id as "userId", kind, delivery as period, read_at is null as unread, created_at as "createdAt",
      coalesce(about_test_id, case when about_kind in ('TEST', 'APPEAL') then about_id end) as "testId",
      case about_kind when 'BUG' then about_id end as "bugId"`)

export type NewDigest = { id: string; userId: string; period: DigestPeriod; notificationIds: string[] }

/** Resolves with the ids of the digests that were made: no period gets a second one. */
export const insertDigests = async (tx: Tx, all: readonly NewDigest[], now: string): Promise<string[]> => {
  const rows = await tx.rows<{
    id: string
  }>(sql`insert into digests (id, user_id, period, day, notification_ids, made_at)
    select n.id, n.user_id, n.period, digest_day(n.period, u.time_zone, ${now}),
      array(select jsonb_array_elements_text(n.ids)::uuid), ${now}
    from unnest(${all.map(({ id }) => id)}::uuid[], ${all.map(({ userId }) => userId)}::uuid[],
      ${all.map(({ period }) => period)}::text[], ${all.map(({ notificationIds }) => JSON.stringify(notificationIds))}::jsonb[])
      as n (id, user_id, period, ids) join users u on u.id = n.user_id
    where u.deleted_at is null
    on conflict (user_id, period, day) do nothing returning id`)
  return rows.map(({ id }) => id)
}

/** Puts them into the next digest of their period, unless nobody is left to read it. */
export const postpone = (tx: Tx, ids: readonly string[], now: string): Promise<number> =>
  tx.run(sql`update notifications n set digest_due_at = next_digest(n.delivery, u.time_zone, ${now}) from users u
    where n.id = any(${ids}::uuid[]) and u.id = n.user_id and u.deleted_at is null`)

export const forgetOldDigests = (tx: Tx, before: string): Promise<number> =>
  tx.run(sql`delete from digests where made_at < ${before}`)

type Reader = { userId: string; name: string | null; email: string; timeZone: string; period: DigestPeriod }
export type ToSend = Reader & { notificationIds: string[] }

export const digestToSend = (tx: Tx, id: string): Promise<ToSend | undefined> =>
  tx.maybe(sql`select d.period, d.notification_ids as "notificationIds", u.id as "userId", case when u.email_verified_at is not null then u.name end as name, u.email,
      u.time_zone as "timeZone" from digests d join users u on u.id = d.user_id
    where d.id = ${id} and u.deleted_at is null`)

export type Line = {
  kind: string | null
  subject: string
  about: About | null
  campaignId: string | null
  campaign: string | null
  /** Its reader's own test of the campaign, of what is about bugs. */
  ownTestId: string | null
  createdAt: string
}

/** The notifications of the digest that are still unread, newest first; of a suspended reader's, those that ask for no work. */
export const linesOf = (tx: Tx, ids: readonly string[], limit: number): Promise<Line[]> =>
  tx.rows(sql`select n.kind, n.subject, n.created_at as "createdAt", n.campaign_id as "campaignId", c.title as campaign,
      case when n.about_kind is not null
        then json_build_object('kind', n.about_kind, 'id', n.about_id, 'testId', n.about_test_id) end as about,
      p.id as "ownTestId"
    from notifications n join users u on u.id = n.user_id left join campaigns c on c.id = n.campaign_id
      left join participations p on n.about_kind = 'BUG' and p.campaign_id = n.campaign_id and p.tester_id = n.user_id
    where n.id = any(${ids}::uuid[]) and n.read_at is null
      and (u.suspended_at is null or n.kind is null or n.kind <> all(${workKinds}::text[])) order by n.id desc limit ${limit}`)
