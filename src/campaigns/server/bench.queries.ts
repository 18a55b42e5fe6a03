import { sql, type Tx } from '../../kit/server/db.ts'

/** When a campaign starts or resumes: holds its free seats for the testers on its bench. */
export const offerSeats = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.value(sql`select offer_seats(${id}, false, ${now})`)

/** Empties the benches of campaigns that have ended. Resolves with the testers who were on them. */
export const endBenches = (tx: Tx, ids: readonly string[]): Promise<{ testerId: string; campaignId: string }[]> =>
  tx.rows(sql`
    with forgotten as (delete from bench_passes where campaign_id = any(${ids})),
    gone as (delete from bench_entries where campaign_id = any(${ids}) returning tester_id, campaign_id),
    counted as (update campaigns set bench_testers = 0 where id in (select campaign_id from gone))
    select tester_id as "testerId", campaign_id as "campaignId" from gone`)
