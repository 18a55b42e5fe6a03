import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { instantText } from '../../kit/server/json.ts'
import { fixedRowLimit, rowLimit } from '../../kit/server/rowLimits.ts'
import type { GroupsQuery, Notification, NotificationGroup } from '../contract.ts'

export type GroupRow = Omit<NotificationGroup, 'subject' | 'about'> & {
  /** Set if one of several is unread. */
  onlyUnread: Notification | null
  /** How many different things the unread ones are about; all of them if none is unread. */
  things: number
  ownTestId: string | null
}

type Filters = Omit<GroupsQuery, 'limit'> & { window: number }

const newestOf = (
  userId: string,
  { cursor, unread, window }: Filters,
) => sql`select id, kind, campaign_id, topic, created_at, read_at,
    subject, text, about_kind, about_id, about_test_id from notifications
  where user_id = ${userId} ${cursor ? sql`and id < ${cursor}` : empty} ${unread ? sql`and read_at is null` : empty}
  order by id desc limit ${fixedRowLimit(window)}`

const notification = (row: ReturnType<typeof sql>) => sql`json_build_object('id', ${row}.id, 'subject', ${row}.subject,
  'text', ${row}.text, 'createdAt', ${instantText(sql`${row}.created_at`)}, 'readAt', ${instantText(sql`${row}.read_at`)},
  'about', case when ${row}.about_kind is not null
    then json_build_object('kind', ${row}.about_kind, 'id', ${row}.about_id, 'testId', ${row}.about_test_id) end)`

/** Not in the index that serves the counts, and of some kinds alone. */
const thingsAmong = (same: ReturnType<typeof sql>) => sql`select
    coalesce(nullif(count(distinct about_id) filter (where read_at is null), 0), nullif(count(distinct about_id), 0), 1)
  from (select m.read_at, m.about_id from notifications m where ${same} order by m.id desc limit 100) m`

/**
 * A group is listed where its newest notification is. Notifications without a campaign, or from before kinds were stored, are
 * listed singly.
 */
export const groupsOf = (
  tx: Tx,
  userId: string,
  { limit, ...filters }: Filters & { limit: number },
): Promise<GroupRow[]> => {
  const { unread, topic, campaignId } = filters
  const onlyUnread = unread ? sql`and m.read_at is null` : empty
  const same = sql`m.user_id = ${userId} and m.campaign_id = w.campaign_id and m.kind = w.kind ${onlyUnread}`
  return tx.rows(sql`with w as materialized (${newestOf(userId, filters)})
    select w.id, w.kind, w.topic, w.created_at as "createdAt", u.time_zone as "timeZone",
      case when c.id is not null then json_build_object('id', c.id, 'title', c.title) end as campaign,
      coalesce(counted.count, 1)::int as count,
      coalesce(counted.unread, case when w.read_at is null then 1 else 0 end)::int as unread,
      case when w.about_kind in ('BUG', 'APPEAL') then (${thingsAmong(same)}) else 1 end::int as things,
      case when w.about_kind = 'BUG' then (select p.id from participations p
        where p.campaign_id = w.campaign_id and p.tester_id = ${userId}) end as "ownTestId",
      coalesce(listed.newest, json_build_array(${notification(sql`w`)})) as newest,
      case when counted.unread = 1 then (select ${notification(sql`m`)} from notifications m
        where ${same} and m.read_at is null order by m.id desc limit 1) end as "onlyUnread"
    from w join users u on u.id = ${userId} left join campaigns c on c.id = w.campaign_id
      left join lateral (select nullif(count(*), 0) as count, count(*) filter (where read_at is null) as unread
        from (select m.read_at from notifications m where ${same} order by m.id desc limit 100) m) counted
        on counted.count is not null
      left join lateral (select json_agg(${notification(sql`m`)} order by m.id desc) as newest
        from (select m.* from notifications m where ${same} order by m.id desc limit 5) m) listed on true
    where not exists (select from notifications m where ${same} and m.id > w.id)
      ${topic ? sql`and w.topic = ${topic}` : empty} ${campaignId ? sql`and w.campaign_id = ${campaignId}` : empty}
    order by w.id desc limit ${rowLimit(limit)}`)
}

/** Where the next page begins, if this page has read as many as it may; null at the end of the list. */
export const endOfWindow = async (tx: Tx, userId: string, filters: Filters): Promise<string | null> => {
  const found = await tx.maybe<{ id: string }>(sql`select id from (${newestOf(userId, filters)}) w
    order by id desc offset ${fixedRowLimit(filters.window - 1)} limit 1`)
  return found?.id ?? null
}

/** Notifications that arrived meanwhile stay unread. */
export const markGroupRead = (tx: Tx, userId: string, newestId: string, now: string): Promise<number> =>
  tx.run(sql`update notifications n set read_at = ${now} from notifications g
    where g.id = ${newestId} and g.user_id = ${userId} and n.user_id = ${userId} and n.read_at is null and n.id <= g.id
      and (n.id = g.id or (n.kind = g.kind and n.campaign_id = g.campaign_id))`)
