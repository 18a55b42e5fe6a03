/** SQL of being on the developer's list. */
import { sql, type Tx } from '../../kit/server/db.ts'

export const setListed = (tx: Tx, ids: readonly string[], now: string): Promise<number> =>
  tx.run(sql`update participations set listed_at = ${now}, unlisted_at = null where id = any(${ids})`)

export const setUnlisted = (tx: Tx, ids: readonly string[], now: string): Promise<number> =>
  tx.run(sql`update participations set unlisted_at = ${now} where id = any(${ids})`)

export const setWakeAt = (tx: Tx, tests: readonly { id: string; at: string }[]): Promise<number> =>
  tx.run(sql`update participations p set wake_at = due.at
    from (select unnest(${tests.map(({ id }) => id)}::uuid[]) as id, unnest(${tests.map(({ at }) => at)}::timestamptz[]) as at) due
    where p.id = due.id`)
