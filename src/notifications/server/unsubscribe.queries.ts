import { sql, type Tx } from '../../kit/server/db.ts'
import { type DigestPeriod, presetDelivery } from '../topics.ts'

/** Newest first. */
export const unsubscribeKeys = async (tx: Tx): Promise<Buffer[]> =>
  (await tx.rows<{ key: Buffer }>(sql`select key from unsubscribe_keys order by id desc`)).map(({ key }) => key)

/** Keeps what was chosen before. A topic that is unsubscribed already stays as it is. */
export const turnTopicOff = (tx: Tx, userId: string, topic: string): Promise<number> =>
  tx.run(sql`insert into notification_choices as c (user_id, topic, delivery, before_off)
    select id, ${topic}, 'IN_APP', ${presetDelivery} from users where id = ${userId} and deleted_at is null
    on conflict (user_id, topic) do update set delivery = 'IN_APP', before_off = c.delivery
      where c.delivery in ('AT_ONCE', 'DAILY', 'WEEKLY')`)

export const turnTopicOn = (tx: Tx, userId: string, topic: string): Promise<number> =>
  tx.run(sql`update notification_choices set delivery = coalesce(before_off, ${presetDelivery}), before_off = null
    where user_id = ${userId} and topic = ${topic} and delivery in ('IN_APP', 'NEVER')`)

export const turnDigestOff = (tx: Tx, userId: string, period: DigestPeriod): Promise<number> =>
  tx.run(sql`update notification_choices set delivery = 'IN_APP', before_off = ${period}
    where user_id = ${userId} and delivery = ${period}`)

export const turnDigestOn = (tx: Tx, userId: string, period: DigestPeriod): Promise<number> =>
  tx.run(sql`update notification_choices set delivery = ${period}, before_off = null
    where user_id = ${userId} and before_off = ${period} and delivery = 'IN_APP'`)
