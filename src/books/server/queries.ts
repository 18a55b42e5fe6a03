import { sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { Account, AccountLine } from '../contract.ts'

export type AccountRow = Omit<Account, 'balanceCents' | 'upTo'> & { carriesBalance: boolean }

/** Use together with `owned`, which joins the tables. */
const owner = sql`case
    when c.id is not null then json_build_object('id', c.id, 'type', 'CAMPAIGN', 'name', c.title)
    when u.id is not null then json_build_object('id', u.id, 'type', 'USER', 'name', u.name) end`
const owned = sql`left join campaigns c on c.id = a.owner_id left join users u on u.id = a.owner_id`

const columns = sql`a.id, a.kind, a.balance_cents is not null as "carriesBalance", ${owner} as owner
  from accounts a ${owned}`

/** The accounts of one owner; null stands for the platform. */
export const accountsOf = (tx: Tx, ownerId: string | null): Promise<AccountRow[]> =>
  tx.rows(
    sql`select ${columns} where ${ownerId === null ? sql`a.owner_id is null` : sql`a.owner_id = ${ownerId}`} order by a.id`,
  )

export const accountOf = (tx: Tx, id: number): Promise<AccountRow> =>
  tx.one(sql`select ${columns} where a.id = ${id}`, 'Account')

export const balanceAfter = (tx: Tx, id: number, transfer: number): Promise<number> =>
  tx.value(sql`select balance_after(${id}::bigint, ${transfer}::bigint) as cents`)

/** For accounts that carry no balance: no transfer can still be committed before this one. */
export const settledSequence = (tx: Tx): Promise<number> => tx.value(sql`select settled_sequence() as last`)

/** The last committed transfer. Earlier ones may still be committed, but not on accounts that carry a balance. */
export const lastTransfer = (tx: Tx): Promise<number> =>
  tx.value(sql`select coalesce((select id from transfers order by id desc limit 1), 0) as last`)

/** Returns null when there are fewer transfers than `every` left to mark. */
export const markBalance = (tx: Tx, id: number, every: number): Promise<number | null> =>
  tx.value(sql`select mark_balance(${id}::bigint, ${every}::int) as up_to`)

type Page = { upTo: number; after: number | null; limit: number }

/** Newest first, with the balance after each line; at most `limit` lines below `after`. */
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
