/** SQL of activity. Triggers write the events (007-activity.sql), except edits and links, which the use cases record. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { ActivityQuery, CampaignEvent } from '../contract.ts'

export type EventRow = Pick<CampaignEvent, 'id' | 'at' | 'kind' | 'participationId'> & {
  facts: Partial<
    Pick<
      CampaignEvent,
      | 'amountCents'
      | 'reason'
      | 'code'
      | 'dropReason'
      | 'bySilence'
      | 'by'
      | 'link'
      | 'ofGroup'
      | 'questions'
      | 'fields'
    >
  > & {
    ordinal?: number
    /** The testers' ordinals. */
    removed?: number[]
  }
}

const columns = sql`id, at, kind, participation_id as "participationId", facts`

const page = ({ limit, cursor }: ActivityQuery) =>
  sql`${cursor ? sql`and id < ${cursor}` : empty} order by id desc limit ${rowLimit(limit + 1)}`

/** Reads one row more than the limit, to know whether there is another page. */
export const eventsOfCampaign = (tx: Tx, campaignId: string, query: ActivityQuery): Promise<EventRow[]> =>
  tx.rows(sql`select ${columns} from campaign_events where campaign_id = ${campaignId} ${page(query)}`)

export const eventsOfTest = (tx: Tx, participationId: string, query: ActivityQuery): Promise<EventRow[]> =>
  tx.rows(sql`select ${columns} from campaign_events where participation_id = ${participationId} ${page(query)}`)

export const ownTest = (tx: Tx, testerId: string, id: string): Promise<{ id: string }> =>
  tx.one(sql`select id from participations where id = ${id} and tester_id = ${testerId}`, 'Test')
