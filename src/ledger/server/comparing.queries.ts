/**
 * SQL for what our books say that a provider did: for each subject, what it adds to the provider's balance, and what it may still
 * add.
 */
import type { Sql } from 'sql-template-tag'
import { sql, type Tx } from '../../kit/server/db.ts'
import { disputedOf } from './lostMovements.queries.ts'

export type Booked = {
  kind: 'CHARGE' | 'PAYOUT' | 'REFUND' | 'DISPUTE' | 'FEE'
  id: string
  cents: number
  /** What is still on its way, on top of `cents`. */
  pendingCents: number
}

type Row = Booked & { after: string }

const isCalled = (provider: string) =>
  sql`exists (select from provider_calls k where k.subject_id = x.id and k.provider = ${provider})`

/** Paid by a bank, or by an admin by other means. */
const isPaidElsewhere = sql`(x.dispute_id is not null
  or exists (select from outside_refunds o where o.part_id = x.id and o.outcome = 'PAID'))`

const statements: ((provider: string) => Sql)[] = [
  // A copy that did not know the charge may have given some of it back, under the charge's own id.
  provider => sql`select 'CHARGE' as kind, x.id::text, amount_cents - provider_fee_cents
        - coalesce((select l.amount_cents from lost_movements l where l.id = x.id and l.kind = 'REFUND'), 0) as cents,
      0 as "pendingCents", x.id as after from payments x where status = 'COMPLETED' and provider = ${provider}`,
  // The provider's fee is known only with its answer.
  provider => sql`select 'CHARGE' as kind, x.id::text, 0 as cents, (pay_cents + fee_cents)::bigint as "pendingCents",
      x.id as after from charges x where status = 'PENDING' and ${isCalled(provider)}`,
  provider => sql`select 'PAYOUT' as kind, x.id::text, case when status = 'COMPLETED' then -amount_cents else 0 end as cents,
      case when status = 'PENDING' then -amount_cents else 0 end as "pendingCents", x.id as after
    from withdrawals x where ${isCalled(provider)}`,
  // A refund paid elsewhere was not paid by the provider, unless the provider paid it as well.
  provider => sql`select 'REFUND' as kind, x.id::text,
      (case when status = 'COMPLETED' and not ${isPaidElsewhere} then coalesce(covered_cents, 0) - amount_cents else 0 end
        - (select coalesce(sum(o.amount_cents), 0) from over_refunds o where o.part_id = x.id
          and o.outcome is distinct from 'CAME_BACK'))::bigint as cents,
      case when status = 'PENDING' then coalesce(covered_cents, 0) - amount_cents else 0 end as "pendingCents", x.id as after
    from refund_parts x where ${isCalled(provider)}`,
  provider => sql`select 'DISPUTE' as kind, reference as id,
      case when status = 'LOST' then -amount_cents else 0 end - provider_fee_cents as cents,
      case when status = 'OPEN' then -amount_cents else 0 end as "pendingCents", x.id as after
    from disputes x where provider = ${provider}`,
  provider => sql`select 'DISPUTE' as kind, reference as id,
      case when status = 'LOST' then -amount_cents else 0 end
        - (select coalesce(sum(cents), 0) from lost_dispute_bookings b where b.dispute_id = x.id and b.kind = 'FEE')::bigint as cents,
      case when status = 'OPEN' then -amount_cents else 0 end as "pendingCents", x.id as after
    from lost_disputes x where provider = ${provider}`,
  provider => sql`select 'FEE' as kind, reference as id, -amount_cents as cents, 0 as "pendingCents", x.id as after
    from account_fees x where provider = ${provider}`,
  // Only Stripe's refunds can come back.
  provider => sql`select 'REFUND' as kind, x.id::text, 0 as cents,
      case when sent_at is null then 0 else -amount_cents end as "pendingCents", x.id as after
    from lost_returns x where ${provider} = 'stripe'`,
  // What was done before a restore, unless one of the rows above already says it.
  provider => sql`select kind, x.id::text, -amount_cents as cents, 0 as "pendingCents", x.id as after
    from lost_movements x where provider = ${provider} and (kind = 'REFUND' and id <> of_id or kind = 'PAYOUT' and not ${isCalled(provider)})`,
  provider => sql`select 'CHARGE' as kind, x.id::text,
      amount_cents - fee_cents - case when booked_at is null then 0 else amount_cents - back.cents - ${disputedOf('x')} end as cents,
      case when booked_at is null and sent_at is not null then back.cents + ${disputedOf('x')} - amount_cents else 0 end
        as "pendingCents", x.id as after
    from lost_movements x, lateral (select coalesce(sum(amount_cents), 0)::bigint as cents from lost_movements r
      where r.kind = 'REFUND' and r.of_id = x.id) back
    where kind = 'CHARGE' and provider = ${provider}`,
]

const pageSize = 5_000
const first = '00000000-0000-0000-0000-000000000000'

/** Yields one page at a time. */
export async function* bookedWith(tx: Tx, provider: string): AsyncGenerator<Booked[]> {
  for (const statement of statements) {
    for (let after = first; ;) {
      const rows = await tx.rows<Row>(sql`${statement(provider)} and x.id > ${after} order by x.id limit ${pageSize}`)
      yield rows
      if (rows.length < pageSize) break
      after = rows.at(-1)!.after
    }
  }
}
