import { sql, type Tx } from '../../kit/server/db.ts'
import type { CheckInFacts, TesterFacts } from '../rules.ts'

/** In the order they joined. */
export const testersOf = (tx: Tx, campaignId: string): Promise<TesterFacts[]> =>
  tx.rows(sql`
    select id, ordinal, status, drop_reason as "dropReason", joined_at as "joinedAt", closed_at as "closedAt",
      device_model as model, device_manufacturer as manufacturer, device_os_version as "osVersion"
    from participations where campaign_id = ${campaignId} order by ordinal`)

/** Of all of the campaign's tests, in the order of days. */
export const checkInsOf = (tx: Tx, campaignId: string): Promise<CheckInFacts[]> =>
  tx.rows(sql`
    select c.participation_id as "participationId", c.day, c.note, c.minutes, c.features
    from participations p join check_ins c on c.participation_id = p.id
    where p.campaign_id = ${campaignId} order by c.day, p.ordinal`)
