import { sql, type Tx } from '../../kit/server/db.ts'

/** Holds the free seats of a campaign that starts or goes on for those on its bench. */
export const offerSeats = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.value(sql`select offer_seats(${id}, false, ${now})`)

/** Ends the line of a campaign that has ended; who was in it. */
export const endBench = (tx: Tx, id: string): Promise<{ testerId: string }[]> =>
  tx.rows(sql`
    with gone as (delete from bench_entries where campaign_id = ${id} returning tester_id),
    counted as (update campaigns set bench_testers = 0 where id = ${id} and exists (select from gone))
    select tester_id as "testerId" from gone`)
