import { sql, type Tx } from '../../kit/server/db.ts'
import type { BugFacts, CheckInFacts, TesterFacts } from '../rules.ts'

/** In the order they joined. */
export const testersOf = (tx: Tx, campaignId: string): Promise<TesterFacts[]> =>
  tx.rows(sql`
    select id, ordinal, status, drop_reason as "dropReason",
      (select drop_hours from campaigns where id = campaign_id) as "dropHours",
      rejection_code is not null and exists (select from appeals where participation_id = participations.id
        and outcome = 'PLATFORM') as "byPlatform", joined_at as "joinedAt", closed_at as "closedAt",
      device_model as model, device_manufacturer as manufacturer, device_os_version as "osVersion"
    from participations where campaign_id = ${campaignId} order by ordinal`)

/** Of all of the campaign's tests, in the order of days. */
export const checkInsOf = (tx: Tx, campaignId: string): Promise<CheckInFacts[]> =>
  tx.rows(sql`
    select c.participation_id as "participationId", c.day, c.note, c.minutes, c.features
    from participations p join check_ins c on c.participation_id = p.id
    where p.campaign_id = ${campaignId} order by c.day, p.ordinal`)

export const bugsOf = (tx: Tx, campaignId: string): Promise<BugFacts[]> =>
  tx.rows(sql`
    select b.number, b.title, p.ordinal, b.severity, b.status, coalesce(b.fixed_in, o.fixed_in) as "fixedIn",
      o.number as "duplicateOf", b.reported_at as "reportedAt",
      (select r.result from bug_retests r where r.bug_id = b.id and r.withdrawn_at is null order by r.id desc limit 1) as retest
    from bugs b join participations p on p.id = b.participation_id left join bugs o on o.id = b.duplicate_of
    where b.campaign_id = ${campaignId} order by b.number`)
