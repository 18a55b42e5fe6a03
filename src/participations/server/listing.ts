/** Being on the developer's list: what the owner's confirmation changes of a test. */
import { sql, type Tx } from '../../kit/server/db.ts'
import { wakeAt } from '../deadlines.ts'
import * as queries from './queries.ts'

type Listing = { added: readonly string[]; removed: readonly string[] }

/** Of one campaign, which the caller holds. Gives those who were added, as they are now. */
export const setListed = async (
  tx: Tx,
  { added, removed }: Listing,
  now: string,
): Promise<queries.ParticipationRow[]> => {
  await tx.run(sql`update participations set listed_at = ${now}, unlisted_at = null where id = any(${added})`)
  await tx.run(sql`update participations set unlisted_at = ${now} where id = any(${removed})`)
  const rows = await queries.participationsByIds(tx, added)
  // What waits for the list has other deadlines than what waits for the tester.
  const awake = rows.flatMap(row => {
    const at = wakeAt(row)
    return at === null ? [] : [{ id: row.id, at }]
  })
  await tx.run(sql`update participations p set wake_at = due.at
    from (select unnest(${awake.map(({ id }) => id)}::uuid[]) as id, unnest(${awake.map(({ at }) => at)}::timestamptz[]) as at) due
    where p.id = due.id`)
  return rows
}
