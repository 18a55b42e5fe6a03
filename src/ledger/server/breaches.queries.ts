/** SQL for errors found in the money. */
import { holdLock } from '../../kit/server/advisoryLocks.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import type { OffCents } from '../rules.ts'

export const stoppedSince = (tx: Tx): Promise<string | null> =>
  tx.value(sql`select min(found_at) from money_breaches where accepted_at is null`)

export type OpenBreach = { id: string; isAccepted: boolean; offCents: OffCents }

/** Makes everyone else who records a breach wait, whichever check it comes from. */
export const holdBreaches = async (tx: Tx): Promise<void> => {
  await holdLock(tx, 'BREACHES')
}

export const lockOpenBreach = async (tx: Tx, check: string): Promise<OpenBreach | undefined> => {
  await holdBreaches(tx)
  return tx.maybe(sql`select id, accepted_at is not null as "isAccepted", off_cents as "offCents" from money_breaches
    where check_name = ${check} and ended_at is null for update`)
}

type Found = { check: string; rowCount: number; offCents: OffCents; examples: readonly unknown[] }

export const insertBreach = (tx: Tx, b: Found & { id: string; now: string }): Promise<number> =>
  tx.run(sql`insert into money_breaches (id, check_name, found_at, row_count, off_cents, examples)
    values (${b.id}, ${b.check}, ${b.now}, ${b.rowCount}, ${JSON.stringify(b.offCents)}, ${JSON.stringify(b.examples)})`)

export const updateBreach = (tx: Tx, id: string, b: Found): Promise<number> =>
  tx.run(sql`update money_breaches set row_count = ${b.rowCount}, off_cents = ${JSON.stringify(b.offCents)},
      examples = ${JSON.stringify(b.examples)}
    where id = ${id} and (row_count, off_cents, examples) is distinct from
      (${b.rowCount}, ${JSON.stringify(b.offCents)}::jsonb, ${JSON.stringify(b.examples)}::jsonb)`)

export const endBreach = (tx: Tx, check: string, now: string): Promise<number> =>
  tx.run(sql`update money_breaches set ended_at = ${now} where check_name = ${check} and ended_at is null`)

/** Locks everything that stops payouts until the end of the transaction. */
export const lockUnexplained = (tx: Tx): Promise<{ id: string; check: string }[]> =>
  tx.rows(sql`select id, check_name as check from money_breaches where accepted_at is null order by id for update`)

export const acceptBreaches = (tx: Tx, a: { by: string; reason: string; now: string }): Promise<number> =>
  tx.run(sql`update money_breaches set accepted_at = ${a.now}, accepted_by = ${a.by}, reason = ${a.reason}
    where accepted_at is null`)

export type Untold = { id: string; check: string; rows: number; offCents: number }

/**
 * Breaches that stop payouts and were not reported yet. The lock keeps others from reporting them until the end of the
 * transaction.
 */
export const takeUntold = (tx: Tx, now: string): Promise<Untold[]> =>
  tx.rows(sql`update money_breaches set told_at = ${now}
    where id in (select id from money_breaches where accepted_at is null and told_at is null order by id for update skip locked)
    returning id, check_name as check, row_count as rows,
      (select coalesce(sum(abs(value::bigint)), 0)::bigint from jsonb_each_text(off_cents)) as "offCents"`)
