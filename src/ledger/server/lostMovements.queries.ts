/** SQL of what the provider did before a restore. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/eachDue.ts'

export type LostPayout = { id: string; testerId: string; amountCents: number }

/** Whose balance covers it, and who may withdraw. */
export const bookablePayouts = (tx: Tx, now: string, { limit, except }: DuePage): Promise<LostPayout[]> =>
  tx.rows(sql`select l.id, l.of_id as "testerId", l.amount_cents as "amountCents"
    from lost_movements l join users u on u.id = l.of_id
      join accounts a on a.kind = 'TESTER_BALANCE' and a.owner_id = l.of_id
    where l.kind = 'PAYOUT' and l.booked_at is null and a.balance_cents >= l.amount_cents and l.id <> all(${except})
      and u.suspended_at is null and u.deleted_at is null
      and (u.payouts_paused_until is null or u.payouts_paused_until <= ${now})
    order by l.of_id, l.id limit ${limit}`)

export const setBooked = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update lost_movements set booked_at = ${now} where id = ${id} and booked_at is null`)

/** What stands in the way of a tester's withdrawals after a restore. */
export type AfterRestore = { isPaused: boolean; lostCents: number }

export const afterRestore = async (tx: Tx, testerId: string): Promise<AfterRestore> =>
  (await tx.maybe<AfterRestore>(sql`select
    exists(select from job_pauses where resumed_at is null and reason = 'RESTORED') as "isPaused",
    (select coalesce(sum(amount_cents), 0)::bigint from lost_movements
      where of_id = ${testerId} and kind = 'PAYOUT' and booked_at is null) as "lostCents"`))!

/** Whether jobs have gone on after a pause since then. */
export const resumedSince = (tx: Tx, since: string): Promise<boolean> =>
  tx.value(sql`select coalesce((select resumed_at from job_pauses order by paused_at desc limit 1)
    > ${since}, false) as resumed`)

export const lockCampaign = (tx: Tx, id: string): Promise<object | undefined> =>
  tx.maybe(sql`select from campaigns where id = ${id} for update`)
