import { type Due, type Hold, holding, nextPage, type Page } from '../../kit/server/batches.ts'
import { sql, type Tx } from '../../kit/server/db.ts'

export type Reminded = { testId: string; testerId: string; title: string; owed: boolean }

export const dueReminders = (tx: Tx, now: string, page: Page): Promise<Due[]> =>
  tx.rows(sql`select id, remind_at::text as at from participations where remind_at <= ${now}
    ${nextPage(sql`remind_at`, page)}`)

/**
 * Takes those that are still due, each once, and moves them to the tester's next evening. Whoever is past the last day
 * owes the proof and no check-in. Testers are locked first, as everybody does who writes to them.
 */
export const takeReminders = async (tx: Tx, ids: readonly string[], now: string, hold: Hold): Promise<Reminded[]> => {
  const testers = await tx.rows<{ id: string }>(sql`select id from users
    where id in (select tester_id from participations where id = any(${ids}) and remind_at <= ${now})
    order by id for key share ${holding(hold)}`)
  return tx.rows(sql`
    with due as materialized (
      select id from participations where id = any(${ids}) and remind_at <= ${now}
        and tester_id = any(${testers.map(({ id }) => id)})
      order by id for no key update ${holding(hold)}
    )
    update participations p set remind_at = next_evening(p.time_zone, ${now})
    from due, campaigns c
    where p.id = due.id and c.id = p.campaign_id
    returning p.id as "testId", p.tester_id as "testerId", c.title,
      p.proof_allowed_at > ${now} and p.last_check_in_day is distinct from (${now}::timestamptz at time zone p.time_zone)::date
        and (p.nda_joined is null or p.nda_accepted is not null) as owed`)
}
