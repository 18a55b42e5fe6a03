/** SQL that compares the provider's movements with what the database has recorded. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { FindingKind } from '../terms.ts'

/** `isReturned`: it was paid out, and came back. */
export type Known = { id: string; status: string; amountCents: number; isReturned?: boolean }

/** Includes charges on their way. Includes abandoned ones only of a provider that may still report them as paid. */
export const paymentsAmong = (tx: Tx, ids: readonly string[]): Promise<Known[]> =>
  tx.rows(sql`select id, status, amount_cents as "amountCents" from payments where id = any(${ids})
    union all select id, status, (pay_cents + fee_cents)::bigint from charges where id = any(${ids})
      and (status = 'PENDING' or status = 'CANCELLED' and provider <> 'sandbox')`)

export const withdrawalsAmong = (tx: Tx, ids: readonly string[]): Promise<Known[]> =>
  tx.rows(sql`select id, case when returned_at is null then status else 'COMPLETED' end as status,
    amount_cents as "amountCents", returned_at is not null as "isReturned" from withdrawals where id = any(${ids})`)

/** Paid by a bank, or by an admin by other means, and not by the provider as well. */
const isPaidByNoProvider = sql`(
  (x.dispute_id is not null or exists (select from outside_refunds o where o.part_id = x.id and o.outcome = 'PAID'))
  and not exists (select from over_refunds o where o.part_id = x.id and o.outcome is distinct from 'CAME_BACK'))`

/**
 * `PAID_OUTSIDE`: as far as we know, the provider did not pay it. If a part was paid completely before a restore, we have not asked
 * for it since; a movement known there came back earlier, hence `isReturned`.
 */
export const refundPartsAmong = (tx: Tx, ids: readonly string[]): Promise<Known[]> =>
  tx.rows(sql`select id, case when ${isPaidByNoProvider} then 'PAID_OUTSIDE' else status end as status,
    amount_cents as "amountCents", status = 'COMPLETED' and amount_cents = coalesce(covered_cents, 0) as "isReturned"
    from refund_parts x where id = any(${ids})`)

export const lostAmong = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await tx.rows<{ id: string }>(sql`select id from lost_movements where id = any(${ids})
        union all select id from lost_returns where id = any(${ids})`)
    ).map(({ id }) => id),
  )

export const usersAmong = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (await tx.rows<{ id: string }>(sql`select id from users where id = any(${ids}) and deleted_at is null`)).map(
      ({ id }) => id,
    ),
  )

/** Campaigns that a lost charge can still pay for. */
export const draftsAmong = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (await tx.rows<{ id: string }>(sql`select id from campaigns where id = any(${ids}) and status = 'DRAFT'`)).map(
      ({ id }) => id,
    ),
  )

export type Believed = { id: string; kind: 'CHARGE' | 'PAYOUT' | 'REFUND'; amountCents: number; of: string }

/** The provider that got the last call; before calls were recorded, the sandbox was the only one. */
const wentTo = (provider: string) =>
  sql`coalesce((select c.provider from provider_calls c where c.subject_id = x.id order by attempt desc limit 1), 'sandbox')
    = ${provider}`

const believedOf = (provider: string) => [
  sql`select id, 'CHARGE' as kind, amount_cents as "amountCents", campaign_id as of from payments x
    where status = 'COMPLETED' and provider = ${provider}`,
  sql`select id, 'PAYOUT' as kind, amount_cents as "amountCents", tester_id as of from withdrawals x
    where (status = 'COMPLETED' or returned_at is not null) and ${wentTo(provider)}`,
  // What was completely paid before an earlier restore is not asked for again.
  sql`select id, 'REFUND' as kind, amount_cents as "amountCents", payment_id as of from refund_parts x
    where status = 'COMPLETED' and (${provider} = 'sandbox' or amount_cents > coalesce(covered_cents, 0))
      and not ${isPaidByNoProvider} and ${wentTo(provider)}`,
]

const pageSize = 5_000

/** Everything that the database believes this provider has done, one page at a time. */
export async function* believedDone(tx: Tx, provider: string): AsyncGenerator<Believed[]> {
  for (const statement of believedOf(provider)) {
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const rows = await tx.rows<Believed>(sql`${statement} and id > ${after} order by id limit ${pageSize}`)
      yield rows
      if (rows.length < pageSize) break
      after = rows.at(-1)!.id
    }
  }
}

export const recordReconciled = (
  tx: Tx,
  r: { keysFound: boolean; providerFile: string; found: object; now: string },
): Promise<number> =>
  tx.run(sql`update job_pauses set keys_found_at = ${r.keysFound ? r.now : null}, provider_file = ${r.providerFile},
      reconciled_at = ${r.now}, found = ${JSON.stringify(r.found)}::jsonb
    where resumed_at is null and reason = 'RESTORED'`)

/** What is recorded about a comparison. */
export type Found = Record<FindingKind, number> & { movements: number; provider: string }

/** Locks the pause, so that nobody else reconciles, pauses or resumes meanwhile. */
export const lockPause = (tx: Tx): Promise<{ pausedOn: string; found: Found | null } | undefined> =>
  tx.maybe(sql`select paused_on as "pausedOn", found from job_pauses where resumed_at is null for update`)

export type Lost = { id: string; kind: string; of: string; amountCents: number; at: string }

export const insertLost = (tx: Tx, provider: string, all: readonly Lost[]): Promise<number> =>
  tx.run(sql`insert into lost_movements (provider, id, kind, of_id, amount_cents, at)
    select ${provider}, (one->>'id')::uuid, one->>'kind', (one->>'of')::uuid, (one->>'amountCents')::bigint, (one->>'at')::timestamptz
    from jsonb_array_elements(${JSON.stringify(all)}::jsonb) one on conflict (id) do nothing`)

/** Whether money was moved by a provider other than the sandbox. */
export const movedElsewhere = (tx: Tx): Promise<boolean> =>
  tx.value(sql`select exists (select from provider_calls where provider <> 'sandbox')`)

/** The provider has already paid these, so neither a suspension nor two admins can hold them up any longer. */
export const letThrough = (tx: Tx, withdrawalIds: readonly string[], now: string): Promise<number> =>
  tx.run(sql`with claimed as (
      update withdrawals set claimed_at = coalesce(claimed_at, ${now}) where id = any(${withdrawalIds}) and status = 'PENDING'
    )
    update payout_approvals set outcome = 'LAPSED', decided_at = ${now}
    where withdrawal_id = any(${withdrawalIds}) and outcome is null`)

/** For parts that the provider has been asked for: what the provider reported then is what counts. */
export const setCovered = (tx: Tx, parts: readonly { id: string; earlierCents: number }[]): Promise<number> =>
  tx.run(sql`update refund_parts part set covered_cents = (one->>'earlierCents')::bigint
    from jsonb_array_elements(${JSON.stringify(parts)}::jsonb) one where part.id = (one->>'id')::uuid`)

/** For parts of these payments that still have to be paid, or paid again: reopens the question how much had been paid before. */
export const uncover = (
  tx: Tx,
  paymentIds: readonly string[],
  { decided, cameBack }: { decided: readonly string[]; cameBack: readonly string[] },
): Promise<{ id: string; paymentId: string }[]> =>
  tx.rows(sql`update refund_parts set covered_cents = null where payment_id = any(${paymentIds})
      and (status = 'PENDING' and id <> all(${decided}) or id = any(${cameBack}))
    returning id, payment_id as "paymentId"`)

/** Cancels jobs that waited when the copy was made: the original has run them. */
export const cancelJobsBefore = (tx: Tx, names: readonly string[], before: string): Promise<number> =>
  tx.run(sql`update pgboss.job set state = 'cancelled', completed_on = now()
    where name = any(${names}) and state < 'completed' and created_on < ${before}`)
