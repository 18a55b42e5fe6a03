import { type Due, type Hold, holding, nextPage, type Page } from '../../kit/server/batches.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { daysCheckedIn, lastDayCounted } from './rows.ts'

export const dueReminders = (tx: Tx, now: string, page: Page): Promise<Due[]> =>
  tx.rows(sql`select id, remind_at::text as at
    from (select participation_id as id, remind_at from reminders) reminders
    where remind_at <= ${now} ${nextPage(sql`remind_at`, page)}`)

/**
 * Locks the testers first, as everything does that notifies them. Resolves with the tests of those that were locked. Joined in one
 * statement, PostgreSQL would compare each row with each, since it expects only a few.
 */
export const lockTesters = async (tx: Tx, testIds: readonly string[], now: string, hold: Hold): Promise<string[]> => {
  const found = await tx.rows<{ id: string; testerId: string }>(sql`select p.id, p.tester_id as "testerId"
    from reminders r join participations p on p.id = r.participation_id
    where r.participation_id = any(${testIds}) and r.remind_at <= ${now}`)
  const testers = await tx.rows<{ id: string }>(sql`select id from users
    where id = any(${[...new Set(found.map(({ testerId }) => testerId))]}) order by id for key share ${holding(hold)}`)
  const locked = new Set(testers.map(({ id }) => id))
  return found.filter(({ testerId }) => locked.has(testerId)).map(({ id }) => id)
}

export type Reminded = { testId: string; testerId: string; title: string; owed: boolean; zone: string | null }

/**
 * Takes each reminder that is still due once, and moves it to the tester's next evening, or deletes it if the test is over or has
 * no run. A tester who has checked in today, or who is past the last day and owes the proof, owes no check-in.
 */
export const takeReminders = (tx: Tx, testIds: readonly string[], now: string, hold: Hold): Promise<Reminded[]> =>
  tx.rows(sql`
    with due as materialized (
      select participation_id as id from reminders where participation_id = any(${testIds}) and remind_at <= ${now}
      order by participation_id for update ${holding(hold)}
    ), tests as materialized (
      select p.id, p.tester_id, p.time_zone, nullif(p.time_zone, u.time_zone) as zone, ${lastDayCounted} as last_day, c.title,
        p.status = 'ACTIVE' and c.daily_check_in and (c.access_mode = 'OPEN_LINK' or p.opted_in_at is not null) as goes_on,
        p.proof_allowed_at > ${now} and (p.at_risk or ${daysCheckedIn} < c.duration_days
          or (p.proof_allowed_at at time zone p.time_zone)::date > (${now}::timestamptz at time zone p.time_zone)::date)
          and (p.nda_joined is null or p.nda_accepted is not null) as checks_in
      from due join participations p on p.id = due.id join campaigns c on c.id = p.campaign_id join users u on u.id = p.tester_id
    ), zones as materialized (
      select time_zone, next_evening(time_zone, ${now}) as evening, (${now}::timestamptz at time zone time_zone)::date as today
      from (select distinct time_zone from tests) each
    ), moved as (
      update reminders r set remind_at = zones.evening from tests join zones using (time_zone)
      where r.participation_id = tests.id and tests.goes_on
    ), forgotten as (
      delete from reminders r using tests where r.participation_id = tests.id and not tests.goes_on
    )
    select id as "testId", tester_id as "testerId", title, zone,
      goes_on and checks_in and coalesce(last_day < today, true) as owed
    from tests join zones using (time_zone)`)
