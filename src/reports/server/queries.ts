import type { Day } from '../../kit/clock.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { daysOf } from '../../participations/server/participations.ts'
import type { BugFacts, CheckInFacts, TesterFacts } from '../rules.ts'

/** Sorted by when they joined. */
export const testersOf = (tx: Tx, campaignId: string): Promise<TesterFacts[]> =>
  tx.rows(sql`
    select id, ordinal, status, drop_reason as "dropReason",
      (select drop_hours from campaigns where id = campaign_id) as "dropHours",
      rejection_code is not null and exists (select from appeals where participation_id = participations.id
        and outcome = 'PLATFORM') as "byPlatform", nda_refused and payout_amount_cents = 0 as "leftUnpaid", joined_at as "joinedAt", closed_at as "closedAt", reviewed_at as "reviewedAt",
      check_in_count - count_voided_days(id) as "daysCheckedIn",
      case when (select deleted_at from users where id = tester_id) is null then device_model end as model, device_manufacturer as manufacturer, device_os_version as "osVersion"
    from participations where campaign_id = ${campaignId} order by ordinal`)

/** The first day whose check-ins have not been deleted for their age; null if the campaign has lost none. */
export const checkInsKeptFrom = (tx: Tx, campaignId: string): Promise<Day | null> =>
  tx.value(sql`select max(g.until_day) as day from past_partitions g
    where g.parent = 'check_ins' and exists (select from participations p where p.campaign_id = ${campaignId}
      and g.until_day > (p.joined_at - interval '2 days')::date and (g.from_day is null or g.from_day <= p.last_check_in_day))`)

/**
 * Check-ins that count, from all of the campaign's tests, sorted by day. `offset 0` makes PostgreSQL go test by test, so that it
 * reads only the months of their days.
 */
export const checkInsOf = (tx: Tx, campaignId: string): Promise<CheckInFacts[]> =>
  tx.rows(sql`
    select c.participation_id as "participationId", c.day, c.note, c.minutes, c.features
    from participations p cross join lateral (
      select k.* from all_check_ins k where k.participation_id = p.id and ${daysOf(sql`k`)} and not exists (
        select from opt_in_runs r where r.id = k.run_id and r.end_reason = 'VOIDED')
      offset 0) c
    where p.campaign_id = ${campaignId} order by c.day, p.ordinal`)

export const bugsOf = (tx: Tx, campaignId: string): Promise<BugFacts[]> =>
  tx.rows(sql`
    select b.number, b.title, p.ordinal, b.severity, b.status, coalesce(b.fixed_in, o.fixed_in) as "fixedIn",
      o.number as "duplicateOf", b.reported_at as "reportedAt",
      (select r.result from bug_retests r where r.bug_id = b.id order by r.id desc limit 1) as retest
    from bugs b join participations p on p.id = b.participation_id left join bugs o on o.id = b.duplicate_of
    where b.campaign_id = ${campaignId} order by b.number`)
