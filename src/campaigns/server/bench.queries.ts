import { sql, type Tx } from '../../kit/server/db.ts'

/** Holds the free seats of a campaign that starts or goes on for those on its bench. */
export const offerSeats = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.value(sql`select offer_seats(${id}, false, ${now})`)

/** Ends the lines of campaigns that have ended; who was in them. */
export const endBenches = (tx: Tx, ids: readonly string[]): Promise<{ testerId: string; campaignId: string }[]> =>
  tx.rows(sql`
    with forgotten as (delete from bench_passes where campaign_id = any(${ids})),
    gone as (delete from bench_entries where campaign_id = any(${ids}) returning tester_id, campaign_id),
    counted as (update campaigns set bench_testers = 0 where id in (select campaign_id from gone))
    select tester_id as "testerId", campaign_id as "campaignId" from gone`)
