import { sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { Account, AccountLine } from '../contract.ts'

export type AccountRow = Omit<Account, 'balanceCents' | 'upTo'> & { carriesBalance: boolean }

/** With `owned`, which joins them. */
const owner = sql`case
    when c.id is not null then json_build_object('id', c.id, 'type', 'CAMPAIGN', 'name', c.title)
    when u.id is not null then json_build_object('id', u.id, 'type', 'USER', 'name', u.name) end`
const owned = sql`left join campaigns c on c.id = a.owner_id left join users u on u.id = a.owner_id`

const columns = sql`a.id, a.kind, a.balance_cents is not null as "carriesBalance", ${owner} as owner
  from accounts a ${owned}`

/** Of one owner; null for the platform. */
export const accountsOf = (tx: Tx, ownerId: string | null): Promise<AccountRow[]> =>
  tx.rows(
    sql`select ${columns} where ${ownerId === null ? sql`a.owner_id is null` : sql`a.owner_id = ${ownerId}`} order by a.id`,
  )

export const accountOf = (tx: Tx, id: number): Promise<AccountRow> =>
  tx.one(sql`select ${columns} where a.id = ${id}`, 'Account')

export const balanceAfter = (tx: Tx, id: number, transfer: number): Promise<number> =>
  tx.value(sql`select balance_after(${id}::bigint, ${transfer}::bigint) as cents`)

/** No transfer of an account without a balance comes before this one any more. */
export const settledSequence = (tx: Tx): Promise<number> => tx.value(sql`select settled_sequence() as last`)

/** The last that was committed so far; others may come before it, but none of an account that carries its balance. */
export const lastTransfer = (tx: Tx): Promise<number> =>
  tx.value(sql`select coalesce((select id from transfers order by id desc limit 1), 0) as last`)

/** Null when there are fewer transfers to come. */
export const markBalance = (tx: Tx, id: number, every: number): Promise<number | null> =>
  tx.value(sql`select mark_balance(${id}::bigint, ${every}::int) as up_to`)

type Page = { upTo: number; after: number | null; limit: number }

/** Newest first, with the balance after each; `limit` of them at most, below `after`. */
export const statementOf = (tx: Tx, id: number, { upTo, after, limit }: Page): Promise<AccountLine[]> => {
  const last = after === null ? upTo : Math.min(upTo, after - 1)
  const side = (own: 'debit' | 'credit') => sql`
    select id as line, ${own === 'debit' ? sql`-amount_cents` : sql`amount_cents`} as cents,
      ${own === 'debit' ? sql`credit_account_id` : sql`debit_account_id`} as other_id
    from transfers where ${own === 'debit' ? sql`debit_account_id` : sql`credit_account_id`} = ${id} and id <= ${last}
    order by id desc limit ${rowLimit(limit)}`
  return tx.rows(sql`
    select line as sequence, t.business_key as key, t.at, cents as "amountCents",
      ((select balance_after(${id}::bigint, ${last}::bigint)) + cents - sum(cents) over (order by line desc))::bigint as "balanceAfterCents",
      json_build_object('id', a.id, 'kind', a.kind, 'owner', ${owner}) as other
    from (select * from ((${side('debit')}) union all (${side('credit')})) either order by line desc limit ${rowLimit(limit)}) newest
      join transfers t on t.id = line join accounts a on a.id = other_id ${owned}
    order by line desc`)
}
