/**
 * The accounts of the ledger and their statements, for admins, as of any past transfer. Transfers are ordered by sequence and not
 * by clock.
 */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { Cents, Id, idOr, Instant, SequenceQuery } from '../kit/schemas.ts'

/** The position of a transfer among all; never reused. */
const Sequence = z.int()

const AccountId = z
  .string({ error: 'The id of an account is required' })
  .regex(/^\d{1,15}$/, { error: 'This is not an account ID' })
  .meta({ examples: ['1'] })
  .transform(Number)

const UpTo = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'This is not the place of a transfer' })
  .meta({ examples: ['1042'] })
  .transform(Number)
  .optional()

export const Account = z.object({
  id: z.int(),
  /** For example `CAMPAIGN_ESCROW`. */
  kind: z.string(),
  /** The campaign or user that owns it; null for the platform's own accounts. */
  owner: z.object({ id: Id, type: z.enum(['CAMPAIGN', 'USER']), name: z.string() }).nullable(),
  /** Credits minus debits of the transfers up to `upTo`. */
  balanceCents: Cents,
  /** The last transfer, of any account, that the balance includes. The balance as of this transfer never changes. */
  upTo: Sequence,
})
export type Account = z.output<typeof Account>

export const AccountLine = z.object({
  sequence: Sequence,
  /** The transfer's unique business key: `verify-pay:…`. */
  key: z.string(),
  at: Instant,
  /** Positive if the account was credited. */
  amountCents: Cents,
  balanceAfterCents: Cents,
  /** The account on the other side. */
  other: Account.pick({ id: true, kind: true, owner: true }),
})
export type AccountLine = z.output<typeof AccountLine>

const StatementQuery = SequenceQuery.extend({ account: AccountId, upTo: UpTo })
export type StatementQuery = z.output<typeof StatementQuery>

export const booksApi = endpoints({
  accounts: {
    method: 'GET',
    path: '/admin/ledger/accounts',
    access: 'ADMIN',
    summary: 'The platform’s own accounts, or those of one campaign or user, with their balances.',
    query: z.object({ ownerId: idOr('This is not a campaign or user ID').optional() }),
    reply: z.object({ accounts: z.array(Account) }),
  },
  account: {
    method: 'GET',
    path: '/admin/ledger/account',
    access: 'ADMIN',
    summary: 'An account with its balance after any past transfer; without `upTo`, after the newest final one.',
    query: z.object({ account: AccountId, upTo: UpTo }),
    reply: Account,
    errors: ['NOT_FOUND'],
  },
  statement: {
    method: 'GET',
    path: '/admin/ledger/transfers',
    access: 'ADMIN',
    summary: 'The transfers of an account up to a given one, newest first, with the balance after each.',
    query: StatementQuery,
    pageOf: AccountLine,
    errors: ['NOT_FOUND'],
  },
})
