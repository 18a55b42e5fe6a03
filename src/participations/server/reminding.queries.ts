import { sql, type Tx } from '../../kit/server/db.ts'

export type Reminded = { testId: string; testerId: string; title: string }

/**
 * Takes up to `limit` reminders that are due, each once, and moves them to the tester's next evening. Whoever is past the
 * last day owes the proof and no check-in. Rows that somebody else holds are left for the next run.
 */
export const takeReminders = (tx: Tx, now: string, limit: number): Promise<(Reminded & { owed: boolean })[]> =>
  tx.rows(sql`
    with due as materialized (
      select id, time_zone from participations where remind_at <= ${now}
      order by remind_at limit ${limit} for no key update skip locked
    )
    update participations p
      set remind_at = evening_of((${now}::timestamptz at time zone p.time_zone)::date
        + case when evening_of((${now}::timestamptz at time zone p.time_zone)::date, p.time_zone) > ${now} then 0 else 1 end,
        p.time_zone)
    from due, campaigns c
    where p.id = due.id and c.id = p.campaign_id
    returning p.id as "testId", p.tester_id as "testerId", c.title,
      p.proof_allowed_at > ${now} and p.last_check_in_day is distinct from (${now}::timestamptz at time zone p.time_zone)::date
        as owed`)
