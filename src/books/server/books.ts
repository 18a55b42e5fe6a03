/** The accounts of the ledger as of any past transfer (decision 056). */
import type { Page } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import { everyMinute, scheduled } from '../../kit/server/jobs.ts'
import type { Account, AccountLine, StatementQuery } from '../contract.ts'
import * as queries from './queries.ts'

const tx = autocommit

/** The last transfer up to which the account can be shown. If the account carries no balance, only final transfers count. */
const lastOf = ({ carriesBalance }: queries.AccountRow) =>
  carriesBalance ? queries.lastTransfer(tx) : queries.settledSequence(tx)

const asOf = async (row: queries.AccountRow, upTo: number): Promise<Account> => {
  const { id, kind, owner } = row
  return { id, kind, owner, balanceCents: await queries.balanceAfter(tx, id, upTo), upTo }
}

export const accounts = async (ownerId: string | null): Promise<{ accounts: Account[] }> => {
  const rows = await queries.accountsOf(tx, ownerId)
  if (rows.length === 0) return { accounts: [] }
  const upTo = await lastOf(rows[0]!)
  return { accounts: await Promise.all(rows.map(row => asOf(row, upTo))) }
}

export const account = async (id: number, upTo: number | undefined): Promise<Account> => {
  const row = await queries.accountOf(tx, id)
  return asOf(row, Math.min(upTo ?? Infinity, await lastOf(row)))
}

export const statement = async (query: StatementQuery): Promise<Page<AccountLine>> => {
  const { account: id, limit, cursor } = query
  const row = await queries.accountOf(tx, id)
  const upTo = Math.min(query.upTo ?? Infinity, await lastOf(row))
  const after = cursor === undefined ? null : Number(cursor)
  const lines = await queries.statementOf(tx, id, { upTo, after, limit: limit + 1 })
  return {
    items: lines.slice(0, limit),
    nextCursor: lines.length > limit ? String(lines[limit - 1]!.sequence) : null,
  }
}

/** A balance query adds up at most this many transfers of an account. */
const markEvery = 10_000

/** Marks the balances of the platform's accounts up to the last final transfer. */
export const markBalances = scheduled(
  'books.mark-balances',
  everyMinute,
  async () => {
    await queries.settledSequence(tx)
    for (const { id } of await queries.accountsOf(tx, null))
      while ((await queries.markBalance(tx, id, markEvery)) !== null);
  },
  { neverPaused: true },
)
