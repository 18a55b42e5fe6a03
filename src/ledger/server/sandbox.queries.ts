/** SQL for what the sandbox provider did, as the database knows it. */
import { holdLock } from '../../kit/server/advisoryLocks.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import type { Movement } from './movements.ts'

export type SandboxFile = { id: string; path: string | null }

export const sandboxFile = (tx: Tx): Promise<SandboxFile | undefined> =>
  tx.maybe(sql`select id, path from sandbox_file where only_row`)

/** Keeps others from making a file until the end of the transaction. */
export const holdSandboxFile = (tx: Tx): Promise<unknown> => holdLock(tx, 'SANDBOX_FILE')

/** The first file stays this database's file for good. Returns its id. */
export const keepSandboxFile = async (tx: Tx, { id, path }: SandboxFile): Promise<string> => {
  await tx.run(sql`insert into sandbox_file (id, path) values (${id}, ${path})
    on conflict (only_row) do update set path = excluded.path
      where sandbox_file.id = excluded.id and sandbox_file.path is distinct from excluded.path`)
  return tx.value(sql`select id from sandbox_file where only_row`)
}

const pageSize = 10_000

/** Used when the database is older than its file, or the file was lost. */
export async function* knownMovements(tx: Tx): AsyncGenerator<Movement[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await tx.rows<Movement & { earlier: number | null }>(sql`
      select coalesce((select key from provider_calls where subject_id = m.request_id order by attempt desc limit 1),
          m.request_id::text) as key, m.request_id as id, m.kind, m.amount_cents as "amountCents",
        coalesce(p.campaign_id, w.tester_id, r.payment_id) as of, m.decline_reason as declined, m.at,
        nullif(r.covered_cents, 0) as earlier
      from sandbox_movements m left join payments p on p.id = m.request_id left join withdrawals w on w.id = m.request_id
        left join refund_parts r on r.id = m.request_id
      where m.request_id > ${after} and coalesce(p.id, w.id, r.id) is not null order by m.request_id limit ${pageSize}`)
    yield rows.map(({ earlier, ...row }) => ({ ...row, ...(earlier !== null && { earlierCents: earlier }) }))
    if (rows.length < pageSize) break
    after = rows.at(-1)!.id
  }
  // There are few: only payouts with a test value come back, and only charges with one are disputed.
  yield await tx.rows<Movement>(sql`select 'return:' || id as key, id, 'RETURN' as kind, id as of,
    amount_cents as "amountCents", null as declined, returned_at as at from withdrawals where returned_at is not null
    union all select 'dispute:' || payment_id, payment_id, 'DISPUTE', payment_id, amount_cents, null, closed_at from disputes
      where provider = 'sandbox' and status = 'LOST'`)
}

/** The charges that are known here. */
export const chargesAmong = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await tx.rows<{ id: string }>(sql`select id from charges where id = any(${ids})
        union select id from payments where id = any(${ids})`)
    ).map(({ id }) => id),
  )

export type KnownMovement = {
  requestId: string
  kind: string
  amountCents: number
  counterparty: string
  declined: string | null
  at: string
}

export const insertSandboxMovement = (tx: Tx, m: KnownMovement): Promise<number> =>
  tx.run(sql`
    insert into sandbox_movements (request_id, kind, amount_cents, counterparty, decline_reason, at)
    values (${m.requestId}, ${m.kind}, ${m.amountCents}, ${m.counterparty}, ${m.declined}, ${m.at})
    on conflict (request_id) do nothing`)
