/** SQL of being on the developer's list. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { AccessProblem } from '../terms.ts'

export const setListed = (tx: Tx, ids: readonly string[], now: string): Promise<number> =>
  tx.run(sql`update participations set listed_at = ${now}, unlisted_at = null where id = any(${ids})`)

export const setUnlisted = (tx: Tx, ids: readonly string[], now: string): Promise<number> =>
  tx.run(sql`update participations set unlisted_at = ${now} where id = any(${ids})`)

type NoAccess = { participationId: string; now: string; problem: AccessProblem; wakeAt: string | null }

/** Starts the wait and its notices again. */
export const setNoAccess = (tx: Tx, { participationId, now, problem, wakeAt }: NoAccess): Promise<number> =>
  tx.run(sql`update participations set listed_at = null, no_access_at = ${now}, no_access_problem = ${problem},
    no_access_reports = no_access_reports + 1, wait_notices_sent = 0, at_risk = false, proof_warned = false,
    wake_at = ${wakeAt} where id = ${participationId}`)

/** A tester who is off the list is no longer opted in. */
export const endRunsOf = async (tx: Tx, ids: readonly string[], now: string): Promise<void> => {
  await tx.run(sql`update opt_in_runs set ended_at = greatest(${now}, started_at), end_reason = 'LEFT'
    where participation_id = any(${ids}) and ended_at is null`)
  await tx.run(sql`update participations set opted_in_at = null, opted_out_at = ${now}
    where id = any(${ids}) and opted_in_at is not null`)
}

export const setWakeAt = (tx: Tx, tests: readonly { id: string; at: string }[]): Promise<number> =>
  tx.run(sql`update participations p set wake_at = due.at
    from (select unnest(${tests.map(({ id }) => id)}::uuid[]) as id, unnest(${tests.map(({ at }) => at)}::timestamptz[]) as at) due
    where p.id = due.id`)
