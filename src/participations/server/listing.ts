/** Being on the developer's list: what the owner's confirmation changes in a test. */
import type { Tx } from '../../kit/server/db.ts'
import { wakeAt } from '../deadlines.ts'
import * as listing from './listing.queries.ts'
import * as queries from './queries.ts'

type Listing = { added: readonly string[]; removed: readonly string[] }

/** For one campaign, which the caller has locked. Resolves with the testers who were added, as they are now. */
export const setListed = async (
  tx: Tx,
  { added, removed }: Listing,
  now: string,
): Promise<queries.ParticipationRow[]> => {
  await listing.setListed(tx, added, now)
  await listing.setUnlisted(tx, removed, now)
  await listing.endRunsOf(tx, removed, now)
  const rows = await queries.participationsByIds(tx, added)
  // A test that waits for the list has other deadlines than one that waits for the tester.
  const awake = rows.flatMap(row => {
    const at = wakeAt(row)
    return at === null ? [] : [{ id: row.id, at }]
  })
  await listing.setWakeAt(tx, awake)
  return rows
}
