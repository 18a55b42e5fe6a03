/** SQL of appeals that nobody has decided, in batches. */
import { type Due, nextPage, type Page } from '../../kit/server/batches.ts'
import type { Downtime } from '../../kit/downtimes.ts'
import { holdLock } from '../../kit/server/advisoryLocks.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { downtimesSince } from '../../kit/server/downtimes.ts'
import type { GoodwillHold } from '../terms.ts'

export const dueAppeals = (tx: Tx, now: string, page: Page): Promise<Due[]> =>
  tx.rows(sql`select id, wake_at::text as at from (select participation_id as id, wake_at from appeals where outcome is null) due
    where wake_at <= ${now} ${nextPage(sql`wake_at`, page)}`)

/** Until the end of the transaction nobody else can spend from the month's budgets. */
export const holdGoodwill = (tx: Tx): Promise<unknown> => holdLock(tx, 'GOODWILL')

export type DueAppeal = {
  id: string
  appealedAt: string
  alertsSent: number
  heldFor: GoodwillHold | null
  testerSuspended: boolean
  downtimes: readonly Downtime[]
}

/** Those that are still due. The caller has locked their tests. */
export const appealsDue = (tx: Tx, ids: readonly string[], now: string): Promise<DueAppeal[]> =>
  tx.rows(sql`select a.participation_id as id, a.appealed_at as "appealedAt", a.alerts_sent as "alertsSent",
      a.held_for as "heldFor", u.suspended_at is not null as "testerSuspended",
      ${downtimesSince(sql`a.appealed_at`)} as downtimes
    from appeals a join participations p on p.id = a.participation_id join users u on u.id = p.tester_id
    where a.participation_id = any(${ids}) and a.outcome is null and a.wake_at <= ${now} order by a.seq`)

/** What the platform has paid since the beginning of the month, per developer. */
export const paidSince = (tx: Tx, since: string): Promise<{ developerId: string; cents: number }[]> =>
  tx.rows(sql`select c.developer_id as "developerId", sum(p.payout_amount_cents)::bigint as cents
    from appeals a join participations p on p.id = a.participation_id join campaigns c on c.id = p.campaign_id
    where a.outcome = 'PLATFORM' and a.decided_at >= ${since} group by c.developer_id`)

export type Looked = { id: string; alertsSent: number; heldFor: GoodwillHold | null; wakeAt: string }

export const setLooked = async (tx: Tx, looked: readonly Looked[]): Promise<void> => {
  if (looked.length === 0) return
  await tx.run(sql`update appeals a set alerts_sent = l.alerts_sent, held_for = l.held_for, wake_at = l.wake_at
    from unnest(${looked.map(({ id }) => id)}::uuid[], ${looked.map(({ alertsSent }) => alertsSent)}::smallint[],
      ${looked.map(({ heldFor }) => heldFor)}::text[], ${looked.map(one => one.wakeAt)}::timestamptz[])
      as l (id, alerts_sent, held_for, wake_at)
    where a.participation_id = l.id and a.outcome is null`)
}
