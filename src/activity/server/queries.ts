/** SQL of what happened. Triggers write it (007-activity.sql), but for an edit, which only its use case knows. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { ActivityQuery, CampaignEvent } from '../contract.ts'

export type EventRow = Pick<CampaignEvent, 'id' | 'at' | 'kind' | 'participationId'> & {
  facts: Partial<Pick<CampaignEvent, 'amountCents' | 'reason' | 'code' | 'dropReason' | 'bySilence' | 'fields'>> & {
    ordinal?: number
  }
}

const columns = sql`id, at, kind, participation_id as "participationId", facts`

const page = ({ limit, cursor }: ActivityQuery) =>
  sql`${cursor ? sql`and id < ${cursor}` : empty} order by id desc limit ${limit + 1}`

/** One row more than asked for says that there is another page. */
export const eventsOfCampaign = (tx: Tx, campaignId: string, query: ActivityQuery): Promise<EventRow[]> =>
  tx.rows(sql`select ${columns} from campaign_events where campaign_id = ${campaignId} ${page(query)}`)

export const eventsOfTest = (tx: Tx, participationId: string, query: ActivityQuery): Promise<EventRow[]> =>
  tx.rows(sql`select ${columns} from campaign_events where participation_id = ${participationId} ${page(query)}`)

export const ownTest = (tx: Tx, testerId: string, id: string): Promise<{ id: string }> =>
  tx.one(sql`select id from participations where id = ${id} and tester_id = ${testerId}`, 'Test')
