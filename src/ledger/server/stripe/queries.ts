/** SQL for the ids under which Stripe knows our people and our calls. */
import type { Instant } from '../../../kit/clock.ts'
import { sql, type Tx } from '../../../kit/server/db.ts'
import { fixedRowLimit } from '../../../kit/server/rowLimits.ts'

/** A restored copy has the original's id. */
export const installationId = (tx: Tx): Promise<string> => tx.value(sql`select id from installation where only_row`)

/** Stripe's id for the result of a call; null if it has not given one. */
export const referenceOf = (tx: Tx, key: string): Promise<string | null | undefined> =>
  tx
    .maybe<{ reference: string | null }>(sql`select reference from provider_calls where key = ${key}`)
    .then(row => row?.reference)

/** Stripe's id for the charge that paid for this payment. */
export const paidReferenceOf = (tx: Tx, paymentId: string): Promise<string | null | undefined> =>
  tx
    .maybe<{ reference: string | null }>(
      sql`select reference from provider_calls where subject_id = ${paymentId} and kind = 'CHARGE' and status = 'DONE'`,
    )
    .then(row => row?.reference)

export type ChargeFacts = { title: string; email: string; payCents: number; feeCents: number }

/** What the page on which a charge is paid shows. */
export const chargeFacts = (tx: Tx, chargeId: string): Promise<ChargeFacts> =>
  tx.one(
    sql`select c.title, u.email, ch.pay_cents as "payCents", ch.fee_cents as "feeCents" from charges ch
      join campaigns c on c.id = ch.campaign_id join users u on u.id = ch.developer_id where ch.id = ${chargeId}`,
    'Charge',
  )

export type AccountStatus = 'INCOMPLETE' | 'IN_REVIEW' | 'READY' | 'REJECTED'

export type PayoutAccountRow = {
  userId: string
  accountId: string
  country: string
  status: AccountStatus
  missing: string[]
}

const columns = sql`select user_id as "userId", account_id as "accountId", country, status, missing from payout_accounts`

export const payoutAccountOf = (tx: Tx, userId: string): Promise<PayoutAccountRow | undefined> =>
  tx.maybe(sql`${columns} where user_id = ${userId}`)

export const payoutAccounts = (tx: Tx): Promise<Pick<PayoutAccountRow, 'userId' | 'accountId'>[]> =>
  tx.rows(sql`select user_id as "userId", account_id as "accountId" from payout_accounts`)

export const payoutAccountById = (tx: Tx, accountId: string): Promise<PayoutAccountRow | undefined> =>
  tx.maybe(sql`${columns} where account_id = ${accountId}`)

/** For a withdrawal: the account cannot be removed until the transaction ends. */
export const holdPayoutAccount = (tx: Tx, userId: string): Promise<PayoutAccountRow | undefined> =>
  tx.maybe(sql`${columns} where user_id = ${userId} for share`)

/** Locks the account for its removal. */
export const lockPayoutAccount = (tx: Tx, userId: string): Promise<PayoutAccountRow | undefined> =>
  tx.maybe(sql`${columns} where user_id = ${userId} for update`)

/** If two are made at once, keeps the first. Does not bring back an account that was removed meanwhile. */
export const insertPayoutAccount = (
  tx: Tx,
  a: { userId: string; accountId: string; country: string; now: Instant },
): Promise<number> =>
  tx.run(sql`insert into payout_accounts (user_id, account_id, country, status, checked_at, created_at)
    select ${a.userId}, ${a.accountId}, ${a.country}, 'INCOMPLETE', ${a.now}, ${a.now}
      where not exists (select from removed_payout_accounts where account_id = ${a.accountId})
    on conflict do nothing`)

export const removePayoutAccount = (tx: Tx, userId: string, now: Instant): Promise<number> =>
  tx.run(sql`with removed as (delete from payout_accounts where user_id = ${userId} returning *)
    insert into removed_payout_accounts (account_id, user_id, country, removed_at)
    select account_id, user_id, country, ${now} from removed`)

/** How many accounts the tester has removed. */
export const countRemovedAccounts = (tx: Tx, userId: string): Promise<number> =>
  tx.value(sql`select count(*)::int from removed_payout_accounts where user_id = ${userId}`)

/** When the latest ones were removed, newest first. */
export const accountsRemovedAt = async (tx: Tx, userId: string, limit: number): Promise<Instant[]> =>
  (
    await tx.rows<{ at: Instant }>(sql`select removed_at as at from removed_payout_accounts where user_id = ${userId}
      order by removed_at desc limit ${fixedRowLimit(limit)}`)
  ).map(({ at }) => at)

export const setPayoutAccount = (
  tx: Tx,
  a: Pick<PayoutAccountRow, 'accountId' | 'status' | 'missing'>,
  now: Instant,
): Promise<number> =>
  tx.run(sql`update payout_accounts set status = ${a.status}, missing = ${a.missing}::text[], checked_at = ${now}
    where account_id = ${a.accountId}`)

export const emailOf = (tx: Tx, userId: string): Promise<{ email: string }> =>
  tx.one(sql`select email from users where id = ${userId}`, 'User')

export type Fee = { reference: string; cents: number; movedAt: Instant }

export const lastFeeAt = (tx: Tx): Promise<Instant | null> =>
  tx.value(sql`select max(moved_at) from account_fees where provider = 'stripe'`)

/** Returns how many of them were new. */
export const bookFees = (tx: Tx, fees: readonly Fee[], now: Instant): Promise<number> =>
  tx.value(sql`select book_account_fees('stripe', ${fees.map(({ reference }) => reference)}::text[],
    ${fees.map(({ cents }) => cents)}::bigint[], ${fees.map(({ movedAt }) => movedAt)}::timestamptz[], ${now})`)

/** The time up to which we have fetched all of Stripe's events. */
export const sweptUntil = (tx: Tx): Promise<{ until: Instant } | undefined> =>
  tx.maybe(sql`select swept_until as until from provider_sweeps where provider = 'stripe'`)

export const setSweptUntil = (tx: Tx, until: Instant): Promise<number> =>
  tx.run(sql`insert into provider_sweeps (provider, swept_until) values ('stripe', ${until})
    on conflict (provider) do update set swept_until = greatest(provider_sweeps.swept_until, excluded.swept_until)`)
