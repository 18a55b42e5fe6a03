/** Queries of the detector of even check-ins: tests with many check-ins, and their times. */
import { raw } from 'sql-template-tag'
import { sql, type Tx } from '../../kit/server/db.ts'
import { type CheckIn, fewestEven } from '../evenCheckIns.ts'
import { thresholds } from '../rules.ts'
import { ends, keys, type Step, times, within } from './steps.queries.ts'

/**
 * A literal rather than a parameter, because the index covers only these tests. Each check-in makes a test due for a look again.
 */
const often = sql`participations where check_in_count >= ${raw(String(fewestEven))}`

export const endOfOften = ends(times(sql`last_seen_at`, often))

/** Tests with enough check-ins that were seen in this step. */
export const checkedInOften = (tx: Tx, step: Step): Promise<string[]> =>
  keys(tx.rows(sql`select id as key from ${often} and ${within(sql`last_seen_at`, step)}`))

/** The newest check-ins of these tests, in their order. Those past their retention period (decision 050) no longer have times. */
export const checkInsOf = (tx: Tx, participationIds: readonly string[]): Promise<CheckIn[]> =>
  tx.rows(sql`
    select p.id as "participationId", p.tester_id as "testerId", p.campaign_id as "campaignId",
      c.title as "campaignTitle", k.at
    from unnest(${participationIds}::uuid[]) fresh (id)
      cross join lateral (select * from participations where id = fresh.id offset 0) p
      cross join lateral (select from users where id = p.tester_id and deleted_at is null offset 0) present
      cross join lateral (select title from campaigns where id = p.campaign_id offset 0) c
      cross join lateral (
        select at from check_ins
        where participation_id = p.id and day between (p.joined_at - interval '2 days')::date and p.last_check_in_day
        order by day desc limit ${thresholds.factsOfOneFinding}
      ) k
    order by p.id, k.at`)
