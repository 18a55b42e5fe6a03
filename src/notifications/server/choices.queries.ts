import { clock } from '../../kit/clock.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import type { NotificationChoice } from '../contract.ts'

export const choicesOf = (tx: Tx, userId: string): Promise<NotificationChoice[]> =>
  tx.rows(sql`select topic, delivery from notification_choices where user_id = ${userId}`)

export const putChoices = (tx: Tx, userId: string, choices: readonly NotificationChoice[]): Promise<number> =>
  tx.run(sql`insert into notification_choices as c (user_id, topic, delivery)
    select ${userId}, topic, delivery
    from unnest(${choices.map(({ topic }) => topic)}::text[], ${choices.map(({ delivery }) => delivery)}::text[])
      as n (topic, delivery)
    on conflict (user_id, topic) do update set delivery = excluded.delivery, before_off = null
      where c.delivery <> excluded.delivery`)

/**
 * Notifications that wait for a digest now wait for the morning in the user's new time zone. Those that are due already stay due.
 */
export const waitInZone = (tx: Tx, userId: string): Promise<number> =>
  tx.run(sql`update notifications n set digest_due_at = next_digest(n.delivery, u.time_zone, ${clock.now()})
    from users u where u.id = ${userId} and n.user_id = u.id and n.digest_due_at > ${clock.now()}`)

/** Notifications that wait for a digest now wait for the newly chosen one, or for none. */
export const waitAsChosen = (tx: Tx, userId: string): Promise<number> =>
  tx.run(sql`update notifications n set delivery = chosen.delivery, digest_due_at = case
        when chosen.delivery in ('DAILY', 'WEEKLY') then next_digest(chosen.delivery, chosen.time_zone, ${clock.now()}) end
    from (select w.id, case when c.delivery in ('DAILY', 'WEEKLY') then c.delivery else 'IN_APP' end as delivery, u.time_zone
      from notifications w join users u on u.id = w.user_id
        left join notification_choices c on c.user_id = w.user_id and c.topic = w.topic
      where w.user_id = ${userId} and w.digest_due_at is not null) chosen
    where n.id = chosen.id and n.delivery <> chosen.delivery`)
